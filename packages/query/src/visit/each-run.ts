import type { Component } from "@treeline/core";
import { enterVisit, leaveVisit, refreshRuns, type Shape } from "@treeline/core/internal";
import { requireUsable } from "../query/ask/query.ts";
import { isBeginning, ROWS } from "../query/lists/spans.ts";
import { onlyTableOf } from "../query/rows/sources.ts";
import { isAnsweredBy, type Query } from "../query/state/query-state.ts";
import { Run, type RunVisitor } from "./run.ts";
import { LONG, SHORT, SHORT_VISITS } from "./short-visits.ts";
import { beginVisit, endVisit, isPlain, requireVisitor, type Visit } from "./visiting.ts";
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
  requireUsable(query);
  requireVisitor(visit);
  const { plan, part } = query;
  const isSetPair = plan.readsPairs && plan.variables.length > 0;
  if (plan.direct >= 0 && part === undefined && !isSetPair) {
    const table = onlyTableOf(query);
    if (table >= 0) {
      visitTable(query, table, visit, writes);
      return;
    }
  }
  const goesByShapes = isPlain(query);
  const visiting = beginVisit(query, !goesByShapes);
  const run = (query.spares.runs.pop() as Run | undefined) ?? new Run(query);
  let isDone = false;
  try {
    run.begin(query, visiting.scene);
    if (goesByShapes) visitShapes(query, run, visit, writes);
    else visitSpans(query, visiting, run, visit, writes);
    isDone = true;
  } finally {
    run.turnTo(undefined);
    query.spares.runs.push(run);
    endVisit(query, visiting, isDone);
  }
}

type Writes = readonly Component[] | undefined;

/** The rows of one table, or nobody: nothing has to be listed before. */
function visitTable(query: Query, table: number, visit: (run: Run) => void, writes: Writes): void {
  const { world, spares } = query;
  const { tables, shapes } = world.graph;
  const count = table === 0 ? 0 : tables.count[table]!;
  if (count === 0) return;
  const shape = shapes[tables.shape[table]!]!;
  if (!isAnsweredBy(query, shape)) return;
  const run = (spares.runs.pop() as Run | undefined) ?? new Run(query);
  enterVisit(world);
  let isDone = false;
  try {
    run.begin(query, undefined);
    run.turnTo(shape);
    visitRows(run, shape, tables.first[table]!, count, visit, writes);
    isDone = true;
  } finally {
    run.turnTo(undefined);
    spares.runs.push(run);
    leaveVisit(world, isDone);
  }
}

function visitRows(
  run: Run,
  shape: Shape,
  first: number,
  count: number,
  visit: (run: Run) => void,
  writes: Writes,
): void {
  run.first = first;
  run.end = first + count;
  visitRun(run, shape, visit, writes, 0, count > LONG);
}

/** Hands one run out, or a long one in a few pieces; what the visit has declared to write is marked, also if it throws. */
function visitRun(
  run: Run,
  shape: Shape,
  visit: (run: Run) => void,
  writes: Writes,
  tick: number,
  isLong: boolean,
): void {
  if (writes === undefined) {
    if (isLong) beginShortly(run, visit);
    visit(run);
    return;
  }
  const { first, end } = run; // the visitor may count with those of the run
  try {
    if (isLong) beginShortly(run, visit);
    visit(run);
  } finally {
    markRun(shape, writes, first, end, tick);
  }
}

/** All rows of the answering shapes: their runs are listed already. */
function visitShapes(query: Query, run: Run, visit: (run: Run) => void, writes: Writes): void {
  const { shapes } = query;
  const { takeAll } = visit as RunVisitor;
  for (let place = 0; place < shapes.length; place++) {
    const shape = shapes[place]!;
    if (shape.rows === 0) continue;
    refreshRuns(shape.used, shape.end);
    const { bounds, length } = shape.used;
    run.turnTo(shape);
    if (takeAll !== undefined && writes === undefined && takeAll(run, bounds, length)) continue;
    for (let at = 0; at < length; at += 2) {
      run.first = bounds[at]!;
      run.end = bounds[at + 1]!;
      if (writes === undefined && at > 0) visit(run);
      else visitRun(run, shape, visit, writes, 0, at === 0 && run.end - run.first > LONG);
    }
  }
}

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
  const asksVariables = query.plan.readsPairs && query.plan.variables.length > 0;
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
    if (asksVariables) scene.turnTo(spans, at);
    run.first = numbers[at + 1]!;
    run.end = numbers[at + 2]!;
    visitRun(run, shape, visit, writes, tick, isNew && run.end - run.first > LONG);
  }
}

/** Takes the first rows of a shape's first run out in short pieces. */
function beginShortly(run: Run, visit: (run: Run) => void): void {
  const { first, end } = run;
  for (let piece = 0; piece < SHORT_VISITS; piece++) {
    run.first = first + piece * SHORT;
    run.end = run.first + SHORT;
    visit(run);
  }
  run.first = first + SHORT_VISITS * SHORT;
  run.end = end;
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
    const isLong = isFirst && at - from === end - first && end - first > LONG;
    visitRun(run, run.shapeOfRows(), visit, writes, tick, isLong);
  }
}
