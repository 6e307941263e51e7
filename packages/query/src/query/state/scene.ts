import type { Entity, World } from "@treeline/core";
import type { ArchetypeView, TableId } from "@treeline/core/internal";
import { ANY, allArchetypes, archetypeViewAt, handleOf, rowAt } from "@treeline/core/internal";
import { createWay, forgetFar, type Way } from "../../match/ancestors.ts";
import { Sight } from "../../match/evaluate.ts";
import { indexIfAlive } from "../../match/pairs.ts";
import { isVariable } from "../../term/operators.ts";
import type { Aside } from "../../term/plan.ts";
import type { Batches } from "../batches/batches.ts";
import { holderArchetypeOf } from "../batches/chunks.ts";
import { HEAD, JOINED, ROWS, type Spans } from "../lists/spans.ts";
import { type Query, wholeOf } from "./query-state.ts";

type Gather = (query: Query, scene: Scene, spans: Spans) => void;

/**
 * What only some terms need: those terms bring it along when they are made. So bundlers leave out what a program does not
 * use. Functions only; nothing in here is state.
 */
interface Engine {
  /** Brought by `not`. */
  takeOutTarget: (query: Query, spans: Spans, place: number) => void;
  /** Brought by `or`. */
  collectEither: (query: Query, spans: Spans) => boolean;
  /** Brought by `on` and `singleton`. */
  lookAside: (scene: Scene, aside: Aside, place: number) => number;
  hasFalseAside: (query: Query, scene: Scene) => boolean;
  /** Brought by `changed`, `added` and `removed`. */
  filterNews: (query: Query, scene: Scene, spans: Spans, at: number) => void;
  watch: (query: Query, isAsked: boolean) => void;
  beginLook: (query: Query) => number;
  endLook: (query: Query, tick: number) => void;
  /** Brought by `up`, `selfOrUp`, `cascade` and variables. */
  gatherBatched: Gather;
  forgetBatches: (world: World, key: string) => void;
  turnBeside: (scene: Scene, spans: Spans, at: number) => void;
  /** Brought by variables. */
  gatherJoined: Gather;
  bondsHold: (scene: Scene) => boolean;
  /** Brought by `orderBy`, `groupBy` and parts of queries. */
  arrange: Gather;
  stopOrdering: (query: Query) => void;
}

export const engine: { [Slot in keyof Engine]?: Engine[Slot] | undefined } = {};

/**
 * What a visit knows, and where it is; one for each visit that is running. While rows are gathered, one entity or one
 * archetype is looked at; then one span after the other is shown.
 */
export class Scene extends Sight {
  query: Query;
  /** What is shown: positions `from <= at < to`. */
  from = 0;
  to = 0;
  /** Position -> absolute row; undefined if positions are absolute rows. */
  rows: Int32Array | undefined = undefined;
  /** Steps from the root along the first way. */
  depth = 0;
  /** By way: position -> absolute rows of the nearest ancestors; undefined if `holderRow` has one row for all. */
  readonly holderRows: (Int32Array | undefined)[];
  /** By variable: an entity index; 0 while it is free. */
  readonly variables: number[];
  /** Tests have still to be asked of some that are listed. */
  isOpen = false;
  /** The free variable is the last of the ways to ancestors. */
  isFree = false;
  /** Of a visit with ways to ancestors: the lists that positions are places in. */
  batches: Batches | undefined = undefined;
  /** Ways up, made when the visit looks for ancestors one by one: those of the plan, then those of its asides. */
  readonly ways: (Way | undefined)[] = [];
  /** Depths along a relation with many targets, of those this visit met: by table. */
  readonly depths: Map<TableId, number> = new Map();

  constructor(query: Query) {
    const { plan, world } = query;
    super(world);
    this.query = query;
    // Variables are ways as well, behind those to ancestors.
    for (let left = plan.traversals.length + plan.variables.length; left > 0; left--) {
      this.holders.push(undefined);
      this.holderRow.push(0);
    }
    this.holderRows = this.holders.map(() => undefined);
    this.variables = plan.variables.map(() => 0);
  }

  /** Enough where nothing has to be asked. @param isTold what variables stand for: not for who is shown rows only. */
  beginBound(query: Query, isTold = true): void {
    const { world, bound } = query;
    this.query = query;
    this.batches = undefined;
    this.isFree = false;
    for (let at = 0; isTold && at < bound.length; at++) this.variables[at] = indexIfAlive(world, bound[at]!);
  }

  /** Looks at given entities as well, as they are now. */
  begin(query: Query): void {
    this.beginBound(query);
    const { plan } = query;
    const { looked, began } = wholeOf(query);
    this.isSteady = false;
    this.since = looked;
    this.sinceRemoved = Math.max(looked, began);
    this.holders.fill(undefined);
    for (let at = 0; at < this.ways.length; at++) forgetFar(this.ways[at]);
    if (this.depths.size > 0) this.depths.clear();
    for (let at = 0; at < plan.asides.length; at++) this.askAgain(at);
  }

  /** Looks at one given entity; if a variable is meant, at what that stands for. */
  askAgain(place: number): void {
    this.found[place] = engine.lookAside!(this, this.query.plan.asides[place]!, place);
  }

