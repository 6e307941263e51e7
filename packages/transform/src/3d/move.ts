import type { Entity, World } from "@treeline/core";
import { cross, SIZE, unit, type Vector } from "../math/affine3.ts";
import { setWorldMatrix } from "../space/set-world.ts";
import { space } from "./components.ts";
import { worldOf } from "./world-of.ts";

/** A position or a direction in the world: x y z. */
export type Point3D = readonly [x: number, y: number, z: number];

/**
 * Moves an entity along the axes of the world, whatever its ancestors do. Cost and errors: as `setWorld`.
 *
 * @param by how far, in units of the world.
 * @throws TreelineError as `setWorld`: `dead-entity`, `bad-value`.
 */
export function translateWorld(world: World, entity: Entity, by: Point3D): void {
  const matrix = worldOf(world, entity);
  for (let axis = 0; axis < 3; axis++) matrix[12 + axis]! += by[axis]!;
  setWorldMatrix(world, space, entity, matrix);
}

/**
 * Turns an entity about its own position, along the axes of the world. Cost and errors: as `setWorld`.
 *
 * @param by a quaternion x y z w of length 1.
 * @throws TreelineError as `setWorld`: `dead-entity`, `bad-value`.
 */
export function rotateWorld(
  world: World,
  entity: Entity,
  by: readonly [x: number, y: number, z: number, w: number],
): void {
  const matrix = worldOf(world, entity);
  const position = matrix.slice(12, 15);
  const turn = new Float64Array(SIZE);
  const parts = { position: new Float64Array(3), rotation: Float64Array.from(by), scale: ONES };
  space.locals[0]!.place(parts as never, 0, space.identity, 0, turn, 0);
  space.multiply(matrix, 0, turn, 0, matrix, 0);
  matrix.set(position, 12);
  setWorldMatrix(world, space, entity, matrix);
}

const ONES = /* @__PURE__ */ Float64Array.of(1, 1, 1);

/**
 * Turns an entity so that its negative z axis points at a place, as cameras look, and its y axis as near as possible along `up`. It keeps
 * its position and its scale in the world. Nothing changes if the place is the position of the entity.
 *
 * Cost: as `setWorld`.
 *
 * @param target an entity, or a position in the world.
 * @param up a direction in the world; by default y. If it is along the way to the target, another one is taken.
 * @throws TreelineError as `setWorld`: `dead-entity`, also for the target; `bad-value`.
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
  const matrix = worldOf(world, entity);
  const [x, y, z] = typeof target === "number" ? positionOf(world, target) : target;
  const back = unit([matrix[12]! - x, matrix[13]! - y, matrix[14]! - z]);
  if (Math.hypot(...back) === 0) return;
  let right = cross(unit(up), back);
  if (Math.hypot(...right) < 1e-6) right = cross(Math.abs(back[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1], back);
  right = unit(right);
  const axes = [right, cross(back, right), back];
  for (const [axis, direction] of axes.entries()) {
    const at = axis * 4;
    const length = Math.hypot(matrix[at]!, matrix[at + 1]!, matrix[at + 2]!);
    for (let place = 0; place < 3; place++) matrix[at + place] = direction[place]! * length;
  }
  setWorldMatrix(world, space, entity, matrix);
}

/**
 * How far two entities are from one another in the world, at this moment. Cost: as `worldOf` of both.
 *
 * @throws TreelineError `dead-entity` if one of them is not alive.
 */
export function distance(world: World, one: Entity, other: Entity): number {
  const [a, b, c] = positionOf(world, one);
  const [x, y, z] = positionOf(world, other);
  return Math.hypot(a - x, b - y, c - z);
}

function positionOf(world: World, entity: Entity): Vector {
  const matrix = worldOf(world, entity);
  return [matrix[12]!, matrix[13]!, matrix[14]!];
}
