import { add, ChildOf, type Entity, get, has, isAlive, release, remove, set, spawn } from "@treeline/core";
import { Name } from "@treeline/names";
import { children, destroy } from "@treeline/query";
import { describe, expect, test } from "vitest";
import {
  IsA,
  instantiate,
  overridesOf,
  partOf,
  prefab,
  prefabOf,
  refreshInstances,
  revert,
} from "../../src/index.ts";
import { Aim, drawn, Heavy, Mesh, Near, Position, tankIn, world } from "./fixture.ts";

describe("destroying a prefab", () => {
  test("leaves its instances alive, with what is their own; IsA and inherited values are gone", () => {
    const { tank, turret } = tankIn();
    add(world, turret, Heavy);
    const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
    const own = partOf(world, one, turret)!;
    set(world, own, Mesh, { lod: 5 });
    destroy(world, tank);
    expect(drawn(one)).toBe("Turret\n  Barrel\nTracks");
    expect([get(world, one, Position), get(world, own, Mesh)]).toEqual([
      { x: 1, y: 1 },
      { lod: 5, id: 2 },
    ]);
    expect([has(world, one, Mesh), has(world, own, Heavy), has(world, one, IsA(tank))]).toEqual([
      false,
      false,
      false,
    ]);
    expect(get(world, two, Mesh)).toBeUndefined();
    expect(children(world, two).map((part) => prefabOf(world, part))).toEqual([undefined, undefined]);
    remove(world, own, Mesh);
    expect(has(world, own, Mesh)).toBe(false);
  });

  test("that is a variant leaves its base, and one that is a base leaves its variants", () => {
    const { tank, turret } = tankIn();
    const heavy = prefab(world, IsA(tank), Name("Heavy"));
    const huge = prefab(world, IsA(heavy), Name("Huge"));
    const one = instantiate(world, huge);
    destroy(world, heavy);
    expect([drawn(tank), drawn(huge), drawn(one)]).toEqual(Array(3).fill("Turret\n  Barrel\nTracks"));
    expect(has(world, one, Mesh)).toBe(false); // it was inherited through the variant
    set(world, huge, Mesh, { id: 9 });
    expect(get(world, one, Mesh)!.id).toBe(9);
    destroy(world, tank);
    expect(drawn(instantiate(world, huge))).toBe("Turret\n  Barrel\nTracks");
    expect(isAlive(world, turret)).toBe(false);
  });

  test("that is nested leaves the outer prefab and its instances", () => {
    const { tank } = tankIn();
    const army = prefab(world, Name("Army"));
    const chief = instantiate(world, tank, { parent: army, with: [Name("Chief")] });
    const one = instantiate(world, army);
    destroy(world, tank);
    expect(drawn(one)).toBe("Chief\n  Turret\n    Barrel\n  Tracks");
    expect(prefabOf(world, children(world, one)[0]!)).toBe(chief);
    set(world, chief, Position, { x: 70 });
    refreshInstances(world, army);
    expect(get(world, children(world, one)[0]!, Position)!.x).toBe(70);
    add(world, chief, Mesh({ id: 70 }));
    expect(get(world, children(world, one)[0]!, Mesh)!.id).toBe(70);
  });

  test("lets its instances become instances of another prefab", () => {
    const { tank } = tankIn();
    const one = instantiate(world, tank);
    destroy(world, tank);
    const other = prefab(world, Mesh({ id: 8 }));
    spawn(world, ChildOf(other), Name("Wing"));
    add(world, one, IsA(other));
    expect(drawn(one)).toBe("Turret\n  Barrel\nTracks\nWing");
    expect(get(world, one, Mesh)!.id).toBe(8);
  });

  test("and again after a new prefab took its index: nothing of the old one is found", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    destroy(world, tank);
    for (let at = 0; at < 6; at++) {
      const next = prefab(world, Mesh({ id: at }));
      const part = spawn(world, ChildOf(next), Mesh({ id: at }));
      const made = instantiate(world, next);
      expect(get(world, partOf(world, made, part)!, Mesh)!.id).toBe(at);
      expect(partOf(world, one, part)).toBeUndefined();
      destroy(world, next);
    }
    expect(partOf(world, one, turret)).toBeUndefined();
  });

  test("removes pairs and entity fields of instances that point at it from outside", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    add(world, one, Near(turret), Aim({ at: turret }));
    destroy(world, tank);
    expect(has(world, one, Near(turret))).toBe(false);
    expect(get(world, one, Aim)!.at).toBeUndefined();
  });
});

describe("destroying a part of a prefab", () => {
  test("leaves the parts of instances until they are refreshed, without what they inherit", () => {
    const { tank, turret, tracks } = tankIn();
    const one = instantiate(world, tank);
    const own = partOf(world, one, tracks)!;
    destroy(world, tracks);
    expect(isAlive(world, own)).toBe(true);
    expect(has(world, own, Mesh)).toBe(false);
    expect(prefabOf(world, own)).toBeUndefined();
    refreshInstances(world, tank);
    expect(isAlive(world, own)).toBe(false);
    expect(drawn(one)).toBe("Turret\n  Barrel");
    destroy(world, turret);
    refreshInstances(world, tank);
    expect(drawn(one)).toBe("");
  });
});

test("destroying an instance or a part of it changes neither the prefab nor other instances", () => {
  const { tank, turret } = tankIn();
  const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
  destroy(world, partOf(world, one, turret)!);
  destroy(world, one);
  expect(drawn(tank)).toBe("Turret\n  Barrel\nTracks");
  expect(drawn(two)).toBe("Turret\n  Barrel\nTracks");
  expect(overridesOf(world, two)).toEqual([]);
});

test("releasing a part keeps what the others are linked to", () => {
  const { tank, turret, barrel } = tankIn();
  const one = instantiate(world, tank);
  release(world, partOf(world, one, barrel)!);
  release(world, barrel);
  expect(isAlive(world, turret)).toBe(true);
  refreshInstances(world, tank);
  revert(world, one);
  expect(drawn(one)).toBe("Turret\nTracks");
});
