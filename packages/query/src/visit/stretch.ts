import {
  ChildOf,
  type Component,
  type Entity,
  TreelineError,
  type Valued,
  type VariablePair,
} from "@treeline/core";
import { type Archetype, columnsOf, handleOf, questionOf, shown } from "@treeline/core/internal";
import { hasAt } from "../match/pairs.ts";
import { columnsFor } from "../query/outputs/columns.ts";
import { rowOfVariable, type Scene, shapeOfVariable, wayOfVariable } from "../query/state/scene.ts";
import { isWrapped, type QueryTerm } from "../term/operators.ts";
import type { Question } from "../term/plan.ts";
import { isVariable } from "../term/variable.ts";
import { KnownColumns, requireShown } from "./run.ts";

const NO_ROWS = /* @__PURE__ */ new Int32Array(0);
/** Places of ways to no ancestor: the rows are their own sources; one entity, which a variable stands for, is that of all. */
const OWN = -1;
const FIXED = -2;

/** What names a way to ancestors: the term itself, or the component it looks for; or a variable, for what it stands for. */
export type Way = QueryTerm;

/**
 * Rows of one shape and depth, with the absolute rows of the nearest ancestors that have what the query's terms look for
 * beside them: positions `from <= at < to` of `rows` and `parentRows`. Those ancestors are what it calls parents: the
 * parent itself, if it has what is looked for, else the next one above that has it. For `selfOrUp`, an entity that has it
 * itself is its own source: then its own row stands there, and its own columns are those of the parents. Valid until the
 * visitor returns; the same object is used for the next stretch.
 */
export class Stretch {
  from = 0;
  to = 0;
  /** Position -> absolute row. */
  rows: Int32Array = NO_ROWS;
  /**
   * Position -> absolute row of the nearest ancestor, for the first of the terms `cascade`, `up`, `selfOrUp`; for `selfOrUp`
   * the entity's own row, if it has it itself. Not to be read unless `hasParents`.
   */
  parentRows: Int32Array = NO_ROWS;
  /** False for rows without such a source: roots, mostly. */
  hasParents = false;
  /** Steps from the root, along the relation of the first such term; 0 for roots. */
  depth = 0;
  private shape: Archetype | undefined = undefined;
  private holder: Archetype | undefined = undefined;
  private readonly known: KnownColumns = new KnownColumns();
  private readonly knownAbove: KnownColumns = new KnownColumns();
  private readonly scene: Scene;
  /** 0, 1, 2 ...: positions that are absolute rows; and, by way, rows of ancestors that are one row for all. */
  private identity: Int32Array<ArrayBuffer> = NO_ROWS;
  private readonly fixed: Int32Array<ArrayBuffer>[] = [];
  /** What kernels keep here. @internal */
  kept: object | undefined = undefined;

  /** @internal */
  constructor(scene: Scene) {
    this.scene = scene;
  }

  /**
   * The columns of a component in the rows' shape, as `run.columns` gives them.
   *
   * @throws TreelineError `bad-query` if the rows do not have it; `stale-run` outside the visit.
   */
  columns<Columns>(what: Valued<unknown, Columns> | VariablePair<unknown, Columns, unknown>): Columns {
    this.shapeOfRows();
    return this.known.of(what, this.scene, this.rows[this.from]!) as Columns;
  }

  /** The same for `maybe` terms and alternatives: `undefined` if these rows do not have it. */
  columnsIf<Columns>(what: Component<unknown, Columns>): Columns | undefined {
    return columnsOf(this.shapeOfRows(), what) as Columns | undefined;
  }

  /**
   * The columns of a component in the parents' shape, for `parentRows`.
   *
   * @throws TreelineError `bad-query` if there are no parents, or they do not have it.
   */
  parentColumns<Columns>(what: Component<unknown, Columns>): Columns {
    if (this.holder === undefined) {
      throw new TreelineError("bad-query", "these rows have no parents; look at stretch.hasParents first");
    }
    return this.knownAbove.of(what, this.scene, 0) as Columns;
  }

  /**
   * Of a query with several ways to ancestors: do these rows have one along this way? The way is named by its term, or by
   * the component it looks for, which means the first term with it. A variable of the query is a way to what it stands for.
   *
   * @throws TreelineError `bad-query` if the query has no such term.
   */
  has(way: Way): boolean {
    return this.shapeAlong(way) !== undefined;
  }

  /**
   * Position -> absolute row of the nearest ancestor along a way; along `selfOrUp` the entity's own row, if it has it itself.
   * Not to be read unless `has(way)`.
   *
   * @throws TreelineError `bad-query` if the query has no such term.
   */
  rowsOf(way: Way): Int32Array {
    const place = this.placeOf(way);
    if (place === OWN) return this.rows;
    if (place !== FIXED) return this.rowsAbove(place);
    const { scene } = this;
    return this.fixedRows(scene.holders.length, rowOfVariable(scene, way as never));
  }

  /**
   * The columns of a component in the shape of the nearest ancestors along a way, for `rowsOf(way)`.
   *
   * @throws TreelineError `bad-query` if there are none, or they do not have it.
   */
  columnsOf<Columns>(way: Way, what: Component<unknown, Columns>): Columns {
    const holder = this.shapeAlong(way);
    if (holder !== undefined) return columnsFor(this.scene, holder, what, 0) as Columns;
    throw new TreelineError("bad-query", "these rows have nobody along this way; ask stretch.has(way) first");
  }

