// Boxes as numbers of which the least count: unions (`unite`), sides that they share (`touches`, `leavesSide`); columns (`Corners`).
import type { Numbers } from "@treeline/core";

/*
 * Boxes along the axes, as numbers of an array from `at` on: the least x y z, then the greatest x y z, negated. So the union of boxes is
 * the least of each number, and the empty box is +Infinity in each.
 */

/** Boxes as columns have them: `axes` numbers for each row, not negated. */
export interface Corners {
  readonly min: Numbers;
  readonly max: Numbers;
}

/** The corners of an empty box, not negated. */
export function emptyMin(axes: number): number[] {
  return new Array<number>(axes).fill(Number.POSITIVE_INFINITY);
}

export function emptyMax(axes: number): number[] {
  return new Array<number>(axes).fill(Number.NEGATIVE_INFINITY);
}

/** Makes a box the union of itself and another one. @returns whether it has grown. */
export function unite(into: Numbers, at: number, other: Numbers, otherAt: number, size: number): boolean {
  let hasGrown = false;
  for (let side = 0; side < size; side++) {
    const reach = other[otherAt + side]!;
    if (reach >= into[at + side]!) continue;
    into[at + side] = reach;
    hasGrown = true;
  }
  return hasGrown;
}

/** Whether a box has a side that is also a side of the one around it; if that box is empty, it has none. */
export function touches(box: Numbers, at: number, around: Numbers, aroundAt: number, size: number): boolean {
  for (let side = 0; side < size; side++)
    if (box[at + side]! <= around[aroundAt + side]! && box[at + side]! < Number.POSITIVE_INFINITY)
      return true;
  return false;
}

/** The same for a box that becomes another one, of the sides that the other one does not reach. */
export function leavesSide(
  box: Numbers,
  at: number,
  next: Numbers,
  nextAt: number,
  around: Numbers,
  aroundAt: number,
  size: number,
): boolean {
  for (let side = 0; side < size; side++) {
    const reach = box[at + side]!;
    if (reach <= around[aroundAt + side]! && next[nextAt + side]! > reach) return true;
  }
  return false;
}

/** Copies a box of a column. */
export function readCorners(
  { min, max }: Corners,
  row: number,
  into: Numbers,
  at: number,
  axes: number,
): void {
  for (let axis = 0; axis < axes; axis++) {
    into[at + axis] = min[row * axes + axis]!;
    into[at + axes + axis] = -max[row * axes + axis]!;
  }
}

/** Writes a box to a column. @returns whether it was another one. */
export function writeCorners(
  box: Numbers,
  at: number,
  { min, max }: Corners,
  row: number,
  axes: number,
): boolean {
  let isOther = false;
  for (let axis = 0; axis < axes; axis++) {
    const place = row * axes + axis;
    const least = box[at + axis]!;
    const most = 0 - box[at + axes + axis]!; // not -0
    if (min[place] === least && max[place] === most) continue;
    min[place] = least;
    max[place] = most;
    isOther = true;
  }
  return isOther;
}
