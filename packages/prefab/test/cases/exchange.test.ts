import { ChildOf, createWorld, type Entity, get, set, spawn } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { Name } from "@treeline/names";
import { children, destroy } from "@treeline/query";
import { expect, test } from "vitest";
import { instantiate, overridesOf, partOf, prefab, refreshInstances, revert } from "../../src/index.ts";

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

test("names that parts of an instance have exchanged, and of parts that are missing, are reverted", () => {
  const world = createWorld();
  const tank = prefab(world);
  const parts = ["A", "B", "C", "D"].map((name) => spawn(world, ChildOf(tank), Name(name)));
  const one = instantiate(world, tank);
  const [a, b, c, d] = parts.map((part) => partOf(world, one, part)!) as [Entity, Entity, Entity, Entity];
  const names = (): unknown => children(world, one).map((child) => get(world, child, Name));

  destroy(world, d);
  set(world, c, Name, "D");
  revert(world, one);
  expect(names()).toEqual(["A", "B", "C", "D"]);

  for (const [part, name] of [
    [a, "tmp"],
    [b, "A"],
    [a, "B"],
  ] as const)
    set(world, part, Name, name);
  revert(world, one);
  expect(names()).toEqual(["A", "B", "C", "D"]);
  expect(overridesOf(world, one)).toEqual([]);

  // Where one is taken by what is no part, that is said once all else is reverted.
  for (const [part, name] of [
    [a, "tmp"],
    [b, "A"],
    [a, "B"],
    [c, "E"],
  ] as const)
    set(world, part, Name, name);
  spawn(world, ChildOf(one), Name("C"));
  destroy(world, children(world, one)[3]!);
  expect(() => revert(world, one)).toThrow('"C" is taken');
  expect(names()).toEqual(["A", "B", "E", "C", "D"]);
  expect(verify(world)).toEqual([]);
});
