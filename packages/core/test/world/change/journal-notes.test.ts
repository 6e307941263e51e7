import { beforeEach, describe, expect, it } from "vitest";
import { add, type Entity, release, remove, spawn, spawnMany } from "../../../src/index.ts";
import { Any, ChildOf, Frozen, Parent, Position } from "../../definitions.ts";
import { dock, setShipAndDock, ship, world } from "../../fixture.ts";
import { indexOf } from "../../handles.ts";
import { journaled, settleDepths, TARGET_MOVED, VALUE_PARENT_MOVED } from "../../journal.ts";
import { destroy } from "../destroy.ts";

beforeEach(setShipAndDock);

/** The entities that entries of a kind name since the act began. */
function noted(kind: number, act: () => unknown): number[] {
  const entries = journaled(world, () => {
    act();
    settleDepths(world);
  });
  const numbers = entries.filter((entry) => entry[0] === kind).map(([, number]) => number);
  return [...new Set(numbers)].toSorted((one, other) => one - other);
}

function indexes(...entities: Entity[]): number[] {
  return entities.map(indexOf).toSorted((one, other) => one - other);
}

describe("the journal names children by value", () => {
  it.each<[string, (one: Entity) => unknown]>([
    ["that get another parent by value", (one) => add(world, one, Parent(dock))],
    ["that get another parent beside a tag", (one) => add(world, one, Parent(dock), Frozen)],
    ["that go to the other storage", (one) => add(world, one, ChildOf(ship))],
    ["that become roots", (one) => remove(world, one, ChildOf(Any))],
    ["that move to another table", (one) => add(world, one, Frozen)],
    ["that are destroyed", (one) => release(world, one)],
    ["that are destroyed", (one) => destroy(world, one)],
  ])("%s", (_, act) => {
    spawn(world, Parent(ship), Position);
    const one = spawn(world, Parent(ship), Position);

    expect(noted(VALUE_PARENT_MOVED, () => act(one))).toContain(indexOf(one));
  });

  it("that are spawned, by every verb", () => {
    let spawned: Entity[] = [];

    const found = noted(VALUE_PARENT_MOVED, () => {
      spawned = [spawn(world, Parent(ship)), ...spawnMany(world, 3, Parent(dock), Position)];
    });

    expect(found).toEqual(indexes(...spawned));
  });

  it("that come from the other storage", () => {
    const one = spawn(world, ChildOf(ship));

    expect(noted(VALUE_PARENT_MOVED, () => add(world, one, Parent(ship)))).toContain(indexOf(one));
  });

  it("that fill the row of another that left", () => {
    const [one, last] = spawnMany(world, 2, Parent(ship), Position) as [Entity, Entity];

    expect(noted(VALUE_PARENT_MOVED, () => release(world, one))).toEqual(indexes(one, last));
  });

  it("whose depth has changed, since an ancestor moved", () => {
    const deck = spawn(world, ChildOf(ship));
    const seat = spawn(world, Parent(deck));
    const belt = spawn(world, Parent(seat));

    expect(noted(VALUE_PARENT_MOVED, () => add(world, ship, ChildOf(dock)))).toEqual(indexes(seat, belt));
  });

  it("that are destroyed with their parent, all of them", () => {
    const children = spawnMany(world, 5, Parent(ship), Position);
    spawn(world, Parent(dock), Position);

    expect(noted(VALUE_PARENT_MOVED, () => destroy(world, ship))).toEqual(
      expect.arrayContaining(indexes(...children)),
    );
  });
});

describe("the journal names targets", () => {
  it("that get another parent by value, though their row stays", () => {
    const deck = spawn(world, Parent(ship));
    spawn(world, ChildOf(deck));
    const lonely = spawn(world, Parent(ship));

    expect(noted(TARGET_MOVED, () => add(world, deck, Parent(dock)))).toEqual(indexes(deck));
    expect(noted(TARGET_MOVED, () => add(world, lonely, Parent(dock)))).toEqual([]);
  });

  it("that move to another table, or fill a row there", () => {
    const [one, last] = spawnMany(world, 2, Position) as [Entity, Entity];
    spawn(world, Parent(one));
    spawn(world, Parent(last));

    expect(noted(TARGET_MOVED, () => add(world, one, Frozen))).toEqual(indexes(one, last));
  });
});

describe("the journal has no entry", () => {
  it.each<[string, (one: Entity) => unknown]>([
    ["about the same parent again", (one) => add(world, one, Parent(ship))],
    ["about typed children", () => add(world, spawn(world, ChildOf(ship)), ChildOf(dock))],
    ["about children elsewhere", () => add(world, dock, Frozen)],
  ])("%s", (_, act) => {
    const one = spawn(world, Parent(ship));

    expect(noted(VALUE_PARENT_MOVED, () => act(one))).toEqual([]);
  });
});