  /** @param at where the numbers of a span begin. */
  turnTo(spans: Spans, at: number): void {
    const { numbers } = spans;
    this.turnToRows(allArchetypes(this.world)[numbers[at]!]!, numbers[at + 1]!, numbers[at + 2]!);
    if (this.holders.length > 0) this.holders.fill(undefined);
    if (numbers[at + 3] !== ROWS) engine.turnBeside!(this, spans, at);
  }

  /** With nobody beside them. */
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

  /** The absolute row of the nearest ancestor of a position. */
  holderRowAt(way: number, at: number): number {
    const rows = this.holderRows[way];
    return rows === undefined ? this.holderRow[way]! : rows[at]!;
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
    const { way } = query.plan.watched[note]!;
    const { notes, round } = query.watch;
    const holder = handleOf(world, this.holders[way]!.lanes.i32[this.holderRow[way]!]!);
    return notes[note]?.switchedAt(index, handleOf(world, index), holder, round) ?? Number.POSITIVE_INFINITY;
  }

  override targetOf(end: number): number {
    if (end >= ANY) return end;
    const place = this.query.plan.variables.indexOf(end);
    const index = this.variables[place]!;
    return index > 0 ? handleOf(this.world, index) : this.query.bound[place]! || ANY;
  }
}

/** Looks at the entity at one position, and at its nearest ancestors. */
export function lookAt(scene: Scene, at: number): void {
  const { holders, holderRow } = scene;
  scene.row = scene.rowAt(at);
  scene.index = scene.archetype.lanes.i32[scene.row]!;
  for (let way = 0; way < holders.length; way++)
    if (holders[way] !== undefined) holderRow[way] = scene.holderRowAt(way, at);
}

/** A way up, with what the visit passed on long ones. @param place of the way among those of the scene. */
export function wayOf(scene: Scene, place: number, asked: Parameters<typeof createWay>[1]): Way {
  const known = scene.ways[place];
  if (known?.what.target === asked.what.target) return known;
  const way = createWay(scene.world, asked);
  scene.ways[place] = way;
  return way;
}

// ---- ancestors and variables beside rows: brought by terms about those -------------------------------------------------

/** Turns to rows that have ancestors or variables beside them. */
export function turnBeside(scene: Scene, { numbers, stride }: Spans, at: number): void {
  const { query, world, variables, holders } = scene;
  const chunk = numbers[at + 3]!;
  if (chunk !== JOINED) {
    const { rows, chunks, holderRows } = scene.batches!.positions;
    scene.rows = rows;
    scene.depth = chunks.depth[chunk]!;
    for (let place = 0; place < holderRows.length; place++) {
      const holder = holderArchetypeOf(chunks, chunk, place);
      if (holder >= 0) holders[place] = allArchetypes(world)[holder];
      scene.holderRows[place] = holderRows[place];
    }
    return;
  }
  // Those share variables and ancestors: their entity indexes stand in the span.
  const { traversals, asides } = query.plan;
  for (let place = 0; place < variables.length; place++) variables[place] = numbers[at + HEAD + place]!;
  for (let place = 0; place < asides.length; place++) {
    const { source, target } = asides[place]!;
    if (isVariable(source) || isVariable(target)) scene.askAgain(place);
  }
  if (traversals.length > 0) scene.depth = numbers[at + stride - 1]!;
  for (let way = 0; way < traversals.length; way++) {
    const index = numbers[at + HEAD + variables.length + way]!;
    if (index === 0) continue;
    holders[way] = archetypeViewAt(world, index);
    scene.holderRows[way] = undefined;
    scene.holderRow[way] = rowAt(world, index);
  }
}

/** Turns to the span behind the one that is shown, if only positions and depth are others there. @returns whether it has. */
export function turnOn(scene: Scene, { numbers, stride }: Spans, at: number): boolean {
  const before = at - stride;
  const chunk = numbers[at + 3]!;
  const last = numbers[before + 3]!;
  if (chunk <= ROWS || last <= ROWS || numbers[at] !== numbers[before] || scene.variables.length > 0)
    return false;
  const { holder, depth } = scene.batches!.positions.chunks;
  if (holder[chunk] !== holder[last]) return false;
  scene.from = numbers[at + 1]!;
  scene.to = numbers[at + 2]!;
  scene.depth = depth[chunk]!;
  return true;
}

/** The place of the way to what a free variable stands for; -1 if that is the same for the whole span. */
export function wayOfVariable({ isFree, query }: Scene): number {
  return isFree ? query.plan.traversals.length : -1;
}

/** The place among the ways of what a variable stands for, to which it turns if that is the same for the whole span. */
export function turnToVariable(scene: Scene, variable: number): number {
  const { world, variables, holders, query } = scene;
  const number = query.plan.variables.indexOf(variable);
  const way = query.plan.traversals.length + number;
  if (scene.isFree) return way;
  const index = variables[number]!;
  holders[way] = index === 0 ? undefined : archetypeViewAt(world, index);
  scene.holderRows[way] = undefined;
  scene.holderRow[way] = rowAt(world, index);
  return way;
}
