// What an iteration knows at each interval (`IterationState`); the functions that terms install (`engine`).
import type { Definition, Entity, World } from "@treeline/core";
import type { ArchetypeView, TableId } from "@treeline/core/internal";
import { ANY, allArchetypes, archetypeViewAt, handleOf, rowAt } from "@treeline/core/internal";
import { createPath, forgetFar, type UpPath } from "../../match/ancestors.ts";
import { MatchContext } from "../../match/evaluate.ts";
import { indexIfAlive } from "../../match/pairs.ts";
import { isVariable } from "../../term/operators.ts";
import type { FixedSource, Plan } from "../../term/plan.ts";
import type { Batches } from "../batches/batches.ts";
import { type RowLists, sourceArchetypeOf } from "../batches/chunks.ts";
import type { Sorting } from "../lists/ordering.ts";
import { HEAD, JOINED, OWN_LIST, ROWS, type RowIntervals } from "../lists/row-intervals.ts";
import { type Query, wholeOf } from "./query-state.ts";

type Bits = NonNullable<ArchetypeView["bits"]>;

type ListRows = (query: Query, state: IterationState, intervals: RowIntervals) => void;

/**
 * What only some terms need: those terms install it when they are made, so bundlers leave out what a program does not use. Only
 * functions, no state.
 */
interface Engine {
  /** Installed by `not`. */
  excludeTarget: (query: Query, intervals: RowIntervals, place: number) => void;
  /** Installed by `or`. */
  collectEither: (query: Query, intervals: RowIntervals) => boolean;
  /** Installed by `on` and `singleton`. */
  findFixedSource: (state: IterationState, fixed: FixedSource, place: number) => number;
  hasFalseFixedSource: (query: Query, state: IterationState) => boolean;
  /** Installed by `changed`, `added` and `removed`. */
  filterUnread: (query: Query, state: IterationState, intervals: RowIntervals, at: number) => void;
  watch: (query: Query, isOn: boolean) => void;
  beginReading: (query: Query) => number;
  endReading: (query: Query, tick: number) => void;
  findEnabled: (query: Query) => MatchContext["enabled"];
  /** Installed by `below`. */
  findBelow: (state: IterationState) => void;
  collectBelow: (query: Query, state: IterationState, intervals: RowIntervals) => boolean;
  /** Installed by `up`, `selfOrUp`, `cascade` and variables. */
  listBatched: ListRows;
  forgetBatches: (world: World, key: string) => void;
  turnToJoined: (state: IterationState, intervals: RowIntervals, at: number) => void;
  /** Installed by `up` and `selfOrUp`. */
  targetsAbove: (
    world: World,
    index: number,
    what: {
      readonly definition: Definition;
      readonly above: Definition | undefined;
      readonly isSelf: boolean;
    },
  ) => Set<number>;
  /** Installed by variables. */
  listJoined: ListRows;
  joinsHold: (state: IterationState) => boolean;
  /** Installed by `orderBy`, `groupBy` and parts of queries. */
  sortRows: ListRows;
  stopOrdering: (query: Query) => void;
  /** Installed by `each`: called for a query that is not needed any more, with what it keeps by slot. */
  dropLoops: (rows: readonly never[]) => void;
  /** Installed by `inOrder`. */
  numberInOrder: (world: World, plan: Plan, sorting: Sorting) => void;
}

export const engine: { [Slot in keyof Engine]?: Engine[Slot] | undefined } = {};

const NO_ROWS = /* @__PURE__ */ new Int32Array(0);

/**
 * What an iteration knows, and where it is; one for each running iteration. While rows are listed, it is at one entity or one
 * archetype; then it goes from interval to interval.
 */
