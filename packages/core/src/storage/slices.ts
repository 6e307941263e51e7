import { invariant, TreelineError } from "../base/error.ts";
import { LAST_SIZE_CLASS, ROW_ALIGNMENT } from "../base/limits.ts";
import { type Archetype, NO_HOLE } from "./archetype.ts";
import { isUsed, markRange, resizeBits } from "./bits.ts";
import { copyRows, forgetRows } from "./copy-rows.ts";
import { type Journal, note, noteAll, SLICE_MOVED } from "./journal.ts";
import { type Lanes, replaceLanes } from "./lanes.ts";
import type { TableNumber, Tables } from "./table.ts";

/** The smallest k with 2^k >= rows. */
function classFor(rows: number): number {
  return rows < 2 ? 0 : 32 - Math.clz32(rows - 1);
}

/** The capacity of a slice for this many rows: a power of two. */
export function roomFor(rows: number): number {
  return 1 << classFor(rows);
}

export function aligned(rows: number): number {
  return Math.ceil(rows / ROW_ALIGNMENT) * ROW_ALIGNMENT;
}

function pushHole(archetype: Archetype, row: number, size: number): void {
  archetype.lanes.i32[row] = archetype.holes[size]!;
  archetype.holes[size] = row;
  archetype.holeClasses |= 1 << size;
}

export function forgetHoles(archetype: Archetype): void {
  archetype.holes.fill(NO_HOLE);
  archetype.holeClasses = 0;
}

/** Frees rows: if they are the last ones, `end` moves down; else they become holes of powers of two. */
export function freeRows(archetype: Archetype, first: number, rows: number): void {
  if (first + rows === archetype.end) {
    archetype.end = first;
    return;
  }
  for (let row = first, left = rows; left > 0; ) {
    const size = 31 - Math.clz32(left);
    pushHole(archetype, row, size);
    row += 1 << size;
    left -= 1 << size;
  }
}

/** @returns the first of `2 ** size` free rows, or -1 if the columns must grow first. */
function allocateRows(archetype: Archetype, size: number): number {
  const classes = (archetype.holeClasses >>> size) << size;
  if (classes !== 0) {
    let found = 31 - Math.clz32(classes & -classes);
    const row = archetype.holes[found]!;
    const next = archetype.lanes.i32[row]!;
    archetype.holes[found] = next;
    if (next === NO_HOLE) archetype.holeClasses &= ~(1 << found);
    while (found > size) {
      found--;
      pushHole(archetype, row + (1 << found), found);
    }
    return row;
  }
  const rows = 1 << size;
  if (archetype.end + rows > archetype.lanes.capacity) return -1;
  archetype.end += rows;
  return archetype.end - rows;
}

/** Copies adjacent rows to adjacent rows. */
type Copy = (from: number, to: number, count: number) => void;

/** Moves rows, to other columns or in place, where none may move up. Every call of `eachRun` reports all rows that are kept. */
function relocateRuns(
  archetype: Archetype,
  capacity: number,
  isInPlace: boolean,
  eachRun: (copy: Copy) => void,
): void {
  const { lanes, used, bits } = archetype;
  const copyFrom = (source: Lanes): void => {
    eachRun((from, to, count) => {
      if (from !== to || source !== lanes) copyRows(source, from, lanes, to, count);
    });
  };
  if (isInPlace) copyFrom(lanes);
  else replaceLanes(lanes, capacity, copyFrom);
  forgetHoles(archetype);
  resizeBits(used, 0);
  resizeBits(used, capacity);
  eachRun((_, to, count) => markRange(used, to, to + count, true));
  bits?.relocate(eachRun);
  if (!isInPlace) return;
  // Rows that are now free still hold JavaScript values.
  for (let row = 0; row < capacity; row++) if (!isUsed(used, row)) forgetRows(lanes, row, row + 1);
}

/** Makes all slices adjacent, in their present order and as small as possible. In place, no slice grows, so none moves up. */
function closeHoles(archetype: Archetype, tables: Tables, capacity: number): void {
  const { first } = tables;
  const order: TableNumber[] = [];
  for (let table = archetype.filled.first; table !== 0; table = tables.next[table]!) order.push(table);
  order.sort((one, other) => first[one]! - first[other]!);
  const isInPlace = capacity === archetype.lanes.capacity;
  let end = 0;
  const starts = order.map((table) => {
    const start = end;
    const room = roomFor(tables.count[table]!);
    end += isInPlace ? Math.min(room, tables.capacity[table]!) : room;
    return start;
  });
  relocateRuns(archetype, capacity, isInPlace, (copy) => {
    for (const [at, table] of order.entries()) copy(first[table]!, starts[at]!, tables.count[table]!);
  });
  archetype.end = end;
  for (const [at, table] of order.entries()) {
    first[table] = starts[at]!;
    tables.capacity[table] = (starts[at + 1] ?? end) - starts[at]!;
  }
}

/**
 * Makes room for a slice of `2 ** size` rows, in addition to the one that `growing` leaves. Reserved rows stay below 4.5 times
 * the used rows (plus a first buffer). Let `need` be the capacity of all slices once `growing` has its new one, which is below
 * twice the used rows:
 *
 *   need below two thirds of the columns:  holes are closed within the columns, if the old and the new slice then fit
 *   else:                                  columns grow by half, or to what is needed,
 *   but if that is above 2.25 * need:      new columns of 1.5 * need, without holes
 *
 * The cost of each closing or growing is amortised over the rows allocated since the previous one.
 */
