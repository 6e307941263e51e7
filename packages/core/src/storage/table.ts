import { grownInt32 } from "../base/growing.ts";
import type { NumberOf } from "../base/kind-of-number.ts";
import type { Shape } from "./shape.ts";

/** 1-based number of a table; reused after it is dropped. 0 stands for none. */
export type TableId = NumberOf<"table">;
/** 1-based number of a pair; its id is the negative of it. 0 stands for none. */
export type PairId = NumberOf<"pair">;

export type TableNumber = TableId;
export type PairNumber = PairId;

/** `first` of a table that owns no slice. */
export const NO_SLICE = -1;
/** `first` of a table that is being founded or dropped and stands in no list of its shape. */
export const UNLISTED = -2;

/**
 * What is known of each table, as numbers by table number. A table is all entities of one type: a shape, and the
 * targets of its pairs. Its rows are `first .. first + count` of the shape's columns.
 */
export interface Tables {
  /** Number of the shape; -1 while the number is free. */
  shape: Int32Array<ArrayBuffer>;
  /** Absolute row of row 0, or NO_SLICE. */
  first: Int32Array<ArrayBuffer>;
  count: Int32Array<ArrayBuffer>;
  /** Rows of the slice. */
  capacity: Int32Array<ArrayBuffer>;
  /** Its first pair node; the nodes of a table lie side by side, sorted by pair number. */
  nodes: Int32Array<ArrayBuffer>;
  pairs: Int32Array<ArrayBuffer>;
  /** The pair of ChildOf; 0 for tables of roots. */
  parentPair: Int32Array<ArrayBuffer>;
  /** Neighbours in the shape's list of tables with rows, or of empty ones. `next` also links free numbers. */
  next: Int32Array<ArrayBuffer>;
  previous: Int32Array<ArrayBuffer>;
  /** Next table with the same hash. */
  hashNext: Int32Array<ArrayBuffer>;
  /** Numbers ever given, 0 included. */
  length: number;
  firstFree: TableNumber;
  alive: number;
}

export function createTables(): Tables {
  const none = new Int32Array(0);
  return {
    shape: none,
    first: none,
    count: none,
    capacity: none,
    nodes: none,
    pairs: none,
    parentPair: none,
    next: none,
    previous: none,
    hashNext: none,
    length: 1,
    firstFree: 0,
    alive: 0,
  };
}

/** A number for a new table of `shape`, without rows and pairs. */
export function takeTableNumber(tables: Tables, shape: number): TableNumber {
  let table = tables.firstFree;
  if (table !== 0) tables.firstFree = tables.next[table]!;
  else {
    table = tables.length++;
    if (table >= tables.shape.length) growTables(tables);
  }
  tables.alive++;
  tables.shape[table] = shape;
  tables.first[table] = NO_SLICE;
  tables.count[table] = 0;
  tables.capacity[table] = 0;
  tables.nodes[table] = 0;
  tables.pairs[table] = 0;
  tables.parentPair[table] = 0;
  return table;
}

function growTables(tables: Tables): void {
  const { length } = tables;
  tables.shape = grownInt32(tables.shape, length);
  tables.first = grownInt32(tables.first, length);
  tables.count = grownInt32(tables.count, length);
  tables.capacity = grownInt32(tables.capacity, length);
  tables.nodes = grownInt32(tables.nodes, length);
  tables.pairs = grownInt32(tables.pairs, length);
  tables.parentPair = grownInt32(tables.parentPair, length);
  tables.next = grownInt32(tables.next, length);
  tables.previous = grownInt32(tables.previous, length);
  tables.hashNext = grownInt32(tables.hashNext, length);
}

export function giveTableNumber(tables: Tables, table: TableNumber): void {
  tables.shape[table] = -1;
  tables.count[table] = 0;
  tables.next[table] = tables.firstFree;
  tables.firstFree = table;
  tables.alive--;
}

/** A shape's two lists of tables, those with rows and the empty ones, are linked through `next` and `previous`. */
export function appendFilled(tables: Tables, shape: Shape, table: TableNumber): void {
  link(tables, shape.lastTable, table);
  if (shape.firstTable === 0) shape.firstTable = table;
  shape.lastTable = table;
  shape.tables++;
}

export function appendEmpty(tables: Tables, shape: Shape, table: TableNumber): void {
  link(tables, shape.lastEmpty, table);
  if (shape.firstEmpty === 0) shape.firstEmpty = table;
  shape.lastEmpty = table;
  shape.emptyTables++;
}

export function takeFilled(tables: Tables, shape: Shape, table: TableNumber): void {
  const before = tables.previous[table]!;
  const after = tables.next[table]!;
  if (before === 0) shape.firstTable = after;
  else tables.next[before] = after;
  if (after === 0) shape.lastTable = before;
  else tables.previous[after] = before;
  shape.tables--;
}

export function takeEmpty(tables: Tables, shape: Shape, table: TableNumber): void {
  const before = tables.previous[table]!;
  const after = tables.next[table]!;
  if (before === 0) shape.firstEmpty = after;
  else tables.next[before] = after;
  if (after === 0) shape.lastEmpty = before;
  else tables.previous[after] = before;
  shape.emptyTables--;
}

function link(tables: Tables, last: TableNumber, table: TableNumber): void {
  tables.previous[table] = last;
  tables.next[table] = 0;
  if (last !== 0) tables.next[last] = table;
}
