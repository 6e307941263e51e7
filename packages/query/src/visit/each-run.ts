import type { Component } from "@treeline/core";
import { type Archetype, archetypesOf, enterVisit, leaveVisit } from "@treeline/core/internal";
import { requireUsable } from "../query/ask/query.ts";
import { ROWS } from "../query/lists/spans.ts";
import { onlyTableOf } from "../query/rows/sources.ts";
import { type Query, runsFor, shapesOf } from "../query/state/query-state.ts";
import { Run, type RunVisitor } from "./run.ts";
import { beginVisit, endVisit, isPlain, requireVisitor, type Visit } from "./visiting.ts";
import { markRun, requireWrites, type VisitOptions } from "./writes.ts";

/**
 * Calls `visit` once per run: shapes in order of founding, rows ascending; with a cascade term, parents before
 * children. A run's columns are valid until `visit` returns. Structural changes wait for the end of the visit. With a
 * pair with data among the terms runs end where tables end.
 *
 * Writes to columns are not seen by those who ask for changes, unless they are declared: `{ writes: [Position] }` marks all
 * rows that were visited.
 *
 * Cost: about ten nanoseconds a run beside the visitor; nothing for tables. With a target: the sources of the rarest
 * pair that is asked for, its tables and the children who store their parent as a value; if pairs are only excluded, the
 * runs and the sources of those.
 *
 * @throws TreelineError `disposed` for a disposed query, `bad-query` for what is none, for a visitor that is no function and
 *   for writes of what is no component with values; what the visitor throws, or else the first error of a change that
 *   waited.
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
  const table = query.plan.direct < 0 ? -1 : tableToVisit(query);
  if (table >= 0) {
    if (table > 0) visitTable(query, visit, writes);
    return;
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

/** @returns the table of all answers, if there is one with all of its rows; 0 if nobody answers; -1 if rows have to be listed. */
function tableToVisit(query: Query): number {
  const { plan, cursors } = query;
  if (plan.readsPairs && plan.variables.length > 0) return -1;
  const table = onlyTableOf(query);
  const hasDisabled = table > 0 && !plan.namesDisabled && cursors.tables.archetype.bits?.isCut() === true;
  return hasDisabled ? -1 : table;
}

type Writes = readonly Component[] | undefined;

/** The rows of the table that the cursor stands at: nothing has to be listed before. */
function visitTable(query: Query, visit: (run: Run) => void, writes: Writes): void {
  const { world, spares, cursors } = query;
  const { archetype, first, end } = cursors.tables;
  const run = (spares.runs.pop() as Run | undefined) ?? new Run(query);
  enterVisit(world);
  let isDone = false;
  try {
    run.begin(query, undefined);
    run.turnTo(archetype);
    run.first = first;
    run.end = end;
    visitRun(run, visit, writes, 0);
    isDone = true;
  } finally {
    run.turnTo(undefined);
    spares.runs.push(run);
    leaveVisit(world, isDone);
  }
}

/** Hands one run out; what the visit has declared to write is marked, also if it throws. */
function visitRun(run: Run, visit: (run: Run) => void, writes: Writes, tick: number): void {
  if (writes === undefined) {
    visit(run);
    return;
  }
  const { first, end } = run; // the visitor may count with those of the run
  const shape = run.shapeOfRows();
  try {
    visit(run);
  } finally {
    markRun(shape, writes, first, end, tick);
  }
}

/** All rows of the answering shapes: their runs are listed already. */
function visitShapes(query: Query, run: Run, visit: (run: Run) => void, writes: Writes): void {
  const shapes = shapesOf(query);
  const { takeAll } = visit as RunVisitor;
  for (let place = 0; place < shapes.length; place++) {
    const shape = shapes[place]!;
    if (shape.rows === 0) continue;
    const { bounds, length } = runsFor(query.plan, shape);
    if (length === 0) continue;
    run.turnTo(shape);
    if (takeAll !== undefined && writes === undefined && takeAll(run, bounds, length)) continue;
    for (let at = 0; at < length; at += 2) {
      run.first = bounds[at]!;
      run.end = bounds[at + 1]!;
      // Visitors of one run a shape are called elsewhere: this place stays quick for those of many.
      if (writes === undefined && at > 0) visit(run);
      else visitRun(run, visit, writes, 0);
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
  const shapes = archetypesOf(query.world);
  const { stride, length } = spans;
  const asksVariables = query.plan.readsPairs && query.plan.variables.length > 0;
  let last: Archetype | undefined;
  for (let at = 0; at < length; at += stride) {
    const { numbers } = spans;
    const shape = shapes[numbers[at]!]!;
    if (shape !== last) run.turnTo(shape);
    last = shape;
    if (numbers[at + 3]! > ROWS) {
      scene.turnTo(spans, at);
      visitPositions(scene.rows!, scene.from, scene.to, run, visit, writes, tick);
      continue;
    }
    if (asksVariables) scene.turnTo(spans, at);
    run.first = numbers[at + 1]!;
    run.end = numbers[at + 2]!;
    visitRun(run, visit, writes, tick);
  }
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
): void {
  let at = from;
  while (at < to) {
    const first = rows[at]!;
    let end = first + 1;
    for (at++; at < to && rows[at] === end; at++) end++;
    run.first = first;
    run.end = end;
    visitRun(run, visit, writes, tick);
  }
}
