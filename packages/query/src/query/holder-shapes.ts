import { grownInt32 } from "@treeline/core/internal";

/**
 * Small numbers for lists of shapes: those of the holders along several traversals. They are kept as ways in a tree: a
 * number stands for the last shape of a list, and for the number of the list without it.
 */
export interface HolderShapes {
  /** By number, from 1: its last shape, -1 if there is no holder; and the number of what comes before, 0 at the start. */
  shape: Int32Array<ArrayBuffer>;
  before: Int32Array<ArrayBuffer>;
  /** Numbers ever given, 0 included. */
  length: number;
  /** number * STEP + shape + 1 -> number of the list that is longer by this shape. */
  readonly longer: Map<number, number>;
}

/** Shapes are fewer. */
const STEP = 0x40_0000;

export function createHolderShapes(): HolderShapes {
  return { shape: new Int32Array(0), before: new Int32Array(0), length: 1, longer: new Map() };
}

/** The number of a list that is longer by one shape, or by -1; the empty list has 0. */
export function withShape(lists: HolderShapes, list: number, shape: number): number {
  const key = list * STEP + shape + 1;
  const known = lists.longer.get(key);
  if (known !== undefined) return known;
  const number = lists.length++;
  lists.shape = grownInt32(lists.shape, lists.length);
  lists.before = grownInt32(lists.before, lists.length);
  lists.shape[number] = shape;
  lists.before[number] = list;
  lists.longer.set(key, number);
  return number;
}

/** The shape that stands so many places before the end of a list. */
export function shapeFromEnd(lists: HolderShapes, list: number, places: number): number {
  let at = list;
  for (let place = 0; place < places; place++) at = lists.before[at]!;
  return lists.shape[at]!;
}
