// `setWorld`, `reparentInPlace` in 3D.
import type { Entity, World } from "@treeline/core";
import { reparentInPlaceIn, setWorldMatrix } from "../space/set-world.ts";
import { space } from "./components.ts";

/**
 * Puts an entity at a place in the world: writes the local transform that leads there from the present place of its parent. Without a
 * local transform it writes `World3D`. As with any move, `World3D` follows in the next `propagate`; `worldOf` is right at once.
 *
 * `Local3D` cannot shear: below a parent whose scale differs along its axes, a rotated matrix may need that. Then the x axis, and the
 * plane of x and y, are as in the matrix. `Matrix3D` holds every matrix.
 *
 * @cost as `worldOf` of the parent, and a `set`.
 * @param matrix 16 numbers, column by column; the last row counts as 0 0 0 1.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-value` if the matrix is no list of 16 finite numbers, if the
 *   entity has no transform, or if the parent has a place that cannot be inverted: a scale at or above it is 0; and as `set`.
 *   Nothing has changed then.
 */
export function setWorld(world: World, entity: Entity, matrix: ArrayLike<number>): void {
  setWorldMatrix(world, space, entity, matrix);
}

/**
 * Gives entities another parent and keeps them where they are in the world: `reparentMany`, and new local transforms. One without a
 * local transform only gets the parent. For what a local transform cannot hold, see `setWorld`.
 *
 * Inside an iteration it is deferred to the end: the places are those of the call.
 *
 * @cost for each as `worldOf`, a move and a `set`.
 * @param entities one, or a list, which is moved all or none.
 * @param parent `undefined` to make roots of them.
 * @throws TreelineError `bad-value` if the place of the parent cannot be inverted: a scale at or above it is 0; `dead-entity`,
 *   `cycle`, `refused` and `iterating` as `reparentMany`; what a `check` hook throws. Nothing has changed then.
 *
 * @example
 * reparentInPlace(world, debris, undefined);
 * reparentInPlace(world, [crate, barrel], ship);
 */
export function reparentInPlace(
  world: World,
  entities: Entity | readonly Entity[],
  parent: Entity | undefined,
): void {
  reparentInPlaceIn(world, space, entities, parent);
}
