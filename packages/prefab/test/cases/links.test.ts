import { ChildOf, get, has, isAlive, Parent, remove, set, spawn } from "@treeline/core";
import { Name } from "@treeline/names";
import { children, destroy } from "@treeline/query";
import { attach, detach } from "@treeline/query/hierarchy";
import { describe, expect, test } from "vitest";
import { IsA, instancesOf, instantiate, partOf, prefabOf, Slot, slotOf } from "../../src/index.ts";
import { expectRefusal, Mesh, Position, tankIn, world } from "./fixture.ts";

describe("partOf", () => {
  test("finds the entity of each part, and prefabOf the part of each entity", () => {
    const { tank, turret, barrel, tracks } = tankIn();
    const [one, two] = instantiate(world, tank, { count: 2 });
    for (const instance of [one!, two!]) {
      const [ownTurret, ownTracks] = children(world, instance);
      const [ownBarrel] = children(world, ownTurret!);
      expect([turret, barrel, tracks].map((part) => partOf(world, instance, part))).toEqual([
        ownTurret,
        ownBarrel,
        ownTracks,
      ]);
      expect([instance, ownTurret!, ownBarrel!, ownTracks!].map((one) => prefabOf(world, one))).toEqual([
        tank,
        turret,
        barrel,
        tracks,
      ]);
      expect(partOf(world, instance, tank)).toBe(instance);
    }
  });

  test("finds a part wherever it is in the instance, and whatever its name is", () => {
    const { tank, turret, barrel, tracks } = tankIn();
    const one = instantiate(world, tank);
    const own = partOf(world, one, barrel)!;
    attach(world, own, partOf(world, one, tracks)!, Parent);
    set(world, own, Name, "Rod");
    expect(partOf(world, one, barrel)).toBe(own);
    attach(world, own, spawn(world, ChildOf(one)));
    expect(partOf(world, one, barrel)).toBe(own);
    set(world, turret, Name, "Dome");
    attach(world, barrel, tank);
    expect(partOf(world, one, barrel)).toBe(own);
    expect(partOf(world, one, turret)).toBe(children(world, one)[0]);
  });

  test("finds nothing for a part that the instance has removed or lost, nor for other entities", () => {
    const { tank, turret, barrel, tracks } = tankIn();
    const one = instantiate(world, tank);
    destroy(world, partOf(world, one, barrel)!);
    detach(world, partOf(world, one, tracks)!);
    const flag = spawn(world, ChildOf(tank));
    expect([barrel, tracks, flag, spawn(world)].map((part) => partOf(world, one, part))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(partOf(world, one, turret)).toBe(children(world, one)[0]);
    expect(partOf(world, spawn(world), turret)).toBeUndefined();
  });

  test("does not take an entity with a reused index for a part", () => {
    const { tank, barrel, tracks } = tankIn();
    const one = instantiate(world, tank);
    const own = partOf(world, one, tracks)!;
    destroy(world, own);
    const reused = Array.from({ length: 4 }, () => spawn(world, ChildOf(one)));
    expect(partOf(world, one, tracks)).toBeUndefined();
    expect(reused.map((entity) => prefabOf(world, entity))).toEqual(Array(4).fill(undefined));
    destroy(world, barrel);
    const again = Array.from({ length: 4 }, () => spawn(world, ChildOf(tank)));
    expect(again.map((part) => partOf(world, one, part))).toEqual(Array(4).fill(undefined));
  });

  test("does not take a part of another instance below this one", () => {
    const { tank, turret, tracks } = tankIn();
    const one = instantiate(world, tank);
    const inner = instantiate(world, tank, { parent: partOf(world, one, turret)! });
    destroy(world, partOf(world, one, tracks)!);
    expect(partOf(world, one, tracks)).toBeUndefined();
    expect(partOf(world, inner, tracks)).toBe(children(world, inner)[1]);
    expect(partOf(world, one, tank)).toBe(one);
  });

  test("refuses an instance that is not alive", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    destroy(world, one);
    expectRefusal("dead-entity", () => partOf(world, one, turret));
    expectRefusal("dead-entity", () => prefabOf(world, one));
    expectRefusal("dead-entity", () => slotOf(world, one, "turret"));
    destroy(world, tank);
    expectRefusal("dead-entity", () => instancesOf(world, tank));
  });
});

describe("slotOf", () => {
  test("finds a part by the name of its slot, after renaming and moving both", () => {
    const { tank, turret, barrel, tracks } = tankIn();
    set(world, barrel, Position, { x: 9 });
    for (const [part, name] of [
      [turret, "head"],
      [barrel, "gun"],
      [tracks, "feet"],
    ] as const)
      spawn(world, ChildOf(part), Slot(`${name} mount`));
    const mount = children(world, barrel)[0]!;
    const one = instantiate(world, tank);
    const own = slotOf(world, one, "gun mount")!;
    expect(own).toBe(partOf(world, one, mount));
    attach(world, own, one);
    attach(world, mount, tank);
    set(world, own, Name, "Elsewhere");
    set(world, mount, Slot, "muzzle");
    expect(slotOf(world, one, "muzzle")).toBe(own);
    expectRefusal("bad-term", () => slotOf(world, one, "gun mount"));
    destroy(world, own);
    expect(slotOf(world, one, "muzzle")).toBeUndefined();
  });

  test("refuses an entity that is no instance, and a slot that the prefab does not have", () => {
    const { tank } = tankIn();
    const one = instantiate(world, tank);
    const plain = spawn(world);
    expectRefusal("bad-term", () => slotOf(world, plain, "gun"));
    expectRefusal("bad-term", () => slotOf(world, one, "gun"));
  });
});

describe("instancesOf", () => {
  test("lists the roots of instances, made by instantiate or by IsA, until they are destroyed or lose IsA", () => {
    const { tank } = tankIn();
    const [one, two] = instantiate(world, tank, { count: 2 });
    const three = spawn(world, IsA(tank));
    expect(instancesOf(world, tank)).toEqual([one, two, three]);
    remove(world, two!, IsA(tank));
    destroy(world, one!);
    expect(instancesOf(world, tank)).toEqual([three]);
  });
});

test("removing IsA leaves all entities with what is their own, and takes links and inherited values", () => {
  const { tank, turret, barrel } = tankIn();
  const one = instantiate(world, tank);
  const own = partOf(world, one, turret)!;
  const ownBarrel = partOf(world, one, barrel)!;
  set(world, own, Mesh, { lod: 5 });
  remove(world, one, IsA(tank));
  expect(children(world, one)[0]).toBe(own);
  expect(prefabOf(world, own)).toBeUndefined();
  expect(partOf(world, one, turret)).toBeUndefined();
  expect(has(world, one, Mesh)).toBe(false);
  expect(get(world, own, Mesh)).toEqual({ lod: 5, id: 2 });
  expect(get(world, ownBarrel, Position)).toEqual({ x: 3, y: 3 });
  set(world, barrel, Position, { x: 30 });
  expect(isAlive(world, ownBarrel) && get(world, ownBarrel, Position)!.x).toBe(3);
});

test("the root of an instance has a pair, its parts only a link by value: all instances share tables", () => {
  const { tank, turret } = tankIn();
  const many = instantiate(world, tank, { count: 3, storage: Parent });
  expect(many.every((one) => has(world, one, IsA(tank)))).toBe(true);
  expect(many.some((one) => has(world, partOf(world, one, turret)!, IsA(turret)))).toBe(false);
});
