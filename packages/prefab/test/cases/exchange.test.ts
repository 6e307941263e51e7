import { ChildOf, createWorld, type Entity, get, set, spawn } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { Name } from "@treeline/names";
import { children } from "@treeline/query";
import { expect, test } from "vitest";
import { instantiate, prefab, refreshInstances } from "../../src/index.ts";

test("names that move around a ring of parts move in all instances, beside those that are taken", () => {
  const world = createWorld();
  const tank = prefab(world);
  const parts = ["A", "B", "C", "D", "E"].map((name) => spawn(world, ChildOf(tank), Name(name)));
  const instances = instantiate(world, tank, { count: 3 });
  spawn(world, ChildOf(instances[1]!), Name("F"));

  for (const part of parts) set(world, part, Name, `tmp ${part}`);
  for (const [at, name] of ["B", "C", "A", "E", "F"].entries()) set(world, parts[at]!, Name, name);
  refreshInstances(world, tank);

  const names = (instance: Entity) => children(world, instance).map((child) => get(world, child, Name));
  expect(names(instances[0]!)).toEqual(["B", "C", "A", "E", "F"]);
  expect(names(instances[1]!)).toEqual(["B", "C", "A", "D", "E", "F"]); // F is taken, and so E
  expect(names(instances[2]!)).toEqual(["B", "C", "A", "E", "F"]);
  expect(verify(world)).toEqual([]);
});
