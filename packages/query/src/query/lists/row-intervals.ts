// The list of row intervals: adds and merges them (`addInterval`), sorts them and removes duplicates (`sortRows`).
import type { World } from "@treeline/core";
import { type ArchetypeView, allArchetypes, grownInt32, tableAt } from "@treeline/core/internal";
import { endOfAlike } from "../../match/pairs.ts";
import type { Plan } from "../../term/plan.ts";

/** Numbers of an interval before those of its variables and ancestors. */
export const HEAD = 4;
/** The positions of an interval are absolute rows, and no ancestors are known. */
export const ROWS = 0;
/** The positions are absolute rows; entity indexes of variables and ancestors follow the head. */
export const JOINED = -1;
/** The positions are places in the list of the iteration's state, and no ancestors are known. Above the numbers of chunks. */
export const OWN_LIST = 0x7fff_ffff;

/**
 * Intervals of rows, such as those of an iteration, in its order: intervals of positions, as adjacent numbers.
 *
 *   [archetype, from, to, base, ...]
 *
 * The base says what a position is: an absolute row (ROWS, JOINED), a place in the list of the iteration (OWN_LIST), or one in the
 * batches' lists, in the chunk of that number.
 */
export interface RowIntervals {
  numbers: Int32Array<ArrayBuffer>;
  /** Numbers in use. */
  length: number;
  /** Numbers of one interval. */
  readonly stride: number;
  /** Adjacent intervals become one; not if values of pairs are read, which every table stores in other columns. */
  merges: boolean;
  /** Memory for sorting and refilling; empty until it is needed. */
  spare: Int32Array<ArrayBuffer>;
}

const NONE = /* @__PURE__ */ new Int32Array(0);

export function createIntervals(stride: number, merges = true): RowIntervals {
  return { numbers: new Int32Array(16 * stride), length: 0, stride, merges, spare: NONE };
}

/** A list for the matches of a query; the last number of an interval with variables and ancestors is its depth. */
export function createIntervalsFor({ plan }: { readonly plan: Plan }): RowIntervals {
  const { variables, traversals, readsPairs } = plan;
  return createIntervals(HEAD + variables.length + traversals.length + 1, !readsPairs);
}

/** Adds an interval; it is merged with the last one if they are adjacent and alike. @returns where its numbers begin. */
export function addInterval(
  intervals: RowIntervals,
  archetype: ArchetypeView,
  from: number,
  to: number,
  base: number,
): number {
  const { numbers, length, stride } = intervals;
  const last = length - stride;
  const merges = last >= 0 && intervals.merges && numbers[last + 2] === from && numbers[last + 3] === base;
  if (!merges || numbers[last] !== archetype.number)
    return startInterval(intervals, archetype.number, from, to, base);
  numbers[last + 2] = to;
  return last;
}

/** The same, but never merged. */
export function startInterval(
  intervals: RowIntervals,
  archetype: number,
  from: number,
  to: number,
  base: number,
): number {
  const { length, stride } = intervals;
  if (length + stride > intervals.numbers.length)
    intervals.numbers = grownInt32(intervals.numbers, length + stride);
  const { numbers } = intervals;
  numbers[length] = archetype;
  numbers[length + 1] = from;
  numbers[length + 2] = to;
  numbers[length + 3] = base;
  intervals.length = length + stride;
  return length;
}

/** Adds a part of an interval of any list at the end. */
export function copyInterval(
  intervals: RowIntervals,
  numbers: Int32Array,
  at: number,
  from: number,
  to: number,
): void {
  const own = startInterval(intervals, numbers[at]!, from, to, numbers[at + 3]!);
  for (let more = HEAD; more < intervals.stride; more++) intervals.numbers[own + more] = numbers[at + more]!;
}

/** Adds a part of an interval at the end, or extends the last one if they are adjacent and that is not before `start`. */
export function addPart(intervals: RowIntervals, at: number, from: number, to: number, start: number): void {
  const { numbers, length, stride } = intervals;
  if (length > start && numbers[length - stride + 2] === from) numbers[length - stride + 2] = to;
  else copyInterval(intervals, numbers, at, from, to);
}

