import { add, ChildOf, Disabled, DisabledTree, get, isDisabled, remove, set, spawn } from "@treeline/core";
import { children, count, query } from "@treeline/query";
import { expect, test } from "vitest";
import { instantiate, prefab, refreshInstances } from "../../src/index.ts";
import { drawn, Mesh, newWorld, Position, tankIn, world } from "./fixture.ts";

test("instances below a disabled tree are disabled with all their parts, and enabled with it", () => {
  const { tank } = tankIn();
  const scene = spawn(world, DisabledTree);
  const one = instantiate(world, tank, { parent: scene });
  const positions = query(world, Position);
  expect([count(positions), isDisabled(world, children(world, one)[0]!)]).toEqual([0, true]);
  expect(get(world, one, Mesh)!.id).toBe(1);
  remove(world, scene, DisabledTree);
  expect(count(positions)).toBe(3);
});

test("a prefab with a disabled part, or tree, has instances with the same", () => {
  const { tank, turret, tracks } = tankIn();
  add(world, turret, DisabledTree);
  add(world, tracks, Disabled);
  const one = instantiate(world, tank);
  expect(drawn(one)).toBe("Turret\n  Barrel\nTracks");
  expect(count(query(world, Position))).toBe(1);
  expect(children(world, one).map((part) => isDisabled(world, part))).toEqual([true, true]);
  set(world, turret, Position, { x: 44 });
  remove(world, turret, DisabledTree);
  refreshInstances(world, tank);
  expect(count(query(world, Position))).toBe(3);
});

test("a prefab below a disabled entity makes instances that are not disabled", () => {
  newWorld();
  const library = spawn(world, DisabledTree);
  const base = prefab(world, ChildOf(library), Position({ x: 1 }));
  spawn(world, ChildOf(base), Position({ x: 2 }));
  const one = instantiate(world, base);
  expect(count(query(world, Position))).toBe(2);
  expect(isDisabled(world, one)).toBe(false);
});
