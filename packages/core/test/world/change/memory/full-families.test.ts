import { describe, expect, it } from "vitest";
import { add, clone, observe, remove, reparentMany, spawnRows } from "../../../../src/index.ts";
import { Any, ChildOf, Frozen, Knows, Likes, Parent, Position } from "../../../definitions.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../../fixture.ts";
import { moveTo } from "../../../internal.ts";
import { subjectsOf, verify } from "../../../reading.ts";
import { itChangesNothing, refusePool } from "./refused-pool.ts";

interface Ships {
  readonly world: World;
  /** Parents of four children each, whose lists have no room; and one without children. */
  readonly ship: Entity;
  readonly dock: Entity;
  readonly hull: Entity;
  /** Children of the dock, the other one by value. */
  readonly one: Entity;
  readonly other: Entity;
}

/** A world in which no list of children has room for another, nor that of the roots; one child of four stores its parent by value. */
function plantFull(): Ships {
  const world = createWorld();
  const [ship, dock, hull] = spawnMany(world, 3) as [Entity, Entity, Entity];
  const crew: Entity[] = [];
  for (const parent of [ship, dock]) {
    for (const storage of [ChildOf, Parent, ChildOf, ChildOf])
      crew.push(spawn(world, storage(parent), Position));
  }
  spawn(world);
  return { world, ship, dock, hull, one: crew[4]!, other: crew[5]! };
}

/** From now on the pool cannot grow. @returns what lets it grow again. */
const refuse = ({ graph }: World): (() => void) => refusePool(graph.families);

const calls: readonly (readonly [string, (ships: Ships) => unknown])[] = [
  ["a root is spawned", ({ world }) => spawn(world, Position)],
  ["a child is spawned", ({ world, ship }) => spawn(world, Position, ChildOf(ship))],
  [
    "a child of another type is spawned",
    ({ world, ship }) => spawn(world, Frozen, ChildOf(ship), Likes(ship)),
  ],
  ["a first child is spawned", ({ world, hull }) => spawn(world, Position, ChildOf(hull))],
  ["a child is spawned by value", ({ world, ship }) => spawn(world, Position, Parent(ship))],
  ["a first child is spawned by value", ({ world, hull }) => spawn(world, Position, Parent(hull))],
  ["several are spawned", ({ world, ship }) => spawnMany(world, 30, Frozen, ChildOf(ship))],
  ["several are spawned by value", ({ world, ship }) => spawnMany(world, 3, Frozen, Parent(ship))],
  [
    "a child with a symmetric pair is spawned",
    ({ world, ship, one }) => spawn(world, ChildOf(ship), Knows(one)),
  ],
  ["rows are spawned", ({ world, ship }) => spawnRows(world, 20, [ChildOf(ship), Position])],
  ["rows are spawned by value", ({ world, ship }) => spawnRows(world, 20, [Parent(ship), Position])],
  ["a child gets another parent", ({ world, ship, one }) => add(world, one, ChildOf(ship))],
  ["a child gets its first parent", ({ world, ship, hull }) => add(world, hull, ChildOf(ship))],
  ["a child gets another parent, by value", ({ world, ship, other }) => add(world, other, Parent(ship))],
  [
    "a child gets another parent in the other storage",
    ({ world, ship, one }) => add(world, one, Parent(ship)),
  ],
  [
    "a child gets a parent and a symmetric pair",
    ({ world, ship, one, other }) => add(world, one, ChildOf(ship), Knows(other)),
  ],
  [
    "a child gets another parent and a new pair",
    ({ world, ship, one }) => add(world, one, ChildOf(ship), Likes(one)),
  ],
  [
    "a child gets its first parent and a new pair",
    ({ world, ship, hull }) => add(world, hull, ChildOf(ship), Likes(hull)),
  ],
  ["a child gets another parent before a sibling", ({ world, ship, one }) => moveTo(world, one, ship, 1)],
  ["a child loses its parent", ({ world, one }) => remove(world, one, ChildOf(Any))],
  ["a child by value loses its parent", ({ world, other }) => remove(world, other, ChildOf(Any))],
  [
    "several get another parent",
    ({ world, ship, dock }) => reparentMany(world, subjectsOf(world, dock, ChildOf).slice(2), ship),
  ],
  [
    "several of both storages get another parent",
    ({ world, ship, dock }) => reparentMany(world, subjectsOf(world, dock, ChildOf), ship),
  ],
  ["a subtree is cloned", ({ world, ship }) => clone(world, ship, { deep: true })],
  [
    "a child is cloned beside the original",
    ({ world, one, dock }) => clone(world, one, { with: [ChildOf(dock)] }),
  ],
];

describe("when the list of a family cannot grow", () => {
  itChangesNothing(plantFull, refuse, calls, [ChildOf, Position]);
});

describe("a parent that loses all children and gets others in one call", () => {
  it.each<[string, (typeof ChildOf | typeof Position)[], typeof ChildOf | typeof Parent]>([
    ["", [], ChildOf],
    [", observed", [ChildOf], ChildOf],
    [", by value", [], Parent],
  ])("keeps the room that was made for them%s", (_, observed, In) => {
    const world = createWorld();
    const [ship, dock] = spawnMany(world, 2) as [Entity, Entity];
    const crew = spawnMany(world, 20, In(ship));
    const others = spawnMany(world, 40, In(dock));
    for (const what of observed) observe(world, { added: what }, () => undefined);
    refuse(world);

    reparentMany(
      world,
      [...crew, ...others.slice(0, 10)],
      [...crew.map(() => dock), ...others.slice(0, 10).map(() => ship)],
    );

    expect(subjectsOf(world, ship, ChildOf)).toEqual(others.slice(0, 10));
    expect(subjectsOf(world, dock, ChildOf)).toEqual([...others.slice(10), ...crew]);
    expect(world.graph.vacated).toBeUndefined();
  });

  it("has no pair any more if no others come", () => {
    const world = createWorld();
    const [ship, dock] = spawnMany(world, 2) as [Entity, Entity];
    const crew = spawnMany(world, 20, ChildOf(ship));
    spawn(world, ChildOf(dock));

    reparentMany(world, crew, dock);

    expect(world.graph.pairs.alive).toBe(1);
    expect(verify(world)).toEqual([]);
  });
});
