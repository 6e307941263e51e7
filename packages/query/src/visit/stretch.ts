import {
  ChildOf,
  type Component,
  type Entity,
  TreelineError,
  type Valued,
  type Variable,
  type VariablePair,
} from "@treeline/core";
import { type Archetype, columnsOf, handleOf, questionOf, shown } from "@treeline/core/internal";
import { hasAt } from "../match/pairs.ts";
import { columnsFor, requireAskedPair } from "../query/outputs/columns.ts";
import type { Query } from "../query/state/query-state.ts";
import type { Scene } from "../query/state/scene.ts";
import { rowOfVariable, shapeOfVariable, wayOfVariable } from "../query/state/scene-beside.ts";
import { isWrapped, type QueryTerm } from "../term/operators.ts";
import { isVariable } from "../term/variable.ts";

const NO_ROWS = /* @__PURE__ */ new Int32Array(0);

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
  /** Columns taken out of the present shapes already; most stretches follow one of the same shapes. */
  private readonly asked: unknown[] = [];
  private readonly given: unknown[] = [];
  private known = 0;
  private askedOfParents: unknown = undefined;
  private givenOfParents: unknown = undefined;
  private scene: Scene | undefined = undefined;
  private query: Query;
  /** 0, 1, 2 ...: positions that are absolute rows; and, by way, rows of ancestors that are one row for all. */
  private identity: Int32Array<ArrayBuffer> = NO_ROWS;
  private readonly fixed: Int32Array<ArrayBuffer>[] = [];
  /** What kernels keep here. @internal */
  kept: object | undefined = undefined;

  /** @internal */
  constructor(query: Query) {
    this.query = query;
  }

  /**
   * The columns of a component in the rows' shape, as `run.columns` gives them.
   *
   * @throws TreelineError `bad-query` if the rows do not have it; `stale-run` outside the visit.
   */
  columns<Columns>(what: Valued<unknown, Columns> | VariablePair<unknown, Columns, unknown>): Columns {
    const { asked, given, known } = this;
    for (let at = 0; at < known; at++) if (asked[at] === what) return given[at] as Columns;
    return this.find(what) as Columns;
  }

  private find(what: unknown): unknown {
    const shape = this.shapeOfRows();
    requireAskedPair(this.query, what);
    const found = columnsFor(this.query, this.scene, shape, what, this.rows[this.from]!);
    if (typeof what === "function") {
      this.asked[this.known] = what;
      this.given[this.known++] = found;
    }
    return found;
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
    if (this.askedOfParents === what) return this.givenOfParents as Columns;
    if (this.holder === undefined) {
      throw new TreelineError("bad-query", "these rows have no parents; look at stretch.hasParents first");
    }
    this.givenOfParents = columnsFor(this.query, this.scene, this.holder, what, 0);
    this.askedOfParents = what;
    return this.givenOfParents as Columns;
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
    const scene = this.sceneNow();
    const target = wayOfVariable(scene);
    if (this.isVariableOf(way)) {
      if (target < 0) return this.fixedRows(this.query.plan.traversals.length, rowOfVariable(scene, way));
      return scene.holderRows[target]!;
    }
    const place = this.placeOf(way);
    if (this.isOwn(way, place)) return this.rows;
    return scene.holderRows[place] ?? this.fixedRows(place, scene.holderRow[place]!);
  }

  /**
   * The columns of a component in the shape of the nearest ancestors along a way, for `rowsOf(way)`.
   *
   * @throws TreelineError `bad-query` if there are none, or they do not have it.
   */
  columnsOf<Columns>(way: Way, what: Component<unknown, Columns>): Columns {
    const holder = this.shapeAlong(way);
    if (holder === undefined) {
      throw new TreelineError(
        "bad-query",
        "these rows have nobody along this way; ask stretch.has(way) first",
      );
    }
    return columnsFor(this.query, this.scene, holder, what, 0) as Columns;
  }

  /** The nearest ancestor along a way of the entity at a position; or what a variable stands for there. */
  holderAt(way: Way, at: number): Entity | undefined {
    const holder = this.shapeAlong(way);
    return holder && handleOf(this.query.world, holder.lanes.i32[this.rowsOf(way)[at]!]!);
  }

  private isVariableOf(way: Way): way is Variable {
    return isVariable(way) && this.query.plan.variables.includes(way);
  }

  private shapeAlong(way: Way): Archetype | undefined {
    if (this.isVariableOf(way)) return shapeOfVariable(this.sceneNow(), way);
    const scene = this.sceneNow();
    const place = this.placeOf(way);
    return this.isOwn(way, place) ? scene.shape : scene.holders[place];
  }

  /** Are these rows their own sources along a way? */
  private isOwn(way: Way, place: number): boolean {
    const self = isWrapped(way) ? way.operator === "selfOrUp" : this.query.plan.traversals[place]!.self;
    return self && this.hasOwn(place, this.from);
  }

  /** Does the entity at a position have what a way looks for? */
  private hasOwn(place: number, at: number): boolean {
    const { definition, target } = this.query.plan.traversals[place]!.what;
    const { lanes } = this.shape!;
    return hasAt(this.query.world, lanes.i32[this.rows[at]!]!, definition, target);
  }

  private placeOf(way: Way): number {
    const named = isWrapped(way) ? way.of[0] : way;
    const isEntity = typeof named === "number" && !isVariable(named);
    const what = isEntity ? questionOf(this.query.world, named) : named;
    const relation = isWrapped(way) ? (way.by ?? ChildOf) : undefined;
    const { traversals } = this.query.plan;
    for (let place = 0; place < traversals.length; place++) {
      const one = traversals[place]!;
      const { definition, target } = one.what;
      const isIt =
        definition === (what as unknown) ||
        (definition === (what as unknown as { definition?: unknown })?.definition &&
          target === (what as unknown as { target?: number })?.target);
      if (isIt && (relation === undefined || relation === one.relation)) return place;
    }
    throw new TreelineError(
      "bad-query",
      `${shown(named)} is no way to ancestors of this query; make up(...) a term of it, or name a variable of it`,
    );
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
    return this.sceneNow().entityIn(row);
  }

  private sceneNow(): Scene {
    this.shapeOfRows();
    return this.scene!;
  }

  /** For our own visits. @internal */
  shapeOfRows(): Archetype {
    if (this.shape === undefined) {
      throw new TreelineError(
        "stale-run",
        "a stretch is good inside its visit only; take out what you need there",
      );
    }
    return this.shape;
  }

  /** The shape of `parentRows`; undefined without. @internal */
  shapeOfParents(): Archetype | undefined {
    return this.holder;
  }

  /** For `eachStretch`: stretches of which query. @internal */
  begin(query: Query, scene: Scene): void {
    this.query = query;
    this.scene = scene;
  }

  /** For `eachStretch`: the span of the scene is the stretch. @internal */
  turn(): void {
    const scene = this.scene!;
    this.depth = scene.depth;
    this.from = scene.from;
    this.to = scene.to;
    this.rows = scene.rows ?? this.identityFor(scene.to);
    this.turnToParents();
  }

  /** The same for the rest of the span, if its rows had to be cut into pieces. @returns false if there is none. @internal */
  turnToRest(): boolean {
    if (this.to === this.scene!.to) return false;
    this.from = this.to;
    this.to = this.scene!.to;
    this.turnToParents();
    return true;
  }

  /** Turns to the sources of the rows from `from` on, and ends the stretch where others are their own sources. */
  private turnToParents(): void {
    const { shape, holders, holderRows, holderRow } = this.scene!;
    const { traversals, ownPairs } = this.query.plan;
    const { from } = this;
    if (shape !== this.shape) this.turnTo(shape, this.holder);
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
    else if (this.hasParents) this.parentRows = holderRows[0] ?? this.fixedRows(0, holderRow[0]!);
    else this.parentRows = NO_ROWS;
  }

  /** The same when the scene has turned on. @internal */
  turnOn(): void {
    const { depth, from, to } = this.scene!;
    this.depth = depth;
    this.from = from;
    this.to = to;
  }

  private identityFor(rows: number): Int32Array {
    if (this.identity.length >= rows) return this.identity;
    const identity = new Int32Array(Math.max(64, rows * 2));
    for (let row = 0; row < identity.length; row++) identity[row] = row;
    this.identity = identity;
    return identity;
  }

  /** Undefined ends the visit. @internal */
  turnTo(shape: Archetype | undefined, holder: Archetype | undefined): void {
    if (shape !== this.shape) {
      this.shape = shape;
      this.known = 0;
    }
    if (holder !== this.holder) {
      this.holder = holder;
      this.askedOfParents = undefined;
      this.givenOfParents = undefined;
    }
    this.hasParents = holder !== undefined;
  }
}
