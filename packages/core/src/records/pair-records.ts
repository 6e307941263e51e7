// Which tables a pair has; depths along the tree, refreshed when read (`refreshDepths`); the order in which pairs were added (`keepOrder`).
import { growAll } from "../base/growing.ts";
import type { PairNumber, TableNumber, Tables } from "../storage/table.ts";

/**
 * The record of each pair in use: its tables and, for relations that keep depths, its depth and its place in the tree of records:
 * the record of (R, x) is below that of (R, target of x).
 * Nodes link pairs and tables. A table owns one node per pair, adjacent, sorted by pair number: its list of pairs.
 */
export class PairRecords {
  /** By pair number: the first node, the number of tables; of a sparse relation, 0 and the number of entities that have it. */
  firstNode: Int32Array<ArrayBuffer> = new Int32Array(0);
  tables: Int32Array<ArrayBuffer> = new Int32Array(0);
  /**
   * One of the tables that have no other pair, or 0; it is found here, and is in no bucket of the hash. Of a sparse relation, the
   * first place in its store plus 1.
   */
  main: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Depth of the subjects: depth of the target + 1. Correct unless a record at or above it is stale. */
  depth: Int32Array<ArrayBuffer> = new Int32Array(0);
  above: Int32Array<ArrayBuffer> = new Int32Array(0);
  firstBelow: Int32Array<ArrayBuffer> = new Int32Array(0);
  beside: Int32Array<ArrayBuffer> = new Int32Array(0);
  before: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** 1 while the record is on the stale list. */
  isStale: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  staleList: number[] = [];

  /** By node number, from 1: its pair and table, and the neighbours in the pair's list. */
  nodePair: Int32Array<ArrayBuffer> = new Int32Array(0);
  nodeTable: Int32Array<ArrayBuffer> = new Int32Array(0);
  nodeNext: Int32Array<ArrayBuffer> = new Int32Array(0);
  nodePrevious: Int32Array<ArrayBuffer> = new Int32Array(0);
  nodes = 1;
  /** Number of pairs -> the first free group of that many nodes; `nodeNext` links the groups. */
  freeNodes: number[] = [];
}

/** The prefix of arrays by node number; all others are by pair number. */
export const BY_NODE = "node";

/** Initialises the record of a new pair, without tables and outside the tree: `unlinkRecord` leaves no links in those of former ones. */
export function openRecord(records: PairRecords, pair: PairNumber): void {
  if (pair >= records.firstNode.length) growAll(records, pair + 1, BY_NODE, false);
  records.firstNode[pair] = 0;
  records.tables[pair] = 0;
  records.main[pair] = 0;
  records.depth[pair] = 1;
}

/** Adds a table to the lists of its pairs: the first `count` of `sorted`, ascending. */
export function fileTable(
  records: PairRecords,
  tables: Tables,
  table: TableNumber,
  sorted: Int32Array,
  count: number,
): void {
  let first = records.freeNodes[count] ?? 0;
  if (first !== 0) records.freeNodes[count] = records.nodeNext[first]!;
  else {
    first = records.nodes;
    records.nodes += count;
    if (records.nodes > records.nodePair.length) growAll(records, records.nodes, BY_NODE);
  }
  tables.nodes[table] = first;
  tables.pairs[table] = count;
  for (let place = 0; place < count; place++) {
    const node = first + place;
    const pair = sorted[place]!;
    const head = records.firstNode[pair]!;
    records.nodePair[node] = pair;
    records.nodeTable[node] = table;
    records.nodePrevious[node] = 0;
    records.nodeNext[node] = head;
    if (head !== 0) records.nodePrevious[head] = node;
    records.firstNode[pair] = node;
    records.tables[pair]!++;
  }
}

/** Removes a table from the lists of its pairs, and frees its nodes. */
export function unfileTable(records: PairRecords, tables: Tables, table: TableNumber): void {
  const first = tables.nodes[table]!;
  const count = tables.pairs[table]!;
  for (let node = first; node < first + count; node++) {
    const pair = records.nodePair[node]!;
    const before = records.nodePrevious[node]!;
    const after = records.nodeNext[node]!;
    if (before === 0) records.firstNode[pair] = after;
    else records.nodeNext[before] = after;
    if (after !== 0) records.nodePrevious[after] = before;
    records.tables[pair]!--;
  }
  records.nodeNext[first] = records.freeNodes[count] ?? 0;
  records.freeNodes[count] = first;
}

