import { type Component, TreelineError } from "@treeline/core";
import { requireUsable } from "../query/ask/query.ts";
import type { Query } from "../query/state/query-state.ts";
import type { Scene } from "../query/state/scene.ts";
import { turnOn } from "../query/state/scene-beside.ts";
import { Stretch } from "./stretch.ts";
import { beginVisit, endVisit, requireVisitor, type Visit } from "./visiting.ts";
import { markScene, requireWrites, type VisitOptions } from "./writes.ts";

/**
 * Calls `visit` once per stretch: rows of one shape and depth with the rows of their ancestors beside them. With `cascade`,
 * parents come before children: first rows without parent, then depth by depth. Columns are valid until `visit` returns.
 * Structural changes wait for the end of the visit.
 *
 * Cost without structural changes since the last visit: a few dozen nanoseconds a
 * stretch beside the visitor; one stretch holds the rows of up to 256 tables, or any number of rows whose parents are
 * stored as values. After changes: the chunks that they touch are read anew, or just the rows with such parents. Along
 * relations with many targets: all of it.
 *
 * @throws TreelineError `bad-query` for a query without `cascade`, `up`, `selfOrUp` or variable, for a visitor that is no
 *   function and for writes of what is no component with values; `disposed`; what the visitor throws, or else the first
 *   error of a change that waited.
 */
export function eachStretch(query: Query, visit: (stretch: Stretch) => void, options?: VisitOptions): void {
  const writes = options === undefined ? undefined : requireWrites(options);
  requireWays(query);
  requireVisitor(visit);
  const visiting = beginVisit(query);
  const stretch = (query.spares.stretches.pop() as Stretch | undefined) ?? new Stretch(query);
  let isDone = false;
  try {
    stretch.begin(query, visiting.scene);
    visitSpans(visiting, stretch, visit, writes, 0, visiting.spans.length);
    isDone = true;
  } finally {
    stretch.turnTo(undefined, undefined);
    query.spares.stretches.push(stretch);
    endVisit(query, visiting, isDone);
  }
}

/** @throws TreelineError `bad-query` if nobody's ancestors are asked for. */
function requireWays(query: Query): void {
  requireUsable(query);
  const { traversals, variables } = query.plan;
  if (traversals.length > 0 || variables.length > 0) return;
  throw new TreelineError(
    "bad-query",
    "this needs a query with a term cascade, up or selfOrUp, or with a variable; use eachRun",
  );
}

/** Hands out the spans that begin at `begin .. end`. @internal */
export function visitSpans(
  { spans, scene, tick }: Visit,
  stretch: Stretch,
  visit: (stretch: Stretch) => void,
  writes: ReturnType<typeof requireWrites>,
  begin: number,
  end: number,
): void {
  const { stride } = spans;
  const turnsOn = scene.query.plan.ownPairs.length === 0;
  for (let at = begin; at < end; at += stride) {
    if (turnsOn && at > begin && turnOn(scene, spans, at)) stretch.turnOn();
    else {
      scene.turnTo(spans, at);
      stretch.turn();
    }
    do {
      if (writes === undefined) visit(stretch);
      else visitAndMark(scene, stretch, visit, writes, tick);
    } while (stretch.turnToRest());
  }
}

/** What the visit has declared to write is marked, also if it throws. */
function visitAndMark(
  scene: Scene,
  stretch: Stretch,
  visit: (stretch: Stretch) => void,
  writes: readonly Component[],
  tick: number,
): void {
  try {
    visit(stretch);
  } finally {
    markScene(scene, writes, tick);
  }
}
