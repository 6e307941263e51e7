import { TreelineError } from "../base/error.ts";
import { law } from "../base/law.ts";
import { LAST_SIZE_CLASS, ROW_ALIGNMENT } from "../base/limits.ts";
import { markRange, resizeBits } from "./bits.ts";
import { copyRows, forgetRows } from "./copy-rows.ts";
import { type Journal, note, noteAll, SLICE_MOVED } from "./journal.ts";
import { closeLanes, type Lanes, openLanes, replaceLanes } from "./lanes.ts";
import { NO_HOLE, type Shape } from "./shape.ts";
import { NO_SLICE, type TableNumber, type Tables } from "./table.ts";

const FIRST_CAPACITY = 16;

/** The smallest k with 2^k >= rows. */
function classFor(rows: number): number {
  return rows <= 1 ? 0 : 32 - Math.clz32(rows - 1);
}

/** The power of two a slice of so many rows gets. */
export function roomFor(rows: number): number {
  return rows <= 1 ? 1 : 1 << classFor(rows);
}

function aligned(rows: number): number {
  return Math.ceil(rows / ROW_ALIGNMENT) * ROW_ALIGNMENT;
}

function pushHole(shape: Shape, row: number, size: number): void {
  shape.lanes.i32[row] = shape.holes[size]!;
  shape.holes[size] = row;
  shape.holeClasses |= 1 << size;
}

function popHole(shape: Shape, size: number): number {
  const row = shape.holes[size]!;
  const next = shape.lanes.i32[row]!;
  shape.holes[size] = next;
  if (next === NO_HOLE) shape.holeClasses &= ~(1 << size);
  return row;
}

function forgetHoles(shape: Shape): void {
  shape.holes.fill(NO_HOLE);
  shape.holeClasses = 0;
}

/** Gives rows back: to the end if they are the last ones, else as holes of powers of two. */
export function freeRows(shape: Shape, first: number, rows: number): void {
  if (first + rows === shape.end) {
    shape.end = first;
    return;
  }
  const { i32 } = shape.lanes;
  let row = first;
  for (let left = rows; left > 0; ) {
    const size = 31 - Math.clz32(left);
    i32[row] = shape.holes[size]!;
    shape.holes[size] = row;
    shape.holeClasses |= 1 << size;
    row += 1 << size;
    left -= 1 << size;
  }
}

/** @returns the first of `2 ** size` free rows, or -1 if the columns must grow first. */
function takeRows(shape: Shape, size: number): number {
  const classes = (shape.holeClasses >>> size) << size;
  if (classes !== 0) {
    let found = 31 - Math.clz32(classes & -classes);
    const row = popHole(shape, found);
    while (found > size) {
      found--;
      pushHole(shape, row + (1 << found), found);
    }
    return row;
  }
  const rows = 1 << size;
  if (shape.end + rows > shape.lanes.capacity) return -1;
  shape.end += rows;
  return shape.end - rows;
}

/**
 * Lays all slices side by side from row 0 on, in their present order, each as small a power of two as holds it; within
 * the same columns no larger than it was, so that no slice moves up onto the next one.
 */
function closeHoles(shape: Shape, tables: Tables, source: Lanes, oldEnd: number): void {
  const isInPlace = source === shape.lanes;
  resizeBits(shape.used, 0);
  resizeBits(shape.used, shape.lanes.capacity);
  const { bits } = shape;
  const former = bits?.renew();
  const owner = new Int32Array(oldEnd);
  for (let table = shape.firstTable; table !== 0; table = tables.next[table]!)
    owner[tables.first[table]!] = table;

  let end = 0;
  for (let row = 0; row < oldEnd; row++) {
    const table = owner[row]!;
    if (table === 0) continue;
    const count = tables.count[table]!;
    if (end !== row || !isInPlace) copyRows(source, row, shape.lanes, end, count);
    if (former !== undefined) bits!.lay(former, row, end, count);
    const room = isInPlace ? Math.min(roomFor(count), tables.capacity[table]!) : roomFor(count);
    tables.first[table] = end;
    tables.capacity[table] = room;
    end += room;
  }
  if (isInPlace) forgetUnused(shape, tables);
  shape.end = end;
  forgetHoles(shape);
  markAll(shape, tables);
}

/** After closing holes in place, JavaScript values are left behind in rows that are free now. */
function forgetUnused(shape: Shape, tables: Tables): void {
  if (shape.lanes.objects.length === 0) return;
  const kept = new Uint8Array(shape.lanes.capacity);
  for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) {
    kept.fill(1, tables.first[table], tables.first[table]! + tables.count[table]!);
  }
  for (let row = 0; row < kept.length; row++) if (kept[row] === 0) forgetRows(shape.lanes, row, row + 1);
}

function markAll(shape: Shape, tables: Tables): void {
  for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) {
    const first = tables.first[table]!;
    markRange(shape.used, first, first + tables.count[table]!, true);
  }
  shape.used.stale = true;
}

/**
 * Makes room for a slice of `2 ** size` rows, beside the one that `growing` leaves. Reserved rows stay below 4.5 times
 * the used ones (plus a first buffer): with `need` the room of all slices once `growing` has its new one, which is
 * below twice the used rows,
 *
 *   need below two thirds of the columns:  holes are closed within the columns, if old and new slice then fit
 *   else:                                  columns grow by half, or to what is asked for,
 *   but if that is above 2.25 * need:      columns of 1.5 * need, with the holes closed on the way
 *
 * Each closing or growing is paid for by the rows that were handed out since the one before.
 */
