import { type Component, type Entity, TreelineError, type Valued, type VariablePair } from "@treeline/core";
import { type Archetype, columnsOf, handleOf } from "@treeline/core/internal";
import { columnsFor, requireAskedPair } from "../query/outputs/columns.ts";
import type { Scene } from "../query/state/scene.ts";

/** Columns of the shape that is shown. Those that were asked for are kept: most runs and stretches follow one of the same shape. */
export class KnownColumns {
  private shape: Archetype | undefined = undefined;
  private version = 0;
  private readonly asked: unknown[] = [];
  private readonly given: unknown[] = [];
  private known = 0;

  turnTo(shape: Archetype): void {
    if (shape === this.shape && shape.lanes.version === this.version) return;
    this.shape = shape;
    this.version = shape.lanes.version;
    this.known = 0;
  }

  /** @param row of the shape, which says in which table the values of a pair lie. */
  of(what: unknown, scene: Scene, row: number): unknown {
    const { asked, given, known } = this;
    for (let at = 0; at < known; at++) if (asked[at] === what) return given[at];
    requireAskedPair(scene.query, what);
    const columns = columnsFor(scene, this.shape!, what, row);
    if (typeof what !== "function") return columns;
    asked[known] = what;
    given[known] = columns;
    this.known++;
    return columns;
  }
}

/** @throws TreelineError `stale-run` if nothing is shown. */
export function requireShown(shape: Archetype | undefined, what: "run" | "stretch"): Archetype {
  if (shape !== undefined) return shape;
  throw new TreelineError(
    "stale-run",
    `a ${what} is good inside its visit only; take out what you need there`,
  );
}

/**
 * The longest stretch of rows of one shape that a query may treat alike: absolute rows `first <= row < end`. Valid
 * until the visitor returns; the same object is used for the next run.
 */
export class Run {
  first = 0;
  end = 0;
  private readonly known: KnownColumns = new KnownColumns();
  private shape: Archetype | undefined = undefined;
  private readonly scene: Scene;
  /** What kernels keep here. @internal */
  kept: object | undefined = undefined;

  /** @internal */
  constructor(scene: Scene) {
    this.scene = scene;
  }

  /**
   * The columns of a component or of a pair with data: one typed array per field, index = absolute row (times the
   * length of an `array` field); for components without schema the list of values. Take them out before the loop.
   *
   * @throws TreelineError `bad-query` if the rows do not have it; `stale-run` outside the visit.
   */
  columns<Columns>(what: Valued<unknown, Columns> | VariablePair<unknown, Columns, unknown>): Columns {
    this.shapeOfRows();
    return this.known.of(what, this.scene, this.first) as Columns;
  }

  /** The same for `maybe` terms and alternatives: `undefined` if the rows of this run do not have it. */
  columnsIf<Columns>(what: Component<unknown, Columns>): Columns | undefined {
    return columnsOf(this.shapeOfRows(), what) as Columns | undefined;
  }

  /** The handle of the entity in an absolute row. */
  entityAt(row: number): Entity {
    return handleOf(this.scene.query.world, this.shapeOfRows().lanes.i32[row]!);
  }

  /** For our own visits. @internal */
  shapeOfRows(): Archetype {
    return requireShown(this.shape, "run");
  }

  /** For `eachRun`: the runs to come are of this shape; undefined ends the visit. @internal */
  turnTo(shape: Archetype | undefined): void {
    this.shape = shape;
    if (shape !== undefined) this.known.turnTo(shape);
  }
}

/** A visitor that may take all runs of a shape at once. */
export interface RunVisitor {
  (run: Run): void;
  /**
   * The runs of the shape that the run shows: [first, end, first, end, ...]; the first `length` numbers count.
   *
   * @returns false if it wants them one by one.
   */
  takeAll?: (run: Run, bounds: Int32Array, length: number) => boolean;
}
