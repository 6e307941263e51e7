import type { BoundsLoop } from "../visit/editions.ts";

/** Goes through the absolute rows `first <= row < end`. A long run comes in pieces. */
export type RunLoop = (first: number, end: number) => void;

/** Goes through the positions `from <= at < to` of a stretch's lists. A long stretch comes in pieces. */
export type StretchLoop = (from: number, to: number) => void;

/**
 * Loops are called for so many rows, and for so many bounds, at once. V8 compiles a function that is called seldom and runs long
 * while it runs, and may leave it afterwards with worse code, for good: half as long again for a row.
 */
const ROWS_AT_ONCE = 4096;
const BOUNDS_AT_ONCE = 256;

/** Of runs, or of positions in stretches. */
export function callLoop(loop: RunLoop | StretchLoop, first: number, end: number): void {
  for (let row = first; row < end; row += ROWS_AT_ONCE) loop(row, Math.min(row + ROWS_AT_ONCE, end));
}

/** @param length of `bounds`. */
export function callBoundsLoop(loop: BoundsLoop, bounds: Int32Array, length: number): void {
  for (let at = 0; at < length; at += BOUNDS_AT_ONCE) loop(bounds, at, Math.min(at + BOUNDS_AT_ONCE, length));
}

/**
 * Calls other functions from those places. A place that has called functions of one text only is where V8 puts that function's
 * code in, and then as code for any columns: what it closes over is a constant only while it is compiled by itself.
 */
export function keepLoopsApart(): void {
  for (const other of [() => {}, () => {}, () => {}]) {
    callLoop(other, 0, 1);
    callBoundsLoop(other, NOTHING, 1);
  }
}

const NOTHING = /* @__PURE__ */ new Int32Array(0);
