import { grownInt32, type Shape } from "@treeline/core/internal";
import type { Plan } from "../term/plan.ts";

/** Numbers of a span before those of its variables and ancestors. */
export const HEAD = 4;
/** The positions of a span are absolute rows, and nobody above is known. */
export const ROWS = 0;
/** The positions are absolute rows; entity indexes of variables and ancestors follow the head. */
export const JOINED = -1;

/**
 * What a visit is about to visit, in its order: spans of positions, as numbers side by side.
 *
 *   [shape, from, to, base, ...]
 *
 * The base says what a position is: an absolute row (ROWS, JOINED), or a place in the stretches' lists, in the chunk of
 * that number.
 */
export interface Spans {
  numbers: Int32Array<ArrayBuffer>;
  /** Numbers in use. */
  length: number;
  /** Numbers of one span. */
  readonly stride: number;
  /** Spans that follow on each other become one; not if values of pairs are read, which lie in other columns in every table. */
  readonly melts: boolean;
}

export function createSpans(stride: number, melts = true): Spans {
  return { numbers: new Int32Array(16 * stride), length: 0, stride, melts };
}

/** A list for the answers of a query; the last number of a span with variables and ancestors is its depth. */
export function createSpansFor({ plan }: { readonly plan: Plan }): Spans {
  const { variables, traversals, readsPairs } = plan;
  return createSpans(HEAD + variables.length + traversals.length + 1, !readsPairs);
}

/** Positions that follow on those of the last span, alike, become part of it. @returns where the numbers of the span begin. */
export function addSpan(spans: Spans, shape: Shape, from: number, to: number, base: number): number {
  const { length, stride } = spans;
  const last = length - stride;
  const { numbers } = spans;
  if (
    last >= 0 &&
    spans.melts &&
    base !== JOINED &&
    numbers[last + 2] === from &&
    numbers[last] === shape.number &&
    numbers[last + 3] === base
  ) {
    numbers[last + 2] = to;
    return last;
  }
  return startSpan(spans, shape.number, from, to, base);
}

/** The same, but never part of the last one. */
export function startSpan(spans: Spans, shape: number, from: number, to: number, base: number): number {
  const { length, stride } = spans;
  if (length + stride > spans.numbers.length) spans.numbers = grownInt32(spans.numbers, length + stride);
  const { numbers } = spans;
  numbers[length] = shape;
  numbers[length + 1] = from;
  numbers[length + 2] = to;
  numbers[length + 3] = base;
  spans.length = length + stride;
  return length;
}

export function endOfLast({ numbers, length, stride }: Spans): number {
  return length === 0 ? -1 : numbers[length - stride + 2]!;
}

/** The last span gets one position more. */
export function extendSpan({ numbers, length, stride }: Spans): void {
  numbers[length - stride + 2]!++;
}

export function countPositions({ numbers, length, stride }: Spans): number {
  let count = 0;
  for (let at = 0; at < length; at += stride) count += numbers[at + 2]! - numbers[at + 1]!;
  return count;
}

/** Is the span the first of its kind: of rows of its shape, or of places in lists? */
export function isBeginning({ numbers, stride }: Spans, at: number): boolean {
  if (at === 0) return true;
  const before = at - stride;
  const base = numbers[at + 3]!;
  if (base > ROWS) return numbers[before + 3]! <= ROWS;
  return numbers[before]! !== numbers[at]! || numbers[before + 3]! !== base;
}
