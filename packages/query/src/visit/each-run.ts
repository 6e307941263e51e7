import type { Component, Entity, Valued, VariablePair } from "@treeline/core";
import type { ArchetypeView } from "@treeline/core/internal";
import { allArchetypes, beginDeferred, columnsOf, handleOf, runsOf } from "@treeline/core/internal";
import { ROWS } from "../query/lists/spans.ts";
import { onlyTableOf } from "../query/rows/sources.ts";
import { matchedArchetypes, type Query } from "../query/state/query-state.ts";
import type { Scene } from "../query/state/scene.ts";
import type { VisitOptions, Writes } from "./visiting.ts";
import {
  endVisit,
  handedBy,
  KnownColumns,
  marking,
  requireShown,
  requireVisit,
  runVisit,
  Visit,
} from "./visiting.ts";

/**
 * The longest range of adjacent rows of one archetype that a query may treat alike: absolute rows `first <= row < end`. Valid
 * until the visitor returns; the same object is used for the next run.
 */
export class Run {
  first = 0;
  end = 0;
  private readonly known: KnownColumns = new KnownColumns();
  private archetype: ArchetypeView | undefined = undefined;
  private readonly scene: Scene;
  /** What kernels keep here. @internal */
  kept: object | undefined = undefined;

  /** @internal */
  constructor({ scene }: Visit) {
    this.scene = scene;
  }

  /**
   * The columns of a component or of a pair with data: one typed array per field, index = absolute row (times the
   * length of an `array` field); for components without schema the list of values. Take them out before the loop.
   *
   * @throws TreelineError `bad-query` if the rows do not have it; `stale-run` outside the visit.
   */
  columns<Columns>(what: Valued<unknown, Columns> | VariablePair<unknown, Columns, unknown>): Columns {
    this.archetypeOfRows();
    return this.known.of(what, this.scene, this.first) as Columns;
  }

  /** The same for `maybe` terms and alternatives: `undefined` if the rows of this run do not have it. */
  columnsIf<Columns>(what: Component<unknown, Columns>): Columns | undefined {
    return columnsOf(this.archetypeOfRows(), what) as Columns | undefined;
  }

  /** The handle of the entity in an absolute row. */
  entityAt(row: number): Entity {
    return handleOf(this.scene.query.world, this.archetypeOfRows().lanes.i32[row]!);
  }

  /** @internal */
  archetypeOfRows(): ArchetypeView {
    return requireShown(this.archetype, "run");
  }

  /** The runs to come are of this archetype. @internal */
  turnTo(archetype: ArchetypeView): void {
    this.archetype = archetype;
    this.known.turnTo(archetype);
  }

  /** @internal */
  release(): void {
    this.archetype = undefined;
  }
}

/** A visitor that may take all runs of an archetype at once. */
export interface RunVisitor {
  (run: Run): void;
  /**
   * [first, end, first, end, ...] of the archetype that `run` shows; `length` numbers. @returns false to have them one by one.
   */
  takeAll?: (run: Run, bounds: Int32Array, length: number) => boolean;
}

/**
 * Calls `visit` once per run: archetypes in order of founding, rows ascending; with a cascade term, parents before children.
 * With a pair with data among the terms runs end where tables end. Columns are valid until `visit` returns; structural changes
 * wait for the end of the visit.
 *
 * Those who ask for changes see writes to columns only if they are declared: `{ writes: [Position] }` marks all visited rows.
 *
 * Cost: about ten nanoseconds a run beside the visitor; nothing for tables. With a target: the sources of the rarest pair that
 * is asked for, its tables and the children who store their parent as a value; if pairs are only excluded, the runs and the
 * sources of those.
 *
 * @throws TreelineError `disposed` for a disposed query, `bad-query` for what is none, for a visitor that is no function and for
 *   writes of what is no component with values; what the visitor throws, or else the first error of a change that waited.
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
  const writes = requireVisit(query, visit, options);
  const table = onlyTableOf(query);
  if (table < 0) runVisit(query, true, visitRuns, visit, writes);
  else if (table > 0) visitTable(query, visit, writes);
}

/** The rows of the table that the cursor has turned to: to list them would take as long as all the rest. */
function visitTable(query: Query, visit: RunVisitor, writes: Writes): void {
  const { spares, world, plan, cursors } = query;
  const { archetype, first, end } = cursors.tables;
  const visiting = (spares.lists.pop() as Visit | undefined) ?? new Visit(query);
  beginDeferred(world);
  let isDone = false;
  try {
    visiting.scene.beginBound(query, plan.readsPairs);
    const run = handedBy(visiting, Run);
    run.turnTo(archetype);
    run.first = first;
    run.end = end;
    (writes === undefined ? visit : marking(visit, writes, 0))(run);
    isDone = true;
  } finally {
    endVisit(query, visiting, isDone);
  }
}

function visitRuns(visiting: Visit, visit: RunVisitor, writes: Writes): void {
  const run = handedBy(visiting, Run);
  const hand = writes === undefined ? visit : marking(visit, writes, visiting.tick);
  if (visiting.isListed) visitSpans(visiting, run, hand);
  else visitArchetypes(visiting.scene.query, run, hand);
}

/** All rows of the answering archetypes: their runs are listed already. */
function visitArchetypes(query: Query, run: Run, visit: RunVisitor): void {
  const archetypes = matchedArchetypes(query);
  const { takeAll } = visit;
  for (let place = 0; place < archetypes.length; place++) {
    const archetype = archetypes[place]!;
    if (archetype.rows === 0) continue;
    const { bounds, length } = runsOf(archetype, query.plan.namesDisabled);
    if (length === 0) continue;
    run.turnTo(archetype);
    if (takeAll?.(run, bounds, length) === true) continue;
    for (let at = 0; at < length; at += 2) {
      run.first = bounds[at]!;
      run.end = bounds[at + 1]!;
      // Visitors of one run an archetype are called elsewhere: this place stays quick for those of many.
      if (at > 0) visit(run);
      else visitFirst(run, visit);
    }
  }
}

function visitFirst(run: Run, visit: RunVisitor): void {
  visit(run);
}

function visitSpans({ spans, scene }: Visit, run: Run, visit: RunVisitor): void {
  const { world, plan } = scene.query;
  const archetypes = allArchetypes(world);
  const asksVariables = plan.readsPairs && plan.variables.length > 0;
  for (let at = 0; at < spans.length; at += spans.stride) {
    const { numbers } = spans;
    run.turnTo(archetypes[numbers[at]!]!);
    const isListed = numbers[at + 3]! > ROWS;
    if (isListed || asksVariables) scene.turnTo(spans, at);
    if (isListed) {
      visitPositions(scene, run, visit);
      continue;
    }
    run.first = numbers[at + 1]!;
    run.end = numbers[at + 2]!;
    visit(run);
  }
}

/** Adjacent rows of a list of positions are a run. */
function visitPositions(scene: Scene, run: Run, visit: RunVisitor): void {
  const { from, to } = scene;
  const rows = scene.rows!;
  for (let at = from; at < to; ) {
    run.first = rows[at]!;
    run.end = run.first + 1;
    for (at++; at < to && rows[at] === run.end; at++) run.end++;
    visit(run);
  }
}
