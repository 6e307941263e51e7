// The copies of the loops of `each`, and which query has which (`createLoop`).
import { engine } from "../state/iteration-state.ts";
import type { RowPointer } from "./marks.ts";
import { Texts } from "./texts.ts";

/**
 * Calls a callback for rows with outputs that stay the same. Their bounds are adjacent pairs of numbers, [first, end, first, end, ...],
 * of which those from place `at` to `stop` are meant. Bounds are rows, or positions in `rows` and `above`.
 */
type Loop = (
  callback: (...row: unknown[]) => void,
  handles: Float64Array,
  indexes: Int32Array,
  bounds: Int32Array,
  at: number,
  stop: number,
  rows: Int32Array,
  above: Int32Array,
) => void;

/** Outputs are closed over: they are constants to the compiler where only one loop is made of a text. */
type LoopText = (own: RowPointer, above: RowPointer, ...outputs: never[]) => Loop;

/*
 * Nothing that is not always the case may stand in an inner loop: for a branch that was never taken, V8 does not peel the loop, and
 * checks what stays the same in each row. So there are texts for each number of outputs.
 */

/** Of outputs: for rows that are adjacent. */
// biome-ignore format: one line for each copy
const ADJACENT: readonly Texts<LoopText>[] = [
  /* @__PURE__ */ new Texts(() => [
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
    (o, _, a) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, h[i[r]!]!); } } },
  ]),
  /* @__PURE__ */ new Texts(() => [
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
    (o, _, a, b) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, h[i[r]!]!); } } },
  ]),
  /* @__PURE__ */ new Texts(() => [
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
    (o, _, a, b, c) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, h[i[r]!]!); } } },
  ]),
  /* @__PURE__ */ new Texts(() => [
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
    (o, _, a, b, c, d) => (f, h, i, s, k, e) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { o.row = r; f(a, b, c, d, h[i[r]!]!); } } },
  ]),
];

/** For rows in a list, with the rows of ancestors beside them. */
// biome-ignore format: one line for each copy
const LISTED: readonly Texts<LoopText>[] = [
  /* @__PURE__ */ new Texts(() => [
    (o, p, a) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, h[i[w]!]!); } } },
    (o, p, a) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, h[i[w]!]!); } } },
    (o, p, a) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, h[i[w]!]!); } } },
    (o, p, a) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, h[i[w]!]!); } } },
    (o, p, a) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, h[i[w]!]!); } } },
  ]),
  /* @__PURE__ */ new Texts(() => [
    (o, p, a, b) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, h[i[w]!]!); } } },
    (o, p, a, b) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, h[i[w]!]!); } } },
    (o, p, a, b) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, h[i[w]!]!); } } },
    (o, p, a, b) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, h[i[w]!]!); } } },
    (o, p, a, b) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, h[i[w]!]!); } } },
    (o, p, a, b) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, h[i[w]!]!); } } },
    (o, p, a, b) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, h[i[w]!]!); } } },
    (o, p, a, b) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, h[i[w]!]!); } } },
    (o, p, a, b) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, h[i[w]!]!); } } },
  ]),
  /* @__PURE__ */ new Texts(() => [
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
    (o, p, a, b, c) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, h[i[w]!]!); } } },
  ]),
  /* @__PURE__ */ new Texts(() => [
    (o, p, a, b, c, d) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, d, h[i[w]!]!); } } },
    (o, p, a, b, c, d) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, d, h[i[w]!]!); } } },
    (o, p, a, b, c, d) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, d, h[i[w]!]!); } } },
    (o, p, a, b, c, d) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, d, h[i[w]!]!); } } },
    (o, p, a, b, c, d) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, d, h[i[w]!]!); } } },
    (o, p, a, b, c, d) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, d, h[i[w]!]!); } } },
    (o, p, a, b, c, d) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, d, h[i[w]!]!); } } },
    (o, p, a, b, c, d) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, d, h[i[w]!]!); } } },
    (o, p, a, b, c, d) => (f, h, i, s, k, e, l, u) => { while (k < e) { let r = s[k++]!; const t = s[k++]!; for (; r < t; r++) { const w = l[r]!; o.row = w; p.row = u[r]!; f(a, b, c, d, h[i[w]!]!); } } },
  ]),
];

/** A loop of a query in one slot. */
export interface OwnLoop {
  readonly run: Loop;
  readonly text: LoopText;
  readonly texts: Texts<LoopText>;
  /** One pair of bounds, for long runs. */
  readonly piece: Int32Array<ArrayBuffer>;
}

/**
 * @param above the pointer of a view of ancestors; the own one if there is none.
 * @param isListed rows are in lists.
 * @param isKept the query is known to the world, which will say when it is not needed any more.
 * @returns `undefined` if there are no texts for so many outputs.
 */
export function createLoop(
  outputs: readonly unknown[],
  own: RowPointer,
  above: RowPointer,
  isListed: boolean,
  isKept: boolean,
): OwnLoop | undefined {
  const texts = (isListed ? LISTED : ADJACENT)[outputs.length - 1];
  if (texts === undefined) return undefined;
  engine.dropLoops = dropLoops;
  const text = isKept ? texts.take() : texts.common;
  return { run: text(own, above, ...(outputs as never[])), text, texts, piece: new Int32Array(2) };
}

/** Gives the texts of a query back. @param outputs what it keeps, by slot. */
function dropLoops(outputs: readonly { readonly loops: (OwnLoop | undefined)[] }[]): void {
  for (const one of outputs) for (const loop of one?.loops.splice(0) ?? []) loop?.texts.giveBack(loop.text);
}
