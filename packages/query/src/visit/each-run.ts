import type { Component } from "@treeline/core";
import type { Shape } from "@treeline/core/internal";
import type { Query } from "../query/query-state.ts";
import { isBeginning, ROWS } from "../query/spans.ts";
import { Run } from "./run.ts";
import { LONG, SHORT, SHORT_VISITS } from "./short-visits.ts";
import { beginVisit, endVisit, type Visit } from "./visiting.ts";
import { markRun, requireWrites, type VisitOptions } from "./writes.ts";

/**
 * Calls `visit` once per run: shapes in order of founding, rows ascending; with a cascade term, parents before
 * children. A run's columns are valid until `visit` returns. Structural changes wait for the end of the visit. The first
 * run of a shape, if it is long, comes in a few pieces; with a pair with data among the terms runs end where tables end.
 *
 * Writes to columns are not seen by those who ask for changes, unless they are declared: `{ writes: [Position] }` marks all
 * rows that were visited.
 *
 * Cost: about ten nanoseconds a run beside the visitor; nothing for tables. With a target: the sources of the rarest
 * pair that is asked for, its tables and the children who store their parent as a value; if pairs are only excluded, the
 * runs and the sources of those.
 *
 * @throws TreelineError `disposed` for a disposed query, `bad-query` for what is none and for writes of what is no
 *   component with values; what the visitor throws, or else the first error of a change that waited.
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
export function eachRun(query: Query, visit: (run: Run) => void, options?: VisitOptions): void {
  const writes = options === undefined ? undefined : requireWrites(options);
  const visiting = beginVisit(query);
  const run = (query.spares.runs.pop() as Run | undefined) ?? new Run(query);
  let isDone = false;
  try {
    run.begin(query);
    visitSpans(query, visiting, run, visit, writes);
    isDone = true;
  } finally {
    run.turnTo(undefined);
    query.spares.runs.push(run);
    endVisit(query, visiting, isDone);
  }
}

type Writes = readonly Component[] | undefined;

function visitSpans(
  query: Query,
  visiting: Visit,
  run: Run,
  visit: (run: Run) => void,
  writes: Writes,
): void {
  const { spans, scene, tick } = visiting;
  const { shapes } = query.world.graph;
  const { stride, length } = spans;
  let last: Shape | undefined;
  for (let at = 0; at < length; at += stride) {
    const { numbers } = spans;
    const shape = shapes[numbers[at]!]!;
    const isNew = shape !== last;
    if (isNew) run.turnTo(shape);
    last = shape;
    if (numbers[at + 3]! > ROWS) {
      scene.turnTo(spans, at);
      visitPositions(scene.rows!, scene.from, scene.to, run, visit, writes, tick, isBeginning(spans, at));
      continue;
    }
    run.first = numbers[at + 1]!;
    run.end = numbers[at + 2]!;
    if (isNew && run.end - run.first > LONG) beginShortly(run, visit, writes, tick);
    visit(run);
    if (writes !== undefined) markRun(shape, writes, run.first, run.end, tick);
  }
}

/** Takes the first rows of a shape's first run out in short pieces. */
function beginShortly(run: Run, visit: (run: Run) => void, writes: Writes, tick: number): void {
  const { first, end } = run;
  for (let piece = 0; piece < SHORT_VISITS; piece++) {
    run.end = run.first + SHORT;
    visit(run);
    run.first = run.end;
  }
  run.end = end;
  if (writes !== undefined) markRun(run.shapeOfRows(), writes, first, run.first, tick);
}

/** Adjacent rows of a list of positions are a run. */
function visitPositions(
  rows: Int32Array,
  from: number,
  to: number,
  run: Run,
  visit: (run: Run) => void,
  writes: Writes,
  tick: number,
  isFirst: boolean,
): void {
  let at = from;
  while (at < to) {
    const first = rows[at]!;
    let end = first + 1;
    for (at++; at < to && rows[at] === end; at++) end++;
    run.first = first;
    run.end = end;
    if (isFirst && at - from === end - first && end - first > LONG) beginShortly(run, visit, writes, tick);
    visit(run);
    if (writes !== undefined) markRun(run.shapeOfRows(), writes, first, end, tick);
  }
}
