import { growAll } from "../base/growing.ts";
import type { PairNumber, TableNumber, Tables } from "../storage/table.ts";

/**
 * What is known about each pair in use: its tables, and, for acyclic relations, its depth and its place in the tree of records:
 * that of (R, x) hangs below that of (R, target of x).
 * Tables are listed through nodes. A table owns one per pair, side by side, sorted by pair number: its list of pairs.
 */
export class PairRecords {
  /** By pair number: the first node, the number of tables. */
  firstNode: Int32Array<ArrayBuffer> = new Int32Array(0);
  tables: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** One of those that have no other pair, or 0; it is found here, and stands in no bucket of the hash. */
  main: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Depth of the sources: depth of the target + 1. Right unless a record at or above it is `stale`. */
  depth: Int32Array<ArrayBuffer> = new Int32Array(0);
  above: Int32Array<ArrayBuffer> = new Int32Array(0);
  firstBelow: Int32Array<ArrayBuffer> = new Int32Array(0);
  beside: Int32Array<ArrayBuffer> = new Int32Array(0);
  before: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** 1 while the record is on the stale list. */
  isStale: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  staleList: number[] = [];

  /** By node number, from 1: whose it is, and the neighbours in the pair's list. */
  nodePair: Int32Array<ArrayBuffer> = new Int32Array(0);
  nodeTable: Int32Array<ArrayBuffer> = new Int32Array(0);
  nodeNext: Int32Array<ArrayBuffer> = new Int32Array(0);
  nodePrevious: Int32Array<ArrayBuffer> = new Int32Array(0);
  nodes = 1;
  /** Number of pairs -> first free group of so many nodes; `nodeNext` links them. */
  freeNodes: number[] = [];
}

/** What names of arrays by node number begin with; all others are by pair number. */
const BY_NODE = "node";

/** Begins the record of a new pair, without tables and outside the tree. */
export function openRecord(records: PairRecords, pair: PairNumber): void {
  if (pair >= records.firstNode.length) growAll(records, pair + 1, BY_NODE, false);
  records.firstNode[pair] = 0;
  records.tables[pair] = 0;
  records.main[pair] = 0;
  records.depth[pair] = 1;
  records.above[pair] = 0;
  records.firstBelow[pair] = 0;
  records.beside[pair] = 0;
  records.before[pair] = 0;
  records.isStale[pair] = 0;
}

/** Files a table under its pairs: the first `count` of `sorted`, ascending. */
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

/** Takes a table out of the lists of its pairs; its nodes are free then. */
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

/** Hangs a record below another; 0 makes it a root. Depths at and below it are right again after `refreshDepths`. */
export function hangBelow(records: PairRecords, pair: PairNumber, above: PairNumber): void {
  unhang(records, pair);
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

/** Takes a record out of the tree; what hangs below it must have moved before. */
export function unhang(records: PairRecords, pair: PairNumber): void {
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

/** A record without records below is set right at once, if nothing above can be wrong; others wait in the list. */
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
 * Sets all depths right, by an iterative walk over the records below stale ones, those above others first. Between stale records
 * every depth is one more than the depth above, so a stale record that moved to an equal depth needs no walk. Cost: the records
 * below the topmost stale ones, and the ways up from stale ones, which are walked once. `changed` is told of other depths.
 */
export function refreshDepths(records: PairRecords, changed: (pair: PairNumber) => void): void {
  const { staleList } = records;
  if (staleList.length === 0) return;
  /** Those at which no stale record lies above that was not met. */
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

/** Corrects one stale record, and all below it if its depth changes; every record met is no longer stale. */
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

/** Entity index -> its pairs of relations with many targets, in the order of adding; only where their numbers do not tell it. */
export type PairOrders = Map<number, readonly PairNumber[]>;

/** Keeps an order, unless the numbers of the pairs tell it. */
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

/** The entity has lost pairs; call it before a number is given to another pair. */
export function forgetPairs(
  orders: PairOrders,
  relationOf: Int32Array,
  index: number,
  lost: readonly PairNumber[],
): void {
  const left = orders.get(index)?.filter((pair) => !lost.includes(pair));
  if (left !== undefined) keepOrder(orders, relationOf, index, left);
}
