// Begins and ends every iteration; marks declared writes (`marking`); caches columns (`KnownColumns`); throws `stale-run`; warns of open `rows`.
import { type Component, TreelineError } from "@treeline/core";
import type { ArchetypeView } from "@treeline/core/internal";
import {
  beginDeferred,
  clockOf,
  endDeferred,
  markRow,
  markRows,
  requireOptions,
  shown,
  trackOf,
} from "@treeline/core/internal";
import { requireUsable } from "../query/build/query.ts";
import { createIntervalsFor, type RowIntervals } from "../query/lists/row-intervals.ts";
import { columnsFor, type IteratorSlot, RowOutputs, takeSlot } from "../query/outputs/bindings.ts";
import { ownTick } from "../query/outputs/marks.ts";
import { warnOnce } from "../query/outputs/warn-once.ts";
import { listRows } from "../query/rows/list-rows.ts";
import { engine, IterationState } from "../query/state/iteration-state.ts";
import type { Query } from "../query/state/query-state.ts";
import { refuse } from "../term/read.ts";
import { textOfTerms } from "../term/text.ts";

/** What callbacks are passed, such as runs; invalid after the iteration. */
interface View {
  release(): void;
}

/** What one iteration needs. Kept between iterations of one query. */
export class Iteration {
  readonly intervals: RowIntervals;
  readonly state: IterationState;
  /** Rows are listed in `intervals`; otherwise the iteration goes through the runs of the query's archetypes. */
  isListed = true;
  /** The tick of the iteration's own writes; 0 if the query does not read changes. */
  tick = 0;
  /** What callbacks were passed, one of each kind. */
  readonly views: View[] = [];
  /** Taken while an iteration runs that passes values of rows. */
  slot: IteratorSlot | undefined = undefined;

  constructor(query: Query) {
    this.intervals = createIntervalsFor(query);
    this.state = new IterationState(query);
  }
}

/** What an iteration passes to callbacks, made at the first use. */
export function viewOf<Kind extends View>(
  iteration: Iteration,
  kind: new (iteration: Iteration) => Kind,
): Kind {
  const { views } = iteration;
  for (let at = 0; at < views.length; at++) if (views[at]!.constructor === kind) return views[at] as Kind;
  const made = new kind(iteration);
  views.push(made);
  return made;
}

/**
 * Begins an iteration: lists the rows to iterate, and defers structural changes. `endIteration` ends it, whatever happens.
 *
 * @param reads false to read without marking: unread changes stay unread for the next iteration.
 * @param byArchetypes rows need not be listed where all of the query's archetypes match: these stay as they are during an
 *   iteration.
 * @throws TreelineError `disposed`, `bad-query`; then there is nothing to end.
 */
export function beginIteration(query: Query, reads = true, byArchetypes = false): Iteration {
  requireUsable(query);
  const { spares, world, plan } = query;
  const iteration = (spares.lists.pop() as Iteration | undefined) ?? new Iteration(query);
  beginDeferred(world);
  try {
    iteration.tick = reads && plan.isWatching ? engine.beginReading!(query) : 0;
    iteration.isListed = !(byArchetypes && plan.isPlain && query.part === undefined);
    if (iteration.isListed) listRows(query, iteration.state, iteration.intervals);
    else iteration.state.query = query;
    if (iteration.tick > 0) engine.endReading!(query, iteration.tick);
    // Nothing may be inserted into the batches that it iterates until it ends.
    CHECK: if (iteration.state.batches !== undefined) iteration.state.batches.iterations++;
    return iteration;
  } catch (error) {
    if (reads) query.watch.isReading = false;
    iteration.state.batches = undefined;
    endIteration(query, iteration, false);
    throw error;
  }
}

