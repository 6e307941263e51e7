import { describe, expect, it } from "vitest";
import { add, addMany, clone, remove, removeMany, spawnRows } from "../../../../src/index.ts";
import { ChildOf, Frozen, Knows, Likes, Parent, Position } from "../../../definitions.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../../fixture.ts";
import { moveTo } from "../../../internal.ts";
import { parentOf, verify } from "../../../reading.ts";
import { fixed, itChangesNothing, refusePool } from "./refused-pool.ts";

interface Fans {
  readonly world: World;
  readonly ship: Entity;
  readonly dock: Entity;
  /** One that likes the ship, and one that likes both. */
  readonly one: Entity;
  readonly both: Entity;
  /** A child of the ship that likes it. */
  readonly child: Entity;
  /** It likes nothing. */
  readonly root: Entity;
}

/** A world in which no table with pairs has room for another entity. */
function plantFull(): Fans {
  const world = createWorld();
  const [ship, dock, root] = spawnMany(world, 3) as [Entity, Entity, Entity];
  const [one] = spawnMany(world, 4, Likes(ship), Position) as [Entity];
  const [both] = spawnMany(world, 2, Likes(ship), Likes(dock), Position) as [Entity];
  const [child] = spawnMany(world, 2, Likes(ship), Position, ChildOf(ship)) as [Entity];
  add(world, root, Position);
  spawn(world);
  return { world, ship, dock, one, both, child, root };
}

/** From now on lists of entities cannot grow. @returns what lets them grow again. */
const refuseLists = ({ graph }: World): (() => void) => refusePool(graph.tables.lists);

/** From now on there are no places for entities with higher indexes than those that are in lists. */
function refusePlaces({ graph }: World): () => void {
  const { lists } = graph.tables;
  const { placeOf } = lists;
  const highest = lists.pool.subarray(0, lists.end).reduce((most, index) => Math.max(most, index), 0);
  lists.placeOf = fixed(placeOf, highest + 1);
  return () => {
    lists.placeOf = placeOf;
  };
}

type Call = readonly [when: string, call: (fans: Fans) => unknown];

const spawns: readonly Call[] = [
  ["one is spawned", ({ world, ship }) => spawn(world, Position, Likes(ship))],
  ["one with a new pair is spawned", ({ world, ship, root }) => spawn(world, Likes(ship), Likes(root))],
  ["a child is spawned", ({ world, ship }) => spawn(world, Position, Likes(ship), ChildOf(ship))],
  ["a first child is spawned", ({ world, ship, dock }) => spawn(world, Likes(ship), ChildOf(dock))],
  ["a child is spawned by value", ({ world, ship, dock }) => spawn(world, Likes(ship), Parent(dock))],
  ["several are spawned", ({ world, ship }) => spawnMany(world, 30, Position, Likes(ship))],
  ["rows are spawned", ({ world, ship }) => spawnRows(world, 20, [Likes(ship), Position])],
  ["one with a symmetric pair is spawned", ({ world, one }) => spawn(world, Knows(one), Position)],
  ["one is cloned", ({ world, one }) => clone(world, one)],
  ["one that has several pairs is cloned", ({ world, both }) => clone(world, both, { with: [Frozen] })],
  ["a subtree is cloned", ({ world, ship }) => clone(world, ship, { deep: true })],
];

const changes: readonly Call[] = [
  ["one gets its first pair", ({ world, ship, root }) => add(world, root, Likes(ship))],
  ["one gets another pair", ({ world, dock, one }) => add(world, one, Likes(dock))],
  ["one gets a pair with a new target", ({ world, root, one }) => add(world, one, Likes(root))],
  ["one gets a component", ({ world, one }) => add(world, one, Frozen)],
  ["one gets its first parent", ({ world, dock, one }) => add(world, one, ChildOf(dock))],
  ["one gets a symmetric pair", ({ world, one, both }) => add(world, one, Knows(both))],
  ["a child gets a parent by value", ({ world, dock, child }) => add(world, child, Parent(dock))],
  ["one loses a pair", ({ world, dock, both }) => remove(world, both, Likes(dock))],
  ["one loses a component", ({ world, one }) => remove(world, one, Position)],
  ["a child loses its parent", ({ world, ship, child }) => remove(world, child, ChildOf(ship))],
  ["several get a pair", ({ world, dock, one, root }) => addMany(world, [root, one], Likes(dock))],
  [
    "several lose a component",
    ({ world, one, both, child }) => removeMany(world, [one, both, child], Position),
  ],
];

describe.each<[string, (world: World) => () => void, readonly Call[]]>([
  ["the list of a table cannot grow", refuseLists, [...spawns, ...changes]],
  ["there are no more places in lists of tables", refusePlaces, spawns],
])("when %s", (_, refuse, calls) => {
  itChangesNothing(plantFull, refuse, calls, [Likes, Position]);
});

describe("another parent needs no room in a table", () => {
  it.each<Call>([
    ["of a child", ({ world, dock, child }) => add(world, child, ChildOf(dock))],
    ["of a child that is put before another one", ({ world, dock, child }) => moveTo(world, child, dock, 0)],
  ])("%s", (_, call) => {
    const fans = plantFull();
    spawn(fans.world, ChildOf(fans.dock));
    refuseLists(fans.world);
    refusePlaces(fans.world);

    call(fans);

    expect(parentOf(fans.world, fans.child)).toBe(fans.dock);
    expect(verify(fans.world)).toEqual([]);
  });
});
