import type { World } from "@treeline/core";
import { refreshRuns, type Shape } from "@treeline/core/internal";

/**
 * Rows of all shapes on one line, so that sets of rows can be compared at once: a spot is
 * `shape.place * SPOTS_PER_SHAPE + absolute row`. A set is its bounds: [first, end, first, end, ...], ascending.
 */
export type Bounds = number[];

/** More than a shape has rows. */
const SPOTS_PER_SHAPE = 0x800_0000;

export function spotOf({ place }: Shape, row: number): number {
  return place * SPOTS_PER_SHAPE + row;
}

export function shapeOfSpot({ graph }: World, spot: number): Shape {
  return graph.founded[Math.floor(spot / SPOTS_PER_SHAPE)]!;
}

/** Puts spots at the end of a set; they melt with those before them. */
export function addSpots(bounds: Bounds, first: number, end: number): void {
  const last = bounds.length - 1;
  if (last > 0 && bounds[last]! >= first) bounds[last] = Math.max(bounds[last]!, end);
  else bounds.push(first, end);
}

/** All rows of some shapes, which are in order of founding. */
export function spotsOfShapes(shapes: readonly Shape[]): Bounds {
  const found: Bounds = [];
  for (const shape of shapes) {
    if (shape.rows === 0) continue;
    refreshRuns(shape.used, shape.end);
    const { bounds, length } = shape.used;
    for (let at = 0; at < length; at++) found.push(spotOf(shape, bounds[at]!));
  }
  return found;
}

export function countSpots(bounds: Bounds): number {
  let count = 0;
  for (let at = 0; at < bounds.length; at += 2) count += bounds[at + 1]! - bounds[at]!;
  return count;
}

/** What is in one of two sets. */
export function joined(one: Bounds, other: Bounds): Bounds {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  const found: Bounds = [];
  let at = 0;
  let next = 0;
  while (at < one.length || next < other.length) {
    if (next === other.length || one[at]! <= other[next]!) {
      addSpots(found, one[at]!, one[at + 1]!);
      at += 2;
    } else {
      addSpots(found, other[next]!, other[next + 1]!);
      next += 2;
    }
  }
  return found;
}

/** What is in both of two sets. */
export function shared(one: Bounds, other: Bounds): Bounds {
  const found: Bounds = [];
  let at = 0;
  let next = 0;
  while (at < one.length && next < other.length) {
    const first = Math.max(one[at]!, other[next]!);
    const end = Math.min(one[at + 1]!, other[next + 1]!);
    if (first < end) addSpots(found, first, end);
    if (one[at + 1] === end) at += 2;
    else next += 2;
  }
  return found;
}

/** What is in one set and not in the other. */
export function less(one: Bounds, other: Bounds): Bounds {
  const found: Bounds = [];
  let next = 0;
  for (let at = 0; at < one.length; at += 2) {
    let first = one[at]!;
    const end = one[at + 1]!;
    while (next < other.length && other[next + 1]! <= first) next += 2;
    while (next < other.length && other[next]! < end) {
      if (first < other[next]!) addSpots(found, first, other[next]!);
      first = other[next + 1]!;
      if (first > end) break;
      next += 2;
    }
    if (first < end) addSpots(found, first, end);
  }
  return found;
}
