import { beforeEach, describe, expect, it } from "vitest";
import { add, clone, defer, entityOf, release, remove, spawn, spawnMany } from "../../../src/index.ts";
import { relation } from "../../defining.ts";
import { Any, ChildOf, Disabled, DisabledTree, Frozen, OrderedChildren, Parent } from "../../definitions.ts";
import { createWorld, type Entity, type World } from "../../fixture.ts";
import { codeOf, isAlive, parentOf, subjectsOf } from "../../reading.ts";
import { livingTables, snapshot } from "../snapshot.ts";

const Seat = relation("Seat", { maxSubjects: 2 });
const Crown = relation("Crown", { maxSubjects: 1, exclusive: true });

let world: World;
let bench: Entity;

beforeEach(() => {
  world = createWorld();
  bench = spawn(world);
});

describe("a relation with maxSubjects", () => {
  it("accepts that many sources for each target, and refuses the next one as full, before anything changes", () => {
    const [one, other, late] = spawnMany(world, 3) as [Entity, Entity, Entity];
    add(world, one, Seat(bench));
    add(world, other, Seat(bench), Frozen);
    const before = snapshot(world);

    const verbs = [
      () => add(world, late, Seat(bench)),
      () => add(world, late, Frozen, Seat(bench)),
      () => spawn(world, Seat(bench)),
      () => spawnMany(world, 1, Seat(bench)),
    ];

    expect(verbs.map(codeOf)).toEqual(["full", "full", "full", "full"]);
    expect(snapshot(world)).toEqual(before);
    expect(codeOf(() => add(world, late, Seat(one)))).toBeUndefined();
  });

  it("refuses many as a whole, if only some of them had room", () => {
    const before = snapshot(world);

    expect(codeOf(() => spawnMany(world, 3, Seat(bench)))).toBe("full");

    expect(snapshot(world)).toEqual(before);
    expect(spawnMany(world, 2, Seat(bench)).length).toBe(2);
  });

  it("counts an existing source already: it may be added again", () => {
    const [one] = spawnMany(world, 2, Seat(bench)) as [Entity];

    expect(codeOf(() => add(world, one, Seat(bench)))).toBeUndefined();
    expect(codeOf(() => add(world, one, Seat(bench), Frozen))).toBeUndefined();
  });

  it("has room again when a source leaves or is destroyed", () => {
    const [one, other] = spawnMany(world, 2, Seat(bench)) as [Entity, Entity];

    remove(world, one, Seat(bench));
    add(world, one, Seat(bench));
    release(world, other);

    expect(codeOf(() => spawn(world, Seat(bench)))).toBeUndefined();
    expect(subjectsOf(world, bench, Seat).length).toBe(2);
  });

  it("that is exclusive lets its sources change from one target to another", () => {
    const [king, queen, other] = spawnMany(world, 3) as [Entity, Entity, Entity];
    add(world, king, Crown(bench));

    const codes = [
      codeOf(() => add(world, queen, Crown(bench))),
      codeOf(() => add(world, king, Crown(other))),
      codeOf(() => add(world, queen, Crown(bench))),
      codeOf(() => add(world, queen, Crown(other))),
    ];

    expect(codes).toEqual(["full", undefined, undefined, "full"]);
  });

  it("is checked again when a deferred change is made", () => {
    const before = livingTables(world);
    let spawned: Entity[] = [];

    const code = codeOf(() =>
      defer(world, () => {
        spawned = [1, 2, 3].map(() => spawn(world, Seat(bench)));
      }),
    );

    expect([code, spawned.map((one) => isAlive(world, one))]).toEqual(["full", [true, true, false]]);
    for (const one of spawned) release(world, one);
    expect(livingTables(world)).toEqual(before);
  });

  it("refuses a clone for which there is no room, and no entity is spawned", () => {
    const one = spawn(world, Crown(bench), Frozen);
    const before = world.entities.alive;

    expect(codeOf(() => clone(world, one))).toBe("full");

    expect(world.entities.alive).toBe(before);
  });
});

describe("the entity of a builtin", () => {
  it.each([
    ["ChildOf", ChildOf],
    ["Parent", Parent],
    ["OrderedChildren", OrderedChildren],
    ["Disabled", Disabled],
    ["DisabledTree", DisabledTree],
  ])("accepts no parent: %s, which is refused", (_, builtin) => {
    const entity = entityOf(world, builtin);
    const before = snapshot(world);
    const verbs = [
      () => add(world, entity, ChildOf(bench)),
      () => add(world, entity, Parent(bench)),
      () => add(world, entity, Frozen, ChildOf(bench)),
      () => defer(world, () => add(world, entity, Parent(bench))),
    ];

    expect(verbs.map(codeOf)).toEqual(["refused", "refused", "refused", "refused"]);
    expect(snapshot(world)).toEqual(before);
  });

  it("may be a parent, and those of other definitions have parents", () => {
    const child = spawn(world, ChildOf(entityOf(world, Disabled)));

    add(world, entityOf(world, Frozen), ChildOf(child));

    expect(parentOf(world, entityOf(world, Frozen))).toBe(child);
    remove(world, child, ChildOf(Any));
  });
});