  /** The nearest ancestor along a way of the entity at a position; or what a variable stands for there. */
  holderAt(way: Way, at: number): Entity | undefined {
    const holder = this.shapeAlong(way);
    return holder && handleOf(this.scene.query.world, holder.lanes.i32[this.rowsOf(way)[at]!]!);
  }

  private shapeAlong(way: Way): Archetype | undefined {
    const { scene } = this;
    const place = this.placeOf(way);
    if (place === OWN) return scene.shape;
    return place === FIXED ? shapeOfVariable(scene, way as never) : scene.holders[place];
  }

  /** Of a way: which of the scene's it is, or OWN or FIXED. */
  private placeOf(way: Way): number {
    this.shapeOfRows();
    const { world, plan } = this.scene.query;
    if (isVariable(way) && plan.variables.includes(way)) {
      const free = wayOfVariable(this.scene);
      return free < 0 ? FIXED : free;
    }
    const named = isWrapped(way) ? way.of[0] : way;
    const isEntity = typeof named === "number" && !isVariable(named);
    const what = (isEntity ? questionOf(world, named) : named) as Partial<Question> | undefined;
    for (let place = 0; place < plan.traversals.length; place++) {
      const { relation, what: sought, self } = plan.traversals[place]!;
      const isSought =
        sought.definition === what ||
        (sought.definition === what?.definition && sought.target === what?.target);
      if (!isSought || (isWrapped(way) && relation !== (way.by ?? ChildOf))) continue;
      const seesOwn = isWrapped(way) ? way.operator === "selfOrUp" : self;
      return seesOwn && this.hasOwn(place, this.from) ? OWN : place;
    }
    throw new TreelineError(
      "bad-query",
      `${shown(named)} is no way to ancestors of this query; make up(...) a term of it, or name a variable of it`,
    );
  }

  /** Does the entity at a position have what a way looks for? */
  private hasOwn(place: number, at: number): boolean {
    const { query, shape } = this.scene;
    const { definition, target } = query.plan.traversals[place]!.what;
    return hasAt(query.world, shape.lanes.i32[this.rows[at]!]!, definition, target);
  }

  private rowsAbove(place: number): Int32Array {
    const { holderRows, holderRow } = this.scene;
    return holderRows[place] ?? this.fixedRows(place, holderRow[place]!);
  }

  private fixedRows(place: number, row: number): Int32Array {
    let rows = this.fixed[place];
    if (rows === undefined || rows.length < this.to) {
      rows = new Int32Array(Math.max(64, this.to * 2));
      this.fixed[place] = rows;
    }
    return rows.fill(row, this.from, this.to);
  }

  /** The handle of the entity in an absolute row. */
  entityAt(row: number): Entity {
    this.shapeOfRows();
    return this.scene.entityIn(row);
  }

  /** For our own visits. @internal */
  shapeOfRows(): Archetype {
    return requireShown(this.shape, "stretch");
  }

  /** The shape of `parentRows`; undefined without. @internal */
  shapeOfParents(): Archetype | undefined {
    return this.holder;
  }

  /** For `eachStretch`: the span of the scene is the stretch. @internal */
  turn(): void {
    const { rows, to } = this.scene;
    if (rows === undefined && this.identity.length < to) {
      this.identity = Int32Array.from({ length: Math.max(64, to * 2) }, (_, row) => row);
    }
    this.rows = rows ?? this.identity;
    this.turnOn();
    this.turnToParents();
  }

  /** The same when the scene has turned on. @internal */
  turnOn(): void {
    const { depth, from, to } = this.scene;
    this.depth = depth;
    this.from = from;
    this.to = to;
  }

  /** The same for the rest of the span, if its rows had to be cut into pieces. @returns false if there is none. @internal */
  turnToRest(): boolean {
    if (this.to === this.scene.to) return false;
    this.from = this.to;
    this.to = this.scene.to;
    this.turnToParents();
    return true;
  }

  /** Turns to the sources of the rows from `from` on, and ends the stretch where others are their own sources. */
  private turnToParents(): void {
    const { shape, holders, query } = this.scene;
    const { traversals, ownPairs } = query.plan;
    const { from } = this;
    for (let at = 0; at < ownPairs.length; at++) {
      const place = ownPairs[at]!;
      const has = this.hasOwn(place, from);
      let end = from + 1;
      while (end < this.to && this.hasOwn(place, end) === has) end++;
      this.to = end;
    }
    const isOwn = traversals.length > 0 && traversals[0]!.self && this.hasOwn(0, from);
    this.turnTo(shape, isOwn ? shape : holders[0]);
    if (isOwn) this.parentRows = this.rows;
    else this.parentRows = this.hasParents ? this.rowsAbove(0) : NO_ROWS;
  }

  /** Undefined ends the visit. @internal */
  turnTo(shape: Archetype | undefined, holder: Archetype | undefined): void {
    this.shape = shape;
    this.holder = holder;
    this.hasParents = holder !== undefined;
    if (shape !== undefined) this.known.turnTo(shape);
    if (holder !== undefined) this.knownAbove.turnTo(holder);
  }
}
