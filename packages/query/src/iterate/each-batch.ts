// `eachBatch`, `eachLevel`: what a batch shows (`Batch`); ends it before rows whose sources are found differently (`turnToParents`).
import {
  ChildOf,
  type Component,
  type Entity,
  type EntityTag,
  type Valued,
  type VariablePair,
} from "@treeline/core";
import {
  type ArchetypeView,
  columnsOf,
  grownInt32,
  handleOf,
  parseTerm,
  shown,
} from "@treeline/core/internal";
import { hasAt } from "../match/pairs.ts";
import { columnsFor, definitionIn } from "../query/outputs/bindings.ts";
import { type IterationState, turnOn, turnToVariable } from "../query/state/iteration-state.ts";
import type { Query } from "../query/state/query-state.ts";
import { isVariable, isWrapped, type QueryTerm } from "../term/operators.ts";
import type { ParsedTerm } from "../term/plan.ts";
import { refuse } from "../term/read.ts";
import type { Iteration, IterationOptions, Writes } from "./iteration.ts";
import { iterate, KnownColumns, marking, requireCallback, requireShown, viewOf } from "./iteration.ts";
import { noticing } from "./undeclared.ts";

const NO_ROWS = /* @__PURE__ */ new Int32Array(0);
/** The place of a path to no ancestor: the rows are their own sources. */
const OWN = -1;

/**
 * What names a path to ancestors: the term itself, the component that it looks for, or a variable (a path to the entity bound to
 * it).
 */
export type UpPath = QueryTerm;

/**
 * Rows of one archetype and depth, with the absolute rows of their parents beside them: positions `from <= at < to` of `rows` and
 * `parentRows`. Parents are here the nearest ancestors that have what the query's terms look for. With `selfOrUp`, an entity that
 * has it itself is its own source: `parentRows` then lists its own row, and the parents' columns are its own. Valid until the
 * callback returns; the same object is used for the next batch.
 */
export class Batch {
  from = 0;
  to = 0;
  /** Position -> absolute row. */
  rows: Int32Array = NO_ROWS;
  /** The same for the parents, for the first term `cascade`, `up` or `selfOrUp`. Read it only if `hasParents`. */
  parentRows: Int32Array = NO_ROWS;
  /** False for rows without such a source, usually roots. */
  hasParents = false;
  /** Steps from the root, along the relation of the first such term; 0 for roots. */
  depth = 0;
  private archetype: ArchetypeView | undefined = undefined;
  /** The archetype of `parentRows`; undefined if there is none. @internal */
  source: ArchetypeView | undefined = undefined;
  private readonly known: KnownColumns = new KnownColumns();
  private readonly knownAbove: KnownColumns = new KnownColumns();
  private readonly state: IterationState;
  /** 0, 1, 2 ...: positions that are absolute rows. `fixed`, by path: rows of ancestors, the same row for all positions. */
  private identity: Int32Array<ArrayBuffer> = NO_ROWS;
  private readonly fixed: Int32Array<ArrayBuffer>[] = [];
  /** Kernels cache their edition here. @internal */
  kept: object | undefined = undefined;

  /** @internal */
  constructor({ state }: Iteration) {
    this.state = state;
  }

  /**
   * The columns of a component in the rows' archetype, as `run.columns` returns them.
   *
   * @throws TreelineError `bad-query` if the rows do not have it; `stale-run` outside the iteration.
   */
  columns<Columns>(what: Valued<unknown, Columns> | VariablePair<unknown, Columns, unknown>): Columns {
    this.archetypeOfRows();
    return this.known.of(what, this.state, this.rows[this.from]!) as Columns;
  }

  /** The same for `maybe` terms and alternatives: `undefined` if these rows do not have it. */
  columnsIf<Columns>(what: Component<unknown, Columns>): Columns | undefined {
    const archetype = this.archetypeOfRows();
    return columnsOf(archetype, definitionIn(this.state.query.world, what)) as Columns | undefined;
  }

  /**
   * The columns of a component in the parents' archetype, for `parentRows`.
   *
   * @throws TreelineError `bad-query` if there are no parents, or they do not have it; `stale-run` outside the iteration.
   */
  parentColumns<Columns>(what: Component<unknown, Columns>): Columns {
    if (this.source !== undefined) return this.knownAbove.of(what, this.state, -1) as Columns;
    this.archetypeOfRows();
    refuse("these rows have no parents; check batch.hasParents first");
  }

  /**
   * For a query with several paths to ancestors: whether these rows have a source along this path. A path is named by its term,
   * or by the component it looks for, which means the first term with that component. A variable of the query is a path to the
   * entity bound to it.
   *
   * @throws TreelineError `bad-query` if the query has no such term.
   */
  has(path: UpPath): boolean {
    return this.archetypeAlong(this.placeOf(path)) !== undefined;
  }

