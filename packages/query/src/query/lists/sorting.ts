import { grownInt32, indexOf } from "@treeline/core/internal";
import type { Plan } from "../../term/plan.ts";

/** What is added to a layer where the value is no number: it is NaN; or the entity does not have the component. */
export const NOT_A_NUMBER = 1;
export const MISSING = 2;
/** Layers of one depth. */
export const LAYERS = 4;

/** Shorter runs are made so long by insertion. */
const SHORT = 8;

/**
 * Answers as they were gathered, with all that their order hangs on, by place from 0. `order` lists places in the order of
 * the visit.
 */
export interface Sorting {
  /** The gathered spans; the first `length` numbers count. */
  numbers: Int32Array<ArrayBuffer>;
  length: number;
  count: number;
  /** Who it is, where its span begins, and its position there. */
  handles: Float64Array<ArrayBuffer>;
  spans: Int32Array<ArrayBuffer>;
  positions: Int32Array<ArrayBuffer>;
  /** By group first: the index of the target, or the number of the key. */
  ranks: Int32Array<ArrayBuffer>;
  /** Then by depth, `LAYERS` for each, so that those without a value come last. */
  layers: Int32Array<ArrayBuffer>;
  /** Then by number, or by comparing values. */
  keys: Float64Array<ArrayBuffer>;
  values: unknown[];
  order: Int32Array<ArrayBuffer>;
  room: Int32Array<ArrayBuffer>;
  /** Keys of groups by number, if a function tells them. */
  groups: unknown[];
  readonly isOrdered: boolean;
  /** Undefined if numbers are compared. */
  readonly by: ((one: unknown, other: unknown) => number) | undefined;
  /** 1, or -1 if the largest value comes first; numbers are kept with that sign. */
  readonly turn: number;
}

export function createSorting({ order }: Plan): Sorting {
  const none = new Int32Array(0);
  return {
    numbers: none,
    length: 0,
    count: 0,
    handles: new Float64Array(0),
    spans: none,
    positions: none,
    ranks: none,
    layers: none,
    keys: new Float64Array(0),
    values: [],
    order: none,
    room: none,
    groups: [],
    isOrdered: order !== undefined,
    by: typeof order?.by === "function" ? order.by : undefined,
    turn: order?.isDescending === true ? -1 : 1,
  };
}

/** Makes room for so many answers. */
export function fitSorting(sorting: Sorting, count: number): void {
  sorting.count = count;
  if (sorting.order.length >= count) return;
  sorting.order = grownInt32(sorting.order, count);
  const room = sorting.order.length;
  sorting.handles = new Float64Array(room);
  sorting.keys = new Float64Array(room);
  sorting.spans = new Int32Array(room);
  sorting.positions = new Int32Array(room);
  sorting.ranks = new Int32Array(room);
  sorting.layers = new Int32Array(room);
  sorting.room = new Int32Array(room);
}

/** Two different places are never equal: the last word has the place itself. */
function isBefore(sorting: Sorting, one: number, other: number): boolean {
  const { ranks, layers, keys, handles } = sorting;
  const rank = ranks[one]! - ranks[other]!;
  if (rank !== 0) return rank < 0;
  if (!sorting.isOrdered) return one < other;
  const layer = layers[one]! - layers[other]!;
  if (layer !== 0) return layer < 0;
  if (sorting.by === undefined) {
    const key = keys[one]!;
    const otherKey = keys[other]!;
    if (key !== otherKey) return key < otherKey;
  } else if ((layers[one]! & (LAYERS - 1)) !== MISSING) {
    const told = sorting.turn * sorting.by(sorting.values[one], sorting.values[other]);
    if (told < 0) return true;
    if (told > 0) return false;
  }
  const index = indexOf(handles[one]!);
  const otherIndex = indexOf(handles[other]!);
  return index === otherIndex ? one < other : index < otherIndex;
}

/**
 * Sorts `order`, which lists every place once. Runs that are in order already are found and merged, short ones first.
 *
 * Cost: for n places in r runs about n * log r comparisons; n - 1 if all is in order.
 *
 * @throws what a comparison of users throws; `order` then lists the same places in some order or other, or not all.
 */
export function sortPlaces(sorting: Sorting): void {
  const { order, count } = sorting;
  // Where the runs begin that wait to be merged; each is more than twice as long as the next.
  const starts: number[] = [];
  for (let first = 0; first < count; ) {
    let end = endOfRun(sorting, first);
    const least = Math.min(count, first + SHORT);
    for (; end < least; end++) insert(order, sorting, first, end);
    for (let before = starts.at(-1); before !== undefined; before = starts.at(-1)) {
      if (first - before > 2 * (end - first)) break;
      merge(sorting, before, first, end);
      first = before;
      starts.pop();
    }
    starts.push(first);
    first = end;
  }
  for (let at = starts.length - 1; at > 0; at--) merge(sorting, starts[at - 1]!, starts[at]!, count);
}

/** Takes the longest run that begins at `first`; one in falling order is turned round. */
function endOfRun(sorting: Sorting, first: number): number {
  const { order, count } = sorting;
  let end = first + 1;
  if (end === count) return end;
  if (!isBefore(sorting, order[end]!, order[first]!)) {
    for (end++; end < count && !isBefore(sorting, order[end]!, order[end - 1]!); end++);
    return end;
  }
  for (end++; end < count && isBefore(sorting, order[end]!, order[end - 1]!); end++);
  for (let low = first, high = end - 1; low < high; low++, high--) {
    const place = order[low]!;
    order[low] = order[high]!;
    order[high] = place;
  }
  return end;
}

/** Puts the place at `at` where it belongs in the run `first .. at`. */
function insert(order: Int32Array, sorting: Sorting, first: number, at: number): void {
  const place = order[at]!;
  let to = at;
  for (; to > first && isBefore(sorting, place, order[to - 1]!); to--) order[to] = order[to - 1]!;
  order[to] = place;
}

/** Merges the runs `low .. middle` and `middle .. high`. What is in its place at either end is not moved. */
function merge(sorting: Sorting, low: number, middle: number, high: number): void {
  const { order, room } = sorting;
  const first = placeFor(sorting, order[middle]!, low, middle);
  if (first === middle) return;
  const end = placeFor(sorting, order[middle - 1]!, middle, high);
  const length = middle - first;
  for (let at = 0; at < length; at++) room[at] = order[first + at]!;
  let to = first;
  let left = 0;
  let right = middle;
  while (left < length && right < end) {
    if (isBefore(sorting, order[right]!, room[left]!)) order[to++] = order[right++]!;
    else order[to++] = room[left++]!;
  }
  while (left < length) order[to++] = room[left++]!;
}

/** How far a run is before a place that is not in it. */
function placeFor(sorting: Sorting, place: number, first: number, end: number): number {
  const { order } = sorting;
  let low = first;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(sorting, place, order[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
