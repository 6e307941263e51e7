import { growAll } from "../base/growing.ts";
import type { NumberOf } from "../id/entity.ts";

/** 1-based number of a table; reused after the table is dropped. 0 means none. */
export type TableId = NumberOf<"table">;
/** 1-based number of a pair; the id of a pair in a type is minus its number. 0 means none. */
export type PairId = NumberOf<"pair">;

export type TableNumber = TableId;
export type PairNumber = PairId;

/** `first` of a table without a slice. */
export const NO_SLICE = -1;
/** `first` of a table that is being created or dropped and is in no list of its archetype. */
export const UNLISTED = -2;

/**
 * Tables by number. A table has all entities of one type (an archetype and the targets of its pairs), in rows
 * `first .. first + count` of the archetype.
 */
export class Tables {
  /** Number of the archetype; -1 while the number is free. */
  archetype: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Absolute row of row 0, or NO_SLICE. */
  first: Int32Array<ArrayBuffer> = new Int32Array(0);
  count: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Rows of the slice. */
  capacity: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Its first pair node; the nodes of a table are adjacent, sorted by pair number. */
  nodes: Int32Array<ArrayBuffer> = new Int32Array(0);
  pairs: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** The pair of ChildOf; 0 for tables of roots. */
  parentPair: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Neighbours in the archetype's list of tables with rows, or of empty ones. `next` also links free numbers. */
  next: Int32Array<ArrayBuffer> = new Int32Array(0);
  previous: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Next table with the same hash. */
  hashNext: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Numbers ever allocated, 0 included. */
  length = 1;
  firstFree: TableNumber = 0;
  alive = 0;
}

/** Allocates the number of a new table of `archetype`, without rows and pairs. */
export function takeTableNumber(tables: Tables, archetype: number): TableNumber {
  let table = tables.firstFree;
  if (table !== 0) tables.firstFree = tables.next[table]!;
  else {
    table = tables.length++;
    if (table >= tables.archetype.length) growAll(tables, tables.length);
  }
  tables.alive++;
  tables.archetype[table] = archetype;
  tables.first[table] = NO_SLICE;
  tables.count[table] = 0;
  tables.capacity[table] = 0;
  tables.nodes[table] = 0;
  tables.pairs[table] = 0;
  tables.parentPair[table] = 0;
  return table;
}

export function giveTableNumber(tables: Tables, table: TableNumber): void {
  tables.archetype[table] = -1;
  tables.count[table] = 0;
  tables.next[table] = tables.firstFree;
  tables.firstFree = table;
  tables.alive--;
}

/** Tables of an archetype, linked through `next` and `previous`; 0 ends the list. */
export class TableList {
  first: TableNumber = 0;
  last: TableNumber = 0;
  length = 0;
}

export function appendTable({ next, previous }: Tables, list: TableList, table: TableNumber): void {
  previous[table] = list.last;
  next[table] = 0;
  if (list.last === 0) list.first = table;
  else next[list.last] = table;
  list.last = table;
  list.length++;
}

export function unlinkTable({ next, previous }: Tables, list: TableList, table: TableNumber): void {
  const before = previous[table]!;
  const after = next[table]!;
  if (before === 0) list.first = after;
  else next[before] = after;
  if (after === 0) list.last = before;
  else previous[after] = before;
  list.length--;
}
