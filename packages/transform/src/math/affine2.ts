// Matrices of 6 numbers: from parts (`placeParts`), products (`multiply`), inverses, and parts of them (`partsOf`); sines by row (`withTurns`).
import type { Numbers } from "@treeline/core";

/*
 * Matrices of 3 x 2 numbers, as `setTransform` of a canvas takes them: a b c d e f move a point x y to a x + c y + e, b x + d y + f.
 * A matrix is 6 numbers of an array, from `row * 6` on.
 */

export const SIZE = 6;
export const IDENTITY: Float64Array = /* @__PURE__ */ Float64Array.of(1, 0, 0, 1, 0, 0);

/** Position, angle and scale by row, as `Local2D` has them. */
export interface Parts {
  readonly position: Numbers;
  readonly angle: Numbers;
  readonly scale: Numbers;
  /** By row: the angle that was seen last, its cosine and its sine. They are right whatever entity is in the row. */
  readonly turns?: Float64Array;
}

/** Adds a memory for `turns`. */
export function withTurns(columns: Parts): Parts {
  const turns = new Float64Array(columns.angle.length * 3);
  for (let at = 1; at < turns.length; at += 3) turns[at] = 1;
  return { ...columns, turns };
}

/** result = above x translation x rotation x scale. */
export function placeParts(
  { position, angle, scale, turns }: Parts,
  row: number,
  above: Numbers,
  aboveRow: number,
  into: Numbers,
  intoRow: number,
): void {
  const by = angle[row]!;
  let cosine: number;
  let sine: number;
  if (turns !== undefined && turns[row * 3] === by) {
    cosine = turns[row * 3 + 1]!;
    sine = turns[row * 3 + 2]!;
  } else {
    cosine = Math.cos(by);
    sine = Math.sin(by);
    if (turns !== undefined) {
      turns[row * 3] = by;
      turns[row * 3 + 1] = cosine;
      turns[row * 3 + 2] = sine;
    }
  }
  const p = row * 2;
  const sx = scale[p]!;
  const sy = scale[p + 1]!;
  const x = position[p]!;
  const y = position[p + 1]!;
  const a = aboveRow * SIZE;
  const a0 = above[a]!;
  const a1 = above[a + 1]!;
  const a2 = above[a + 2]!;
  const a3 = above[a + 3]!;
  const to = intoRow * SIZE;
  into[to] = (a0 * cosine + a2 * sine) * sx;
  into[to + 1] = (a1 * cosine + a3 * sine) * sx;
  into[to + 2] = (a2 * cosine - a0 * sine) * sy;
  into[to + 3] = (a3 * cosine - a1 * sine) * sy;
  into[to + 4] = a0 * x + a2 * y + above[a + 4]!;
  into[to + 5] = a1 * x + a3 * y + above[a + 5]!;
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
  const a3 = above[a + 3]!;
  const a4 = above[a + 4]!;
  const a5 = above[a + 5]!;
  for (let column = 0; column < SIZE; column += 2) {
    const x = matrix[row * SIZE + column]!;
    const y = matrix[row * SIZE + column + 1]!;
    const w = column === 4 ? 1 : 0;
    into[intoRow * SIZE + column] = a0 * x + a2 * y + a4 * w;
    into[intoRow * SIZE + column + 1] = a1 * x + a3 * y + a5 * w;
  }
}

/** Inverts a matrix in place. @returns false, with nothing changed, if it is flat and has no inverse. */
export function invert(matrix: Float64Array): boolean {
  const [a, b, c, d, e, f] = matrix as unknown as [number, number, number, number, number, number];
  const area = a * d - b * c;
  // So little of the area that the lengths of the axes allow is only what rounding leaves of a flat matrix.
  if (!(Math.abs(area) > 1e-12 * Math.hypot(a, b) * Math.hypot(c, d))) return false;
  const by = 1 / area;
  matrix[0] = d * by;
  matrix[1] = -b * by;
  matrix[2] = -c * by;
  matrix[3] = a * by;
  matrix[4] = (c * f - d * e) * by;
  matrix[5] = (b * e - a * f) * by;
  return true;
}

/** The value of `Local2D` that makes a matrix. Of one that shears, the x axis stays as it is; a mirrored one gets a negative scale along y. */
export function partsOf(matrix: Float64Array): { position: number[]; angle: number; scale: number[] } {
  const [a, b, c, d, e, f] = matrix as unknown as [number, number, number, number, number, number];
  const isMirrored = a * d - b * c < 0;
  const width = Math.hypot(a, b);
  const height = Math.hypot(c, d) * (isMirrored ? -1 : 1);
  return {
    position: [e, f],
    angle: width === 0 ? Math.atan2(-c, d) : Math.atan2(b, a),
    scale: [width, height],
  };
}
