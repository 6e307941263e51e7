import { TreelineError } from "@treeline/core";
import { enterVisit, leaveVisit, shown } from "@treeline/core/internal";
import { requireUsable } from "../query/ask/query.ts";
import type { Stretches } from "../query/batches/stretches.ts";
import { createSpansFor, type Spans } from "../query/lists/spans.ts";
import { gather } from "../query/rows/gather.ts";
import { engine } from "../query/state/engine.ts";
import type { Query } from "../query/state/query-state.ts";
import { Scene } from "../query/state/scene.ts";
import { Seen } from "../query/state/sight.ts";

/** What one visit needs: what it has listed, what it knows, and where it is. Kept between visits. */
export interface Visit {
  readonly spans: Spans;
  readonly seen: Seen;
  readonly scene: Scene;
  /** The tick of what the visit writes itself; 0 if nobody asks for it. */
  tick: number;
  /** What it goes through, while it runs: only noted in checked builds. */
  held: Stretches | undefined;
}

function createVisit(query: Query): Visit {
  return {
    spans: createSpansFor(query),
    seen: new Seen(query),
    scene: new Scene(query),
    tick: 0,
    held: undefined,
  };
}

/** Counts the visit where it goes through: nothing may be filed there until it ends. */
function hold(visit: Visit): void {
  visit.held = visit.seen.stretches;
  if (visit.held !== undefined) visit.held.visits++;
}

function release(visit: Visit): void {
  if (visit.held !== undefined) visit.held.visits--;
  visit.held = undefined;
}

/**
 * Begins a visit: lists what will be visited, and makes structural changes wait. Ends with `endVisit`, whatever happens.
 *
 * @param lists false if the caller goes through the runs of the query's shapes itself.
 * @throws TreelineError `disposed`, `bad-query`; then there is nothing to end.
 */
export function beginVisit(query: Query, lists = true): Visit {
  return begin(query, lists, true);
}

/**
 * The same for those who only want to know: what is news stays news to the next visit. Ends with `endVisit`.
 *
 * @throws TreelineError `disposed`, `bad-query`; then there is nothing to end.
 */
export function beginPeek(query: Query): Visit {
  return begin(query, true, false);
}

/** @param looks false for a peek. */
function begin(query: Query, lists: boolean, looks: boolean): Visit {
  requireUsable(query);
  const { spares, world, plan } = query;
  const visit = (spares.lists.pop() as Visit | undefined) ?? createVisit(query);
  enterVisit(world);
  let isDone = false;
  try {
    visit.tick = looks && plan.isWatching ? engine.beginLook!(query) : 0;
    if (lists) gather(query, visit.seen, visit.spans);
    visit.scene.begin(query, visit.seen);
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

/** Need rows not be listed? Nothing changes while a visit runs, so the runs of shapes stay as they are. */
export function isPlain({ plan, part }: Query): boolean {
  return plan.isPlain && part === undefined;
}

/** @throws TreelineError `bad-query` for what cannot be called. */
export function requireVisitor(visit: unknown): void {
  if (typeof visit === "function") return;
  throw new TreelineError("bad-query", `a visit takes the query, and then a function, not ${shown(visit)}`);
}

/** @param isDone false if something was thrown: that is what the caller will hear of. */
export function endVisit(query: Query, visit: Visit, isDone: boolean): void {
  CHECK: release(visit);
  query.spares.lists.push(visit);
  leaveVisit(query.world, isDone);
}
