import { expect, it } from "vitest";
import { createWorld, spawn, isAlive, release, tag, type Entity } from "@treeline/core";
it("negative numbers are no handles", () => {
  const world = createWorld();
  const e = spawn(world); release(world, e);
  const h = world.entities.handles[1]!;
  console.log(h, isAlive(world, h as Entity), isAlive(world, -e as Entity), isAlive(world, NaN as Entity), isAlive(world, 0 as Entity), isAlive(world, 0.5 as Entity), isAlive(world, -0.5 as Entity), isAlive(world, Infinity as Entity));
  expect(isAlive(world, h as Entity)).toBe(false);
});
