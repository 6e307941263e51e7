import {
  ChildOf,
  component,
  createWorld,
  disposeWorld,
  type Entity,
  f32,
  get,
  isAlive,
  Parent,
  pack,
  relation,
  reserve,
  sparse,
  spawn,
  tag,
  targetsOf,
  type World,
} from "@treeline/core";
import { stats, verify } from "@treeline/core/debug";
import { lookup, Name } from "@treeline/names";
import { cascade, changed, children, count, destroy, entities, query } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { checksum, restore, snapshot } from "../../src/snapshot.ts";

const Position = component("Position", { x: f32 });
const Heat = component("Heat", { degrees: f32 }, { storage: sparse });
const Likes = relation("Likes");

/** Trees of ten, in both storages, with names, pairs and sparse components. */
function plant(world: World, trees: number, name = "Tree"): Entity[] {
  return Array.from({ length: trees }, (_, tree) => {
    const root = spawn(world, Name(`${name} ${tree}`), Position);
    let last = root;
    for (let at = 1; at < 10; at++) {
      const above = at % 2 === 0 ? ChildOf(last) : Parent(last);
      last = spawn(world, Name(`Part ${at}`), Position({ x: at }), Heat, Likes(root), above);
    }
    return root;
  });
}

function packAll(world: World, budget?: number): void {
  let time = 0;
  if (budget === undefined) pack(world);
  else while (!pack(world, { budget, now: () => time++ }));
}

describe.each([undefined, 50])("a snapshot of a world that is packed with budget %s", (budget) => {
  it("brings back what was destroyed, under its handles, although its numbers were given back", () => {
    const world = createWorld();
    const found = query(world, Position, cascade(Position));
    const moved = query(world, changed(Position));
    const [, ...trees] = plant(world, 150);
    const all = entities(found);
    entities(moved);
    const saved = snapshot(world);
    const before = checksum(world);

    for (const tree of trees) destroy(world, tree);
    packAll(world, budget);
    const later = plant(world, 2, "Later");
    expect(count(found)).toBe(30);
    restore(world, saved);

    expect(checksum(world)).toBe(before);
    expect(entities(found)).toEqual(all);
    expect(trees.every((one) => isAlive(world, one))).toBe(true);
    expect(lookup(world, "Tree 149::Part 1::Part 2")).toBe(
      children(world, children(world, trees.at(-1)!)[0]!)[0],
    );
    expect(targetsOf(world, children(world, trees[0]!)[0]!, Likes)).toEqual([trees[0]]);
    expect(later.some((one) => isAlive(world, one) && get(world, one, Name) === "Later 0")).toBe(false);
    expect(verify(world)).toEqual([]);
    packAll(world, budget);
    expect(verify(world)).toEqual([]);
    disposeWorld(world);
  });

  it("takes back what was spawned since, of a world that was packed before", () => {
    const world = createWorld();
    const [kept, ...trees] = plant(world, 100);
    for (const tree of trees) destroy(world, tree);
    packAll(world, budget);
    const saved = snapshot(world);
    const before = checksum(world);

    const one = plant(world, 60, "Later");
    restore(world, saved);
    const other = plant(world, 60, "Later");
    restore(world, saved);

    expect(other).toEqual(one);
    expect(one.some((tree) => isAlive(world, tree) || trees.includes(tree))).toBe(false);
    expect(isAlive(world, kept!)).toBe(true);
    expect(checksum(world)).toBe(before);
    expect(verify(world)).toEqual([]);
  });
});

/** Packs to the end. @returns how many steps it took. */
function stepsOfPacking(world: World): number {
  let steps = 0;
  let time = 0;
  do steps++;
  while (!pack(world, { budget: 0, now: () => time++ }));
  return steps;
}

it.each([
  ["more types", ["Second"]],
  ["the same types in another order", ["Second", "First"]],
])("packing with a budget takes the same steps in a restored world whose future had %s", (_, names) => {
  const [world, other] = [createWorld(), createWorld()];
  for (const one of [world, other]) plant(one, 4);
  const saved = snapshot(world);
  const tags = [tag("First"), tag("Second")];
  for (const one of tags) spawn(world, one, Position);
  stepsOfPacking(world);

  restore(world, saved);
  for (const name of names) {
    const later = tags.find((one) => one.name === name)!;
    for (const one of [world, other]) spawn(one, later, Position);
  }

  expect(stepsOfPacking(world)).toBe(stepsOfPacking(other));
  expect(checksum(world)).toBe(checksum(other));
});

it("packing with a budget gives back columns that were reserved for a type that no entity has had", () => {
  const world = createWorld();
  plant(world, 4);
  reserve(world, 1000, Position, tag("Later"));

  packAll(world, 50);

  expect(stats(world).reservedRows).toBeLessThan(1000);
});