/** Empties a list, to be filled again. @returns its former numbers: valid until it is sorted, or emptied again. */
export function emptied(intervals: RowIntervals): Int32Array {
  const { numbers } = intervals;
  intervals.numbers = intervals.spare;
  intervals.spare = numbers;
  intervals.length = 0;
  return numbers;
}

/** Drops the numbers of a list from one place to another: their replacements come after them. */
export function drop(intervals: RowIntervals, from: number, to: number): void {
  if (from < to) intervals.numbers.copyWithin(from, to, intervals.length);
  intervals.length -= to - from;
}

export function countRows({ numbers, length, stride }: RowIntervals): number {
  let count = 0;
  for (let at = 0; at < length; at += stride) count += numbers[at + 2]! - numbers[at + 1]!;
  return count;
}

// ---- order -------------------------------------------------------------------------------------------------------

/** Sort by archetypes in order of founding, and rows; or by depth, shallow or deep ones first. */
type By = "rows" | 1 | -1;

function compareIntervals(
  world: World,
  { numbers, stride }: RowIntervals,
  by: By,
  one: number,
  other: number,
): number {
  if (by !== "rows") return by * (numbers[one + stride - 1]! - numbers[other + stride - 1]!);
  const archetypes = allArchetypes(world);
  const places = archetypes[numbers[one]!]!.place - archetypes[numbers[other]!]!.place;
  return places === 0 ? numbers[one + 1]! - numbers[other + 1]! : places;
}

/**
 * Sorts intervals, stable.
 *
 * @cost for n intervals in r runs that are in order already n * log r comparisons.
 */
export function sortIntervals(world: World, intervals: RowIntervals, by: By): void {
  const { length, stride } = intervals;
  let end = stride;
  while (end < length && compareIntervals(world, intervals, by, end - stride, end) <= 0) end += stride;
  if (end >= length) return;
  const places: number[] = [];
  for (let at = 0; at < length; at += stride) places.push(at);
  places.sort((one, other) => compareIntervals(world, intervals, by, one, other));
  const numbers = emptied(intervals);
  for (const at of places) copyInterval(intervals, numbers, at, numbers[at + 1]!, numbers[at + 2]!);
}

/** Sorts intervals of rows in the order of iteration, and removes duplicate rows. */
export function sortRows(world: World, intervals: RowIntervals): void {
  const { stride, length } = intervals;
  if (length <= stride) return;
  sortIntervals(world, intervals, "rows");
  const { numbers } = intervals;
  let last = 0;
  for (let at = stride; at < length; at += stride) {
    if (numbers[at] === numbers[last] && numbers[at + 1]! <= numbers[last + 2]!) {
      numbers[last + 2] = Math.max(numbers[last + 2]!, numbers[at + 2]!);
      continue;
    }
    last += stride;
    if (last < at) for (let place = 0; place < HEAD; place++) numbers[last + place] = numbers[at + place]!;
  }
  intervals.length = last + stride;
}

/** Cuts intervals where rows have other pairs. @param rows position -> row, for intervals that need it. */
export function cutByPairs(world: World, intervals: RowIntervals, rows?: Int32Array): void {
  const { stride, length } = intervals;
  for (let at = 0; at < length; at += stride) {
    const archetype = allArchetypes(world)[intervals.numbers[at]!]!;
    const { i32 } = archetype.lanes;
    const isOfRows = intervals.numbers[at + 3]! <= ROWS;
    const to = intervals.numbers[at + 2]!;
    for (let from = intervals.numbers[at + 1]!; from < to; ) {
      let next = from + 1;
      if (isOfRows) next = endOfAlike(world, archetype, from, to, false);
      else {
        const table = tableAt(world, i32[rows![from]!]!);
        while (next < to && tableAt(world, i32[rows![next]!]!) === table) next++;
      }
      addPart(intervals, at, from, next, intervals.length);
      from = next;
    }
  }
  drop(intervals, 0, length);
}
