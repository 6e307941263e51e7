// `worldOf` in 2D.
import type { Entity, World } from "@treeline/core";
import { SIZE } from "../math/affine2.ts";
import { freshMatrixOf } from "../space/world-of.ts";
import { space } from "./components.ts";

/**
 * Where an entity is in the world at this moment, whether or not `propagate` was called since something moved: six numbers, computed in
 * 64 bits. For an entity without transforms that of its nearest ancestor with `World2D`, or the identity.
 *
 * @cost a multiplication for each ancestor with a local transform.
 * @param into where to write it; by default a new array.
 * @throws TreelineError `dead-entity` if the entity is not alive.
 *
 * @example
 * const [x, y] = worldOf(world, turret).subarray(4);
 */
export function worldOf(
  world: World,
  entity: Entity,
  into: Float64Array = new Float64Array(SIZE),
): Float64Array {
  return freshMatrixOf(world, space, entity, into);
}