  /**
   * Position -> absolute row of the nearest ancestor along a path; along `selfOrUp` the entity's own row, if it has it itself.
   * Read it only if `has(path)`. Call this before the loop, not in it.
   *
   * @throws TreelineError `bad-query` if the query has no such term.
   */
  rowsOf(path: UpPath): Int32Array {
    return this.rowsAlong(this.placeOf(path));
  }

  /**
   * The columns of a component in the archetype of the nearest ancestors along a path, for `rowsOf(path)`.
   *
   * @throws TreelineError `bad-query` if there are none, or they do not have it.
   */
  columnsOf<Columns>(path: UpPath, what: Component<unknown, Columns>): Columns {
    const source = this.archetypeAlong(this.placeOf(path));
    if (source !== undefined) return columnsFor(this.state, source, what, -1) as Columns;
    refuse("these rows have no source along this path; check batch.has(path) first");
  }

  /** The nearest ancestor of the entity at a position, along a path; or the entity bound to a variable there. */
  sourceAt(path: UpPath, at: number): Entity | undefined {
    const place = this.placeOf(path);
    const row = place === OWN ? this.rows[at]! : this.state.sourceRowAt(place, at);
    const source = this.archetypeAlong(place);
    return source && handleOf(this.state.query.world, source.lanes.i32[row]!);
  }

  private archetypeAlong(place: number): ArchetypeView | undefined {
    return place === OWN ? this.state.archetype : this.state.sources[place];
  }

  /** The place of a path among those of the state, or OWN. */
  private placeOf(path: UpPath): number {
    this.archetypeOfRows();
    const { world, plan } = this.state.query;
    if (isVariable(path) && plan.variables.includes(path)) return turnToVariable(this.state, path);
    const named = isWrapped(path) ? path.of[0] : path;
    const isTag = (named as Partial<ParsedTerm> | undefined)?.definition?.meaning !== undefined;
    const what = (isTag ? parseTerm(world, named as EntityTag) : named) as Partial<ParsedTerm> | undefined;
    for (let place = 0; place < plan.traversals.length; place++) {
      const { relation, what: sought, self } = plan.traversals[place]!;
      const isSame = sought.definition === what?.definition && sought.target === what?.target;
      if (sought.definition !== what && !isSame) continue;
      if (isWrapped(path) && relation !== (path.by ?? ChildOf)) continue;
      const seesOwn = isWrapped(path) ? path.operator === "selfOrUp" : self;
      return seesOwn && this.hasOwn(place, this.from) ? OWN : place;
    }
    const hint = "make up(...) a term of it, or name a variable of it";
    refuse(`${shown(named)} is not a path to ancestors of this query; ${hint}`);
  }

  /** Whether the entity at a position has what a path looks for. */
  private hasOwn(place: number, at: number): boolean {
    const { query, archetype } = this.state;
    const { definition, target } = query.plan.traversals[place]!.what;
    return hasAt(query.world, archetype.lanes.i32[this.rows[at]!]!, definition, target);
  }

  private rowsAlong(place: number): Int32Array {
    const { sourceRows, sourceRow } = this.state;
    if (place === OWN) return this.rows;
    if (sourceRows[place] !== undefined) return sourceRows[place];
    const rows = grownInt32(this.fixed[place] ?? NO_ROWS, this.to);
    this.fixed[place] = rows;
    return rows.fill(sourceRow[place]!, this.from, this.to);
  }

  /** The handle of the entity in an absolute row. */
  entityAt(row: number): Entity {
    this.archetypeOfRows();
    return this.state.entityIn(row);
  }

  /** @internal */
  archetypeOfRows(): ArchetypeView {
    return requireShown(this.archetype, "batch");
  }

  /** Makes the state's present interval the batch. @internal */
  turn(): void {
    const { rows, to } = this.state;
    if (rows === undefined && this.identity.length < to) {
      this.identity = Int32Array.from({ length: Math.max(64, to * 2) }, (_, row) => row);
    }
    this.rows = rows ?? this.identity;
    this.turnOn();
    this.turnToParents();
  }

  /** The same after the state has turned on. @internal */
  turnOn(): void {
    const { depth, from, to } = this.state;
    this.depth = depth;
    this.from = from;
    this.to = to;
  }

  /** The same for the rest of the interval, if its rows had to be split. @returns false if there is none. @internal */
  turnToRest(): boolean {
    if (this.to === this.state.to) return false;
    this.from = this.to;
    this.to = this.state.to;
    this.turnToParents();
    return true;
  }

  /** Turns to the sources of the rows from `from` on, and ends the batch before rows whose sources are found differently. */
  private turnToParents(): void {
    const { archetype, sources, query } = this.state;
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
    const source = isOwn ? archetype : sources[0];
    this.archetype = archetype;
    this.known.turnTo(archetype);
    this.source = source;
    this.hasParents = source !== undefined;
    if (source !== undefined) this.knownAbove.turnTo(source);
    this.parentRows = source === undefined ? NO_ROWS : this.rowsAlong(isOwn ? OWN : 0);
  }

