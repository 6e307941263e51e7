import { KEPT_EMPTY_TABLES } from "../base/limits.ts";
import { CHILD_OF } from "../id/builtins.ts";
import { type Definition, PAIR_HANGS } from "../id/definition.ts";
import { addPair, dropPair } from "../id/pair-book.ts";
import { fileTable, openRecord, unfileTable } from "../records/pair-records.ts";
import { looseCountOf } from "../records/sibling-links.ts";
import { note, TABLE_CHANGED } from "../storage/journal.ts";
import { makeRoomFor } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import {
  giveTableNumber,
  type PairNumber,
  type TableNumber,
  type Tables,
  takeEmpty,
  takeTableNumber,
  UNLISTED,
} from "../storage/table.ts";
import type { Graph } from "./graph.ts";

/** Multiplier of Knuth's multiplicative hashing: 2^32 divided by the golden ratio, made odd. */
const SPREAD = 0x9e3779b1;

/** Mixes a shape's number with the sorted numbers of a type's pairs. */
function hashOf(shape: number, sorted: Int32Array, first: number, count: number): number {
  let hash = Math.imul(shape + 1, SPREAD);
  for (let at = first; at < first + count; at++) hash = Math.imul(hash ^ sorted[at]!, SPREAD);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/**
 * Finds the table of `shape` whose pairs are the first `count` of `graph.wanted`, sorted ascending.
 *
 * @returns 0 if there is none.
 */
export function findTable(graph: Graph, shape: Shape, count: number): TableNumber {
  if (count === 0) return shape.plainTable;
  const { tables, records, wanted, buckets } = graph;
  if (count === 1) {
    // Most pairs have no table yet, or one.
    const pair = wanted[0]!;
    const main = records.main[pair]!;
    if (main !== 0 && tables.shape[main] === shape.number) return main;
    if (records.tables[pair] === (main === 0 ? 0 : 1)) return 0;
  }
  const hash = hashOf(shape.number, wanted, 0, count);
  let table = buckets[hash & (buckets.length - 1)]!;
  for (; table !== 0; table = tables.hashNext[table]!) {
    if (tables.shape[table] !== shape.number || tables.pairs[table] !== count) continue;
    const first = tables.nodes[table]!;
    let at = 0;
    while (at < count && records.nodePair[first + at] === wanted[at]) at++;
    if (at === count) return table;
  }
  return 0;
}

/**
 * Finds or founds the table of `shape` whose pairs are the first `count` of `graph.wanted`, sorted ascending. A new
 * table has no slice, makes no arrays and asks no query; the caller gives it its first row at once.
 */
export function tableFor(graph: Graph, shape: Shape, count: number): TableNumber {
  const known = findTable(graph, shape, count);
  return known !== 0 ? known : newTable(graph, shape, count);
}

function newTable(graph: Graph, shape: Shape, count: number): TableNumber {
  const { tables, wanted } = graph;
  const table = takeTableNumber(tables, shape.number);
  tables.first[table] = UNLISTED;
  if (count === 0) shape.plainTable = table;
  else {
    fileTable(graph.records, tables, table, wanted, count);
    tables.parentPair[table] = parentPairIn(graph, count);
    if (!becomesMain(graph, table)) putInBucket(graph, table, hashOf(shape.number, wanted, 0, count));
  }
  if (!shape.founded) found(graph, shape);
  return table;
}

/**
 * The same, with room for `rows` more rows, unless it is `present`: the table that the entity is in.
 *
 * @throws TreelineError `capacity`, or what the memory throws: a table that was founded for it is gone again.
 */
export function roomyTableFor(
  graph: Graph,
  shape: Shape,
  count: number,
  rows: number,
  present: TableNumber,
): TableNumber {
  const { tables } = graph;
  const table = count === 0 && shape.plainTable !== 0 ? shape.plainTable : tableFor(graph, shape, count);
  if (table === present || tables.count[table]! + rows <= tables.capacity[table]!) return table;
  return makeRoomIn(graph, shape, table, rows);
}

/**
 * A new table with nothing but one pair, which no table of `shape` has so far, with room for `rows` rows, which must
 * follow.
 *
 * @throws as `roomyTableFor`.
 */
export function newTableBelow(graph: Graph, shape: Shape, pair: PairNumber, rows: number): TableNumber {
  graph.wanted[0] = pair;
  return makeRoomIn(graph, shape, newTable(graph, shape, 1), rows);
}

function makeRoomIn(graph: Graph, shape: Shape, table: TableNumber, rows: number): TableNumber {
  const { tables } = graph;
  try {
    makeRoomFor(graph, shape, table, rows);
  } catch (error) {
    if (tables.first[table] === UNLISTED) dropTable(graph, shape, table);
    throw error;
  }
  return table;
}

function parentPairIn({ pairs, wanted }: Graph, count: number): PairNumber {
  for (let at = 0; at < count; at++) {
    const pair = wanted[at]!;
    if (pairs.relation[pair] === CHILD_OF) return pair;
  }
  return 0;
}

/** A shape is founded with its first table; only then are queries asked. */
function found(graph: Graph, shape: Shape): void {
  shape.founded = true;
  shape.place = graph.founded.length;
  graph.founded.push(shape);
  for (const { id } of new Set(shape.definitions)) {
    const list = graph.shapesWith.get(id);
    if (list === undefined) graph.shapesWith.set(id, [shape]);
    else list.push(shape);
  }
  if (graph.tracking.tracked.length > 0) graph.tracking.work!.startTracks(graph.tracking, shape);
}

/** Of the tables that have one pair and no other, the first one is found by the pair. All others need the hash. */
function becomesMain({ tables, records }: Graph, table: TableNumber): boolean {
  if (tables.pairs[table] !== 1) return false;
  const pair = records.nodePair[tables.nodes[table]!]!;
  if (records.main[pair] !== 0) return false;
  records.main[pair] = table;
  return true;
}

function isMain({ tables, records }: Graph, table: TableNumber): boolean {
  return records.main[records.nodePair[tables.nodes[table]!]!] === table;
}

function putInBucket(graph: Graph, table: TableNumber, hash: number): void {
  const { tables } = graph;
  graph.hashed++;
  if (graph.hashed > graph.buckets.length) widenBuckets(graph);
  else linkInBucket(tables, graph.buckets, table, hash);
}

function linkInBucket(tables: Tables, buckets: Int32Array, table: TableNumber, hash: number): void {
  const bucket = hash & (buckets.length - 1);
  tables.hashNext[table] = buckets[bucket]!;
  buckets[bucket] = table;
}

function hashOfTable({ tables, records }: Graph, table: TableNumber): number {
  return hashOf(tables.shape[table]!, records.nodePair, tables.nodes[table]!, tables.pairs[table]!);
}

function widenBuckets(graph: Graph): void {
  const { tables } = graph;
  graph.buckets = new Int32Array(graph.buckets.length * 2);
  for (let table = 1; table < tables.length; table++) {
    if (tables.shape[table]! < 0 || tables.pairs[table] === 0 || isMain(graph, table)) continue;
    linkInBucket(tables, graph.buckets, table, hashOfTable(graph, table));
  }
}

function takeFromBucket(graph: Graph, table: TableNumber): void {
  const { tables, buckets } = graph;
  graph.hashed--;
  const bucket = hashOfTable(graph, table) & (buckets.length - 1);
  let at = buckets[bucket]!;
  if (at === table) {
    buckets[bucket] = tables.hashNext[table]!;
    return;
  }
  while (tables.hashNext[at] !== table) at = tables.hashNext[at]!;
  tables.hashNext[at] = tables.hashNext[table]!;
}

/** Ends an empty table; pairs that no other table has are given back. */
export function dropTable(graph: Graph, shape: Shape, table: TableNumber): void {
  const { tables, records } = graph;
  if (tables.pairs[table] === 0) shape.plainTable = 0;
  else if (isMain(graph, table)) records.main[records.nodePair[tables.nodes[table]!]!] = 0;
  else takeFromBucket(graph, table);
  if (tables.first[table] !== UNLISTED) takeEmpty(tables, shape, table);
  if (tables.pairs[table]! > 0) unfileTable(records, tables, table);
  const first = tables.nodes[table]!;
  const count = tables.pairs[table]!;
  for (let node = first; node < first + count; node++) {
    closeIfIdle(graph, records.nodePair[node]!);
  }
  giveTableNumber(tables, table);
  note(graph.journal, TABLE_CHANGED, table);
}

/** Drops all tables of a pair, which are empty, and thereby the pair. */
export function dropTablesOf(graph: Graph, pair: PairNumber): void {
  const { tables, records, shapes } = graph;
  while (graph.pairs.relation[pair] !== 0 && records.tables[pair]! > 0) {
    const table = records.nodeTable[records.firstNode[pair]!]!;
    const shape = shapes[tables.shape[table]!]!;
    dropTable(graph, shape, table);
    keepFewEmpty(graph, shape);
  }
}

/** The rule for a table that has just lost its last row: it goes at once if it has more than one pair. */
export function tidyEmpty(graph: Graph, shape: Shape, table: TableNumber): void {
  if (graph.tables.pairs[table]! > 1) dropTable(graph, shape, table);
  else keepFewEmpty(graph, shape);
}

/** When a shape has more empty tables than 64 and than a quarter of its tables, the oldest go. */
function keepFewEmpty(graph: Graph, shape: Shape): void {
  while (shape.emptyTables > KEPT_EMPTY_TABLES && shape.emptyTables * 4 > shape.emptyTables + shape.tables) {
    dropTable(graph, shape, shape.firstEmpty);
  }
}

/**
 * A number for a pair that has none. The record of a pair of a relation that keeps depths has no place in the tree yet: the
 * caller hangs it.
 */
export function openPair(graph: Graph, relation: Definition, target: number): PairNumber {
  const pair = addPair(graph.pairs, relation, target);
  openRecord(graph.records, pair);
  return pair;
}

/** Takes a pair's number back if no table has it any more, and no entity has it as a value. */
export function closeIfIdle(graph: Graph, pair: PairNumber): void {
  if (graph.records.tables[pair] !== 0 || looseCountOf(graph.links, pair) !== 0) return;
  if ((graph.pairs.traits[pair]! & PAIR_HANGS) !== 0) graph.slots.leaveTree!(graph, pair);
  dropPair(graph.pairs, pair);
}
