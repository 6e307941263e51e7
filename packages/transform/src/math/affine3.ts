// Matrices of 16 numbers: from parts (`placeParts`), products (`multiply`), inverses (`invert`, `FLAT`), and parts of them (`partsOf`).
import type { Numbers } from "@treeline/core";

/*
 * Matrices of 4 x 4 numbers, column by column, as in glTF and WebGL. All are affine: the last row is 0 0 0 1. A matrix is
 * 16 numbers of an array, from `row * 16` on.
 */

export const SIZE = 16;
/** Of the volume that the lengths of the axes allow, so little is only what rounding leaves of a flat matrix. */
export const FLAT = 1e-12;
export const IDENTITY: Float64Array = /* @__PURE__ */ Float64Array.of(
  ...[1, 0, 0, 0],
  ...[0, 1, 0, 0],
  ...[0, 0, 1, 0],
  ...[0, 0, 0, 1],
);

/** Position, rotation and scale by row, as `Local3D` has them. */
export interface Parts {
  readonly position: Numbers;
  readonly rotation: Numbers;
  readonly scale: Numbers;
}

/** result = above x translation x rotation x scale. The quaternion is used as it is: it is not normalised. */
export function placeParts(
  parts: Parts,
  row: number,
  above: Numbers,
  aboveRow: number,
  into: Numbers,
  intoRow: number,
): void {
  const { position, rotation, scale } = parts;
  const q = row * 4;
  const x = rotation[q]!;
  const y = rotation[q + 1]!;
  const z = rotation[q + 2]!;
  const w = rotation[q + 3]!;
  const p = row * 3;
  const sx = scale[p]!;
  const sy = scale[p + 1]!;
  const sz = scale[p + 2]!;
  const x2 = x + x;
  const y2 = y + y;
  const z2 = z + z;
  const a = aboveRow * SIZE;
  const a0 = above[a]!;
  const a1 = above[a + 1]!;
  const a2 = above[a + 2]!;
  const a4 = above[a + 4]!;
  const a5 = above[a + 5]!;
  const a6 = above[a + 6]!;
  const a8 = above[a + 8]!;
  const a9 = above[a + 9]!;
  const a10 = above[a + 10]!;
  const to = intoRow * SIZE;

  let l0 = (1 - (y * y2 + z * z2)) * sx;
  let l1 = (x * y2 + w * z2) * sx;
  let l2 = (x * z2 - w * y2) * sx;
  into[to] = a0 * l0 + a4 * l1 + a8 * l2;
  into[to + 1] = a1 * l0 + a5 * l1 + a9 * l2;
  into[to + 2] = a2 * l0 + a6 * l1 + a10 * l2;
  into[to + 3] = 0;
  l0 = (x * y2 - w * z2) * sy;
  l1 = (1 - (x * x2 + z * z2)) * sy;
  l2 = (y * z2 + w * x2) * sy;
  into[to + 4] = a0 * l0 + a4 * l1 + a8 * l2;
  into[to + 5] = a1 * l0 + a5 * l1 + a9 * l2;
  into[to + 6] = a2 * l0 + a6 * l1 + a10 * l2;
  into[to + 7] = 0;
  l0 = (x * z2 + w * y2) * sz;
  l1 = (y * z2 - w * x2) * sz;
  l2 = (1 - (x * x2 + y * y2)) * sz;
  into[to + 8] = a0 * l0 + a4 * l1 + a8 * l2;
  into[to + 9] = a1 * l0 + a5 * l1 + a9 * l2;
  into[to + 10] = a2 * l0 + a6 * l1 + a10 * l2;
  into[to + 11] = 0;
  l0 = position[p]!;
  l1 = position[p + 1]!;
  l2 = position[p + 2]!;
  into[to + 12] = a0 * l0 + a4 * l1 + a8 * l2 + above[a + 12]!;
  into[to + 13] = a1 * l0 + a5 * l1 + a9 * l2 + above[a + 13]!;
  into[to + 14] = a2 * l0 + a6 * l1 + a10 * l2 + above[a + 14]!;
  into[to + 15] = 1;
}

/** result = above x matrix. `into` may be `above` or `matrix` itself, in the same row. */
export function multiply(
  matrix: Numbers,
  row: number,
  above: Numbers,
  aboveRow: number,
  into: Numbers,
  intoRow: number,
): void {
  const a = aboveRow * SIZE;
  const a0 = above[a]!;
  const a1 = above[a + 1]!;
  const a2 = above[a + 2]!;
  const a4 = above[a + 4]!;
  const a5 = above[a + 5]!;
  const a6 = above[a + 6]!;
  const a8 = above[a + 8]!;
  const a9 = above[a + 9]!;
  const a10 = above[a + 10]!;
  const a12 = above[a + 12]!;
  const a13 = above[a + 13]!;
  const a14 = above[a + 14]!;
  for (let column = 0; column < SIZE; column += 4) {
    const from = row * SIZE + column;
    const to = intoRow * SIZE + column;
    const x = matrix[from]!;
    const y = matrix[from + 1]!;
    const z = matrix[from + 2]!;
    const w = column === 12 ? 1 : 0;
    into[to] = a0 * x + a4 * y + a8 * z + a12 * w;
    into[to + 1] = a1 * x + a5 * y + a9 * z + a13 * w;
    into[to + 2] = a2 * x + a6 * y + a10 * z + a14 * w;
    into[to + 3] = w;
  }
}

