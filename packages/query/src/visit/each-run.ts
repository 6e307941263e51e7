import { type Component, type Entity, TreelineError, type Valued, type World } from "@treeline/core";
import {
  columnOf,
  enterVisit,
  handleAt,
  leaveVisit,
  refreshRuns,
  type Shape,
  viewColumn,
} from "@treeline/core/internal";
import { targetedPieces } from "../match/match-table.ts";
import { type Query, requireUsable } from "../query/query.ts";
import type { Clause } from "../term/term.ts";
import { columnFor, requireAskedPair } from "./columns.ts";
import { eachStretch } from "./each-stretch.ts";
import { LONG, SHORT, SHORT_VISITS } from "./short-visits.ts";

/**
 * The longest stretch of rows of one shape that a query may treat alike: absolute rows `first <= row < end`. Valid
 * until the visitor returns; the same object is used for the next run.
 */
export class Run {
  first = 0;
  end = 0;
  /** Definitions of the query's components, and their columns in the present shape. */
  private readonly asked: readonly unknown[];
  private readonly given: unknown[];
  private shape: Shape | undefined = undefined;
  private readonly world: World;
  private readonly clauses: readonly Clause[];

  constructor({ world, clauses }: Query) {
    this.world = world;
    this.clauses = clauses;
    this.asked = clauses
      .filter(({ operator, definition }) => operator !== "cascade" && definition.kind === "component")
      .map(({ definition }) => definition);
    this.given = this.asked.map(() => undefined);
  }

  /**
   * The columns of a component or of a pair with data: one typed array per field, index = absolute row (times the
   * length of an `array` field); for components without schema the list of values. Take them out before the loop.
   *
   * @throws TreelineError `bad-query` if the rows do not have it; `stale-run` outside the visit.
   */
  columns<Columns>(what: Valued<unknown, Columns>): Columns {
    const { asked, given } = this;
    for (let at = 0; at < asked.length; at++) {
      if (asked[at] === what && given[at] !== undefined) return given[at] as Columns;
    }
    return this.find(what) as Columns;
  }

  /** The same for `maybe` terms: `undefined` if the rows of this run do not have it. */
  columnsIf<Columns>(what: Component<unknown, Columns>): Columns | undefined {
    const shape = this.present();
    const column = columnOf(shape, what);
    return column === undefined ? undefined : (viewColumn(shape, column) as Columns);
  }

  /** The handle of the entity in an absolute row. */
  entityAt(row: number): Entity {
    return handleAt(this.world.entities, this.present().lanes.i32[row]!);
  }

  private present(): Shape {
    if (this.shape === undefined) {
      throw new TreelineError(
        "stale-run",
        "a run is good inside its visit only; take out what you need there",
      );
    }
    return this.shape;
  }

  private find(what: unknown): unknown {
    const shape = this.present();
    requireAskedPair(this.clauses, what);
    return viewColumn(shape, columnFor(this.world, shape, what, this.first));
  }

  /** For `eachRun`: the runs to come are of this shape; undefined ends the visit. */
  turnTo(shape: Shape | undefined): void {
    this.shape = shape;
    for (let at = 0; at < this.asked.length; at++) {
      const column = shape && columnOf(shape, this.asked[at] as Component);
      this.given[at] = shape === undefined || column === undefined ? undefined : viewColumn(shape, column);
    }
  }
}

/**
 * Calls `visit` once per run: shapes in order of founding, rows ascending; with a cascade term, parents before
 * children. A run's columns are valid until `visit` returns. Structural changes wait for the end of the visit. The first
 * run of a shape, if it is long, comes in a few pieces; with a pair with data among the terms runs end where tables end.
 *
 * Cost: about ten nanoseconds a run beside the visitor; nothing for tables. With a target: the sources of the rarest
 * pair that is asked for, its tables and the children who store their parent as a value; if pairs are only excluded, the
 * runs and the sources of those.
 *
 * @throws TreelineError `disposed` for a disposed query, `bad-query` for what is none; what the visitor throws, or else
 *   the first error of a change that waited.
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
export function eachRun(query: Query, visit: (run: Run) => void): void {
  requireUsable(query);
  const run = (query.spares.runs.pop() as Run | undefined) ?? new Run(query);
  enterVisit(query.world);
  let isDone = false;
  try {
    if (query.cascade !== undefined) visitByDepth(query, run, visit);
    else if (query.isTargeted) {
      for (const { shape, bounds, length } of targetedPieces(query.world, query.clauses)) {
        visitBounds(run, shape, bounds, length, visit);
      }
    } else {
      for (const shape of query.shapes) {
        if (shape.rows === 0) continue;
        refreshRuns(shape.used, shape.end);
        visitBounds(run, shape, shape.used.bounds, shape.used.length, visit);
      }
    }
    isDone = true;
  } finally {
    run.turnTo(undefined);
    query.spares.runs.push(run);
    leaveVisit(query.world, isDone);
  }
}

function visitBounds(
  run: Run,
  shape: Shape,
  bounds: Int32Array,
  length: number,
  visit: (run: Run) => void,
): void {
  run.turnTo(shape);
  for (let at = 0; at < length; at += 2) {
    run.first = bounds[at]!;
    run.end = bounds[at + 1]!;
    if (at === 0) beginShortly(run, visit);
    visit(run);
  }
}

/** Takes the first rows of a shape's first run out in short pieces, if the run is long. */
function beginShortly(run: Run, visit: (run: Run) => void): void {
  const { end } = run;
  if (end - run.first <= LONG) return;
  for (let piece = 0; piece < SHORT_VISITS; piece++) {
    run.end = run.first + SHORT;
    visit(run);
    run.first = run.end;
  }
  run.end = end;
}

/** Under cascade, adjacent rows of a stretch are a run. */
function visitByDepth(query: Query, run: Run, visit: (run: Run) => void): void {
  eachStretch(query, (stretch) => {
    const { rows, from, to } = stretch;
    run.turnTo(stretch.shapeOfRows());
    let at = from;
    while (at < to) {
      run.first = rows[at]!;
      let end = run.first + 1;
      for (at++; at < to && rows[at] === end; at++) end++;
      run.end = end;
      visit(run);
    }
  });
}
