import { ChildOf, type Definition, type World } from "@treeline/core";
import {
  eachLoose,
  findPair,
  type Graph,
  grownInt32,
  hasDefinition,
  type PairNumber,
  type Shape,
  type TableNumber,
} from "@treeline/core/internal";
import { createWay, forgetFar, holderOf, owns, shapeOwns, type Way } from "../../match/ancestors.ts";
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
  /** For `fileLoose`: the rows of these holders, without that along the first way. */
  readonly holderRows: Int32Array<ArrayBuffer>;
  /** The shape of the holder, or -1; for several ways the number of the list of these. */
  key: number;
}

export function createWays(traversals: readonly Traversal[]): Ways {
  const list = traversals.map((traversal) => ({
    ...createWay(traversal),
    isParental: traversal.relation === ChildOf,
    passed: new Int32Array(0),
    round: 0,
    lines: traversal.relation.keepsDepth ? undefined : createLines(),
  }));
  const hasLoose = list.some(({ isParental }) => isParental);
  return {
    list,
    isPlain: hasLoose && list.length === 1,
    hasLoose,
    isWide: list.some(({ lines }) => lines !== undefined),
    hasDepthByTable: hasLoose && !list[0]!.isParental,
    depthOf: new Int32Array(0),
    filing: new Int8Array(16),
    depth: 0,
    holders: new Int32Array(list.length),
    holderRows: new Int32Array(list.length),
    key: 0,
  };
}

/** Begins a round, in which nothing changes: holders may be others than in the one before. */
export function beginRound(world: World, ways: Ways): void {
  for (const way of ways.list) {
    if (way.lines !== undefined) beginLines(world, way.lines);
    else way.passed = grownInt32(way.passed, world.graph.records.firstNode.length);
    way.round++;
  }
  if (ways.hasDepthByTable) ways.depthOf = grownInt32(ways.depthOf, world.graph.tables.length);
}

/** What was noted for one round is not kept. */
export function endRound(ways: Ways): void {
  for (let place = 0; place < ways.list.length; place++) forgetFar(ways.list[place]!);
}

/** How the rows of a shape are filed. */
export function filingOf(graph: Graph, ways: Ways, shape: number): number {
  const known = ways.filing[shape];
  return known === undefined || known === 0 ? findFiling(graph, ways, shape) : known;
}

function findFiling(graph: Graph, ways: Ways, shape: number): number {
  if (shape >= ways.filing.length) {
    const longer = new Int8Array(shape * 2);
    longer.set(ways.filing);
    ways.filing = longer;
  }
  const filing = filingFor(ways, graph.shapes[shape]!);
  ways.filing[shape] = filing;
  return filing;
}

function filingFor(ways: Ways, shape: Shape): number {
  if (ways.hasLoose && shape.isLoose) return BY_ENTITY;
  return ways.list.some(({ relation }) => hasDefinition(shape, relation)) ? BY_TABLE : NOT_FILED;
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
  table: TableNumber,
  loose: PairNumber,
): void {
  if (!ways.isPlain) {
    lookAlongAll(world, ways, holderShapes, table, loose);
    return;
  }
  const { tables, records } = world.graph;
  const pair = loose === 0 ? tables.parentPair[table]! : loose;
  const holder = holderOf(world, pair, ways.list[0]!);
  ways.depth = records.depth[pair]!;
  ways.holders[0] = holder;
  ways.key = shapeOfHolder(world, holder);
}