/** The same for the columns of a component. */
export function placeMatrix(
  { matrix }: { readonly matrix: Numbers },
  row: number,
  above: Numbers,
  aboveRow: number,
  into: Numbers,
  intoRow: number,
): void {
  multiply(matrix, row, above, aboveRow, into, intoRow);
}

/** Inverts a matrix in place. @returns false, with nothing changed, if it is flat and has no inverse. */
export function invert(matrix: Float64Array): boolean {
  const x = columnOf(matrix, 0);
  const y = columnOf(matrix, 4);
  const z = columnOf(matrix, 8);
  const w = columnOf(matrix, 12);
  const rows = [cross(y, z), cross(z, x), cross(x, y)];
  const volume = dot(x, rows[0]!);
  if (!(Math.abs(volume) > FLAT * lengthOf(x) * lengthOf(y) * lengthOf(z))) return false;
  for (let row = 0; row < 3; row++) {
    const across = rows[row]!;
    for (let axis = 0; axis < 3; axis++) matrix[axis * 4 + row] = across[axis]! / volume;
    matrix[12 + row] = -dot(across, w) / volume;
  }
  return true;
}

export type Vector = readonly [x: number, y: number, z: number];

export function cross(one: Vector, other: Vector): Vector {
  return [
    one[1] * other[2] - one[2] * other[1],
    one[2] * other[0] - one[0] * other[2],
    one[0] * other[1] - one[1] * other[0],
  ];
}

function dot(one: Vector, other: Vector): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

export function lengthOf(vector: Vector): number {
  return Math.sqrt(dot(vector, vector));
}

/** one + other x by. */
function sum(one: Vector, other: Vector, by: number): Vector {
  return [one[0] + other[0] * by, one[1] + other[1] * by, one[2] + other[2] * by];
}

const NOWHERE: Vector = [0, 0, 0];

/** A vector of length 1 in the same direction; of length 0 if it has none. */
export function unit(vector: Vector): Vector {
  return sum(NOWHERE, vector, 1 / (lengthOf(vector) || 1));
}

/** Three numbers from a place on. */
function columnOf(matrix: Float64Array, at: number): Vector {
  return [matrix[at]!, matrix[at + 1]!, matrix[at + 2]!];
}

/**
 * Position, rotation and scale of a matrix, as `Local3D` has them. A mirrored one gets a negative scale along x. Of one that shears, the
 * x axis and the plane of x and y stay as they are.
 */
export function partsOf(matrix: Float64Array): Record<"position" | "rotation" | "scale", Vector | number[]> {
  const first = columnOf(matrix, 0);
  const second = columnOf(matrix, 4);
  const third = columnOf(matrix, 8);
  const scale = [lengthOf(first), lengthOf(second), lengthOf(third)];
  let x = unit(first);
  const across = sum(second, x, -dot(second, x));
  // What rounding leaves of an axis that has no length across the first one is no direction.
  let y = lengthOf(across) > FLAT * scale[1]! ? unit(across) : NOWHERE;
  if (scale[0] === 0) x = unit(cross(y, third));
  if (lengthOf(y) === 0) y = unit(cross(third, x));
  let z = cross(x, y);
  if (dot(z, third) < 0) {
    scale[0] = -scale[0]!;
    x = sum(NOWHERE, x, -1);
    z = sum(NOWHERE, z, -1);
  }
  return { position: columnOf(matrix, 12), rotation: rotationOf(x, y, z), scale };
}

/** The quaternion that turns the axes of the world to three others, which are at right angles and have length 1; else none. */
function rotationOf(x: Vector, y: Vector, z: Vector): number[] {
  if (lengthOf(z) < 0.5) return [0, 0, 0, 1];
  const trace = x[0] + y[1] + z[2];
  if (trace > 0) {
    const by = 0.5 / Math.sqrt(trace + 1);
    return [(y[2] - z[1]) * by, (z[0] - x[2]) * by, (x[1] - y[0]) * by, 0.25 / by];
  }
  if (x[0] > y[1] && x[0] > z[2]) {
    const by = 0.5 / Math.sqrt(1 + x[0] - y[1] - z[2]);
    return [0.25 / by, (y[0] + x[1]) * by, (z[0] + x[2]) * by, (y[2] - z[1]) * by];
  }
  if (y[1] > z[2]) {
    const by = 0.5 / Math.sqrt(1 + y[1] - x[0] - z[2]);
    return [(y[0] + x[1]) * by, 0.25 / by, (z[1] + y[2]) * by, (z[0] - x[2]) * by];
  }
  const by = 0.5 / Math.sqrt(1 + z[2] - x[0] - y[1]);
  return [(z[0] + x[2]) * by, (z[1] + y[2]) * by, 0.25 / by, (x[1] - y[0]) * by];
}
