import { beforeEach, describe, expect, it } from "vitest";
import { findPair } from "../../../src/id/pair-index.ts";
import {
  add,
  addMany,
  clear,
  clone,
  type Entity,
  release,
  remove,
  removeMany,
  reparentMany,
  spawn,
  spawnMany,
  spawnRows,
} from "../../../src/index.ts";
import { Any, ChildOf, Disabled, Frozen, Likes, Parent, Position, storages } from "../../definitions.ts";
import { dock, setShipAndDock, ship, world } from "../../fixture.ts";
import { indexOf } from "../../handles.ts";
import { moveTo } from "../../internal.ts";
import {
  BIT_TURNED,
  DEPTH_CHANGED,
  ENTITY_CHANGED,
  journaled,
  ROW_FILLED,
  SIBLINGS_REORDERED,
  settleDepths,
} from "../../journal.ts";
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

describe.each(storages)("the journal names children by %s", (_name, In) => {
  const Other = In === Parent ? ChildOf : Parent;

  it.each<[string, (one: Entity) => unknown]>([
    ["that get another parent", (one) => add(world, one, In(dock))],
    ["that get another parent beside a tag", (one) => add(world, one, In(dock), Frozen)],
    ["that get another parent in the other storage", (one) => add(world, one, Other(dock))],
    ["that go to the other storage", (one) => add(world, one, Other(ship))],
    ["that become roots", (one) => remove(world, one, ChildOf(Any))],
    ["that get a component", (one) => add(world, one, Frozen)],
    ["that get a pair", (one) => add(world, one, Likes(dock))],
    ["that lose a component", (one) => remove(world, one, Position)],
    ["that lose everything", (one) => clear(world, one)],
    ["that are put before a child of another parent", (one) => moveTo(world, one, dock, 0)],
    ["that are moved in a list", (one) => reparentMany(world, [one], dock)],
    ["that get a component in a list", (one) => addMany(world, [one], Frozen)],
    ["that lose a component in a list", (one) => removeMany(world, [one], Position)],
    ["that are released", (one) => release(world, one)],
    ["that are destroyed", (one) => destroy(world, one)],
  ])("%s", (_, act) => {
    spawn(world, In(dock));
    const one = spawn(world, In(ship), Position);

    expect(noted(ENTITY_CHANGED, () => act(one))).toEqual([indexOf(one)]);
  });

  it("that are spawned, by every verb", () => {
    const spawned: Entity[] = [];

    const found = noted(ENTITY_CHANGED, () => {
      spawned.push(spawn(world, In(ship)), ...spawnMany(world, 3, In(dock), Position));
      spawned.push(...spawnRows(world, 3, [In(dock), Position]));
      spawned.push(clone(world, spawned[0]!));
    });

    expect(found).toEqual(indexes(...spawned));
  });

  it("whose depth has changed, since an ancestor moved, by the pairs of their parents", () => {
    const deck = spawn(world, Other(ship));
    const seat = spawn(world, In(deck));
    spawn(world, In(seat));
    const pairs = [ship, deck, seat].map((one) => findPair(world.graph.pairs, ChildOf.id, indexOf(one)));

    expect(noted(DEPTH_CHANGED, () => add(world, ship, ChildOf(dock)))).toEqual(pairs.toSorted());
    expect(noted(ENTITY_CHANGED, () => add(world, ship, ChildOf(spawn(world))))).toContain(indexOf(ship));
  });

  it("that are destroyed with their parent, all of them", () => {
    const children = spawnMany(world, 40, In(ship), Position);
    spawn(world, In(dock), Position);

    expect(noted(ENTITY_CHANGED, () => destroy(world, ship))).toEqual(indexes(ship, ...children));
  });

  it("that fill the row of another one apart from those that change themselves", () => {
    const [one, , last] = spawnMany(world, 3, In(ship), Position) as [Entity, Entity, Entity];

    expect(noted(ROW_FILLED, () => release(world, one))).toEqual(indexes(last));
    expect(noted(ENTITY_CHANGED, () => add(world, last, Frozen))).toEqual(indexes(last));
  });
});

describe("the journal names entities", () => {
  it("that get another parent while those below stay where they are", () => {
    const deck = spawn(world, Parent(ship));
    spawn(world, ChildOf(deck));

    expect(noted(ENTITY_CHANGED, () => add(world, deck, Parent(dock)))).toEqual(indexes(deck));
  });

  it("that move to another archetype, or fill a row there, whether or not they are targets", () => {
    const [one, , last] = spawnMany(world, 3, Position) as [Entity, Entity, Entity];
    spawn(world, Parent(one));

    expect(noted(ROW_FILLED, () => add(world, one, Frozen))).toEqual(indexes(last));
    expect(noted(ENTITY_CHANGED, () => remove(world, one, Frozen))).toEqual(indexes(one));
  });

  it("that fill rows of entities that are destroyed together", () => {
    const crowd = spawnMany(world, 6, Position);
    const deck = spawn(world);
    for (const at of [0, 2]) add(world, crowd[at]!, ChildOf(deck));
    const others = spawnMany(world, 3, Position, ChildOf(ship));

    const filled = noted(ROW_FILLED, () => destroy(world, deck));

    expect(filled).toHaveLength(2);
    expect(filled.every((index) => others.map(indexOf).includes(index))).toBe(true);
  });

  it("whose children get another order", () => {
    const [, last] = spawnMany(world, 2, ChildOf(ship)) as [Entity, Entity];

    expect(noted(SIBLINGS_REORDERED, () => moveTo(world, last, ship, 0))).toEqual(indexes(ship));
  });

  it("that are targets and get a tag that is stored as bits", () => {
    spawn(world, ChildOf(ship));

    expect(noted(BIT_TURNED, () => add(world, ship, Disabled))).toEqual(indexes(ship));
    expect(noted(BIT_TURNED, () => add(world, dock, Disabled))).toEqual([]);
  });
});

describe("the journal has no entry", () => {
  it.each<[string, (one: Entity) => unknown]>([
    ["about the same parent again", (one) => add(world, one, Parent(ship))],
    ["about a component again", (one) => add(world, one, Position)],
    ["about an order that is the same", (one) => moveTo(world, one, ship, 0)],
    ["about a value", (one) => add(world, one, Position({ x: 5 }))],
  ])("%s", (_, act) => {
    const one = spawn(world, Parent(ship), Position);

    expect(journaled(world, () => act(one))).toEqual([]);
  });

  it("about children of an entity that changes", () => {
    const one = spawn(world, Parent(dock));

    expect(noted(ENTITY_CHANGED, () => add(world, dock, Frozen))).not.toContain(indexOf(one));
  });
});
