// `each`: loops over rows; which of them a loop of the query's own goes through (`loopFor`, `runLoop`).
import type { Component } from "@treeline/core";
import { beginDeferred, endDeferred, handlesOf, runsOf } from "@treeline/core/internal";
import { isCached } from "../query/build/query.ts";
import { ROWS } from "../query/lists/row-intervals.ts";
import { apart, type RowOutputs, takeSlot } from "../query/outputs/bindings.ts";
import { createLoop, type OwnLoop } from "../query/outputs/loop-texts.ts";
import { guarding } from "../query/outputs/row-guard.ts";
import { IterationState } from "../query/state/iteration-state.ts";
import { matchedArchetypes, type Query, type QueryOf } from "../query/state/query-state.ts";
import type { ArgumentsOf } from "../term/operators.ts";
import {
  type Iteration,
  iterate,
  outputsAt,
  outputsOf,
  type ReadOptions,
  requireFunction,
  requireReads,
} from "./iteration.ts";

/**
 * Calls `callback` once per match: one argument per term that returns a value, in the order of the terms, and the entity last.
 * Fields of an argument read and write the columns. With a cascade term, parents come before children. Structural changes are
 * deferred until the iteration ends, and are then made in order.
 *
 * An argument with fields is a row view. It is valid for its row only, until the callback returns, so not after an `await`: the
 * same objects are used for the next row. To keep a value, copy it: `get` and `collect` return copies, and `{ x: position.x }` is
 * one. Spreading a row view copies nothing, since it has no own properties. Development builds throw `stale-view` when a row view
 * is read or written later; production builds have no such check, and read and write another row.
 *
 * Queries for changes see what is written to fields. An `array` field is a typed array over the column: they also see what is
 * written to its numbers, by the callback, by a function that gets the array, or later, if it is kept: they compare it with the
 * last read, so what is as it was then has not changed. A kept array is over the row until anything structural changes. `{ reads:
 * [Place] }` declares that the callback only reads: nothing is compared then. A list that is assigned is copied, and must have the
 * length of the field. A value that the entity inherits becomes its own when it is written, at the end of the iteration. Observers
 * of `set` are not notified, and development builds warn of that: use `set` or `patch` for components that have such observers.
 *
 * Components and pairs with data pass a row view, components without schema their value; `maybe` passes the same or `undefined`,
 * for tags and pairs without values `true` or `undefined`; `or` the argument of the first alternative that matches; `up`,
 * `selfOrUp` and `cascade` the value of the nearest ancestor, read-only; `on` and `singleton` the value of a given entity,
 * read-only; a variable the entity bound to it. Tags, pairs without values, wildcards, entities as tags, `not` and `all` pass
 * nothing.
 *
 * @cost per row about twice a loop of `eachRun`; before the first row what `first` costs. Compilers put the callback into a loop
 *   that only calls this one. There is a loop for each query, as long as they are enough, which they are for some thirty queries
 *   with two or three arguments and half as many with one or four. A query that is iterated with two callbacks gets slower for
 *   both, up to four times: make it twice, with a term more or in another order. So do queries that share a loop.
 * @throws TreelineError `disposed` for a disposed query; `bad-query` for anything that is not a query, for a callback that is not a
 *   function and for `reads` that are no list; `bad-value` for a list of another length that is assigned; what the callback throws,
 *   or otherwise the first error of a deferred change; `stale-view` if a row view is used after its row.
 *
 * @example
 * each(moving, (position, velocity) => {
 *   position.x += velocity.x;
 * });
 */
export function each<Passed extends unknown[]>(
  query: QueryOf<Passed>,
  callback: (...row: ArgumentsOf<Passed>) => void,
  options?: ReadOptions,
): void {
  const own = query as unknown as Query;
  requireFunction(own, callback);
  const reads = requireReads(options);
  let call = callback as unknown as Callback;
  CHECK: call = guarding(own, call, reads);
  if (own.plan.isPlain && own.part === undefined) iterateAll(own, call, reads);
  else iterate(own, false, iterateIntervals, call, reads);
}

type Callback = (...row: unknown[]) => void;
type Reads = readonly Component[] | undefined;

/** All rows of the query's archetypes: they need not be listed, since none of these changes during an iteration. */
function iterateAll(query: Query, callback: Callback, reads: Reads): void {
  const { world } = query;
  const slot = takeSlot(world);
  beginDeferred(world);
  let isDone = false;
  try {
    const outputs = outputsAt(query, slot);
    const state = (outputs.state ??= new IterationState(query));
    state.query = query;
    state.reads = reads;
    iterateArchetypes(state, outputs, callback);
    isDone = true;
  } finally {
    slot.isTaken = false;
    endDeferred(world, isDone);
  }
}

function iterateArchetypes(state: IterationState, outputs: RowOutputs, callback: Callback): void {
  const { query } = state;
  const { plan, world } = query;
  const handles = handlesOf(world);
  const archetypes = matchedArchetypes(query);
  for (let place = 0; place < archetypes.length; place++) {
    const archetype = archetypes[place]!;
    if (archetype.rows === 0) continue;
    const { bounds, length } = runsOf(archetype, plan.cut);
    if (length === 0) continue;
    state.turnToRows(archetype, bounds[0]!, bounds[1]!);
    outputs.turnTo(state, 0);
    iterateRuns(outputs, handles, state, callback, bounds, 0, length);
  }
}

