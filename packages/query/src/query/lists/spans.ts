import type { World } from "@treeline/core";
import { type ArchetypeView, allArchetypes, grownInt32, tableAt } from "@treeline/core/internal";
import { cursorsOf, endOfTable } from "../../match/pairs.ts";
import type { Plan } from "../../term/plan.ts";

/** Numbers of a span before those of its variables and ancestors. */
export const HEAD = 4;
/** The positions of a span are absolute rows, and nobody above is known. */
export const ROWS = 0;
/** The positions are absolute rows; entity indexes of variables and ancestors follow the head. */
export const JOINED = -1;

/**
 * Intervals of rows, such as what a visit is about to visit, in its order: spans of positions, as numbers side by side.
 *
 *   [archetype, from, to, base, ...]
 *
 * The base says what a position is: an absolute row (ROWS, JOINED), or a place in the batches' lists, in the chunk of
 * that number.
 */
export interface Spans {
  numbers: Int32Array<ArrayBuffer>;
  /** Numbers in use. */
  length: number;
  /** Numbers of one span. */
  readonly stride: number;
  /** Spans that follow on each other become one; not if values of pairs are read, which lie in other columns in every table. */
  melts: boolean;
  /** Room for sorting and for filling anew; empty until it is needed. */
  spare: Int32Array<ArrayBuffer>;
}

const NONE = /* @__PURE__ */ new Int32Array(0);

export function createSpans(stride: number, melts = true): Spans {
  return { numbers: new Int32Array(16 * stride), length: 0, stride, melts, spare: NONE };
}

/** A list for the answers of a query; the last number of a span with variables and ancestors is its depth. */
export function createSpansFor({ plan }: { readonly plan: Plan }): Spans {
  const { variables, traversals, readsPairs } = plan;
  return createSpans(HEAD + variables.length + traversals.length + 1, !readsPairs);
}

/** Positions that follow on those of the last span, alike, become part of it. @returns where the numbers of the span begin. */
export function addSpan(
  spans: Spans,
  archetype: ArchetypeView,
  from: number,
  to: number,
  base: number,
): number {
  const { numbers, length, stride } = spans;
  const last = length - stride;
  const melts = last >= 0 && spans.melts && numbers[last + 2] === from && numbers[last + 3] === base;
  if (!melts || numbers[last] !== archetype.number) return startSpan(spans, archetype.number, from, to, base);
  numbers[last + 2] = to;
  return last;
}

/** The same, but never part of the last one. */
export function startSpan(spans: Spans, archetype: number, from: number, to: number, base: number): number {
  const { length, stride } = spans;
  if (length + stride > spans.numbers.length) spans.numbers = grownInt32(spans.numbers, length + stride);
  const { numbers } = spans;
  numbers[length] = archetype;
  numbers[length + 1] = from;
  numbers[length + 2] = to;
  numbers[length + 3] = base;
  spans.length = length + stride;
  return length;
}

/** Adds a part of a span of some list behind all others. */
export function copySpan(spans: Spans, numbers: Int32Array, at: number, from: number, to: number): void {
  const own = startSpan(spans, numbers[at]!, from, to, numbers[at + 3]!);
  for (let more = HEAD; more < spans.stride; more++) spans.numbers[own + more] = numbers[at + more]!;
}

/** Adds a part of a span behind all others, or to the last one if it follows on that, and that stands from `start` on. */
export function addPart(spans: Spans, at: number, from: number, to: number, start: number): void {
  const { numbers, length, stride } = spans;
  if (length > start && numbers[length - stride + 2] === from) numbers[length - stride + 2] = to;
  else copySpan(spans, numbers, at, from, to);
}

/** Empties a list, to be filled anew. @returns what it had: good until it is sorted, or emptied again. */
export function emptied(spans: Spans): Int32Array {
  const { numbers } = spans;
  spans.numbers = spans.spare;
  spans.spare = numbers;
  spans.length = 0;
  return numbers;
}

/** Drops numbers of a list, the first ones or those from a place on: what was made of them stands behind them. */
export function drop(spans: Spans, from: number, to: number): void {
  if (from < to) spans.numbers.copyWithin(from, to, spans.length);
  spans.length -= to - from;
}

export function countPositions({ numbers, length, stride }: Spans): number {
  let count = 0;
  for (let at = 0; at < length; at += stride) count += numbers[at + 2]! - numbers[at + 1]!;
  return count;
}

// ---- order -------------------------------------------------------------------------------------------------------

/** Sort by archetypes in order of founding, and rows; or by depth, shallow or deep ones first. */
type By = "rows" | 1 | -1;

function compareSpans(world: World, { numbers, stride }: Spans, by: By, one: number, other: number): number {
  if (by !== "rows") return by * (numbers[one + stride - 1]! - numbers[other + stride - 1]!);
  const archetypes = allArchetypes(world);
  const places = archetypes[numbers[one]!]!.place - archetypes[numbers[other]!]!.place;
  return places === 0 ? numbers[one + 1]! - numbers[other + 1]! : places;
}

/** Sorts spans; equal ones stay in their order. Cost: for n spans in r runs that are in order already n * log r comparisons. */
export function sortSpans(world: World, spans: Spans, by: By): void {
  const { length, stride } = spans;
  let end = stride;
  while (end < length && compareSpans(world, spans, by, end - stride, end) <= 0) end += stride;
  if (end >= length) return;
  const places: number[] = [];
  for (let at = 0; at < length; at += stride) places.push(at);
  places.sort((one, other) => compareSpans(world, spans, by, one, other));
  const numbers = emptied(spans);
  for (const at of places) copySpan(spans, numbers, at, numbers[at + 1]!, numbers[at + 2]!);
}

/** Sorts spans of rows as visits want them; each row stands there once then. */
export function sortRows(world: World, spans: Spans): void {
  const { stride, length } = spans;
  if (length <= stride) return;
  sortSpans(world, spans, "rows");
  const { numbers } = spans;
  let last = 0;
  for (let at = stride; at < length; at += stride) {
    if (numbers[at] === numbers[last] && numbers[at + 1]! <= numbers[last + 2]!) {
      numbers[last + 2] = Math.max(numbers[last + 2]!, numbers[at + 2]!);
      continue;
    }
    last += stride;
    if (last < at) for (let place = 0; place < HEAD; place++) numbers[last + place] = numbers[at + place]!;
  }
  spans.length = last + stride;
}

/** Cuts spans where tables end. @param rows position -> absolute row, for those that need it. */
export function cutByTable(world: World, spans: Spans, rows?: Int32Array): void {
  const { stride, length } = spans;
  const cursors = cursorsOf(world);
  for (let at = 0; at < length; at += stride) {
    const { i32 } = allArchetypes(world)[spans.numbers[at]!]!.lanes;
    const isOfRows = spans.numbers[at + 3]! <= ROWS;
    const to = spans.numbers[at + 2]!;
    for (let from = spans.numbers[at + 1]!; from < to; ) {
      const table = tableAt(world, i32[isOfRows ? from : rows![from]!]!);
      let next = isOfRows ? Math.min(to, endOfTable(cursors, table)) : from + 1;
      while (!isOfRows && next < to && tableAt(world, i32[rows![next]!]!) === table) next++;
      addPart(spans, at, from, next, spans.length);
      from = next;
    }
  }
  drop(spans, 0, length);
}
