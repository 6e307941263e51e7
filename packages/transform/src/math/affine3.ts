import type { Numbers } from "@treeline/core";

/*
 * Matrices of 4 x 4 numbers, column by column, as in glTF and WebGL. All are affine: the last row is 0 0 0 1. A matrix is
 * 16 numbers of an array, from `row * 16` on.
 */

export const SIZE = 16;
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
