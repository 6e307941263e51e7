import { type Component, TreelineError } from "@treeline/core";
import {
  type Archetype,
  enterVisit,
  leaveVisit,
  markRow,
  markRows,
  shown,
  trackOf,
} from "@treeline/core/internal";
import { requireUsable } from "../query/ask/query.ts";
import type { Stretches } from "../query/batches/stretches.ts";
import { createSpansFor, type Spans } from "../query/lists/spans.ts";
import { type Desk, Seat, takeDesk } from "../query/outputs/givers.ts";
import { ownTick } from "../query/outputs/row-view.ts";
import { gather } from "../query/rows/gather.ts";
import type { Query } from "../query/state/query-state.ts";
import { engine, Scene } from "../query/state/scene.ts";
import type { Run } from "./run.ts";
import type { Stretch } from "./stretch.ts";

/** What one visit needs: what it has listed, and what it knows. Kept between visits of one query. */
export interface Visit {
  readonly spans: Spans;
  readonly scene: Scene;
  /** Rows are listed in `spans`; else the visit goes through the runs of the query's shapes. */
  isListed: boolean;
  /** The tick of what the visit writes itself; 0 if nobody asks for it. */
  tick: number;
  /** What it goes through, while it runs: only noted in checked builds. */
  held: Stretches | undefined;
  /** What visitors were handed, made by the first visit of its kind. */
  run: Run | undefined;
  stretch: Stretch | undefined;
  level: { end(): void } | undefined;
  /** Taken for as long as the visit runs, by those who hand out rows. */
  desk: Desk | undefined;
}

function createVisit(query: Query): Visit {
  return {
    spans: createSpansFor(query),
    scene: new Scene(query),
    isListed: true,
    tick: 0,
    held: undefined,
    run: undefined,
    stretch: undefined,
    level: undefined,
    desk: undefined,
  };
}

/** Counts the visit where it goes through: nothing may be filed there until it ends. */
function hold(visit: Visit): void {
  visit.held = visit.scene.stretches;
  if (visit.held !== undefined) visit.held.visits++;
}

function release(visit: Visit): void {
  if (visit.held !== undefined) visit.held.visits--;
  visit.held = undefined;
}

/**
 * Begins a visit: lists what will be visited, and makes structural changes wait. Ends with `endVisit`, whatever happens.
 *
 * @param looks false for those who only want to know: what is news stays news to the next visit.
 * @param byShapes rows need not be listed where all of the query's shapes answer: these stay as they are while a visit runs.
 * @throws TreelineError `disposed`, `bad-query`; then there is nothing to end.
 */
export function beginVisit(query: Query, looks = true, byShapes = false): Visit {
  requireUsable(query);
  const { spares, world, plan } = query;
  const visit = (spares.lists.pop() as Visit | undefined) ?? createVisit(query);
  enterVisit(world);
  let isDone = false;
  try {
    visit.tick = looks && plan.isWatching ? engine.beginLook!(query) : 0;
    visit.isListed = !(byShapes && plan.isPlain && query.part === undefined);
    if (visit.isListed) gather(query, visit.scene, visit.spans);
    else visit.scene.query = query;
    CHECK: hold(visit);
    if (visit.tick > 0) engine.endLook!(query, visit.tick);
    isDone = true;
  } finally {
    if (!isDone) {
      if (looks) query.watch.isLooking = false;
      endVisit(query, visit, false);
    }
  }
  return visit;
}

/** @param isDone false if something was thrown: that is what the caller will hear of. */
export function endVisit(query: Query, visit: Visit, isDone: boolean): void {
  CHECK: release(visit);
  visit.run?.turnTo(undefined);
  visit.stretch?.turnTo(undefined, undefined);
  visit.level?.end();
  if (visit.desk !== undefined) visit.desk.isTaken = false;
  visit.desk = undefined;
  query.spares.lists.push(visit);
  leaveVisit(query.world, isDone);
}

/** A visit from its beginning to its end, whatever happens between. @param go goes through it, with what is `given`. */
export function runVisit<Given>(
  query: Query,
  byShapes: boolean,
  go: (visit: Visit, given: Given, writes: Writes) => void,
  given: Given,
  writes?: Writes,
): void {
  const visit = beginVisit(query, true, byShapes);
  let isDone = false;
  try {
    go(visit, given, writes);
    isDone = true;
  } finally {
    endVisit(query, visit, isDone);
  }
}

/** What is kept for the query at the desk of a visit, which takes one if it has none. */
export function seatOf(visit: Visit): Seat {
  const { query } = visit.scene;
  visit.desk ??= takeDesk(query.world);
  const seats = query.spares.rows as Seat[];
  return (seats[visit.desk.number] ??= new Seat(query, visit.desk));
}

// ---- what visitors ask for ---------------------------------------------------------------------------------------

/** How runs, stretches and levels are visited. */
export interface VisitOptions {
  /** Components whose columns the visitor writes: all rows that were visited count as changed. Default none. */
  readonly writes?: readonly Component[];
}

/** Components whose columns a visitor writes, at least one. */
export type Writes = readonly Component[] | undefined;

/**
 * @returns what the visitor writes.
 * @throws TreelineError `bad-query` for what is no query, cannot be called, or is no component with values; `disposed`.
 */
export function requireVisit(query: Query, visit: unknown, options: VisitOptions | undefined): Writes {
  const writes = options === undefined ? undefined : requireWrites(options);
  requireUsable(query);
  if (typeof visit === "function") return writes;
  throw new TreelineError("bad-query", `a visit takes the query, and then a function, not ${shown(visit)}`);
}

/** @throws TreelineError `bad-query` for what is no component with values. */
export function requireWrites({ writes }: VisitOptions): Writes {
  if (writes !== undefined && !Array.isArray(writes)) {
    throw new TreelineError("bad-query", "writes is a list: { writes: [Position] }");
  }
  for (const one of writes ?? []) {
    if (one?.kind === "component" && one.holds !== "nothing") continue;
    throw new TreelineError("bad-query", `writes takes components that have values, not ${shown(one)}`);
  }
  return writes?.length === 0 ? undefined : writes;
}

/** Notes that absolute rows `first .. end` were written, or those in a list at such positions. @param tick of the visit, or 0. */
export function markWritten(
  shape: Archetype,
  writes: readonly Component[],
  rows: Int32Array | undefined,
  first: number,
  end: number,
  tick: number,
): void {
  for (let place = 0; place < writes.length; place++) {
    const track = trackOf(shape, writes[place]!, "changed");
    if (track === undefined) continue;
    const now = ownTick(track.clock.now, tick);
    if (rows === undefined) markRows(track, first, end, now);
    else for (let at = first; at < end; at++) markRow(track, rows[at]!, now);
  }
}
