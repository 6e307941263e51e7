import { add, ChildOf, createWorld, get, set, spawn, spawnMany } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { IsA, instantiate, prefab } from "@treeline/prefab";
import { detach } from "@treeline/query/hierarchy";
import { Local3D, propagate, World3D } from "@treeline/transform/3d";
import { expect, it } from "vitest";

// The first update reads all rows, and others follow what moved: both must see the parts of prefabs alike.
it.each([0, 3000])("what leaves a prefab is placed, after updates of it and %i others", (others) => {
  const world = createWorld();
  const at = (x: number) => Local3D({ position: [x, 0, 0] });
  const xOf = (entity: number) => get(world, entity as never, World3D)!.matrix[12];
  const tank = prefab(world, at(10), World3D);
  const turret = spawn(world, ChildOf(tank), at(1), World3D);
  spawnMany(world, others, Local3D, World3D);
  propagate(world);
  expect([xOf(tank), xOf(turret), verify(world)]).toEqual([10, 11, []]);

  const one = instantiate(world, tank);
  const other = spawn(world, at(20), World3D);
  add(world, other, IsA(tank));
  set(world, turret, Local3D, { position: [2, 0, 0] });
  propagate(world);
  expect([xOf(turret), xOf(one), xOf(other), verify(world)]).toEqual([12, 10, 20, []]);

  detach(world, turret);
  propagate(world);
  expect(xOf(turret)).toBe(2);
  set(world, turret, Local3D, { position: [3, 0, 0] });
  propagate(world);
  expect([xOf(turret), verify(world)]).toEqual([3, []]);
});
