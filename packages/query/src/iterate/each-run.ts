// `eachRun`: what a run shows (`Run`); all runs at once for kernels (`takeAll`).
import type { Component, Entity, Valued, VariablePair } from "@treeline/core";
import type { ArchetypeView } from "@treeline/core/internal";
import { allArchetypes, columnsOf, grownInt32, handleOf, runsOf } from "@treeline/core/internal";
import { ROWS } from "../query/lists/row-intervals.ts";
import { definitionIn } from "../query/outputs/bindings.ts";
import type { IterationState } from "../query/state/iteration-state.ts";
import { matchedArchetypes, type Query } from "../query/state/query-state.ts";
import type { IterationOptions, Writes } from "./iteration.ts";
import {
  type Iteration,
  iterate,
  KnownColumns,
  marking,
  requireCallback,
  requireShown,
  viewOf,
} from "./iteration.ts";
import { noticing } from "./undeclared.ts";

/**
 * A longest range of adjacent rows of one archetype that a query treats in the same way: absolute rows `first <= row < end`.
 * Valid until the callback returns; the same object is used for the next run.
 */
export class Run {
  first = 0;
  end = 0;
  private readonly known: KnownColumns = new KnownColumns();
  private archetype: ArchetypeView | undefined = undefined;
  private readonly state: IterationState;
  /** Kernels cache their edition here. @internal */
  kept: object | undefined = undefined;

  /** @internal */
  constructor({ state }: Iteration) {
    this.state = state;
  }

  /**
   * The columns of a component or of a pair with data: one typed array per field, index = absolute row (times the length of an
   * `array` field); for components without schema the list of values. Read them before the loop, not in it.
   *
   * @throws TreelineError `bad-query` if the rows do not have it; `stale-run` outside the iteration.
   */
  columns<Columns>(what: Valued<unknown, Columns> | VariablePair<unknown, Columns, unknown>): Columns {
    this.archetypeOfRows();
    return this.known.of(what, this.state, this.first) as Columns;
  }

  /** The same for `maybe` terms and alternatives: `undefined` if the rows of this run do not have it. */
  columnsIf<Columns>(what: Component<unknown, Columns>): Columns | undefined {
    const archetype = this.archetypeOfRows();
    return columnsOf(archetype, definitionIn(this.state.query.world, what)) as Columns | undefined;
  }

  /** The handle of the entity in an absolute row. */
  entityAt(row: number): Entity {
    return handleOf(this.state.query.world, this.archetypeOfRows().lanes.i32[row]!);
  }

  /** @internal */
  archetypeOfRows(): ArchetypeView {
    return requireShown(this.archetype, "run");
  }

  /** The next runs are of this archetype. @internal */
  turnTo(archetype: ArchetypeView): void {
    this.archetype = archetype;
    this.known.turnTo(archetype);
  }

  /** @internal */
  release(): void {
    this.archetype = undefined;
  }
}

/** A callback that can process all runs of an archetype at once. */
export interface RunCallback {
  (run: Run): void;
  /** [first, end, first, end, ...] of the archetype that `run` shows: `length` numbers, `rows` in all. @returns false to get them one by one. */
  takeAll?: (run: Run, bounds: Int32Array, length: number, rows: number) => boolean;
}

/**
 * Calls `callback` once per run: archetypes in order of founding, rows ascending; with a cascade term, parents before children. With
 * a parent as target, runs come in the order of the children, as long as these are in adjacent rows: those of children that were spawned in
 * turns with others are short, and `eachBatch` or `each` go by lists of rows there. With a pair with data among the terms, runs end
 * where tables end. Columns are valid until `callback` returns; structural
 * changes are deferred until the iteration ends.
 *
 * Change detection sees writes to columns only if they are declared: `{ writes: [Position] }` marks all iterated rows. Development
 * builds warn of others that a query or observer misses.
 *
 * @cost about ten nanoseconds per run in addition to the callback; the number of tables does not matter. With a target: the
 *   subjects of the rarest pair that is required, and its tables; children of one parent that are in adjacent rows a few steps in all; if
 *   pairs are only excluded, the runs and the subjects of those pairs.
 * @throws TreelineError `disposed` for a disposed query; `bad-query` for anything that is not a query, for a callback that is not
 *   a function and for `writes` that are not components with values; what the callback throws, or otherwise the first error of a
 *   deferred change.
 *
 * @example
 * eachRun(moving, (run) => {
 *   const { x: px, y: py } = run.columns(Position);
 *   const { x: vx, y: vy } = run.columns(Velocity);
 *   const { first, end } = run;
 *   for (let row = first; row < end; row++) {
 *     px[row]! += vx[row]!;
 *     py[row]! += vy[row]!;
 *   }
 * });
 */