export class IterationState extends MatchContext {
  query: Query;
  /** Components that the callback only reads: nothing looks for writes to their arrays. */
  reads: readonly unknown[] | undefined = undefined;
  /** The current interval: positions `from <= at < to`. */
  from = 0;
  to = 0;
  /** Position -> absolute row; undefined if positions are absolute rows. */
  rows: Int32Array | undefined = undefined;
  /** Absolute rows in the order of iteration: what positions are places in where the rows of an iteration are one list. Grows. */
  own: Int32Array<ArrayBuffer> = NO_ROWS;
  /** The runs of such a list, as [first, end, first, end, ...]. */
  bounds: Int32Array<ArrayBuffer> = NO_ROWS;
  /** By archetype number, zeros between iterations: where its rows end in `own`. */
  ends: Int32Array<ArrayBuffer> = NO_ROWS;
  /** Steps from the root along the first path. */
  depth = 0;
  /** By path: position -> absolute row of the source; undefined if `sourceRow` has one row for all. */
  readonly sourceRows: (Int32Array | undefined)[];
  /** By variable: an entity index; 0 while it is free. */
  readonly variables: number[];
  /** Tests must still be evaluated for some of the listed rows. */
  isOpen = false;
  /** The free variable is the last of the paths to ancestors. */
  isFree = false;
  /** For an iteration with paths to ancestors: the batches, and the lists to which positions refer. */
  batches: Batches | undefined = undefined;
  lists: Pick<RowLists, "rows" | "sourceRows"> | undefined = undefined;
  /** Intervals without rows that are cut out, as last made. */
  declare cuts?: NonNullable<ReturnType<Bits["cutIntervals"]>>;
  /** Paths up, made when the iteration searches ancestors one by one: those of the plan, then those of its fixed sources. */
  readonly paths: (UpPath | undefined)[] = [];
  /** Depths along a relation with many targets, as far as this iteration computed them: by table. */
  readonly depths: Map<TableId, number> = new Map();

  constructor(query: Query) {
    const { plan, world } = query;
    super(world);
    this.query = query;
    // Variables are paths as well, after those to ancestors.
    for (let left = plan.traversals.length + plan.variables.length; left > 0; left--) {
      this.sources.push(undefined);
      this.sourceRow.push(0);
    }
    this.sourceRows = this.sources.map(() => undefined);
    this.variables = plan.variables.map(() => 0);
  }

  /** Enough where nothing must be evaluated. @param setsVariables false for iterations that only pass rows. */
  beginBound(query: Query, setsVariables = true): void {
    const { world, bound } = query;
    this.query = query;
    this.batches = undefined;
    this.isFree = false;
    for (let at = 0; setsVariables && at < bound.length; at++)
      this.variables[at] = indexIfAlive(world, bound[at]!);
  }

  /** Evaluates fixed sources as well, as they are now. */
  begin(query: Query): void {
    this.beginBound(query);
    const { plan } = query;
    const whole = wholeOf(query);
    this.isSteady = false;
    this.since = whole.lastRead;
    this.began = whole.began;
    this.enabled = engine.findEnabled?.(whole);
    this.sources.fill(undefined);
    for (let at = 0; at < this.paths.length; at++) forgetFar(this.paths[at]);
    if (this.depths.size > 0) this.depths.clear();
    for (let at = 0; at < plan.fixedSources.length; at++) this.findFixedSourceAt(at);
    engine.findBelow?.(this);
  }

  /** Evaluates one fixed source; for a variable, the entity that it is bound to. */
  findFixedSourceAt(place: number): void {
    this.found[place] = engine.findFixedSource!(this, this.query.plan.fixedSources[place]!, place);
  }

  /** @param at where the numbers of an interval begin. */
  turnTo(intervals: RowIntervals, at: number): void {
    const { numbers } = intervals;
    this.turnToRows(allArchetypes(this.world)[numbers[at]!]!, numbers[at + 1]!, numbers[at + 2]!);
    if (this.sources.length > 0) this.sources.fill(undefined);
    if (numbers[at + 3] === OWN_LIST) this.rows = this.own;
    else if (numbers[at + 3] !== ROWS) engine.turnToJoined!(this, intervals, at);
  }

  /** Turns to rows without ancestors and variables. */
  turnToRows(archetype: ArchetypeView, from: number, to: number): void {
    this.archetype = archetype;
    this.from = from;
    this.to = to;
    this.rows = undefined;
    this.depth = 0;
  }

  rowAt(at: number): number {
    return this.rows === undefined ? at : this.rows[at]!;
  }

  /** The absolute row of the source of a position. */
  sourceRowAt(path: number, at: number): number {
    const rows = this.sourceRows[path];
    return rows === undefined ? this.sourceRow[path]! : rows[at]!;
  }

  entityAt(at: number): Entity {
    return this.entityIn(this.rowAt(at));
  }

  /** The entity in an absolute row. */
  entityIn(row: number): Entity {
    return handleOf(this.world, this.archetype.lanes.i32[row]!);
  }