/** Moves a record below another; 0 makes it a root. Depths at and below it are correct after the next `refreshDepths`. */
export function linkBelow(records: PairRecords, pair: PairNumber, above: PairNumber): void {
  unlinkRecord(records, pair);
  records.above[pair] = above;
  if (above !== 0) {
    const head = records.firstBelow[above]!;
    records.beside[pair] = head;
    records.before[pair] = 0;
    if (head !== 0) records.before[head] = pair;
    records.firstBelow[above] = pair;
  }
  markStale(records, pair);
}

/** Removes a record from the tree; the records below it must have been moved before. */
export function unlinkRecord(records: PairRecords, pair: PairNumber): void {
  const above = records.above[pair]!;
  if (above === 0) return;
  const before = records.before[pair]!;
  const after = records.beside[pair]!;
  if (before === 0) records.firstBelow[above] = after;
  else records.beside[before] = after;
  if (after !== 0) records.before[after] = before;
  records.above[pair] = 0;
  records.beside[pair] = 0;
  records.before[pair] = 0;
}

function depthBelow(records: PairRecords, above: PairNumber): number {
  return above === 0 ? 1 : records.depth[above]! + 1;
}

/** Corrects a record without records below at once, if no record is stale; others are put on the stale list. */
function markStale(records: PairRecords, pair: PairNumber): void {
  if (records.staleList.length === 0 && records.firstBelow[pair] === 0) {
    records.depth[pair] = depthBelow(records, records.above[pair]!);
    return;
  }
  if (records.isStale[pair] === 1) return;
  records.isStale[pair] = 1;
  records.staleList.push(pair);
}

/**
 * Corrects all depths, by an iterative walk over the records below stale ones, topmost first. Between stale records every depth
 * is one more than the depth above, so a stale record that moved to an equal depth needs no walk. Calls `changed` for each
 * changed depth.
 *
 * @cost the records below the topmost stale ones, and the records above stale ones, each once.
 */
export function refreshDepths(records: PairRecords, changed: (pair: PairNumber) => void): void {
  const { staleList } = records;
  if (staleList.length === 0) return;
  /** Records at and above which every stale record has been collected. */
  const seen = new Set<PairNumber>();
  const path: PairNumber[] = [];

  for (const stale of staleList) {
    path.length = 0;
    for (let at = stale; at !== 0 && !seen.has(at); at = records.above[at]!) {
      seen.add(at);
      path.push(at);
    }
    for (let step = path.length - 1; step >= 0; step--) {
      const pair = path[step]!;
      if (records.isStale[pair] === 1) refreshBelow(records, pair, changed);
    }
  }
  staleList.length = 0;
}

/** Corrects one stale record, and all below it if its depth changes; no record it reaches is stale afterwards. */
function refreshBelow(records: PairRecords, top: PairNumber, changed: (pair: PairNumber) => void): void {
  const { depth, above, firstBelow, beside, isStale } = records;
  const stack = [top];
  while (stack.length > 0) {
    const pair = stack.pop()!;
    const right = depthBelow(records, above[pair]!);
    isStale[pair] = 0;
    if (depth[pair] !== right) {
      depth[pair] = right;
      changed(pair);
    } else if (pair === top) return;
    if (pair !== top && beside[pair] !== 0) stack.push(beside[pair]!);
    if (firstBelow[pair] !== 0) stack.push(firstBelow[pair]!);
  }
}

/**
 * Entity index -> its pairs of non-exclusive relations, in the order of adding; only if it differs from the order of pair
 * numbers.
 */
export type PairOrders = Map<number, readonly PairNumber[]>;

/** Stores an order, unless for each relation it is the order of pair numbers. */
export function keepOrder(
  orders: PairOrders,
  relationOf: Int32Array,
  index: number,
  order: readonly PairNumber[],
): void {
  const last = new Map<number, PairNumber>();
  const isPlain = order.every((pair) => {
    const before = last.get(relationOf[pair]!) ?? 0;
    last.set(relationOf[pair]!, pair);
    return pair > before;
  });
  if (!isPlain) orders.set(index, order);
  else orders.delete(index);
}

/** The entity has lost pairs. Call it before one of their numbers is reused. */
export function forgetPairs(
  orders: PairOrders,
  relationOf: Int32Array,
  index: number,
  lost: readonly PairNumber[],
): void {
  const left = orders.get(index)?.filter((pair) => !lost.includes(pair));
  if (left !== undefined) keepOrder(orders, relationOf, index, left);
}
