// The box of a box that a matrix moves, in 2D (`placeBox`).
import type { Numbers } from "@treeline/core";
import { SIZE } from "./affine2.ts";
import type { Corners } from "./box.ts";

/** As `placeBox` of `box3.ts`, in 2D. @param into gets four numbers from `at` on. */
export function placeBox(
  { min, max }: Corners,
  row: number,
  matrices: Numbers,
  matrixRow: number,
  into: Numbers,
  at: number,
): void {
  const b = row * 2;
  const width = (max[b]! - min[b]!) / 2;
  const height = (max[b + 1]! - min[b + 1]!) / 2;
  if (!(width >= 0 && height >= 0)) {
    into.fill(Number.POSITIVE_INFINITY, at, at + 4);
    return;
  }
  const x = (min[b]! + max[b]!) / 2;
  const y = (min[b + 1]! + max[b + 1]!) / 2;
  const m = matrixRow * SIZE;
  for (let axis = 0; axis < 2; axis++) {
    const a = matrices[m + axis]!;
    const c = matrices[m + axis + 2]!;
    const centre = a * x + c * y + matrices[m + axis + 4]!;
    const reach = Math.abs(a) * width + Math.abs(c) * height;
    if (Number.isNaN(centre - reach)) {
      into.fill(Number.POSITIVE_INFINITY, at, at + 4); // it is nowhere; the boxes around it stay right
      return;
    }
    into[at + axis] = centre - reach;
    into[at + axis + 2] = -centre - reach;
  }
}