function lookAlongAll(
  world: World,
  ways: Ways,
  holderShapes: HolderShapes,
  table: TableNumber,
  loose: PairNumber,
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
function lookAlong(world: World, ways: Ways, place: number, table: TableNumber, loose: PairNumber): number {
  const way = ways.list[place]!;
  const { lines } = way;
  let depth = 0;
  let holder = 0;
  if (lines !== undefined) {
    settleLines(world, lines, way, table);
    depth = lines.depth[table]!;
    holder = lines.holder[table]!;
  } else {
    const pair = pairAlong(world.graph, way, table, loose);
    if (pair !== 0) {
      depth = world.graph.records.depth[pair]!;
      holder = holderOf(world, pair, way);
    }
  }
  if (place === 0) ways.depth = depth;
  ways.holders[place] = holder;
  return shapeOfHolder(world, holder);
}

function shapeOfHolder({ graph, entities }: World, holder: number): number {
  return holder === 0 ? -1 : graph.tables.shape[entities.table[holder]!]!;
}

/** The pair of an exclusive relation that a unit has, or 0. */
function pairAlong(
  { tables, records, pairs }: Graph,
  way: FiledWay,
  table: TableNumber,
  loose: PairNumber,
): PairNumber {
  if (way.isParental) return loose === 0 ? tables.parentPair[table]! : loose;
  const { id } = way.relation;
  const first = tables.nodes[table]!;
  const end = first + tables.pairs[table]!;
  for (let node = first; node < end; node++) {
    const pair = records.nodePair[node]!;
    if (pairs.relation[pair] === id) return pair;
  }
  return 0;
}

/** The absolute row of a holder; 0 if there is none. */
export function rowOfHolder({ graph, entities }: World, holder: number): number {
  return holder === 0 ? 0 : graph.tables.first[entities.table[holder]!]! + entities.row[holder]!;
}

/**
 * Lie the loose entities of a table at another depth than when this was asked last? Those who have come since are not meant.
 */
export function hasOtherDepth({ graph }: World, ways: Ways, table: TableNumber): boolean {
  const shape = graph.tables.shape[table]!;
  const { lines } = ways.list[0]!;
  if (lines !== undefined || shape < 0 || filingOf(graph, ways, shape) !== BY_ENTITY) return false;
  const pair = pairAlong(graph, ways.list[0]!, table, 0);
  const depth = pair === 0 ? 0 : graph.records.depth[pair]!;
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
  visitTable: (table: TableNumber) => void,
  visitLoose: (index: number) => void,
): void {
  const { graph } = world;
  const { pairs, records, links } = graph;
  const { id } = way.relation;
  const waiting = [index];
  const visitChild = (child: number): void => {
    visitLoose(child);
    if (!owns(world, way, child)) waiting.push(child);
  };
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const pair = findPair(pairs, id, at);
    if (pair === 0 || way.passed[pair] === way.round) continue;
    way.passed[pair] = way.round;
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      visitTable(table);
      waitBelow(world, way, table, waiting);
    }
    if (way.isParental && links.used) eachLoose(links, pair, visitChild);
  }
}

/** Those of a table who do not have what is looked for: what lies below them has to be met as well. */
function waitBelow(world: World, way: FiledWay, table: TableNumber, waiting: number[]): void {
  const { tables, shapes } = world.graph;
  const count = tables.count[table]!;
  if (count === 0 || (!way.namesTarget && shapeOwns(world, way, tables.shape[table]!))) return;
  const first = tables.first[table]!;
  const { i32 } = shapes[tables.shape[table]!]!.lanes;
  for (let row = first; row < first + count; row++) {
    const index = i32[row]!;
    if (!way.namesTarget || !owns(world, way, index)) waiting.push(index);
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
function beginLines({ graph }: World, lines: Lines): void {
  const { length } = graph.tables;
  lines.holder = grownInt32(lines.holder, length);
  lines.depth = grownInt32(lines.depth, length);
  lines.settled = grownInt32(lines.settled, length);
  lines.round++;
}

/**
 * Finds holder and depth of a table's rows, and of all that they lead to. Of several targets the line of the one with the
 * lowest index is followed to its end before the next. Cost: each pair that it leads to, once in a round.
 */
function settleLines(world: World, lines: Lines, way: Way, table: TableNumber): void {
  const { settled, round } = lines;
  if (settled[table] === round) return;
  const waiting = [table];
  for (let at = waiting.at(-1); at !== undefined; at = waiting.at(-1)) {
    if (settled[at] !== round) {
      const targets = targetsIn(world, at, way.relation);
      const before = waiting.length;
      for (const target of targets) {
        const above = world.entities.table[target]!;
        if (settled[above] !== round) waiting.push(above);
      }
      if (waiting.length > before) continue;
      settleTable(world, lines, way, at, targets);
    }
    waiting.pop();
  }
}

/** All that its targets lead to has been settled. */
function settleTable(
  world: World,
  lines: Lines,
  way: Way,
  table: TableNumber,
  targets: readonly number[],
): void {
  let holder = 0;
  let depth = 0;
  for (const target of targets) {
    const above = world.entities.table[target]!;
    depth = Math.max(depth, lines.depth[above]! + 1);
    if (holder === 0) holder = owns(world, way, target) ? target : lines.holder[above]!;
  }
  lines.holder[table] = holder;
  lines.depth[table] = depth;
  lines.settled[table] = lines.round;
}

/** Entity indexes, lowest first. A fresh list. */
function targetsIn({ graph }: World, table: TableNumber, { id }: Definition): number[] {
  const { tables, records, pairs } = graph;
  const found: number[] = [];
  const first = tables.nodes[table]!;
  for (let node = first; node < first + tables.pairs[table]!; node++) {
    const pair = records.nodePair[node]!;
    if (pairs.relation[pair] === id) found.push(pairs.target[pair]!);
  }
  return found.length < 2 ? found : found.sort((one, other) => one - other);
}
