import { type Component, TreelineError } from "@treeline/core";
import type { ArchetypeView } from "@treeline/core/internal";
import { beginDeferred, endDeferred, markRow, markRows, shown, trackOf } from "@treeline/core/internal";
import { requireUsable } from "../query/ask/query.ts";
import { createSpansFor, type Spans } from "../query/lists/spans.ts";
import { columnsFor, type Desk, Seat, takeDesk } from "../query/outputs/bindings.ts";
import { ownTick } from "../query/outputs/row-view.ts";
import { gather } from "../query/rows/gather.ts";
import type { Query } from "../query/state/query-state.ts";
import { engine, Scene } from "../query/state/scene.ts";
import { refuse } from "../term/read.ts";

/** What visitors are handed; good for nothing any more when the visit is over. */
interface Handed {
  release(): void;
}

/** What one visit needs. Kept between visits of one query. */
export class Visit {
  readonly spans: Spans;
  readonly scene: Scene;
  /** Rows are listed in `spans`; else the visit goes through the runs of the query's archetypes. */
  isListed = true;
  /** The tick of what the visit writes itself; 0 if nobody asks for it. */
  tick = 0;
  /** What visitors were handed, one of each kind. */
  readonly handed: Handed[] = [];
  /** Taken for as long as the visit runs, by those who hand out rows. */
  desk: Desk | undefined = undefined;

  constructor(query: Query) {
    this.spans = createSpansFor(query);
    this.scene = new Scene(query);
  }
}

/** What a visit hands out, made by the first one that does. */
export function handedBy<Kind extends Handed>(visit: Visit, kind: new (visit: Visit) => Kind): Kind {
  const { handed } = visit;
  for (let at = 0; at < handed.length; at++) if (handed[at]!.constructor === kind) return handed[at] as Kind;
  const made = new kind(visit);
  handed.push(made);
  return made;
}

/**
 * Begins a visit: lists what will be visited, and makes structural changes wait. Ends with `endVisit`, whatever happens.
 *
 * @param looks false for those who only want to know: what is news stays news to the next visit.
 * @param byArchetypes rows need not be listed where all of the query's archetypes answer: these stay as they are while a visit
 *   runs.
 * @throws TreelineError `disposed`, `bad-query`; then there is nothing to end.
 */
export function beginVisit(query: Query, looks = true, byArchetypes = false): Visit {
  requireUsable(query);
  const { spares, world, plan } = query;
  const visit = (spares.lists.pop() as Visit | undefined) ?? new Visit(query);
  beginDeferred(world);
  try {
    visit.tick = looks && plan.isWatching ? engine.beginLook!(query) : 0;
    visit.isListed = !(byArchetypes && plan.isPlain && query.part === undefined);
    if (visit.isListed) gather(query, visit.scene, visit.spans);
    else visit.scene.query = query;
    if (visit.tick > 0) engine.endLook!(query, visit.tick);
    // Nothing may be filed where it goes through until it ends.
    CHECK: if (visit.scene.batches !== undefined) visit.scene.batches.iterations++;
    return visit;
  } catch (error) {
    if (looks) query.watch.isLooking = false;
    visit.scene.batches = undefined;
    endVisit(query, visit, false);
    throw error;
  }
}

/** @param isDone false if something was thrown: that is what the caller will hear of. */
export function endVisit(query: Query, visit: Visit, isDone: boolean): void {
  CHECK: if (visit.scene.batches !== undefined) visit.scene.batches.iterations--;
  const { handed, desk } = visit;
  for (let at = 0; at < handed.length; at++) handed[at]!.release();
  if (desk !== undefined) desk.isTaken = false;
  visit.desk = undefined;
  query.spares.lists.push(visit);
  endDeferred(query.world, isDone);
}

/** A visit from its beginning to its end, whatever happens between. @param go goes through it, with what is `given`. */
export function runVisit<Given>(
  query: Query,
  byArchetypes: boolean,
  go: (visit: Visit, given: Given, writes: Writes) => void,
  given: Given,
  writes?: Writes,
): void {
  const visit = beginVisit(query, true, byArchetypes);
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

/** How runs, batches and levels are visited. */
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
  refuse(`a visit takes the query, and then a function, not ${shown(visit)}`);
}

/** @throws TreelineError `bad-query` for what is no component with values. */
export function requireWrites(options: VisitOptions): Writes {
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
  visit: (shown: Kind) => void,
  writes: NonNullable<Writes>,
  tick: number,
): (shown: Kind) => void {
  return (shown) => {
    const { rows, from = 0, to = 0, first = from, end = to } = shown; // visitors may count with those of a run
    const archetype = shown.archetypeOfRows();
    try {
      visit(shown);
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
  private readonly asked: unknown[] = [];
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
  of(what: unknown, scene: Scene, row: number): unknown {
    const { asked, given, known } = this;
    for (let at = 0; at < known; at++) if (asked[at] === what) return given[at];
    const columns = columnsFor(scene, this.archetype!, what, row);
    if (typeof what !== "function") return columns;
    asked[known] = what;
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
