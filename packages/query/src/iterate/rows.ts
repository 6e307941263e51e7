// `rows`: which rows of an iteration only need the next row (`turnToInterval`), and which result shows them (`resultFor`).
import type { Component } from "@treeline/core";
import { handlesOf } from "@treeline/core/internal";
import { isCached } from "../query/build/query.ts";
import type { RowOutputs } from "../query/outputs/bindings.ts";
import { RowPointer } from "../query/outputs/marks.ts";
import { declareReads, leaveRow } from "../query/outputs/row-guard.ts";
import { closeOver, type RowResult, RowResults } from "../query/outputs/row-results.ts";
import type { IterationState } from "../query/state/iteration-state.ts";
import type { Query, QueryOf } from "../query/state/query-state.ts";
import type { RowOfPassed } from "../term/operators.ts";
import {
  beginIteration,
  endIteration,
  type Iteration,
  outputsOf,
  type ReadOptions,
  requireReads,
  warnIfLeftOpen,
} from "./iteration.ts";

/** What `rows` returns: a single iteration. */
export interface RowIterator<Row> extends IterableIterator<Row, undefined, undefined> {
  /** Ends the iteration, as leaving the loop does. */
  return(): IteratorReturnResult<undefined>;
}

/**
 * Iterates the matches in a loop: what `each` passes for the terms, and the entity last. You may leave the loop at any time, by
 * `break`, `return` or an error.
 *
 * Each row is a new list with the same row views in it: destructure it at once, as below, which makes no list in compiled code, and
 * keep copies of values. A row view is valid for its row only, until the loop goes on or ends; development builds throw
 * `stale-view` when one is used later, as with `each`. So `[...rows(query)]` contains the row views of the last row again and again;
 * `collect` returns copies.
 *
 * The iteration begins with the first row and ends with the loop; structural changes are deferred in between. If you call `next`
 * yourself, also call `return`, unless there were no more rows: until then the world defers every structural change, forever if
 * the loop is forgotten. Development builds warn, once per query, when an iterator is still open after the code that began it has
 * returned, or waits with `await`. For one row use `first` and `page`. The result can be iterated once. An observer that begins
 * the iteration must end it before it returns: the change that is being reported moves rows after that.
 *
 * Arrays are as with `each`, and so is `{ reads: [Place] }`.
 *
 * @cost about twice `each`; a query that is iterated with several loops is as fast for each of them.
 * @throws TreelineError `bad-query` for `reads` that are no list and, with the first row, for anything that is not a query;
 *   `disposed` for a disposed query, with the first row. Leaving the loop without an error throws the first error of a deferred
 *   change.
 *
 * @example
 * for (const [position, velocity, entity] of rows(moving)) {
 *   position.x += velocity.x;
 *   if (position.x > 100) destroy(world, entity);
 * }
 */
export function rows<Passed extends unknown[]>(
  query: QueryOf<Passed>,
  options?: ReadOptions,
): RowIterator<RowOfPassed<Passed>> {
  const iterator: RowIterator<unknown[]> = new RowIteration(query as unknown as Query, requireReads(options));
  return iterator as RowIterator<unknown[]> as RowIterator<RowOfPassed<Passed>>;
}

/**
 * A class, because a generator makes an object for each row. Compilers put `next` and the result's `value` into the loop if both are
 * short: what happens between two intervals of rows is behind `step`.
 */
class RowIteration implements RowIterator<unknown[]> {
  private readonly query: Query;
  private result = OVER;
  private own: RowPointer = NOWHERE;
  /** To this row, nothing else than the row changes. */
  private end = 0;
  /**
   * What `next` does otherwise. Compilers do not look into functions that are called through a field with several; all loops share
   * what is known of `next`, so those with few rows would bring all this into those with many.
   */
  private step: (of: RowIteration) => void = begin;
  private iteration: Iteration | undefined = undefined;
  private outputs: RowOutputs | undefined = undefined;
  /** Where the numbers of the next interval begin. */
  private interval = 0;
  /** The present position, and the end of its interval, where there is work for each row. */
  private at = 0;
  private to = 0;

