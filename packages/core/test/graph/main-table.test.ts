import { expect, it } from "vitest";
import { add, createWorld, type Entity, release, type SpawnTerm, spawn } from "../../src/index.ts";
import { component, tag } from "../defining.ts";
import { ChildOf, Likes } from "../definitions.ts";
import { indexOf } from "../handles.ts";
import { destroyAll } from "../internal.ts";
import { isAlive, verify } from "../reading.ts";

const [Red, Green, Blue] = [tag("Red"), tag("Green"), tag("Blue")];
const Held = component<string>("Held");

it("finds the tables of a pair whichever of them is freed first and comes back last", () => {
  for (const gone of [0, 1, 2]) {
    const world = createWorld();
    const ship = spawn(world);
    const kinds = [Red, Green, Blue];
    const first = kinds.map((kind) => spawn(world, kind, ChildOf(ship)));
    // 70 more tables of this kind, so that its empty tables are freed.
    const others = Array.from({ length: 70 }, () => spawn(world, kinds[gone]!, ChildOf(spawn(world))));
    for (const other of others) release(world, other);

    release(world, first[gone]!);
    for (const kind of [...kinds, Red, Green, Blue]) spawn(world, kind, ChildOf(ship));

    expect(verify(world)).toEqual([]);
  }
});

it("destroys children in one table, in several, and in tables with other pairs, with everything they have", () => {
  const world = createWorld();
  const [root, friend] = [spawn(world), spawn(world)];
  const deleted: Entity[] = [];
  const spawnOne = (below: Entity, ...kinds: SpawnTerm[]): Entity => {
    const spawned = spawn(world, ChildOf(below), ...kinds);
    deleted.push(spawned);
    return spawned;
  };
  const [only, several, bound] = [spawnOne(root), spawnOne(root), spawnOne(root)];
  spawnOne(spawnOne(only, Red), Held("held"));
  for (const kind of [Red, Green, Held("held")]) spawnOne(several, kind);
  add(world, spawnOne(bound, Red), Likes(friend));
  add(world, friend, ChildOf(spawn(world)));

  destroyAll(world, [indexOf(root)]);

  expect(deleted.filter((one) => isAlive(world, one))).toEqual([]);
  expect(isAlive(world, friend)).toBe(true);
  expect(verify(world)).toEqual([]);
  const again = spawn(world, Red, ChildOf(friend));
  expect([isAlive(world, again), verify(world)]).toEqual([true, []]);
});
