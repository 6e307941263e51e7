import { ChildOf, component, createWorld, get, set, spawn } from "@treeline/core";
import { count, destroy, query } from "@treeline/query";
import { expect, test } from "vitest";
import { instantiate, partOf, prefab, refreshInstances } from "../../src/index.ts";

const Position = component("Position", { x: 0 });
const Mesh = component("Mesh", { id: 0 }, { onInstantiate: "inherit" });

test("10,000 instances inherit one value, and follow an edit of another", () => {
  const world = createWorld();
  const base = prefab(world, Mesh({ id: 1 }), Position({ x: 1 }));
  const part = spawn(world, ChildOf(base), Mesh({ id: 2 }), Position({ x: 2 }));
  const many = instantiate(world, base, { count: 10_000 });
  set(world, part, Mesh, { id: 5 });
  set(world, part, Position, { x: 6 });
  refreshInstances(world, base);
  const own = partOf(world, many.at(-1)!, part)!;
  expect([get(world, own, Mesh)!.id, get(world, own, Position)!.x]).toEqual([5, 6]);
  expect(count(query(world, Mesh))).toBe(20_000);
  destroy(world, base);
  expect(count(query(world, Mesh))).toBe(0);
  expect(count(query(world, Position))).toBe(20_000);
});
