// The record of tables, by number; lists of their entities (`enterTable`); the linked lists of an archetype's tables (`TableList`).
import { growAll, grownInt32, shrunk } from "../base/growing.ts";
import { extendSlice, freeSlice, type NumberPool, roomOfSlice, takeSlice } from "../base/number-pool.ts";
import type { NumberOf } from "../id/entity.ts";

/** 1-based number of a table; reused after the table is dropped. 0 means none. */
export type TableId = NumberOf<"table">;
/** 1-based number of a pair; the id of a pair in a type is minus its number. 0 means none. */
export type PairId = NumberOf<"pair">;

export type TableNumber = TableId;
export type PairNumber = PairId;

/**
 * Tables by number: the entities of an archetype with the same pairs, that of the parent left out, which the family of each entity tells. A
 * table without pairs has all rows of its archetype. The entities of others are listed, in any order.
 *
 *   Docked(port)   pool [ e4  e9  e7  - ]   first 12, capacity 4, count 3;   place of e9: 1
 */
export class Tables {
  /** Number of the archetype; -1 while the number is free. */
  archetype: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Where its list begins in the pool; 0 without pairs. */
  first: Int32Array<ArrayBuffer> = new Int32Array(0);
  count: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** The room of its list. */
  capacity: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Its first pair node; the nodes of a table are adjacent, sorted by pair number. */
  nodes: Int32Array<ArrayBuffer> = new Int32Array(0);
  pairs: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Neighbours in the archetype's list of tables with rows, or of empty ones. `next` also links free numbers. */
  next: Int32Array<ArrayBuffer> = new Int32Array(0);
  previous: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Next table with the same hash. */
  hashNext: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** 1 while it is in a list of its archetype; not while it is created or dropped. */
  listed: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** Numbers ever allocated, 0 included. */
  length = 1;
  firstFree: TableNumber = 0;
  alive = 0;
  /** Not of a class: the first world of a process calls few functions. */
  readonly lists: TableLists = {
    pool: new Int32Array(0),
    free: new Int32Array(32),
    end: 0,
    placeOf: new Int32Array(0),
  };
}

/** The entities of tables with pairs, by table. */
interface TableLists extends NumberPool {
  /** By entity index: its place in the list of its table. As long as it must be. */
  placeOf: Int32Array<ArrayBuffer>;
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
  tables.first[table] = 0;
  tables.count[table] = 0;
  tables.capacity[table] = 0;
  tables.nodes[table] = 0;
  tables.pairs[table] = 0;
  tables.listed[table] = 0;
  return table;
}

export function giveTableNumber(tables: Tables, table: TableNumber): void {
  if (tables.capacity[table]! > 0) freeSlice(tables.lists, tables.first[table]!, tables.capacity[table]!);
  tables.capacity[table] = 0;
  tables.archetype[table] = -1;
  tables.count[table] = 0;
  tables.next[table] = tables.firstFree;
  tables.firstFree = table;
  tables.alive--;
}

/**
 * Makes room for `more` entities in the list of a table with pairs. @param end their indexes are below it.
 * @throws what a failed allocation throws; nothing has changed then.
 */
export function reserveInTable(tables: Tables, table: TableNumber, more: number, end: number): void {
  if (tables.pairs[table] === 0) return;
  const room = tables.capacity[table]!;
  const count = tables.count[table]!;
  tables.lists.placeOf = grownInt32(tables.lists.placeOf, end);
  if (count + more <= room) return;
  const longer = roomOfSlice(count + more);
  const first = tables.first[table]!;
  const { lists } = tables;
  if (room === 0 || !extendSlice(lists, first, room, longer)) {
    const start = takeSlice(lists, longer);
    lists.pool.copyWithin(start, first, first + count);
    if (room > 0) freeSlice(lists, first, room);
    tables.first[table] = start;
  }
  tables.capacity[table] = longer;
}

/** Adds an entity to the list of its new table. */
export function enterTable(tables: Tables, table: TableNumber, index: number): void {
  const count = tables.count[table]!;
  const { lists } = tables;
  if (count === tables.capacity[table] || index >= lists.placeOf.length)
    reserveInTable(tables, table, 1, index + 1);
  lists.pool[tables.first[table]! + count] = index;
  lists.placeOf[index] = count;
  tables.count[table] = count + 1;
}

/** Removes an entity from the list of its table. */
export function leaveTable(tables: Tables, table: TableNumber, index: number): void {
  const last = tables.count[table]! - 1;
  tables.count[table] = last;
  const { pool, placeOf } = tables.lists;
  const first = tables.first[table]!;
  const place = placeOf[index]!;
  const moved = pool[first + last]!;
  pool[first + place] = moved;
  placeOf[moved] = place;
}

/** Stores the lists of all tables next to each other, and gives back the rest of the pool. @param indexes how many entities there may be. */
export function packLists(tables: Tables, indexes: number): void {
  const { lists, first, count, capacity } = tables;
  const roomFor = (table: TableNumber): number =>
    tables.archetype[table]! < 0 || tables.pairs[table] === 0 || count[table] === 0
      ? 0
      : roomOfSlice(count[table]!);
  let end = 0;
  for (let table = 1; table < tables.length; table++) end += roomFor(table);
  const pool = new Int32Array(end);
  end = 0;
  for (let table = 1; table < tables.length; table++) {
    const room = roomFor(table);
    const start = first[table]!;
    if (room > 0) pool.set(lists.pool.subarray(start, start + count[table]!), end);
    first[table] = room === 0 ? 0 : end;
    capacity[table] = room;
    end += room;
  }
  lists.pool = pool;
  lists.end = end;
  lists.free.fill(0);
  lists.placeOf = shrunk(lists.placeOf, end === 0 ? 0 : indexes);
}

/** Tables of an archetype, linked through `next` and `previous`; 0 ends the list. */
export class TableList {
  first: TableNumber = 0;
  last: TableNumber = 0;
  length = 0;
}

export function appendTable({ next, previous, listed }: Tables, list: TableList, table: TableNumber): void {
  previous[table] = list.last;
  next[table] = 0;
  listed[table] = 1;
  if (list.last === 0) list.first = table;
  else next[list.last] = table;
  list.last = table;
  list.length++;
}

export function unlinkTable({ next, previous, listed }: Tables, list: TableList, table: TableNumber): void {
  const before = previous[table]!;
  const after = next[table]!;
  listed[table] = 0;
  if (before === 0) list.first = after;
  else next[before] = after;
  if (after === 0) list.last = before;
  else previous[after] = before;
  list.length--;
}
