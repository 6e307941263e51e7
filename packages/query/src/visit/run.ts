import { type Component, type Entity, TreelineError, type Valued, type VariablePair } from "@treeline/core";
import { type Archetype, columnsOf, handleOf } from "@treeline/core/internal";
import { columnsFor, requireAskedPair } from "../query/outputs/columns.ts";
import type { Query } from "../query/state/query-state.ts";
import type { Scene } from "../query/state/scene.ts";

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
  /** Of which shape they are, in which layout; most runs follow one of the same. */
  private known: Archetype | undefined = undefined;
  private version = 0;
  private shape: Archetype | undefined = undefined;
  private query: Query;
  private scene: Scene | undefined = undefined;
  /** What kernels keep here. @internal */
  kept: object | undefined = undefined;

  /** @internal */
  constructor(query: Query) {
    this.query = query;
    this.asked = query.plan.gifts.flatMap((gift) =>
      gift.kind === "has" && gift.definition.kind === "component" ? [gift.definition] : [],
    );
    this.given = this.asked.map(() => undefined);
  }

  /**
   * The columns of a component or of a pair with data: one typed array per field, index = absolute row (times the
   * length of an `array` field); for components without schema the list of values. Take them out before the loop.
   *
   * @throws TreelineError `bad-query` if the rows do not have it; `stale-run` outside the visit.
   */
  columns<Columns>(what: Valued<unknown, Columns> | VariablePair<unknown, Columns, unknown>): Columns {
    const { asked, given } = this;
    for (let at = 0; at < asked.length; at++) {
      if (asked[at] === what && given[at] !== undefined && this.shape !== undefined) {
        return given[at] as Columns;
      }
    }
    return this.find(what) as Columns;
  }

  /** The same for `maybe` terms and alternatives: `undefined` if the rows of this run do not have it. */
  columnsIf<Columns>(what: Component<unknown, Columns>): Columns | undefined {
    return columnsOf(this.shapeOfRows(), what) as Columns | undefined;
  }

  /** The handle of the entity in an absolute row. */
  entityAt(row: number): Entity {
    return handleOf(this.query.world, this.shapeOfRows().lanes.i32[row]!);
  }

  /** For our own visits. @internal */
  shapeOfRows(): Archetype {
    if (this.shape === undefined) {
      throw new TreelineError(
        "stale-run",
        "a run is good inside its visit only; take out what you need there",
      );
    }
    return this.shape;
  }

  private find(what: unknown): unknown {
    const shape = this.shapeOfRows();
    requireAskedPair(this.query, what);
    return columnsFor(this.query, this.scene, shape, what, this.first);
  }

  /** For `eachRun`: runs of which query. @param scene that tells what variables stand for. @internal */
  begin(query: Query, scene: Scene | undefined): void {
    this.query = query;
    this.scene = scene;
  }

  /** For `eachRun`: the runs to come are of this shape; undefined ends the visit. @internal */
  turnTo(shape: Archetype | undefined): void {
    this.shape = shape;
    if (shape === undefined || (shape === this.known && shape.lanes.version === this.version)) return;
    this.known = shape;
    this.version = shape.lanes.version;
    for (let at = 0; at < this.asked.length; at++) {
      this.given[at] = columnsOf(shape, this.asked[at] as Component);
    }
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
