import type { Component } from "@treeline/core";
import { type BoundsLoop, createEditions, type Edition } from "../visit/editions.ts";
import { Run, type RunVisitor } from "../visit/run.ts";
import { callBoundsLoop, callLoop, keepLoopsApart, type RunLoop } from "./call-loop.ts";
import {
  editionsFor,
  explained,
  ROWS_BEFORE_OWN,
  replaceEdition,
  requireKernel,
  requireLoop,
  requireVisited,
} from "./edition.ts";
import { type Maker, makerOf } from "./isolate.ts";

/** The columns of each component of a list, in its order. */
export type ColumnsOf<Components extends readonly Component[]> = {
  readonly [Place in keyof Components]: Components[Place] extends Component<unknown, infer Columns>
    ? Columns
    : never;
};

type MakeRunLoop<Components extends readonly Component[], Given> = (
  columns: ColumnsOf<Components>,
  given: Given,
) => RunLoop;

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
  keepLoopsApart();
  const maker = makerOf<MakeRunLoop<Components, Given>>(make);
  const kernel = { components: [...components] as unknown as Components, maker, given: given[0] as Given };
  const visit: RunVisitor = (run) => {
    const { first, end } = run;
    try {
      const edition = editionOf(kernel, run);
      if (edition.left > 0) countRows(kernel, run, edition, end - first);
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

/** Mostly that of the last run. */
function editionOf<Components extends readonly Component[], Given>(
  kernel: Kernel<Components, Given>,
  run: Run,
): Edition<RunLoop> {
  const { editions } = run;
  const last = editions?.edition as Edition<RunLoop> | undefined;
  return last !== undefined && editions!.kernel === kernel && isFor(last, run)
    ? last
    : editionFor(kernel, run);
}

function isFor({ shape, version }: Edition<RunLoop>, run: Run): boolean {
  return shape === run.shapeOfRows() && version === shape.lanes.version;
}

/** Shapes whose runs have fewer rows than this, on average, go through one function around the loop. */
const ROWS_OF_SHORT_RUNS = 256;

interface Kernel<Components extends readonly Component[], Given> {
  readonly components: Components;
  readonly maker: Maker<MakeRunLoop<Components, Given>>;
  readonly given: Given;
}

/** The edition for the run's layout, made if there is none. */
function editionFor<Components extends readonly Component[], Given>(
  kernel: Kernel<Components, Given>,
  run: Run,
): Edition<RunLoop> {
  requireVisited(run instanceof Run, "eachRun");
  run.editions ??= createEditions();
  const known = run.editions;
  const shape = run.shapeOfRows();
  const editions = editionsFor<RunLoop>(known, kernel, shape);
  let edition = editions.find((one) => isFor(one, run));
  if (edition === undefined) {
    const loop = loopOf(kernel, kernel.maker.shared, run);
    const { version } = shape.lanes;
    edition = {
      shape,
      version,
      above: undefined,
      aboveVersion: 0,
      rows: undefined,
      parentRows: undefined,
      loop,
      all: undefined,
      left: ROWS_BEFORE_OWN,
    };
    replaceEdition(editions, edition);
  }
  known.kernel = kernel;
  known.edition = edition;
  return edition;
}

function countRows<Components extends readonly Component[], Given>(
  kernel: Kernel<Components, Given>,
  run: Run,
  edition: Edition<RunLoop>,
  rows: number,
): void {
  edition.left -= rows;
  if (edition.left > 0 || !kernel.maker.isIsolated) return;
  const make = kernel.maker.own<MakeOwn<Components, Given>>(withBounds);
  const { loop, all } = make(columnsIn(kernel, run), kernel.given);
  edition.loop = requireLoop(loop);
  edition.all = all;
}

type MakeOwn<Components extends readonly Component[], Given> = (
  columns: ColumnsOf<Components>,
  given: Given,
) => { readonly loop: RunLoop; readonly all: BoundsLoop };

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

function loopOf<Components extends readonly Component[], Given>(
  kernel: Kernel<Components, Given>,
  make: MakeRunLoop<Components, Given>,
  run: Run,
): RunLoop {
  return requireLoop(make(columnsIn(kernel, run), kernel.given));
}

function columnsIn<Components extends readonly Component[], Given>(
  { components }: Kernel<Components, Given>,
  run: Run,
): ColumnsOf<Components> {
  return components.map((one) => run.columns(one)) as unknown as ColumnsOf<Components>;
}