function makeRoom(shape: Shape, tables: Tables, journal: Journal, growing: TableNumber, size: number): void {
  const { lanes } = shape;
  if (size > LAST_SIZE_CLASS) throw new TreelineError("capacity", "a table holds 33,554,432 rows at most");
  const rows = 1 << size;
  const count = tables.count[growing]!;
  /** Usually at most half of `rows`; more after a pack, which makes slices of any size. */
  const oldRoom = count === 0 ? 0 : roomFor(count);
  let need = rows;
  for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) {
    if (table !== growing) need += roomFor(tables.count[table]!);
  }

  if (lanes.capacity === 0) {
    const capacity = aligned(Math.max(rows, FIRST_CAPACITY));
    openLanes(lanes, capacity);
    resizeBits(shape.used, capacity);
    return;
  }
  if (need * 3 <= lanes.capacity * 2 && need + oldRoom <= lanes.capacity) {
    closeHoles(shape, tables, lanes, shape.end);
    noteAll(journal);
    return;
  }
  const grown = aligned(Math.max(Math.ceil(lanes.capacity * 1.5), shape.end + rows));
  if (grown <= need * 2.25) {
    const { end } = shape;
    replaceLanes(lanes, grown, (old) => copyRows(old, 0, lanes, 0, end));
    resizeBits(shape.used, grown);
    shape.bits?.grow();
  } else {
    const capacity = aligned(Math.max(Math.ceil(need * 1.5), need + oldRoom));
    replaceLanes(lanes, capacity, (old) => closeHoles(shape, tables, old, shape.end));
    noteAll(journal);
  }
}

/** Makes the table's slice hold at least `rows` rows; its rows may move, all others too. */
export function growSlice(
  shape: Shape,
  tables: Tables,
  journal: Journal,
  table: TableNumber,
  rows: number,
): void {
  const size = classFor(rows);
  const room = 1 << size;
  if (growInPlace(shape, tables, table, room)) return;
  let to = takeRows(shape, size);
  if (to < 0) {
    makeRoom(shape, tables, journal, table, size);
    if (growInPlace(shape, tables, table, room)) return;
    to = takeRows(shape, size);
  }
  CHECK: law(to >= 0, () => `no room for ${room} rows after making it`);

  const from = tables.first[table]!;
  const count = tables.count[table]!;
  if (count > 0) {
    copyRows(shape.lanes, from, shape.lanes, to, count);
    forgetRows(shape.lanes, from, from + count);
    markRange(shape.used, from, from + count, false);
    markRange(shape.used, to, to + count, true);
    shape.bits?.copy(from, to, count);
    shape.bits?.clear(from, from + count);
    freeRows(shape, from, tables.capacity[table]!);
    note(journal, SLICE_MOVED, table);
  }
  tables.first[table] = to;
  tables.capacity[table] = room;
}

/** The last slice grows where it is, while the columns are long enough. */
function growInPlace(shape: Shape, tables: Tables, table: TableNumber, room: number): boolean {
  const first = tables.first[table]!;
  const capacity = tables.capacity[table]!;
  if (capacity === 0 || first + capacity !== shape.end || first + room > shape.lanes.capacity) return false;
  tables.capacity[table] = room;
  shape.end = first + room;
  return true;
}

/** Gives back the upper part of a slice that is used to a quarter or less. */
export function shrinkSlice(shape: Shape, tables: Tables, table: TableNumber): void {
  const count = tables.count[table]!;
  const capacity = tables.capacity[table]!;
  if (count * 4 > capacity || capacity <= 4) return;
  const room = roomFor(count) * 2;
  tables.capacity[table] = room;
  freeRows(shape, tables.first[table]! + room, capacity - room);
}

/** A table without rows owns no slice. */
export function dropSlice(shape: Shape, tables: Tables, table: TableNumber): void {
  freeRows(shape, tables.first[table]!, tables.capacity[table]!);
  tables.first[table] = NO_SLICE;
  tables.capacity[table] = 0;
}

/** The new order of a shape's rows, filled table by table. */
export interface Layout {
  /** New absolute row -> old absolute row. */
  readonly from: Int32Array;
  /** Rows filled so far. */
  rows: number;
}

export function createLayout(shape: Shape): Layout {
  return { from: new Int32Array(shape.rows), rows: 0 };
}

/**
 * Moves the rows of a shape to where the layout has them; slices get exactly the room of their rows, and it is the caller's to say
 * where they begin.
 *
 * @throws what the memory throws; nothing has changed then.
 */
export function layRows(shape: Shape, tables: Tables, layout: Layout): void {
  const { lanes, used } = shape;
  /** An eighth more, so that the next spawn need not move everything. */
  const room = layout.rows + (layout.rows >> 3);
  const capacity = Math.ceil(room / ROW_ALIGNMENT) * ROW_ALIGNMENT;
  if (layout.rows > 0)
    replaceLanes(lanes, capacity, (old) => {
      eachRun(layout, (from, to, count) => copyRows(old, from, lanes, to, count));
    });
  else if (lanes.capacity > 0) closeLanes(lanes);

  shape.holes.fill(NO_HOLE);
  shape.holeClasses = 0;
  shape.end = layout.rows;
  resizeBits(used, 0);
  resizeBits(used, capacity);
  if (layout.rows === 0) shape.bits = undefined;
  const { bits } = shape;
  if (bits !== undefined) {
    const former = bits.renew();
    eachRun(layout, (from, to, count) => bits.lay(former, from, to, count));
  }
  markRange(used, 0, layout.rows, true);
  for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) {
    tables.capacity[table] = tables.count[table]!;
  }
}

/** Rows that lie side by side before and after are copied at once. */
function eachRun({ from, rows }: Layout, copy: (from: number, to: number, count: number) => void): void {
  for (let first = 0, end = 1; first < rows; first = end++) {
    while (end < rows && from[end] === from[end - 1]! + 1) end++;
    copy(from[first]!, first, end - first);
  }
}
