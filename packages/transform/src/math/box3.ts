// The same in 3D.
import type { Numbers } from "@treeline/core";
import { SIZE } from "./affine3.ts";
import type { Corners } from "./box.ts";

/**
 * Computes the box, along the axes of the world, of a box that a matrix moves: the centre is moved as a point, and each side is as long
 * as the sides of the box reach along it. After J. Arvo, "Transforming axis-aligned bounding boxes", Graphics Gems, 1990.
 *
 * @param into gets six numbers from `at` on, as `math/box.ts` has them.
 */
export function placeBox(
  { min, max }: Corners,
  row: number,
  matrices: Numbers,
  matrixRow: number,
  into: Numbers,
  at: number,
): void {
  const b = row * 3;
  const width = (max[b]! - min[b]!) / 2;
  const height = (max[b + 1]! - min[b + 1]!) / 2;
  const depth = (max[b + 2]! - min[b + 2]!) / 2;
  if (!(width >= 0 && height >= 0 && depth >= 0)) {
    into.fill(Number.POSITIVE_INFINITY, at, at + 6);
    return;
  }
  const x = (min[b]! + max[b]!) / 2;
  const y = (min[b + 1]! + max[b + 1]!) / 2;
  const z = (min[b + 2]! + max[b + 2]!) / 2;
  const m = matrixRow * SIZE;
  for (let axis = 0; axis < 3; axis++) {
    const a = matrices[m + axis]!;
    const c = matrices[m + axis + 4]!;
    const e = matrices[m + axis + 8]!;
    const centre = a * x + c * y + e * z + matrices[m + axis + 12]!;
    const reach = Math.abs(a) * width + Math.abs(c) * height + Math.abs(e) * depth;
    if (Number.isNaN(centre - reach)) {
      into.fill(Number.POSITIVE_INFINITY, at, at + 6); // it is nowhere; the boxes around it stay right
      return;
    }
    into[at + axis] = centre - reach;
    into[at + axis + 3] = -centre - reach;
  }
}
