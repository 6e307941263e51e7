import { invariant, TreelineError } from "../base/error.ts";
import { LAST_SIZE_CLASS, ROW_ALIGNMENT } from "../base/limits.ts";
import { isUsed, markRange, resizeBits } from "./bits.ts";
import { copyRows, forgetRows } from "./copy-rows.ts";
import { type Journal, note, noteAll, SLICE_MOVED } from "./journal.ts";
import { type Lanes, replaceLanes } from "./lanes.ts";
import { NO_HOLE, type Shape } from "./shape.ts";
import type { TableNumber, Tables } from "./table.ts";

/** The smallest k with 2^k >= rows. */
function classFor(rows: number): number {
  return rows <= 1 ? 0 : 32 - Math.clz32(rows - 1);
}

/** The power of two a slice of so many rows gets. */
export function roomFor(rows: number): number {
  return 1 << classFor(rows);
}

function aligned(rows: number): number {
  return Math.ceil(rows / ROW_ALIGNMENT) * ROW_ALIGNMENT;
}

function pushHole(shape: Shape, row: number, size: number): void {
  shape.lanes.i32[row] = shape.holes[size]!;
  shape.holes[size] = row;
  shape.holeClasses |= 1 << size;
}

export function forgetHoles(shape: Shape): void {
  shape.holes.fill(NO_HOLE);
  shape.holeClasses = 0;
}

/** Gives rows back: to the end if they are the last ones, else as holes of powers of two. */
export function freeRows(shape: Shape, first: number, rows: number): void {
  if (first + rows === shape.end) {
    shape.end = first;
    return;
  }
  for (let row = first, left = rows; left > 0; ) {
    const size = 31 - Math.clz32(left);
    pushHole(shape, row, size);
    row += 1 << size;
    left -= 1 << size;
  }
}

/** @returns the first of `2 ** size` free rows, or -1 if the columns must grow first. */
function takeRows(shape: Shape, size: number): number {
  const classes = (shape.holeClasses >>> size) << size;
  if (classes !== 0) {
    let found = 31 - Math.clz32(classes & -classes);
    const row = shape.holes[found]!;
    const next = shape.lanes.i32[row]!;
    shape.holes[found] = next;
    if (next === NO_HOLE) shape.holeClasses &= ~(1 << found);
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

/** Rows that lie side by side before and after, and are copied at once. */
type Copy = (from: number, to: number, count: number) => void;

/** Lays rows anew, in other columns or in place, where none moves up. `eachRun` names all that stay, as often as it is called. */
function layRuns(shape: Shape, capacity: number, isInPlace: boolean, eachRun: (copy: Copy) => void): void {
  const { lanes, used, bits } = shape;
  const copyFrom = (source: Lanes): void => {
    eachRun((from, to, count) => {
      if (from !== to || source !== lanes) copyRows(source, from, lanes, to, count);
    });
  };
  if (isInPlace) copyFrom(lanes);
  else replaceLanes(lanes, capacity, copyFrom);
  forgetHoles(shape);
  resizeBits(used, 0);
  resizeBits(used, capacity);
  eachRun((_, to, count) => markRange(used, to, to + count, true));
  bits?.lay(eachRun);
  if (!isInPlace) return;
  // JavaScript values were left behind in rows that are free now.
  for (let row = 0; row < capacity; row++) if (!isUsed(used, row)) forgetRows(lanes, row, row + 1);
}

/** Lays all slices side by side in their present order, each as small as holds it; in place none grows, and so none moves up. */
function closeHoles(shape: Shape, tables: Tables, capacity: number): void {
  const { first } = tables;
  const order: TableNumber[] = [];
  for (let table = shape.filled.first; table !== 0; table = tables.next[table]!) order.push(table);
  order.sort((one, other) => first[one]! - first[other]!);
  const isInPlace = capacity === shape.lanes.capacity;
  let end = 0;
  const starts = order.map((table) => {
    const start = end;
    const room = roomFor(tables.count[table]!);
    end += isInPlace ? Math.min(room, tables.capacity[table]!) : room;
    return start;
  });
  layRuns(shape, capacity, isInPlace, (copy) => {
    for (const [at, table] of order.entries()) copy(first[table]!, starts[at]!, tables.count[table]!);
  });
  shape.end = end;
  for (const [at, table] of order.entries()) {
    first[table] = starts[at]!;
    tables.capacity[table] = (starts[at + 1] ?? end) - starts[at]!;
  }
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
  for (let table = shape.filled.first; table !== 0; table = tables.next[table]!) {
    if (table !== growing) need += roomFor(tables.count[table]!);
  }

  const isRoomy = need * 3 <= lanes.capacity * 2 && need + oldRoom <= lanes.capacity;
  const grown = aligned(Math.max(Math.ceil(lanes.capacity * 1.5), shape.end + rows));
  if (!isRoomy && (lanes.capacity === 0 || grown <= need * 2.25)) {
    const { end } = shape;
    replaceLanes(lanes, grown, (old) => copyRows(old, 0, lanes, 0, end));
    resizeBits(shape.used, grown);
    shape.bits?.lay((copy) => copy(0, 0, end));
    return;
  }
  const fitting = aligned(Math.max(Math.ceil(need * 1.5), need + oldRoom));
  closeHoles(shape, tables, isRoomy ? lanes.capacity : fitting);
  noteAll(journal);
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
  CHECK: invariant(to >= 0, () => `no room for ${room} rows after making it`);

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

/** The new order of a shape's rows, filled table by table. */
export interface Layout {
  /** New absolute row -> old absolute row. */
  readonly from: Int32Array;
  rows: number;
}

export function createLayout(shape: Shape): Layout {
  return { from: new Int32Array(shape.rows), rows: 0 };
}

/** Moves rows to where the layout has them; the caller says where slices begin. If memory is refused, nothing has changed. */
export function layRows(shape: Shape, tables: Tables, { from, rows }: Layout): void {
  /** An eighth more, so that the next spawn need not move everything. */
  const capacity = aligned(rows + (rows >> 3));
  layRuns(shape, capacity, false, (copy) => {
    for (let first = 0, end = 1; first < rows; first = end++) {
      while (end < rows && from[end] === from[end - 1]! + 1) end++;
      copy(from[first]!, first, end - first);
    }
  });
  shape.end = rows;
  if (rows === 0) shape.bits = undefined;
  for (let table = shape.filled.first; table !== 0; table = tables.next[table]!) {
    tables.capacity[table] = tables.count[table]!;
  }
}
