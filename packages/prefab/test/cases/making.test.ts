import { add, ChildOf, clone, get, has, Parent, remove, set, spawn, tagsOf } from "@treeline/core";
import { Name } from "@treeline/names";
import { children, collect, count, destroy, query, up } from "@treeline/query";
import { attach, detach } from "@treeline/query/hierarchy";
import { describe, expect, test } from "vitest";
import { instantiate, Prefab, prefab } from "../../src/index.ts";
import { drawn, expectRefusal, Mesh, newWorld, Position, tankIn, world } from "./fixture.ts";

describe("queries", () => {
  test("leave prefabs and all their parts out", () => {
    const positions = query(newWorld(), Position);
    tankIn();
    expect(count(positions)).toBe(0);
    expect(count(query(world, Position))).toBe(0);
    expect(count(query(world, Name))).toBe(0);
  });

  test("match prefabs if they name Prefab", () => {
    const { tank, turret, barrel } = tankIn();
    const found = collect(query(world, Position, Prefab)).map(([, entity]) => entity);
    expect(found.sort()).toEqual([tank, turret, barrel].sort());
  });

  test("that go up from an instance do not find anything in its prefab", () => {
    const { tank } = tankIn();
    instantiate(world, tank);
    expect(count(query(world, Name, up(Position)))).toBe(3);
  });
});

describe("Prefab", () => {
  test("is got by what is attached below a prefab, with everything below it, in both storages", () => {
    const { turret } = tankIn();
    for (const storage of [ChildOf, Parent]) {
      const top = spawn(world);
      const below = spawn(world, Parent(top));
      const deep = spawn(world, ChildOf(below));
      attach(world, top, turret, storage);
      expect([top, below, deep].map((one) => has(world, one, Prefab))).toEqual([true, true, true]);
    }
  });

  test("is lost by what is moved or detached out of a prefab, with everything below it", () => {
    const { turret, barrel, tracks } = tankIn();
    const scene = spawn(world);
    attach(world, turret, scene);
    detach(world, tracks);
    expect([turret, barrel, tracks].map((one) => has(world, one, Prefab))).toEqual([false, false, false]);
    expect(count(query(world, Name))).toBe(3);
  });

  test("is got by everything below an entity that becomes a prefab later, and lost with it", () => {
    newWorld();
    const top = spawn(world, Position);
    const below = spawn(world, ChildOf(top), Position);
    add(world, top, Prefab);
    expect(count(query(world, Position))).toBe(0);
    expect(has(world, below, Prefab)).toBe(true);
    remove(world, top, Prefab);
    expect(count(query(world, Position))).toBe(2);
    expect(has(world, below, Prefab)).toBe(false);
  });

  test("is kept by what is moved from one part of a prefab, or prefab, to another one", () => {
    const { tank, barrel } = tankIn();
    const other = prefab(world);
    attach(world, barrel, tank);
    expect(has(world, barrel, Prefab)).toBe(true);
    attach(world, barrel, other);
    expect(has(world, barrel, Prefab)).toBe(true);
    expect(drawn(other)).toBe("Barrel");
  });

  test("is got by a prefab below another one, which is a part of that from then on", () => {
    const { tank, turret } = tankIn();
    const army = prefab(world);
    attach(world, tank, army);
    expectRefusal("bad-term", () => instantiate(world, tank));
    const copy = instantiate(world, army);
    expect(drawn(copy)).toBe("Tank\n  Turret\n    Barrel\n  Tracks");
    expect(has(world, turret, Prefab)).toBe(true);
  });
});

test("a prefab is edited as any tree: values, parts, orders, names", () => {
  const { tank, turret, tracks } = tankIn();
  set(world, turret, Name, "Dome");
  destroy(world, tracks);
  spawn(world, ChildOf(tank), Name("Flag"), Mesh({ id: 9 }));
  expect(drawn(tank)).toBe("Dome\n  Barrel\nFlag");
  expect(get(world, turret, Position)).toEqual({ x: 2, y: 2 });
});

test("a clone of a prefab is a prefab of its own", () => {
  const { tank, turret } = tankIn();
  const copy = clone(world, tank, { deep: true, with: [Name("Copy")] });
  expect(drawn(copy)).toBe("Turret\n  Barrel\nTracks");
  expect(has(world, copy, Prefab)).toBe(true);
  expect(children(world, copy).every((one) => has(world, one, Prefab))).toBe(true);
  const made = instantiate(world, copy);
  set(world, turret, Mesh, { id: 77 });
  expect(get(world, children(world, made)[0]!, Mesh)!.id).toBe(2);
  expect(tagsOf(world, made)).toEqual([]);
});

test("a clone of a part of a prefab is a part, too", () => {
  const { tank, turret } = tankIn();
  const copy = clone(world, turret, { deep: true, with: [Name("Second")] });
  expect(has(world, copy, Prefab)).toBe(true);
  expect(drawn(instantiate(world, tank))).toBe("Turret\n  Barrel\nTracks\nSecond\n  Barrel");
});
