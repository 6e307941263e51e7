// The functions of 3D in 64 bits.
import type { Entity, World } from "@treeline/core";
import { distanceIn, lookIn, type Point3D, type Quaternion, rotateIn, translateIn } from "../3d/in-space.ts";
import { SIZE } from "../math/affine3.ts";
import { reparentInPlaceIn, setWorldMatrix } from "../space/set-world.ts";
import { update } from "../space/update.ts";
import { freshMatrixOf } from "../space/world-of.ts";
import { large, space } from "./components.ts";

/**
 * As `propagate` of `@treeline/transform/3d`: returns how many matrices it has computed.
 *
 * @cost as `propagate` of `@treeline/transform/3d`.
 */
export function propagate(world: World): number {
  return update(large(world));
}

/**
 * As `worldOf` of `@treeline/transform/3d`.
 *
 * @cost a multiplication for each ancestor with a local transform.
 * @throws TreelineError `dead-entity`.
 */
export function worldOf(
  world: World,
  entity: Entity,
  into: Float64Array = new Float64Array(SIZE),
): Float64Array {
  return freshMatrixOf(world, space, entity, into);
}

/**
 * As `setWorld` of `@treeline/transform/3d`.
 *
 * @cost as `worldOf` of the parent, and a `set`.
 * @throws TreelineError `dead-entity`, `bad-value`, and as `set`.
 */
export function setWorld(world: World, entity: Entity, matrix: ArrayLike<number>): void {
  setWorldMatrix(world, space, entity, matrix);
}

/**
 * As `reparentInPlace` of `@treeline/transform/3d`.
 *
 * @cost for each as `worldOf`, a move and a `set`.
 * @throws TreelineError `bad-value`, and as `reparentMany`.
 */
export function reparentInPlace(
  world: World,
  entities: Entity | readonly Entity[],
  parent: Entity | undefined,
): void {
  reparentInPlaceIn(world, space, entities, parent);
}

/**
 * As `translateWorld` of `@treeline/transform/3d`.
 *
 * @cost as `setWorld`.
 * @throws TreelineError `dead-entity`, `bad-value`.
 */
export function translateWorld(world: World, entity: Entity, by: Point3D): void {
  translateIn(world, space, entity, by);
}

/**
 * As `rotateWorld` of `@treeline/transform/3d`.
 *
 * @cost as `setWorld`.
 * @throws TreelineError `dead-entity`, `bad-value`.
 */
export function rotateWorld(world: World, entity: Entity, by: Quaternion): void {
  rotateIn(world, space, entity, by);
}

/**
 * As `lookAt` of `@treeline/transform/3d`.
 *
 * @cost as `setWorld`.
 * @throws TreelineError `dead-entity`, `bad-value`.
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
 * As `distance` of `@treeline/transform/3d`.
 *
 * @cost as `worldOf` of both.
 * @throws TreelineError `dead-entity`.
 */
export function distance(world: World, one: Entity, other: Entity): number {
  return distanceIn(world, space, one, other);
}
