// A library: it imports the packages of which it needs parts, and is used by programs that import the one for programs.
import { ChildOf, type Entity, get, spawn, type World } from "@treeline/core";
import { Name } from "@treeline/names";
import { ancestors } from "@treeline/query";
import { Local3D, propagate, World3D } from "@treeline/transform/3d";

export function nameOf(world: World, entity: Entity): string {
  return `${get(world, entity, Name)} ${ancestors(world, entity).length}`;
}

export function spawnMoved(world: World, parent: Entity, x: number): Entity {
  const spawned = spawn(world, ChildOf(parent), Local3D({ position: [x, 0, 0] }), World3D);
  propagate(world);
  return spawned;
}