/** @param isDone false if something was thrown: that is the error that the caller gets. */
export function endIteration(query: Query, iteration: Iteration, isDone: boolean): void {
  CHECK: if (iteration.state.batches !== undefined) iteration.state.batches.iterations--;
  const { views, slot, tick } = iteration;
  iteration.state.reads = undefined;
  if (tick > 0) clockOf(query.world, tick);
  for (let at = 0; at < views.length; at++) views[at]!.release();
  if (slot !== undefined) slot.isTaken = false;
  iteration.slot = undefined;
  query.spares.lists.push(iteration);
  endDeferred(query.world, isDone);
}

/** An iteration from its beginning to its end, whatever happens between. @param go does the iteration, and gets `given`. */
export function iterate<Given>(
  query: Query,
  byArchetypes: boolean,
  go: (iteration: Iteration, given: Given, writes: Writes) => void,
  given: Given,
  writes?: Writes,
): void {
  const iteration = beginIteration(query, true, byArchetypes);
  let isDone = false;
  try {
    go(iteration, given, writes);
    isDone = true;
  } finally {
    endIteration(query, iteration, isDone);
  }
}

/** What is kept for the query at the slot of an iteration, which takes a slot if it has none. */
export function outputsOf(iteration: Iteration): RowOutputs {
  const { query } = iteration.state;
  iteration.slot ??= takeSlot(query.world);
  return outputsAt(query, iteration.slot);
}

/** What is kept for a query at a slot. */
export function outputsAt(query: Query, slot: IteratorSlot): RowOutputs {
  const kept = query.spares.rows as RowOutputs[];
  return (kept[slot.number] ??= new RowOutputs(query, slot));
}

// ---- iterators that are left open -----------------------------------------------------------------------------------

/**
 * Development builds: warns if an iteration of `rows` is still open when the code that began it has returned, or waits. A
 * microtask comes then, in all programs at the same place, and keeps no process alive.
 */
export function warnIfLeftOpen(query: Query, isOpen: () => boolean): void {
  const { world, terms } = query;
  const warnIfOpen = (): void => {
    if (!isOpen()) return;
    const text = (): string =>
      `rows(query(${textOfTerms(world, terms)})) is still open after the code that began it: the world defers every structural ` +
      "change until it ends. Use for...of without await inside, call return() on the iterator, or use first or page for a row";
    warnOnce(world, `open ${query.key}`, text);
  };
  void Promise.resolve().then(warnIfOpen);
}

// ---- what callbacks need -----------------------------------------------------------------------------------------

/** How runs, batches and levels are iterated. */
export interface IterationOptions {
  /**
   * Components whose columns the callback writes: all iterated rows count as changed. Observers of `set` are not notified: that is
   * what `set` and `patch` are for. Development builds warn, once per query and component, of writes that are not declared here
   * and that queries for changes, or observers, miss. Default none.
   */
  readonly writes?: readonly Component[] | undefined;
}

/** How `each` and `rows` iterate. */
export interface ReadOptions {
  /**
   * Components of which the loop only reads `array` fields. Then no time is spent on finding what it writes to them: what it does
   * write is not seen by queries for changes, `propagate` and three.js. Development builds warn of such a write. Default none.
   */
  readonly reads?: readonly Component[] | undefined;
}

/** @throws TreelineError `bad-query` for `reads` that are no list; in development builds also for what cannot be read. */
export function requireReads(options: ReadOptions | undefined): readonly Component[] | undefined {
  const reads = options?.reads;
  if (reads !== undefined && !Array.isArray(reads)) refuse("reads is a list of components");
  CHECK: {
    requireOptions("an iteration", options, ["reads"], "bad-query");
    for (const one of reads ?? [])
      if (one?.kind !== "component" || one.holds === "nothing")
        refuse(`reads takes components that have values, not ${shown(one)}`);
  }
  return reads;
}

/** Components whose columns a callback writes, at least one. */
export type Writes = readonly Component[] | undefined;

/**
 * @returns what the callback writes.
 * @throws TreelineError `bad-query` for a query that is not one, a callback that is not a function, or `writes` that are not
 *   components with values; `disposed`.
 */
