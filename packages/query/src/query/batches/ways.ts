import { ChildOf, type World } from "@treeline/core";
import {
  type Archetype,
  archetypeAt,
  archetypesOf,
  grownInt32,
  hasDefinition,
  type PairId,
  pairsOf,
  rowAt,
  sizesOf,
  type TableId,
  tableAt,
} from "@treeline/core/internal";
import {
  createWay,
  forgetFar,
  holderOf,
  owns,
  shapeOwns,
  targetsIn,
  type Way,
} from "../../match/ancestors.ts";
import { type Cursors, cursorsOf } from "../../match/pairs.ts";
import type { Traversal } from "../../term/plan.ts";
import { type HolderShapes, withShape } from "./chunks.ts";

/** How the rows of a shape are filed: not at all, table by table, or entity by entity. */
export const NOT_FILED = -1;
export const BY_TABLE = 1;
export const BY_ENTITY = 2;

/** A way that rows are filed along. */
export interface FiledWay extends Way {
  /** Along ChildOf: parents of both storages. */
  readonly isParental: boolean;
  /** By pair: the round in which `eachBelow` came past it. */
  passed: Int32Array<ArrayBuffer>;
  round: number;
  /** For relations with many targets; `far` and `passed` are for the others. */
  readonly lines: Lines | undefined;
}

/** A list of traversals, and where they lead from one unit: a table, or one loose entity. */
export interface Ways {
  readonly list: readonly FiledWay[];
  /** Those of the world. */
  readonly cursors: Cursors;
  /** There is one, and it goes along ChildOf: the everyday case. */
  readonly isPlain: boolean;
  /** One of them goes along ChildOf: loose entities are units of their own, since their tables do not tell their parents. */
  readonly hasLoose: boolean;
  /** One of them goes along a relation with many targets: with each change everything is filed anew. */
  readonly isWide: boolean;
  /**
   * Depths of loose entities are told by their tables: the first way does not go along ChildOf, but another one does. By
   * table: at which depth its loose entities were filed.
   */
  readonly hasDepthByTable: boolean;
  depthOf: Int32Array<ArrayBuffer>;
  /** By shape number: NOT_FILED, BY_TABLE or BY_ENTITY; 0 while nobody asked. */
  filing: Int8Array<ArrayBuffer>;
  /** Where the ways lead from the unit last looked at: its depth along the first, and by way the index of the holder, or 0. */
  depth: number;
  readonly holders: Int32Array<ArrayBuffer>;
  /** The shape of the holder, or -1; for several ways the number of the list of these. */
  key: number;
}

export function createWays(world: World, traversals: readonly Traversal[]): Ways {
  const list: FiledWay[] = [];
  let hasLoose = false;
  let isWide = false;
  for (const traversal of traversals) {
    const isParental = traversal.relation === ChildOf;
    const lines = traversal.relation.keepsDepth ? undefined : createLines();
    list.push({ ...createWay(world, traversal), isParental, passed: new Int32Array(0), round: 0, lines });
    hasLoose ||= isParental;
    isWide ||= lines !== undefined;
  }
  return {
    list,
    cursors: cursorsOf(world),
    isPlain: hasLoose && list.length === 1,
    hasLoose,
    isWide,
    hasDepthByTable: hasLoose && !list[0]!.isParental,
    depthOf: new Int32Array(0),
    filing: new Int8Array(16),
    depth: 0,
    holders: new Int32Array(list.length),
    key: 0,
  };
}

/** Begins a round, in which nothing changes: holders may be others than in the one before. */
export function beginRound(world: World, ways: Ways): void {
  const { pairs, tables } = sizesOf(world);
  for (const way of ways.list) {
    if (way.lines !== undefined) beginLines(tables, way.lines);
    else way.passed = grownInt32(way.passed, pairs);
    way.round++;
  }
  if (ways.hasDepthByTable) ways.depthOf = grownInt32(ways.depthOf, tables);
}

/** What was noted for one round is not kept. */
export function endRound(ways: Ways): void {
  for (let place = 0; place < ways.list.length; place++) forgetFar(ways.list[place]!);
}

