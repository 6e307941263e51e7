import {
  ChildOf,
  component,
  createWorld,
  f32,
  observeChildren,
  observeEntity,
  set,
  spawn,
  spawnMany,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { changed, destroy, entities, query } from "@treeline/query";
import { beforeEach, expect, it } from "vitest";
import { restore, snapshot } from "../../src/snapshot.ts";

const Position = component("Position", { x: f32 });

let world: World;

beforeEach(() => {
  world = createWorld();
  spawnMany(world, 3, Position);
});

it("a world that has begun to track changes since then is sound, and what was there has not changed", () => {
  const taken = snapshot(world);
  const moved = query(world, Position, changed(Position));
  const all = entities(moved);
  set(world, all[0]!, Position, { x: 7 });

  restore(world, taken);

  expect(verify(world)).toEqual([]);
  expect(entities(moved)).toEqual([]);
  set(world, all[1]!, Position, { x: 8 });
  expect(entities(moved)).toEqual([all[1]]);
  expect(entities(query(world, Position, changed(Position)))).toEqual(all);
});

it.each([0, 1])("observers of an entity that was destroyed have ended, with %i children", (count) => {
  const calls: unknown[] = [];
  const pier = spawn(world, Position);
  spawnMany(world, count, ChildOf(pier));
  const taken = snapshot(world);
  observeEntity(world, pier, { set: Position }, (event) => calls.push(event));
  observeChildren(world, pier, (event) => calls.push(event));
  destroy(world, pier);
  calls.length = 0;

  restore(world, taken);
  set(world, pier, Position, { x: 1 });
  spawn(world, ChildOf(pier));

  expect(calls).toEqual([]);
});
