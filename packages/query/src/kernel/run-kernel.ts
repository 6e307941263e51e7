import type { Component } from "@treeline/core";
import { Run, type RunVisitor } from "../visit/run.ts";
import {
  type BoundsLoop,
  type ColumnsOf,
  callBoundsLoop,
  callLoop,
  type Edition,
  editionOf,
  explained,
  requireKernel,
  requireLoop,
} from "./edition.ts";
import { makerOf } from "./isolate.ts";

export type { ColumnsOf } from "./edition.ts";

/** Goes through the absolute rows `first <= row < end`. A long run comes in pieces. */
export type RunLoop = (first: number, end: number) => void;

/**
 * A visitor for `eachRun` whose loop is compiled for each layout of columns: with the typed arrays as constants, as if it had
 * been written for them by hand. Loops over many columns and over many short runs gain most; one long run over two columns is
 * about as fast as before.
 *
 * The function that makes the loop is compiled from its text, so it sees its parameters and what is global, and nothing else:
 * hand over other things as `given`, and change them there. Where texts cannot be compiled (`canCompile`), it works as it
 * stands.
 *
 * Make a kernel once, not in every frame. Cost: two calls of `make` and a compilation for each layout that stays for some
 * 262,000 rows; columns that grow are a new layout.
 *
 * @param components their columns are handed over, so the rows of the query must have them.
 * @param make takes the columns and `given`, and returns the loop. It is called again at times: what should last is in `given`.
 * @throws TreelineError `bad-kernel` for what is no list of components or no function; in a visit, `bad-kernel` if it returns no
 *   loop, names something outside or is no visit of runs, and `bad-query` if rows do not have a component.
 *
 * @example
 * const clock = { step: 0.016 };
 * const move = runKernel(
 *   [Position, Velocity],
 *   ([position, velocity], clock) => {
 *     const { x, y } = position;
 *     const { x: vx, y: vy } = velocity;
 *     return (first, end) => {
 *       const { step } = clock;
 *       for (let row = first; row < end; row++) {
 *         x[row]! += vx[row]! * step;
 *         y[row]! += vy[row]! * step;
 *       }
 *     };
 *   },
 *   clock,
 * );
 * eachRun(moving, move);
 */
export function runKernel<const Components extends readonly Component[], Given = undefined>(
  components: Components,
  make: (columns: ColumnsOf<Components>, given: Given) => RunLoop,
  ...given: Given extends undefined ? [] : [given: Given]
): (run: Run) => void {
  requireKernel(components, make);
  type MakeOwn = (
    columns: ColumnsOf<Components>,
    given: Given,
  ) => { readonly loop: RunLoop; readonly all: BoundsLoop };
  const own = [...components];
  const maker = makerOf(make);
  const columnsIn = (run: Run): ColumnsOf<Components> =>
    own.map((one) => run.columns(one)) as unknown as ColumnsOf<Components>;
  const kernel = {
    maker,
    of: Run,
    by: "eachRun",
    loopOf: (from: typeof make, run: Run) => from(columnsIn(run), given[0] as Given),
  };
  const countRows = (edition: Edition<RunLoop>, run: Run, rows: number): void => {
    edition.left -= rows;
    if (edition.left > 0 || !maker.isIsolated) return;
    const { loop, all } = maker.own<MakeOwn>(withBounds)(columnsIn(run), given[0] as Given);
    edition.loop = requireLoop(loop);
    edition.all = all;
  };
  const visit: RunVisitor = (run) => {
    const { first, end } = run;
    try {
      const edition = editionOf(kernel, run);
      if (edition.left > 0) countRows(edition, run, end - first);
      callLoop(edition.loop, first, end);
    } catch (error) {
      throw explained(error, maker.isIsolated);
    }
  };
  visit.takeAll = (run, bounds, length) => {
    try {
      const { all, loop } = editionOf(kernel, run);
      if (all === undefined) return false;
      if (run.shapeOfRows().rows > length * (ROWS_OF_SHORT_RUNS / 2)) {
        for (let at = 0; at < length; at += 2) callLoop(loop, bounds[at]!, bounds[at + 1]!);
      } else {
        callBoundsLoop(all, bounds, length);
      }
    } catch (error) {
      throw explained(error, maker.isIsolated);
    }
    return true;
  };
  return visit;
}

/** Shapes whose runs have fewer rows than this, on average, go through one function around the loop. */
const ROWS_OF_SHORT_RUNS = 256;

/**
 * One function around the loop goes through all runs of a shape, so that the compiler puts the loop into it. The text stands
 * outside, where it sees none of these names.
 */
function withBounds(text: string): string {
  return `((make) => (columns, given) => {
  const loop = make(columns, given);
  const all = (bounds, from, to) => {
    for (let at = from; at < to; at += 2) loop(bounds[at], bounds[at + 1]);
  };
  return { loop, all };
})(${text})`;
}