  /** @internal */
  release(): void {
    this.archetype = undefined;
    this.source = undefined;
    this.hasParents = false;
  }
}

/**
 * Calls `callback` once per batch: rows of one archetype and depth with the rows of their ancestors beside them. With `cascade`,
 * parents come before children: first rows without a parent, then depth by depth. Columns are valid until `callback` returns;
 * structural changes are deferred until the iteration ends.
 *
 * @cost without structural changes since the last iteration, a few dozen nanoseconds per batch in addition to the callback; one
 *   batch contains the rows of up to 256 tables, or any number of rows whose parents are stored by value. After changes: the chunks
 *   that they touch are read again, or only the rows with parents stored by value. Along relations with many targets: all chunks.
 * @throws TreelineError `bad-query` for a query without `cascade`, `up`, `selfOrUp` or variable, for a callback that is not a
 *   function and for `writes` that are not components with values; `disposed`; what the callback throws, or otherwise the first
 *   error of a deferred change.
 */
export function eachBatch(query: Query, callback: (batch: Batch) => void, options?: IterationOptions): void {
  const writes = requireCallback(query, callback, options);
  const { traversals, variables } = query.plan;
  if (traversals.length === 0 && variables.length === 0)
    refuse("this needs a query with a term cascade, up or selfOrUp, or with a variable; use eachRun");
  iterate(query, false, iterateBatches, callback, writes);
}

/** Passes the intervals that begin at `begin .. end`. */
function iterateBatches(
  iteration: Iteration,
  callback: (batch: Batch) => void,
  writes: Writes,
  begin = 0,
  end: number = iteration.intervals.length,
): void {
  const { intervals, state, tick } = iteration;
  const batch = viewOf(iteration, Batch);
  let hand = writes === undefined ? callback : marking(callback, writes, tick);
  CHECK: hand = noticing(hand, state.query, writes);
  const turnsOn = state.query.plan.ownPairs.length === 0;
  for (let at = begin; at < end; at += intervals.stride) {
    if (turnsOn && at > begin && turnOn(state, intervals, at)) batch.turnOn();
    else {
      state.turnTo(intervals, at);
      batch.turn();
    }
    do hand(batch);
    while (batch.turnToRest());
  }
}

/** All rows of one depth: none of them is an ancestor of another, so you may process them in any order. */
export class Level {
  /** Steps from the root. */
  depth = 0;
  /** Rows in all batches of the level. */
  count = 0;
  private readonly iteration: Iteration;
  /** Where its intervals begin, and those of the next level. */
  private from = 0;
  private to = 0;
  private writes: Writes = undefined;
  private isShown = false;

  /** @internal */
  constructor(iteration: Iteration) {
    this.iteration = iteration;
  }

  /**
   * Calls `callback` once for each batch of the level. @throws TreelineError `bad-query` inside its own loop: all batches are one
   * object.
   */
  eachBatch(callback: (batch: Batch) => void): void {
    if (this.isShown) refuse("a level shows one batch at a time; inside, call eachBatch(query, ...)");
    this.isShown = true;
    try {
      iterateBatches(this.iteration, callback, this.writes, this.from, this.to);
    } finally {
      this.isShown = false;
    }
  }

  /** Turns to the next level. @returns false if there is none. @internal */
  turn(writes: Writes): boolean {
    const { intervals, state } = this.iteration;
    this.writes = writes;
    this.count = 0;
    this.from = this.to;
    for (; this.to < intervals.length; this.to += intervals.stride) {
      state.turnTo(intervals, this.to);
      if (this.to === this.from) this.depth = state.depth;
      else if (state.depth !== this.depth) break;
      this.count += state.to - state.from;
    }
    return this.to > this.from;
  }

  /** @internal */
  release(): void {
    this.from = 0;
    this.to = 0;
    this.count = 0;
  }
}

/**
 * Calls `callback` once per level: all rows of one depth together, shallow ones first, in the order of `eachBatch`. For work on
 * many rows at once, in parallel or in WebAssembly. An order or groups split levels: then a depth may come more than once.
 *
 * @cost as `eachBatch`, and a pass over the list of batches.
 * @throws TreelineError `bad-query` for a query without `cascade`, `up` or `selfOrUp` (a variable is not enough), for a callback
 *   that is not a function and for `writes` that are not components with values; `disposed`; what the callback throws, or
 *   otherwise the first error of a deferred change.
 */
export function eachLevel(query: Query, callback: (level: Level) => void, options?: IterationOptions): void {
  const writes = requireCallback(query, callback, options);
  if (query.plan.traversals.length === 0)
    refuse("eachLevel needs a query with a term cascade, up or selfOrUp");
  iterate(query, false, iterateLevels, callback, writes);
}

function iterateLevels(iteration: Iteration, callback: (level: Level) => void, writes: Writes): void {
  const level = viewOf(iteration, Level);
  while (level.turn(writes)) callback(level);
}
