import { type Component, TreelineError } from "@treeline/core";
import type { ArchetypeView } from "@treeline/core/internal";
import { beginDeferred, endDeferred, markRow, markRows, shown, trackOf } from "@treeline/core/internal";
import { requireUsable } from "../query/build/query.ts";
import { createIntervalsFor, type RowIntervals } from "../query/lists/row-intervals.ts";
import { columnsFor, type IteratorSlot, RowOutputs, takeSlot } from "../query/outputs/bindings.ts";
import { ownTick } from "../query/outputs/row-view.ts";
import { listRows } from "../query/rows/list-rows.ts";
import { engine, IterationState } from "../query/state/iteration-state.ts";
import type { Query } from "../query/state/query-state.ts";
import { refuse } from "../term/read.ts";

/** What visitors are handed; good for nothing any more when the visit is over. */
interface Handed {
  release(): void;
}

/** What one visit needs. Kept between visits of one query. */
export class Iteration {
  readonly intervals: RowIntervals;
  readonly state: IterationState;
  /** Rows are listed in `intervals`; else the visit goes through the runs of the query's archetypes. */
  isListed = true;
  /** The tick of what the visit writes itself; 0 if nobody asks for it. */
  tick = 0;
  /** What visitors were handed, one of each kind. */
  readonly handed: Handed[] = [];
  /** Taken for as long as the visit runs, by those who hand out rows. */
  slot: IteratorSlot | undefined = undefined;

  constructor(query: Query) {
    this.intervals = createIntervalsFor(query);
    this.state = new IterationState(query);
  }
}

/** What a visit hands out, made by the first one that does. */
export function handedBy<Kind extends Handed>(
  callback: Iteration,
  kind: new (callback: Iteration) => Kind,
): Kind {
  const { handed } = callback;
  for (let at = 0; at < handed.length; at++) if (handed[at]!.constructor === kind) return handed[at] as Kind;
  const made = new kind(callback);
  handed.push(made);
  return made;
}

/**
 * Begins a visit: lists what will be visited, and makes structural changes wait. Ends with `endIteration`, whatever happens.
 *
 * @param looks false for those who only want to know: what is news stays news to the next visit.
 * @param byArchetypes rows need not be listed where all of the query's archetypes answer: these stay as they are while a visit
 *   runs.
 * @throws TreelineError `disposed`, `bad-query`; then there is nothing to end.
 */
export function beginIteration(query: Query, reads = true, byArchetypes = false): Iteration {
  requireUsable(query);
  const { spares, world, plan } = query;
  const callback = (spares.lists.pop() as Iteration | undefined) ?? new Iteration(query);
  beginDeferred(world);
  try {
    callback.tick = reads && plan.isWatching ? engine.beginReading!(query) : 0;
    callback.isListed = !(byArchetypes && plan.isPlain && query.part === undefined);
    if (callback.isListed) listRows(query, callback.state, callback.intervals);
    else callback.state.query = query;
    if (callback.tick > 0) engine.endReading!(query, callback.tick);
    // Nothing may be filed where it goes through until it ends.
    CHECK: if (callback.state.batches !== undefined) callback.state.batches.iterations++;
    return callback;
  } catch (error) {
    if (reads) query.watch.isReading = false;
    callback.state.batches = undefined;
    endIteration(query, callback, false);
    throw error;
  }
}

/** @param isDone false if something was thrown: that is what the caller will hear of. */
export function endIteration(query: Query, callback: Iteration, isDone: boolean): void {
  CHECK: if (callback.state.batches !== undefined) callback.state.batches.iterations--;
  const { handed, slot } = callback;
  for (let at = 0; at < handed.length; at++) handed[at]!.release();
  if (slot !== undefined) slot.isTaken = false;
  callback.slot = undefined;
  query.spares.lists.push(callback);
  endDeferred(query.world, isDone);
}

/** A visit from its beginning to its end, whatever happens between. @param go goes through it, with what is `given`. */
export function iterate<Given>(
  query: Query,
  byArchetypes: boolean,
  go: (callback: Iteration, given: Given, writes: Writes) => void,
  given: Given,
  writes?: Writes,
): void {
  const callback = beginIteration(query, true, byArchetypes);
  let isDone = false;
  try {
    go(callback, given, writes);
    isDone = true;
  } finally {
    endIteration(query, callback, isDone);
  }
}

/** What is kept for the query at the desk of a visit, which takes one if it has none. */
export function outputsOf(callback: Iteration): RowOutputs {
  const { query } = callback.state;
  callback.slot ??= takeSlot(query.world);
  const kept = query.spares.rows as RowOutputs[];
  return (kept[callback.slot.number] ??= new RowOutputs(query, callback.slot));
}

// ---- what visitors ask for ---------------------------------------------------------------------------------------

/** How runs, batches and levels are visited. */
export interface IterationOptions {
  /** Components whose columns the visitor writes: all rows that were visited count as changed. Default none. */
  readonly writes?: readonly Component[];
}

/** Components whose columns a visitor writes, at least one. */
export type Writes = readonly Component[] | undefined;

/**
 * @returns what the visitor writes.
 * @throws TreelineError `bad-query` for what is no query, cannot be called, or is no component with values; `disposed`.
 */
export function requireCallback(
  query: Query,
  callback: unknown,
  options: IterationOptions | undefined,
): Writes {
  const writes = options === undefined ? undefined : requireWrites(options);
  requireUsable(query);
  if (typeof callback === "function") return writes;
  refuse(`a visit takes the query, and then a function, not ${shown(callback)}`);
}

/** @throws TreelineError `bad-query` for what is no component with values. */
export function requireWrites(options: IterationOptions): Writes {
  const writes = options?.writes;
  if (options === null || (writes !== undefined && !Array.isArray(writes)))
    refuse("writes is a list: { writes: [Position] }");
  for (const one of writes ?? []) {
    if (one?.kind === "component" && one.holds !== "nothing") continue;
    refuse(`writes takes components that have values, not ${shown(one)}`);
  }
  return writes?.length === 0 ? undefined : writes;
}

/** Absolute rows `first .. end`, or those in a list at positions `from .. to`. */
interface Shown extends Partial<Record<"first" | "end" | "from" | "to", number>> {
  readonly rows?: Int32Array;
  archetypeOfRows(): ArchetypeView;
}

/** A visitor that marks all that it is shown as written, also where it throws. @param tick of the visit, or 0. */
export function marking<Kind extends Shown>(
  callback: (shown: Kind) => void,
  writes: NonNullable<Writes>,
  tick: number,
): (shown: Kind) => void {
  return (shown) => {
    const { rows, from = 0, to = 0, first = from, end = to } = shown; // visitors may count with those of a run
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
 * Columns of the archetype that is shown. Those that were asked for are kept: most runs and batches follow one of the same
 * archetype.
 */
export class KnownColumns {
  private archetype: ArchetypeView | undefined = undefined;
  private version = 0;
  private readonly terms: unknown[] = [];
  private readonly given: unknown[] = [];
  /** So many of them are of the present archetype. */
  private known = 0;

  turnTo(archetype: ArchetypeView): void {
    if (archetype === this.archetype && archetype.lanes.version === this.version) return;
    this.archetype = archetype;
    this.version = archetype.lanes.version;
    this.known = 0;
  }

  /** @param row of the archetype, which says in which table the values of a pair lie. */
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
    `a ${what} is good inside its visit only; take out what you need there`,
  );
}
