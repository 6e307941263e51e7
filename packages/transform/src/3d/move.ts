// `translateWorld`, `rotateWorld`, `lookAt`, `distance` in 32 bits.
import type { Entity, World } from "@treeline/core";
import { space } from "./components.ts";
import { distanceIn, lookIn, type Point3D, type Quaternion, rotateIn, translateIn } from "./in-space.ts";

/**
 * Moves an entity along the axes of the world, whatever its ancestors do. Cost and errors: as `setWorld`.
 *
 * @cost as `setWorld`.
 * @param by how far, in units of the world.
 * @throws TreelineError as `setWorld`.
 */
export function translateWorld(world: World, entity: Entity, by: Point3D): void {
  translateIn(world, space, entity, by);
}

/**
 * Turns an entity about its own position, along the axes of the world. Cost and errors: as `setWorld`.
 *
 * @cost as `setWorld`.
 * @param by a quaternion x y z w of length 1.
 * @throws TreelineError as `setWorld`.
 */
export function rotateWorld(world: World, entity: Entity, by: Quaternion): void {
  rotateIn(world, space, entity, by);
}

/**
 * Turns an entity so that its negative z axis points at a place, as cameras look, and its y axis as near as possible along `up`. It
 * keeps its position and its scale in the world. Nothing changes if the place is the position of the entity.
 *
 * @cost as `setWorld`.
 * @param target an entity, or a position in the world.
 * @param up a direction in the world; by default y. If it is along the way to the target, another one is taken.
 * @throws TreelineError as `setWorld`, also for the target.
 *
 * @example
 * lookAt(world, camera, ship);
 */
export function lookAt(
  world: World,
  entity: Entity,
  target: Entity | Point3D,
  up: Point3D = [0, 1, 0],
): void {
  lookIn(world, space, entity, target, up);
}

/**
 * How far two entities are from one another in the world, at this moment.
 *
 * @cost as `worldOf` of both.
 * @throws TreelineError `dead-entity` if one of them is not alive.
 */
export function distance(world: World, one: Entity, other: Entity): number {
  return distanceIn(world, space, one, other);
}
