// Moves in the world in 32 and 64 bits: `translateIn`, `rotateIn`, `lookIn` (the negative z axis), `distanceIn`.
import type { Entity, World } from "@treeline/core";
import { cross, lengthOf, type Parts, placeParts, SIZE, unit, type Vector } from "../math/affine3.ts";
import { setWorldMatrix } from "../space/set-world.ts";
import type { Space } from "../space/space.ts";
import { freshMatrixOf } from "../space/world-of.ts";

/** A position or a direction in the world: x y z. */
export type Point3D = readonly [x: number, y: number, z: number];

/** A rotation as x y z w. */
export type Quaternion = readonly [x: number, y: number, z: number, w: number];

const ONES = /* @__PURE__ */ Float64Array.of(1, 1, 1);

export function translateIn(world: World, space: Space, entity: Entity, by: Point3D): void {
  const matrix = worldIn(world, space, entity);
  for (let axis = 0; axis < 3; axis++) matrix[12 + axis]! += by[axis]!;
  setWorldMatrix(world, space, entity, matrix);
}

export function rotateIn(world: World, space: Space, entity: Entity, by: Quaternion): void {
  const matrix = worldIn(world, space, entity);
  const position = matrix.slice(12, 15);
  const turn = new Float64Array(SIZE);
  const parts: Parts = { position: new Float64Array(3), rotation: Float64Array.from(by), scale: ONES };
  placeParts(parts, 0, space.identity, 0, turn, 0);
  space.multiply(matrix, 0, turn, 0, matrix, 0);
  matrix.set(position, 12);
  setWorldMatrix(world, space, entity, matrix);
}

export function lookIn(
  world: World,
  space: Space,
  entity: Entity,
  target: Entity | Point3D,
  up: Point3D,
): void {
  const matrix = worldIn(world, space, entity);
  const [x, y, z] = typeof target === "number" ? positionIn(world, space, target) : target;
  const back = unit([matrix[12]! - x, matrix[13]! - y, matrix[14]! - z]);
  if (lengthOf(back) === 0) return;
  let right = cross(unit(up), back);
  if (lengthOf(right) < 1e-6) right = cross(Math.abs(back[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1], back);
  right = unit(right);
  const axes = [right, cross(back, right), back];
  for (const [axis, direction] of axes.entries()) {
    const at = axis * 4;
    const length = Math.hypot(matrix[at]!, matrix[at + 1]!, matrix[at + 2]!);
    for (let place = 0; place < 3; place++) matrix[at + place] = direction[place]! * length;
  }
  setWorldMatrix(world, space, entity, matrix);
}

export function distanceIn(world: World, space: Space, one: Entity, other: Entity): number {
  const [a, b, c] = positionIn(world, space, one);
  const [x, y, z] = positionIn(world, space, other);
  return Math.hypot(a - x, b - y, c - z);
}

function worldIn(world: World, space: Space, entity: Entity): Float64Array {
  return freshMatrixOf(world, space, entity, new Float64Array(SIZE));
}

function positionIn(world: World, space: Space, entity: Entity): Vector {
  const matrix = worldIn(world, space, entity);
  return [matrix[12]!, matrix[13]!, matrix[14]!];
}
