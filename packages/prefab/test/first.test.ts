import {
  add,
  ChildOf,
  component,
  createWorld,
  entity,
  f32,
  get,
  has,
  Parent,
  remove,
  set,
  spawn,
  tag,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { lookup, Name } from "@treeline/names";
import { changed, children, collect, count, destroy, each, query } from "@treeline/query";
import { expect, test } from "vitest";
import { IsA, instantiate, Prefab, prefab } from "../src/index.ts";

const Position = component("Position", { x: f32, y: f32 });
const Mesh = component("Mesh", { lod: f32(1), id: f32 }, { onInstantiate: "inherit" });
const Aim = component("Aim", { at: entity });
const Secret = tag("Secret", { onInstantiate: "skip" });

test("an instance", () => {
  const world = createWorld();
  const positions = query(world, Position);
  const meshes = query(world, Mesh);
  const tank = prefab(world, Name("Tank"), Position({ x: 1 }), Mesh({ id: 7 }), Secret);
  const turret = spawn(
    world,
    ChildOf(tank),
    Name("Turret"),
    Position({ x: 2 }),
    Aim({ at: tank }),
    Mesh({ id: 8 }),
  );
  spawn(world, Parent(turret), Name("Barrel"), Position({ x: 3 }));
  expect(has(world, turret, Prefab)).toBe(true);
  expect(count(positions)).toBe(0);
  expect(verify(world)).toEqual([]);

  const one = instantiate(world, tank, { with: [Name("One")] });
  const two = instantiate(world, tank, { count: 2 });
  expect(verify(world)).toEqual([]);
  expect(two).toHaveLength(2);
  expect(count(positions)).toBe(9);
  expect(count(meshes)).toBe(6);
  const own = lookup(world, "One::Turret")!;
  expect(get(world, own, Aim)).toEqual({ at: one });
  expect(get(world, own, Mesh)).toEqual({ lod: 1, id: 8 });
  expect(has(world, one, Secret)).toBe(false);
  expect(has(world, one, IsA(tank))).toBe(true);
  const seen: number[] = [];
  each(meshes, (mesh) => seen.push(mesh.id));
  expect(seen.sort()).toEqual([7, 7, 7, 8, 8, 8]);
  expect(
    collect(meshes)
      .map(([mesh]) => mesh.id)
      .sort(),
  ).toEqual([7, 7, 7, 8, 8, 8]);

  set(world, turret, Mesh, { id: 9 });
  expect(get(world, own, Mesh)!.id).toBe(9);
  set(world, own, Mesh, { lod: 3 });
  expect(get(world, own, Mesh)).toEqual({ lod: 3, id: 9 });
  set(world, turret, Mesh, { id: 10 });
  expect(get(world, own, Mesh)).toEqual({ lod: 3, id: 9 });
  remove(world, own, Mesh);
  expect(get(world, own, Mesh)).toEqual({ lod: 1, id: 10 });
  each(meshes, (mesh, entity) => {
    if (entity === own) mesh.lod = 5;
  });
  expect(get(world, own, Mesh)).toEqual({ lod: 5, id: 10 });
  expect(get(world, turret, Mesh)).toEqual({ lod: 1, id: 10 });
  remove(world, turret, Mesh);
  expect(count(meshes)).toBe(4);
  add(world, turret, Mesh({ id: 11 }));
  expect(count(meshes)).toBe(6);
  expect(verify(world)).toEqual([]);

  const plain = spawn(world, Position({ x: 9 }));
  add(world, plain, IsA(tank));
  expect(children(world, plain)).toHaveLength(1);
  expect(get(world, plain, Position)!.x).toBe(9);
  expect(get(world, plain, Mesh)!.id).toBe(7);
  remove(world, plain, IsA(tank));
  expect(has(world, plain, Mesh)).toBe(false);
  expect(verify(world)).toEqual([]);
  destroy(world, tank);
  expect(verify(world)).toEqual([]);
  expect(has(world, one, Mesh)).toBe(false);
  expect(has(world, own, Mesh)).toBe(true);
  expect(count(positions)).toBe(12);
});
test("a change of the prefab is a change of all that inherit", () => {
  const world = createWorld();
  const tank = prefab(world, Mesh({ id: 7 }));
  const part = spawn(world, ChildOf(tank), Mesh({ id: 8 }));
  const [one, two] = instantiate(world, tank, { count: 2 });
  const unread = query(world, Mesh, changed(Mesh));
  const ids = (): number[] => collect(unread).map(([, entity]) => entity as number);
  ids();
  set(world, part, Mesh, { lod: 2 });
  expect(ids().sort()).toEqual([...children(world, one!), ...children(world, two!)].sort());
  expect(ids()).toEqual([]);
  set(world, one!, Mesh, { lod: 9 });
  expect(ids()).toEqual([one]);
  set(world, tank, Mesh, { lod: 3 });
  expect(ids()).toEqual([two]);
});