/** How the rows of a shape are filed. */
export function filingOf(world: World, ways: Ways, shape: number): number {
  const known = ways.filing[shape];
  return known === undefined || known === 0 ? findFiling(world, ways, shape) : known;
}

function findFiling(world: World, ways: Ways, shape: number): number {
  if (shape >= ways.filing.length) {
    const longer = new Int8Array(shape * 2);
    longer.set(ways.filing);
    ways.filing = longer;
  }
  const filing = filingFor(ways, archetypesOf(world)[shape]!);
  ways.filing[shape] = filing;
  return filing;
}

function filingFor(ways: Ways, shape: Archetype): number {
  if (ways.hasLoose && shape.isLoose) return BY_ENTITY;
  return ways.list.some(({ relation }) => hasDefinition(shape, relation)) ? BY_TABLE : NOT_FILED;
}

/** How the rows of a table are filed; those of a table that is gone are not. */
export function filingOfTable(world: World, ways: Ways, table: TableId): number {
  const { tables } = ways.cursors;
  return tables.turnTo(table) ? filingOf(world, ways, tables.archetype.number) : NOT_FILED;
}

/**
 * Finds depth and holders of a unit; the answers stand in `ways`. Within a round.
 *
 * @param loose the pair of a loose entity, with its table; 0 for a whole table.
 */
export function lookUp(
  world: World,
  ways: Ways,
  holderShapes: HolderShapes,
  table: TableId,
  loose: PairId,
): void {
  if (!ways.isPlain) {
    lookAlongAll(world, ways, holderShapes, table, loose);
    return;
  }
  let pair = loose;
  if (pair === 0) {
    const { tables } = ways.cursors;
    if (tables.table !== table) tables.turnTo(table);
    pair = tables.parentPair;
  }
  const holder = holderOf(world, pair, ways.list[0]!);
  ways.depth = ways.list[0]!.pairs.depth(pair);
  ways.holders[0] = holder;
  ways.key = shapeOfHolder(world, holder);
}

function lookAlongAll(
  world: World,
  ways: Ways,
  holderShapes: HolderShapes,
  table: TableId,
  loose: PairId,
): void {
  const { length } = ways.list;
  let key = 0;
  for (let place = 0; place < length; place++) {
    const holderShape = lookAlong(world, ways, place, table, loose);
    key = length === 1 ? holderShape : withShape(holderShapes, key, holderShape);
  }
  ways.key = key;
}

/** @returns the holder's shape, or -1. */
function lookAlong(world: World, ways: Ways, place: number, table: TableId, loose: PairId): number {
  const way = ways.list[place]!;
  const { lines } = way;
  let depth = 0;
  let holder = 0;
  if (lines !== undefined) {
    settleLines(world, lines, way, table);
    depth = lines.depth[table]!;
    holder = lines.holder[table]!;
  } else {
    const pair = pairAlong(world, way, table, loose);
    if (pair !== 0) {
      depth = way.pairs.depth(pair);
      holder = holderOf(world, pair, way);
    }
  }
  if (place === 0) ways.depth = depth;
  ways.holders[place] = holder;
  return shapeOfHolder(world, holder);
}

function shapeOfHolder(world: World, holder: number): number {
  return holder === 0 ? -1 : archetypeAt(world, holder).number;
}

/** The pair of an exclusive relation that a unit has, or 0. */
function pairAlong(world: World, way: FiledWay, table: TableId, loose: PairId): PairId {
  const pairs = pairsOf(world);
  if (way.isParental && loose !== 0) return loose;
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++))
    if (pairs.relation(pair) === way.relation.id) break;
  return pair;
}

/** The absolute row of a holder; 0 if there is none. */
export function rowOfHolder(world: World, holder: number): number {
  return holder === 0 ? 0 : rowAt(world, holder);
}

/**
 * Lie the loose entities of a table at another depth than when this was asked last? Those who have come since are not meant.
 */