export function requireCallback(
  query: Query,
  callback: unknown,
  options: IterationOptions | undefined,
): Writes {
  const writes = options === undefined ? undefined : requireWrites(options);
  requireFunction(query, callback);
  return writes;
}

/** @throws TreelineError `bad-query` for a query that is not one, and a callback that is not a function; `disposed`. */
export function requireFunction(query: Query, callback: unknown): void {
  requireUsable(query);
  if (typeof callback === "function") return;
  let text = `an iteration takes a function, not ${shown(callback)}`;
  CHECK: text = `an iteration takes the query, and then a function, not ${shown(callback)}`;
  refuse(text);
}

/** @throws TreelineError `bad-query` for anything that is not a component with values. */
export function requireWrites(options: IterationOptions): Writes {
  const writes = options?.writes;
  if (options === null || (writes !== undefined && !Array.isArray(writes)))
    refuse("writes is a list: { writes: [Position] }");
  CHECK: requireOptions("an iteration", options, ["writes"], "bad-query");
  for (const one of writes ?? []) {
    if (one?.kind === "component" && one.holds !== "nothing") continue;
    refuse(`writes takes components that have values, not ${shown(one)}`);
  }
  return writes?.length === 0 ? undefined : writes;
}

/** Absolute rows `first .. end`, or those in a list at positions `from .. to`. */
export interface Shown extends Partial<Record<"first" | "end" | "from" | "to", number>> {
  readonly rows?: Int32Array;
  archetypeOfRows(): ArchetypeView;
}

/** A callback that marks all that it is shown as written, also where it throws. @param tick of the iteration, or 0. */
export function marking<Kind extends Shown>(
  callback: (shown: Kind) => void,
  writes: NonNullable<Writes>,
  tick: number,
): (shown: Kind) => void {
  return (shown) => {
    const { rows, from = 0, to = 0, first = from, end = to } = shown; // callbacks may use those of a run as counters
    const archetype = shown.archetypeOfRows();
    try {
      callback(shown);
    } finally {
      for (let place = 0; place < writes.length; place++) {
        const track = trackOf(archetype, writes[place]!, "changed");
        if (track === undefined) continue;
        const now = ownTick(track.clock.now, tick);
        if (rows === undefined) markRows(track, first, end, now);
        else for (let at = first; at < end; at++) markRow(track, rows[at]!, now);
      }
    }
  };
}

// ---- columns -----------------------------------------------------------------------------------------------------

/**
 * Columns of the archetype that is shown. Columns that were read are cached: most runs and batches follow one of the same
 * archetype.
 */
export class KnownColumns {
  private archetype: ArchetypeView | undefined = undefined;
  private version = 0;
  private readonly terms: unknown[] = [];
  private readonly given: unknown[] = [];
  /** This many of them are of the present archetype. */
  private known = 0;

  turnTo(archetype: ArchetypeView): void {
    if (archetype === this.archetype && archetype.lanes.version === this.version) return;
    this.archetype = archetype;
    this.version = archetype.lanes.version;
    this.known = 0;
  }

  /** @param row of the archetype; it determines the table in which the values of a pair are stored. */
  of(what: unknown, state: IterationState, row: number): unknown {
    const { terms, given, known } = this;
    for (let at = 0; at < known; at++) if (terms[at] === what) return given[at];
    const columns = columnsFor(state, this.archetype!, what, row);
    if (typeof what !== "function") return columns;
    terms[known] = what;
    given[known] = columns;
    this.known++;
    return columns;
  }
}

/** @throws TreelineError `stale-run` if nothing is shown. */
export function requireShown(archetype: ArchetypeView | undefined, what: "run" | "batch"): ArchetypeView {
  if (archetype !== undefined) return archetype;
  throw new TreelineError(
    "stale-run",
    `a ${what} is valid inside its iteration only; read there what you need`,
  );
}