function iterateIntervals(iteration: Iteration, callback: Callback, reads: Reads): void {
  const { intervals, state, tick } = iteration;
  state.reads = reads;
  const outputs = outputsOf(iteration);
  const handles = handlesOf(state.query.world);
  let last = -1; // the archetype that the outputs are turned to, if it is the same for all of its rows
  for (let at = 0; at < intervals.length; at += intervals.stride) {
    const { numbers } = intervals;
    const number = numbers[at]!;
    if (number !== last || numbers[at + 3] !== ROWS) {
      state.turnTo(intervals, at);
      outputs.turnTo(state, tick);
      last = outputs.isOfArchetypes && numbers[at + 3] === ROWS ? number : -1;
    }
    iterateRuns(outputs, handles, state, callback, numbers, at + 1, at + 3);
  }
}

/** Rows or positions, in adjacent pairs of numbers: [first, end, first, end, ...]; the pairs from place `begin` to `stop`. */
export function iterateRuns(
  outputs: RowOutputs,
  handles: Float64Array,
  state: IterationState,
  callback: Callback,
  bounds: Int32Array,
  begin: number,
  stop: number,
): void {
  const loop = loopFor(outputs, state);
  if (loop !== undefined) {
    runLoop(loop, outputs, handles, state, callback, bounds, begin, stop);
    return;
  }
  const { isInherited, sparse } = outputs;
  for (let at = begin; at < stop; ) {
    state.from = bounds[at++]!;
    state.to = bounds[at++]!;
    if (isInherited && apart.inherited!.iterate(outputs, handles, state, callback, callWith)) continue;
    if (!sparse?.iterate(outputs, handles, state, callback, callWith))
      iterateRows(outputs, handles, state, callback);
  }
}

/** The loop for the outputs as they are turned now; `undefined` if there is work for each row, other than moving one view. */
function loopFor(
  { isFixed, turns, pattern, loops, row, own }: RowOutputs,
  { rows, query }: IterationState,
): OwnLoop | undefined {
  const isListed = rows !== undefined;
  if (pattern < 0 || !(isFixed || (isListed && turns !== undefined))) return undefined;
  const number = pattern * 2 + (isListed ? 1 : 0);
  return (loops[number] ??= createLoop(row, own, turns?.pointer ?? own, isListed, isCached(query)));
}

/** How many rows a loop is called for at most: V8 compiles loops that are called, and otherwise replaces them while they run. */
const PIECE = 1024;

const doNothing = (): void => {};

/** After so many loops over few rows, one that does nothing is called. */
const OFTEN = 64;
let loopsUntilNothing = 0;

/**
 * Passes short runs together, and long ones in pieces. Loops are called at two places: for few rows, and for others. At both a
 * function that does nothing is called as well, for others always, so that the number of other loops in a process does not matter:
 * V8 puts a function into the place that calls it if it is the only one, and a loop would lose its constants there.
 */
function runLoop(
  { run, piece }: OwnLoop,
  { turns }: RowOutputs,
  handles: Float64Array,
  state: IterationState,
  callback: Callback,
  bounds: Int32Array,
  begin: number,
  stop: number,
): void {
  const { i32: indexes } = state.archetype.lanes;
  const rows = state.rows!;
  const above = turns === undefined ? rows : state.sourceRows[turns.path]!;
  const isShort = bounds[stop - 1]! - bounds[begin]! <= PIECE;
  let call = isShort && loopsUntilNothing > 0 ? run : doNothing;
  if (isShort) {
    call(callback, handles, indexes, bounds, begin, stop, rows, above);
    if (call === run) {
      loopsUntilNothing--;
      return;
    }
    loopsUntilNothing = OFTEN;
  }
  let passed = bounds;
  let first = 0;
  let last = 0;
  let from = 0; // what is left of a long run
  let end = 0;
  for (let at = begin; ; call = run) {
    call(callback, handles, indexes, passed, first, last, rows, above);
    if (from < end) {
      piece[0] = from;
      from = Math.min(end, from + PIECE);
      piece[1] = from;
      passed = piece;
      first = 0;
      last = 2;
    } else if (at < stop) {
      passed = bounds;
      first = at;
      let room = PIECE;
      while (at < stop && (room -= bounds[at + 1]! - bounds[at]!) >= 0) at += 2;
      last = at;
      if (first < at) continue;
      from = bounds[at]!;
      end = bounds[at + 1]!;
      at += 2;
    } else return;
  }
}

function iterateRows(
  outputs: RowOutputs,
  handles: Float64Array,
  state: IterationState,
  callback: Callback,
): void {
  const { from, to, rows } = state;
  const { i32: indexes } = state.archetype.lanes;
  for (let at = from; at < to; at++) {
    const row = rows === undefined ? at : rows[at]!;
    outputs.turnToRow(state, row, at);
    callWith(callback, outputs.row, handles[indexes[row]!]!);
  }
}

/** Written out, because spreading a list costs several calls. */
function callWith(callback: Callback, row: readonly unknown[], entity: number): void {
  switch (row.length) {
    case 0:
      callback(entity);
      return;
    case 1:
      callback(row[0], entity);
      return;
    case 2:
      callback(row[0], row[1], entity);
      return;
    case 3:
      callback(row[0], row[1], row[2], entity);
      return;
    case 4:
      callback(row[0], row[1], row[2], row[3], entity);
      return;
    case 5:
      callback(row[0], row[1], row[2], row[3], row[4], entity);
      return;
    case 6:
      callback(row[0], row[1], row[2], row[3], row[4], row[5], entity);
      return;
    case 7:
      callback(row[0], row[1], row[2], row[3], row[4], row[5], row[6], entity);
      return;
    case 8:
      callback(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], entity);
      return;
    default:
      callback(...row, entity);
  }
}