  override switchedAt(note: number, index: number): number {
    const { world, query } = this;
    const { path } = query.plan.watched[note]!;
    const { notes, round } = query.watch;
    const source = handleOf(world, this.sources[path]!.lanes.i32[this.sourceRow[path]!]!);
    return notes[note]?.switchedAt(index, handleOf(world, index), source, round) ?? Number.POSITIVE_INFINITY;
  }

  override targetOf(end: number): number {
    if (end >= ANY) return end;
    const place = this.query.plan.variables.indexOf(end);
    const index = this.variables[place]!;
    return index > 0 ? handleOf(this.world, index) : this.query.bound[place]! || ANY;
  }
}

/** Turns to the entity at one position, and to its sources. */
export function turnToEntity(state: IterationState, at: number): void {
  const { sources, sourceRow } = state;
  state.row = state.rowAt(at);
  state.index = state.archetype.lanes.i32[state.row]!;
  for (let path = 0; path < sources.length; path++)
    if (sources[path] !== undefined) sourceRow[path] = state.sourceRowAt(path, at);
}

/** A path up, with what the iteration cached on long ones. @param place of the path among those of the state. */
export function upPathOf(
  state: IterationState,
  place: number,
  wanted: Parameters<typeof createPath>[1],
): UpPath {
  const known = state.paths[place];
  if (known?.what.target === wanted.what.target) return known;
  const path = createPath(state.world, wanted);
  state.paths[place] = path;
  return path;
}

// ---- rows with ancestors and variables: installed by terms about those -------------------------------------------------

/** Turns to rows with ancestors or variables. */
export function turnToJoined(state: IterationState, { numbers, stride }: RowIntervals, at: number): void {
  const { query, world, variables, sources } = state;
  const chunk = numbers[at + 3]!;
  if (chunk !== JOINED) {
    const { rows, sourceRows } = state.lists!;
    const { chunks } = state.batches!.rowLists;
    state.rows = rows;
    state.depth = chunks.depth[chunk]!;
    for (let place = 0; place < sourceRows.length; place++) {
      const source = sourceArchetypeOf(chunks, chunk, place);
      if (source >= 0) sources[place] = allArchetypes(world)[source];
      state.sourceRows[place] = sourceRows[place];
    }
    return;
  }
  // These rows share variables and ancestors: the interval has their entity indexes.
  const { traversals, fixedSources } = query.plan;
  for (let place = 0; place < variables.length; place++) variables[place] = numbers[at + HEAD + place]!;
  for (let place = 0; place < fixedSources.length; place++) {
    const { source, target } = fixedSources[place]!;
    if (isVariable(source) || isVariable(target)) state.findFixedSourceAt(place);
  }
  if (traversals.length > 0) state.depth = numbers[at + stride - 1]!;
  for (let path = 0; path < traversals.length; path++) {
    const index = numbers[at + HEAD + variables.length + path]!;
    if (index === 0) continue;
    sources[path] = archetypeViewAt(world, index);
    state.sourceRows[path] = undefined;
    state.sourceRow[path] = rowAt(world, index);
  }
}

/** Turns to the next interval if only positions and depth differ there. @returns whether it did. */
export function turnOn(state: IterationState, { numbers, stride }: RowIntervals, at: number): boolean {
  const before = at - stride;
  const chunk = numbers[at + 3]!;
  const last = numbers[before + 3]!;
  if (chunk <= ROWS || last <= ROWS || numbers[at] !== numbers[before] || state.variables.length > 0)
    return false;
  const { source, depth } = state.batches!.rowLists.chunks;
  if (source[chunk] !== source[last]) return false;
  state.from = numbers[at + 1]!;
  state.to = numbers[at + 2]!;
  state.depth = depth[chunk]!;
  return true;
}

/** The place of the path to the entity of a free variable; -1 if that is the same for the whole interval. */
export function upPathOfVariable({ isFree, query }: IterationState): number {
  return isFree ? query.plan.traversals.length : -1;
}

/** The place among the paths of the entity of a variable, to which it turns if that is the same for the whole interval. */
export function turnToVariable(state: IterationState, variable: number): number {
  const { world, variables, sources, query } = state;
  const number = query.plan.variables.indexOf(variable);
  const path = query.plan.traversals.length + number;
  if (state.isFree) return path;
  const index = variables[number]!;
  sources[path] = index === 0 ? undefined : archetypeViewAt(world, index);
  state.sourceRows[path] = undefined;
  state.sourceRow[path] = rowAt(world, index);
  return path;
}