function makeRoom(
  archetype: Archetype,
  tables: Tables,
  journal: Journal,
  growing: TableNumber,
  size: number,
): void {
  const { lanes } = archetype;
  if (size > LAST_SIZE_CLASS) throw new TreelineError("capacity", "a table holds 33,554,432 rows at most");
  const rows = 1 << size;
  const count = tables.count[growing]!;
  /** Usually at most half of `rows`; more after `pack`, which makes slices of any size. */
  const oldRoom = count === 0 ? 0 : roomFor(count);
  let need = rows;
  for (let table = archetype.filled.first; table !== 0; table = tables.next[table]!) {
    if (table !== growing) need += roomFor(tables.count[table]!);
  }

  const isRoomy = need * 3 <= lanes.capacity * 2 && need + oldRoom <= lanes.capacity;
  const grown = aligned(Math.max(Math.ceil(lanes.capacity * 1.5), archetype.end + rows));
  if (!isRoomy && (lanes.capacity === 0 || grown <= need * 2.25)) {
    const { end } = archetype;
    replaceLanes(lanes, grown, (old) => copyRows(old, 0, lanes, 0, end));
    resizeBits(archetype.used, grown);
    archetype.bits?.relocate((copy) => copy(0, 0, end));
    return;
  }
  const fitting = aligned(Math.max(Math.ceil(need * 1.5), need + oldRoom));
  closeHoles(archetype, tables, isRoomy ? lanes.capacity : fitting);
  noteAll(journal);
}

/** Makes the columns so long that a slice for `rows` rows fits behind all others; all rows of the archetype may move. */
export function reserveSlice(archetype: Archetype, tables: Tables, journal: Journal, rows: number): void {
  const size = classFor(rows);
  if (size > LAST_SIZE_CLASS || archetype.end + (1 << size) > archetype.lanes.capacity)
    makeRoom(archetype, tables, journal, 0, size);
}

/** Makes the table's slice hold at least `rows` rows; all rows of the archetype may move. */
export function growSlice(
  archetype: Archetype,
  tables: Tables,
  journal: Journal,
  table: TableNumber,
  rows: number,
): void {
  const size = classFor(rows);
  const room = 1 << size;
  if (growInPlace(archetype, tables, table, room)) return;
  let to = allocateRows(archetype, size);
  if (to < 0) {
    makeRoom(archetype, tables, journal, table, size);
    if (growInPlace(archetype, tables, table, room)) return;
    to = allocateRows(archetype, size);
  }
  CHECK: invariant(to >= 0, () => `no room for ${room} rows after making it`);

  const from = tables.first[table]!;
  const count = tables.count[table]!;
  if (count > 0) {
    copyRows(archetype.lanes, from, archetype.lanes, to, count);
    forgetRows(archetype.lanes, from, from + count);
    markRange(archetype.used, from, from + count, false);
    markRange(archetype.used, to, to + count, true);
    archetype.bits?.copy(from, to, count);
    archetype.bits?.clear(from, from + count);
    freeRows(archetype, from, tables.capacity[table]!);
    note(journal, SLICE_MOVED, table);
  }
  tables.first[table] = to;
  tables.capacity[table] = room;
}

/** The last slice grows in place if the columns are long enough. */
function growInPlace(archetype: Archetype, tables: Tables, table: TableNumber, room: number): boolean {
  const first = tables.first[table]!;
  const capacity = tables.capacity[table]!;
  if (capacity === 0 || first + capacity !== archetype.end || first + room > archetype.lanes.capacity)
    return false;
  tables.capacity[table] = room;
  archetype.end = first + room;
  return true;
}

/** Frees the upper part of a slice of which a quarter or less is used. */
export function shrinkSlice(archetype: Archetype, tables: Tables, table: TableNumber): void {
  const count = tables.count[table]!;
  const capacity = tables.capacity[table]!;
  if (count * 4 > capacity || capacity < 5) return;
  const room = roomFor(count) * 2;
  tables.capacity[table] = room;
  freeRows(archetype, tables.first[table]! + room, capacity - room);
}

/** The new order of an archetype's rows, filled table by table. */
export interface Layout {
  /** New absolute row -> old absolute row. */
  readonly from: Int32Array;
  rows: number;
}

export function createLayout(archetype: Archetype): Layout {
  return { from: new Int32Array(archetype.rows), rows: 0 };
}

/** Moves rows to their places in the layout; the caller sets where slices begin. If allocation fails, nothing changes. */
export function applyLayout(archetype: Archetype, tables: Tables, { from, rows }: Layout): void {
  /** An eighth more, so that the next spawn does not move everything. */
  const capacity = aligned(rows + (rows >> 3));
  relocateRuns(archetype, capacity, false, (copy) => {
    for (let first = 0, end = 1; first < rows; first = end++) {
      while (end < rows && from[end] === from[end - 1]! + 1) end++;
      copy(from[first]!, first, end - first);
    }
  });
  archetype.end = rows;
  if (rows === 0) archetype.bits = undefined;
  for (let table = archetype.filled.first; table !== 0; table = tables.next[table]!) {
    tables.capacity[table] = tables.count[table]!;
  }
}