export function hasOtherDepth(world: World, ways: Ways, table: TableId): boolean {
  const { lines } = ways.list[0]!;
  if (lines !== undefined || filingOfTable(world, ways, table) !== BY_ENTITY) return false;
  const pair = pairAlong(world, ways.list[0]!, table, 0);
  const depth = pair === 0 ? 0 : pairsOf(world).depth(pair);
  if (ways.depthOf[table] === depth) return false;
  ways.depthOf[table] = depth;
  return true;
}

// ---- what lies below -------------------------------------------------------------------------------------------------

/**
 * Calls the visitors with each table and each loose entity whose nearest holder along a relation that keeps depths may be
 * another one, or lie elsewhere, now that an entity moved: its sources, and below sources who do not have what is
 * looked for theirs, and so on. Within a round everybody is met once.
 */
export function eachBelow(
  world: World,
  index: number,
  way: FiledWay,
  visitTable: (table: TableId) => void,
  visitLoose: (index: number) => void,
): void {
  const pairs = pairsOf(world);
  const { outer, values } = cursorsOf(world);
  const waiting = [index];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const pair = pairs.find(way.relation, at);
    if (pair === 0 || way.passed[pair] === way.round) continue;
    way.passed[pair] = way.round;
    for (outer.ofPair(pair); outer.next(); ) {
      const { table, archetype, first, end } = outer;
      visitTable(table);
      // What lies below those who do not have what is looked for has to be met as well.
      if (first === end || (!way.isOfRows && shapeOwns(world, way, archetype.number))) continue;
      const { i32 } = archetype.lanes;
      for (let row = first; row < end; row++) {
        if (!way.isOfRows || !owns(world, way, i32[row]!)) waiting.push(i32[row]!);
      }
    }
    if (!way.isParental) continue;
    for (values.ofPair(pair); values.next(); ) {
      const child = values.index;
      visitLoose(child);
      if (!owns(world, way, child)) waiting.push(child);
    }
  }
}

// ---- relations with many targets -------------------------------------------------------------------------------------

/**
 * What is found along a relation with many targets, whose pairs keep no depth and hang below no single other: by table,
 * since all rows of one have the same targets. Good for one round.
 */
interface Lines {
  /** By table: the index of the nearest holder, 0 if there is none; and the longest way up, 0 without targets. */
  holder: Int32Array<ArrayBuffer>;
  depth: Int32Array<ArrayBuffer>;
  /** By table: the round in which it was settled. */
  settled: Int32Array<ArrayBuffer>;
  round: number;
}

function createLines(): Lines {
  const none = new Int32Array(0);
  return { holder: none, depth: none, settled: none, round: 0 };
}

/** Forgets what was found so far. */
function beginLines(length: number, lines: Lines): void {
  lines.holder = grownInt32(lines.holder, length);
  lines.depth = grownInt32(lines.depth, length);
  lines.settled = grownInt32(lines.settled, length);
  lines.round++;
}

/**
 * Finds holder and depth of a table's rows, and of all that they lead to. Of several targets the line of the one with the
 * lowest index is followed to its end before the next. Cost: each pair that it leads to, once in a round.
 */
function settleLines(world: World, lines: Lines, way: Way, table: TableId): void {
  const { settled, round } = lines;
  if (settled[table] === round) return;
  const waiting = [table];
  for (let at = waiting.at(-1); at !== undefined; at = waiting.at(-1)) {
    if (settled[at] !== round) {
      const targets = targetsIn(world, at, way.relation);
      const before = waiting.length;
      for (const target of targets) {
        const above = tableAt(world, target);
        if (settled[above] !== round) waiting.push(above);
      }
      if (waiting.length > before) continue;
      settleTable(world, lines, way, at, targets);
    }
    waiting.pop();
  }
}

/** All that its targets lead to has been settled. */
function settleTable(world: World, lines: Lines, way: Way, table: TableId, targets: readonly number[]): void {
  let holder = 0;
  let depth = 0;
  for (const target of targets) {
    const above = tableAt(world, target);
    depth = Math.max(depth, lines.depth[above]! + 1);
    if (holder === 0) holder = owns(world, way, target) ? target : lines.holder[above]!;
  }
  lines.holder[table] = holder;
  lines.depth[table] = depth;
  lines.settled[table] = lines.round;
}