  private readonly reads: readonly Component[] | undefined;

  constructor(query: Query, reads: readonly Component[] | undefined) {
    this.query = query;
    this.reads = reads;
    CHECK: if (reads !== undefined) declareReads(this, query, reads);
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<unknown[], undefined> {
    CHECK: leaveRow(this);
    const row = this.own.row + 1;
    if (row < this.end) this.own.row = row;
    else this.step(this);
    return this.result as IteratorResult<unknown[], undefined>;
  }

  return(): IteratorReturnResult<undefined> {
    this.finish(true);
    return { done: true, value: undefined };
  }

  throw(error?: unknown): never {
    this.finish(false);
    throw error;
  }

  begin(): void {
    this.step = stay; // also if it is refused
    this.iteration = beginIteration(this.query);
    CHECK: warnIfLeftOpen(this.query, () => this.iteration !== undefined);
    this.turn();
  }

  /** Turns to the first row of the next interval; if there is none, the iteration has ended. */
  turn(): void {
    const iteration = this.iteration!;
    const hasMore = this.interval < iteration.intervals.length;
    let isDone = false;
    try {
      if (hasMore) this.turnToInterval(iteration);
      isDone = true;
    } finally {
      if (!isDone || !hasMore) this.finish(isDone);
    }
    if (!hasMore) this.result.done = true;
  }

  private turnToInterval(iteration: Iteration): void {
    const { intervals, state, tick } = iteration;
    this.outputs ??= outputsOf(iteration);
    const { outputs } = this;
    state.reads = this.reads;
    state.turnTo(intervals, this.interval);
    outputs.turnTo(state, tick);
    this.interval += intervals.stride;
    this.own = outputs.own;
    this.at = state.from;
    this.to = state.to;
    const isRowOnly = outputs.isFixed && state.rows === undefined; // then positions are absolute rows
    this.step = isRowOnly ? turn : walk;
    this.end = isRowOnly ? state.to : 0;
    this.result = this.resultFor(outputs, state);
    this.result.done = false;
    outputs.turnToRow(state, state.rowAt(this.at), this.at);
  }

  private resultFor(outputs: RowOutputs, { archetype, world }: IterationState): RowResult {
    outputs.results ??= new RowResults(outputs);
    const { results, pattern, isFixed, turns } = outputs;
    const { open, byPattern } = results;
    results.indexes = archetype.lanes.i32;
    results.handles = handlesOf(world);
    CHECK: results.user = this;
    if (pattern < 0 || !(isFixed || turns !== undefined)) return open;
    byPattern[pattern] ??= (isCached(this.query) && closeOver(outputs, results)) || open;
    return byPattern[pattern];
  }

  /** Turns to the next row where there is work for each. */
  walk(): void {
    const at = ++this.at;
    if (at >= this.to) {
      this.turn();
      return;
    }
    const { state } = this.iteration!;
    this.outputs!.turnToRow(state, state.rowAt(at), at);
  }

  /** After the end: the result is that of others. */
  stay(): void {
    this.result = OVER;
  }

  /** Ends the iteration, once, and releases its state. */
  private finish(isDone: boolean): void {
    const { iteration } = this;
    CHECK: leaveRow(this);
    this.step = stay;
    this.end = 0;
    this.iteration = undefined;
    if (iteration !== undefined) endIteration(this.query, iteration, isDone);
  }
}

const OVER: RowResult = { done: true, value: undefined };
const NOWHERE = /* @__PURE__ */ new RowPointer();

const begin = (of: RowIteration): void => of.begin();
const turn = (of: RowIteration): void => of.turn();
const walk = (of: RowIteration): void => of.walk();
const stay = (of: RowIteration): void => of.stay();