export function eachRun(query: Query, callback: (run: Run) => void, options?: IterationOptions): void {
  const writes = requireCallback(query, callback, options);
  iterate(query, true, iterateRuns, callback, writes);
}

function iterateRuns(iteration: Iteration, callback: RunCallback, writes: Writes): void {
  const run = viewOf(iteration, Run);
  let call = writes === undefined ? callback : marking(callback, writes, iteration.tick);
  CHECK: call = noticing(call, iteration.state.query, writes);
  if (iteration.isListed) iterateIntervals(iteration, run, call);
  else iterateArchetypes(iteration.state.query, run, call);
}

/** All rows of the matching archetypes: their runs are already listed. */
function iterateArchetypes(query: Query, run: Run, callback: RunCallback): void {
  const archetypes = matchedArchetypes(query);
  const { takeAll } = callback;
  const { plan } = query;
  for (let place = 0; place < archetypes.length; place++) {
    const archetype = archetypes[place]!;
    if (archetype.rows === 0) continue;
    const { bounds, length } = runsOf(archetype, plan.cut);
    if (length === 0) continue;
    run.turnTo(archetype);
    if (takeAll?.(run, bounds, length, archetype.rows) === true) continue;
    for (let at = 0; at < length; at += 2) {
      run.first = bounds[at]!;
      run.end = bounds[at + 1]!;
      // Callbacks of one run per archetype are called elsewhere: this call site stays fast for callbacks of many runs.
      if (at > 0) callback(run);
      else callFirst(run, callback);
    }
  }
}

function callFirst(run: Run, callback: RunCallback): void {
  callback(run);
}

function iterateIntervals({ intervals, state }: Iteration, run: Run, callback: RunCallback): void {
  const { world, plan } = state.query;
  const archetypes = allArchetypes(world);
  const readsVariables = plan.readsPairs && plan.variables.length > 0;
  for (let at = 0; at < intervals.length; at += intervals.stride) {
    const { numbers } = intervals;
    run.turnTo(archetypes[numbers[at]!]!);
    const isListed = numbers[at + 3]! > ROWS;
    if (isListed || readsVariables) state.turnTo(intervals, at);
    if (isListed) {
      iterateRowList(state, run, callback);
      continue;
    }
    run.first = numbers[at + 1]!;
    run.end = numbers[at + 2]!;
    callback(run);
  }
}

/** Adjacent rows of a row list form a run. */
function iterateRowList(state: IterationState, run: Run, callback: RunCallback): void {
  const { from, to } = state;
  const rows = state.rows!;
  const { takeAll } = callback;
  if (takeAll !== undefined) {
    const bounds = grownInt32(state.bounds, 2 * (to - from));
    state.bounds = bounds;
    if (takeAll(run, bounds, listBounds(state), to - from)) return;
  }
  for (let at = from; at < to; ) {
    run.first = rows[at]!;
    run.end = run.first + 1;
    for (at++; at < to && rows[at] === run.end; at++) run.end++;
    callback(run);
  }
}

/** Lists these runs. @returns how many numbers. */
function listBounds(state: IterationState): number {
  const { from, to } = state;
  const rows = state.rows!;
  const { bounds } = state;
  let length = 0;
  for (let at = from; at < to; ) {
    bounds[length++] = rows[at]!;
    let end = rows[at]! + 1;
    for (at++; at < to && rows[at] === end; at++) end++;
    bounds[length++] = end;
  }
  return length;
}
