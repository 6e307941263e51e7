import { ChildOf, type World } from "@treeline/core";
import {
  type Archetype,
  archetypeAt,
  hasDefinition,
  type PairId,
  pairsOf,
  rowAt,
  type TableId,
} from "@treeline/core/internal";
import {
  createWay,
  forgetFar,
  holderOf,
  holderOnLines,
  longestLine,
  owns,
  type Way,
} from "../../match/ancestors.ts";
import { type Cursors, cursorsOf, shapeHas } from "../../match/pairs.ts";
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
  /** Along a relation with many targets. */
  readonly isWide: boolean;
  /** Pairs that `eachBelow` came past in this round. */
  readonly passed: Set<PairId>;
}

/** A list of traversals, and where they lead from one unit: a table, or one loose entity. */
export class Ways {
  readonly list: readonly FiledWay[];
  /** Those of the world. */
  readonly cursors: Cursors;
  /** One of them goes along ChildOf: loose entities are units of their own, since their tables do not tell their parents. */
  readonly hasLoose: boolean;
  /** One of them goes along a relation with many targets: with each change everything is filed anew. */
  readonly isWide: boolean;
  /**
   * Depths of loose entities are told by their tables: the first way does not go along ChildOf, but another one does. By
   * table: at which depth its loose entities were filed.
   */
  readonly hasDepthByTable: boolean;
  readonly depthOf: Map<TableId, number> = new Map();
  /** Of a first way with many targets: the longest ways up, in this round. */
  readonly lines: Map<TableId, number> = new Map();
  /** Where the ways lead from the unit last looked at: its depth along the first, and by way the index of the holder, or 0. */
  depth = 0;
  readonly holders: Int32Array<ArrayBuffer>;
  /** The shape of the holder, or -1; for several ways the number of the list of these. */
  key = 0;

  constructor(world: World, traversals: readonly Pick<Traversal, "relation" | "what">[]) {
    this.list = traversals.map((traversal) => ({
      ...createWay(world, traversal),
      isParental: traversal.relation === ChildOf,
      isWide: !traversal.relation.keepsDepth,
      passed: new Set(),
    }));
    this.cursors = cursorsOf(world);
    this.hasLoose = this.list.some(({ isParental }) => isParental);
    this.isWide = this.list.some(({ isWide }) => isWide);
    this.hasDepthByTable = this.hasLoose && !this.isWide && !this.list[0]!.isParental;
    this.holders = new Int32Array(traversals.length);
  }
}

/** Ends a round, in which nothing changes: what was noted in it is not kept, since holders may be others in the next. */
export function endRound({ list, lines }: Ways): void {
  for (const way of list) {
    forgetFar(way);
    way.passed.clear();
  }
  lines.clear();
}

export function filingOf({ hasLoose, list }: Ways, shape: Archetype): number {
  if (hasLoose && shape.isLoose) return BY_ENTITY;
  for (let place = 0; place < list.length; place++)
    if (hasDefinition(shape, list[place]!.relation)) return BY_TABLE;
  return NOT_FILED;
}

/** How the rows of a table are filed, to which the cursor has turned then; those of a table that is gone are not. */
export function filingOfTable(ways: Ways, table: TableId): number {
  const { tables } = ways.cursors;
  return tables.turnTo(table) ? filingOf(ways, tables.archetype) : NOT_FILED;
}

/** Finds depth and holders of a unit, for `ways`. Within a round. @param loose the pair of a loose entity; 0 for a whole table. */
export function lookUp(
  world: World,
  ways: Ways,
  holderShapes: HolderShapes,
  table: TableId,
  loose: PairId,
): void {
  const { list, holders } = ways;
  ways.key = 0;
  for (let place = 0; place < list.length; place++) {
    const way = list[place]!;
    const pair = way.isWide ? 0 : pairAlong(ways, way, table, loose);
    const holder = way.isWide ? holderOnLines(world, table, way) : holderOf(world, pair, way);
    if (place === 0) {
      if (way.isWide) ways.depth = longestLine(world, table, way.relation, ways.lines);
      else ways.depth = way.pairs.depth(pair); // 0 without a pair
    }
    holders[place] = holder;
    const shape = holder === 0 ? -1 : archetypeAt(world, holder).number;
    ways.key = list.length === 1 ? shape : withShape(holderShapes, ways.key, shape);
  }
}

/** The pair of an exclusive relation that a unit has, or 0. */
function pairAlong({ cursors }: Ways, way: FiledWay, table: TableId, loose: PairId): PairId {
  const { pairs, isParental, relation } = way;
  if (isParental && loose !== 0) return loose;
  if (isParental) {
    const { tables } = cursors;
    if (tables.table !== table) tables.turnTo(table);
    return tables.parentPair;
  }
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++))
    if (pairs.relation(pair) === relation.id) break;
  return pair;
}

/** 0 if there is no holder. */
export function rowOfHolder(world: World, holder: number): number {
  return holder === 0 ? 0 : rowAt(world, holder);
}

/**
 * Lie the loose entities of a table at another depth than when this was asked last? Those who have come since are not meant.
 * To be asked where depths are told by tables.
 */
export function hasOtherDepth(ways: Ways, table: TableId): boolean {
  if (filingOfTable(ways, table) !== BY_ENTITY) return false;
  const first = ways.list[0]!;
  const depth = first.pairs.depth(pairAlong(ways, first, table, 0));
  if (ways.depthOf.get(table) === depth) return false;
  ways.depthOf.set(table, depth);
  return true;
}

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
    if (pair === 0 || way.passed.has(pair)) continue;
    way.passed.add(pair);
    for (outer.ofPair(pair); outer.next(); ) {
      const { table, archetype, first, end } = outer;
      visitTable(table);
      // What lies below those who do not have what is looked for has to be met as well.
      if (first === end || (!way.isOfRows && shapeHas(archetype, way.what.definition))) continue;
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
