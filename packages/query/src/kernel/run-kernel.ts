import type { Component } from "@treeline/core";
import { Run, type RunVisitor } from "../visit/run.ts";
import { type BoundsLoop, createSeats, type Seat } from "../visit/seats.ts";
import { type Maker, makerOf } from "./isolate.ts";
import {
  explained,
  ROWS_BEFORE_OWN,
  replaceSeat,
  requireKernel,
  requireLoop,
  requireVisited,
  seatsFor,
} from "./seat.ts";

/** The columns of each component of a list, in its order. */
export type ColumnsOf<Components extends readonly Component[]> = {
  readonly [Place in keyof Components]: Components[Place] extends Component<unknown, infer Columns>
    ? Columns
    : never;
};

/** Goes through the absolute rows `first <= row < end`. */
export type RunLoop = (first: number, end: number) => void;

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
  const maker = makerOf<MakeRunLoop<Components, Given>>(make);
  const kernel = { components: [...components] as unknown as Components, maker, given: given[0] as Given };
  const visit: RunVisitor = (run) => {
    let seat = run.seats?.seat as Seat<RunLoop> | undefined;
    const isSame = seat !== undefined && run.seats!.kernel === kernel && isFor(seat, run);
    const { first, end } = run;
    try {
      if (!isSame) seat = seatFor(kernel, run);
      if (seat!.left > 0) countRows(kernel, run, seat!, end - first);
      seat!.loop(first, end);
    } catch (error) {
      throw explained(error, maker.isIsolated);
    }
  };
  visit.takeAll = (run, bounds, length) => {
    try {
      const { all } = seatFor(kernel, run);
      if (all === undefined) return false;
      all(bounds, length);
    } catch (error) {
      throw explained(error, maker.isIsolated);
    }
    return true;
  };
  return visit;
}

function isFor({ shape, version }: Seat<RunLoop>, run: Run): boolean {
  return shape === run.shapeOfRows() && version === shape.lanes.version;
}

interface Kernel<Components extends readonly Component[], Given> {
  readonly components: Components;
  readonly maker: Maker<MakeRunLoop<Components, Given>>;
  readonly given: Given;
}

/** The seat for the run's layout, taken if there is none. */
function seatFor<Components extends readonly Component[], Given>(
  kernel: Kernel<Components, Given>,
  run: Run,
): Seat<RunLoop> {
  requireVisited(run instanceof Run, "eachRun");
  run.seats ??= createSeats();
  const known = run.seats;
  const shape = run.shapeOfRows();
  const seats = seatsFor<RunLoop>(known, kernel, shape);
  let seat = seats.find((one) => isFor(one, run));
  if (seat === undefined) {
    const loop = loopOf(kernel, kernel.maker.shared, run);
    const { version } = shape.lanes;
    seat = { shape, version, above: undefined, aboveVersion: 0, loop, all: undefined, left: ROWS_BEFORE_OWN };
    replaceSeat(seats, seat);
  }
  known.kernel = kernel;
  known.seat = seat;
  return seat;
}

function countRows<Components extends readonly Component[], Given>(
  kernel: Kernel<Components, Given>,
  run: Run,
  seat: Seat<RunLoop>,
  rows: number,
): void {
  seat.left -= rows;
  if (seat.left > 0 || !kernel.maker.isIsolated) return;
  const make = kernel.maker.own<MakeOwn<Components, Given>>(withBounds);
  const { loop, all } = make(columnsIn(kernel, run), kernel.given);
  seat.loop = requireLoop(loop);
  seat.all = all;
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
  const all = (bounds, length) => {
    for (let at = 0; at < length; at += 2) loop(bounds[at], bounds[at + 1]);
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
