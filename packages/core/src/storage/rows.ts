import { invariant } from "../base/error.ts";
import { KEPT_ROWS } from "../base/limits.ts";
import type { Archetype } from "./archetype.ts";
import { markRange, markUnused, markUsed, resizeBits } from "./bits.ts";
import { copyRow, forgetRows } from "./copy-rows.ts";
import { Journal, note, TABLE_CHANGED } from "./journal.ts";
import { type Lanes, mayRetain, replaceLanes } from "./lanes.ts";
import { forgetHoles, freeRows, growSlice, shrinkSlice } from "./slices.ts";
import { appendTable, NO_SLICE, type TableNumber, Tables, UNLISTED, unlinkTable } from "./table.ts";

/** Means "no entity moved". No entity has index 0. */
export const NONE = 0;

/** The state that rows need in addition to their archetype. */
export class Rows {
  readonly tables: Tables = new Tables();
  readonly journal: Journal = new Journal();
  /** Archetypes that have had a table, in the order of their first tables. */
  readonly founded: Archetype[] = [];
  /** The last archetype that lost all its rows and kept large buffers; it may have rows again. See `releaseColumns`. */
  retained: Archetype | undefined;
  /** During a reservation: tables that lost rows, or have reserved some; `endReservation` frees the capacity they do not use. */
  vacated: TableNumber[] | undefined;
}

/** Adds a last row, 0-based within the table; the caller writes its values. All rows of the archetype may move in the process. */
export function appendRow(rows: Rows, archetype: Archetype, table: TableNumber, index: number): number {
  const { tables } = rows;
  const row = tables.count[table]!;
  if (row === tables.capacity[table]!) makeRoomFor(rows, archetype, table, 1);

  const at = tables.first[table]! + row;
  tables.count[table] = row + 1;
  archetype.rows++;
  archetype.lanes.i32[at] = index;
  markUsed(archetype.used, at);
  if (rows.journal.reading) note(rows.journal, TABLE_CHANGED, table);
  return row;
}

/**
 * Makes a table's slice hold `count` more rows, so that adding them cannot fail. A table without rows moves to the list of tables
 * with rows: rows must follow. If allocation fails, the columns of the retained archetype are freed; if it still fails, nothing
 * has changed.
 */
export function makeRoomFor(rows: Rows, archetype: Archetype, table: TableNumber, count: number): void {
  const { tables } = rows;
  const have = tables.count[table]!;
  if (have + count <= tables.capacity[table]!) return;
  const first = tables.first[table]!;
  try {
    growSlice(archetype, tables, rows.journal, table, have + count);
  } catch (error) {
    const { retained } = rows;
    if (retained === undefined || retained === archetype || retained.rows > 0) throw error;
    rows.retained = undefined;
    freeColumns(retained);
    growSlice(archetype, tables, rows.journal, table, have + count);
  }
  if (have > 0) return;
  if (first !== UNLISTED) unlinkTable(tables, archetype.empty, table);
  appendTable(tables, archetype.filled, table);
}

/** Adds `count` last rows; the caller writes entity indexes and values. @returns the first row. */
export function appendRows(rows: Rows, archetype: Archetype, table: TableNumber, count: number): number {
  const { tables } = rows;
  const row = tables.count[table]!;
  if (row + count > tables.capacity[table]!) makeRoomFor(rows, archetype, table, count);

  const at = tables.first[table]! + row;
  tables.count[table] = row + count;
  archetype.rows += count;
  markRange(archetype.used, at, at + count, true);
  note(rows.journal, TABLE_CHANGED, table);
  return row;
}

/** Removes the last `count` rows of a table, to which no entities were assigned; its capacity does not change. */
export function dropLastRows(rows: Rows, archetype: Archetype, table: TableNumber, count: number): void {
  const { tables } = rows;
  const left = tables.count[table]! - count;
  const at = tables.first[table]! + left;
  tables.count[table] = left;
  archetype.rows -= count;
  markRange(archetype.used, at, at + count, false);
  note(rows.journal, TABLE_CHANGED, table);
}

/**
 * Removes one row of a table by moving its last row into the hole.
 *
 * @param row 0-based within the table; must be below its row count.
 * @returns the index of the entity that is now in `row`, or NONE if the last row was removed. The caller must update the entity
 *   record of that entity.
 */
export function takeRow(rows: Rows, archetype: Archetype, table: TableNumber, row: number): number {
  const { tables } = rows;
  const first = tables.first[table]!;
  const last = tables.count[table]! - 1;
  CHECK: invariant(row >= 0 && row <= last, () => `row ${row} outside 0..${last}`);

  tables.count[table] = last;
  archetype.rows--;
  let moved = NONE;
  if (row !== last) {
    copyRow(archetype.lanes, first + last, first + row);
    moved = archetype.lanes.i32[first + row]!;
  }
  const { used } = archetype; // `markUnused`, inlined: most rows are removed here
  used.words[(first + last) >>> 5]! &= ~(1 << ((first + last) & 31));
  used.stale = true;
  archetype.bits?.move(first + last, first + row);
  if (archetype.lanes.objects.length > 0) forgetRows(archetype.lanes, first + last, first + last + 1);
  if (rows.journal.reading) note(rows.journal, TABLE_CHANGED, table);
  if (last * 4 <= tables.capacity[table]!) shrinkTable(rows, archetype, table);
  return moved;
}

/**
 * Moves a row to the end of another table of the archetype, which must have room for it, and the last row into its place. It does
 * what `appendRow`, `copyRow` and `takeRow` do, but copies four-byte numbers in one pass over their lanes, unless columns were
 * handed out: what was written to rows is found before they move. @returns as `takeRow`; the caller must also update the record of
 * the entity that moved to the last row of `to`.
 */
export function shiftRow(
  rows: Rows,
  archetype: Archetype,
  from: TableNumber,
  row: number,
  to: TableNumber,
): number {
  const { tables } = rows;
  const { lanes, used } = archetype;
  const newRow = tables.count[to]!;
  CHECK: invariant(newRow < tables.capacity[to]!, () => `table ${to} has no room`);
  const last = tables.count[from]! - 1;
  const first = tables.first[from]!;
  const source = first + row;
  const filler = first + last;
  const destination = tables.first[to]! + newRow;

  tables.count[to] = newRow + 1;
  tables.count[from] = last;
  const moved = row === last ? NONE : lanes.i32[filler]!;
  if (lanes.plan.plain && lanes.tracks?.handed === undefined) {
    shiftNumbers(lanes, source, destination, filler);
    lanes.tracks?.shiftRow(source, destination, filler);
  } else {
    copyRow(lanes, source, destination);
    if (moved !== NONE) copyRow(lanes, filler, source);
    if (lanes.objects.length > 0) forgetRows(lanes, filler, filler + 1);
  }
  markUsed(used, destination);
  markUnused(used, filler);
  archetype.bits?.move(source, destination);
  archetype.bits?.move(filler, source);
  note(rows.journal, TABLE_CHANGED, to);
  note(rows.journal, TABLE_CHANGED, from);
  if (last * 4 <= tables.capacity[from]!) shrinkTable(rows, archetype, from);
  return moved;
}

/** Copies four-byte numbers: row `source` to `destination`, and row `filler` to `source`. */
function shiftNumbers(
  { i32, stride, plan }: Lanes,
  source: number,
  destination: number,
  filler: number,
): void {
  const end = plan.scalars4 * stride;
  for (let lane = 0; lane < end; lane += stride) {
    i32[lane + destination] = i32[lane + source]!;
    i32[lane + source] = i32[lane + filler]!;
  }
}

/**
 * Removes all rows of a table that is about to be dropped, and the table from the lists of its archetype. The entities must
 * already be destroyed.
 */
export function takeAllRows(rows: Rows, archetype: Archetype, table: TableNumber): void {
  const { tables } = rows;
  const count = tables.count[table]!;
  const first = tables.first[table]!;

  tables.count[table] = 0;
  archetype.rows -= count;
  markRange(archetype.used, first, first + count, false);
  archetype.bits?.clear(first, first + count);
  if (archetype.lanes.objects.length > 0) forgetRows(archetype.lanes, first, first + count);
  freeRows(archetype, first, tables.capacity[table]!);
  tables.first[table] = UNLISTED;
  tables.capacity[table] = 0;
  unlinkTable(tables, archetype.filled, table);
  if (archetype.rows === 0) releaseColumns(rows, archetype);
}

/**
 * Removes several rows of a table; its last rows move into the holes. What the rows kept elsewhere is gone already; not for archetypes
 * with bits.
 *
 * @param holes the rows, 0-based within the table, each once, at the places `from <= place < end`. Each is replaced by the index of the
 *   entity that is now in that row, or by NONE.
 * @param rowOf by entity index: gets the new rows of these entities.
 */
export function takeRows(
  rows: Rows,
  archetype: Archetype,
  table: TableNumber,
  holes: Int32Array,
  from: number,
  end: number,
  rowOf: Int32Array,
): void {
  const { tables, journal } = rows;
  const { lanes } = archetype;
  const first = tables.first[table]!;
  const count = tables.count[table]!;
  const left = count - (end - from);
  for (let at = from; at < end; at++) lanes.i32[first + holes[at]!] = NONE;
  let filler = first + count;
  for (let at = from; at < end; at++) {
    const row = holes[at]!;
    holes[at] = NONE;
    if (row >= left) continue;
    do filler--;
    while (lanes.i32[filler] === NONE);
    const moved = lanes.i32[filler]!;
    copyRow(lanes, filler, first + row);
    rowOf[moved] = row;
    holes[at] = moved;
  }
  tables.count[table] = left;
  archetype.rows -= end - from;
  markRange(archetype.used, first + left, first + count, false);
  if (lanes.objects.length > 0) forgetRows(lanes, first + left, first + count);
  note(journal, TABLE_CHANGED, table);
  if (left * 4 <= tables.capacity[table]!) shrinkTable(rows, archetype, table);
}

/** Frees unused capacity of a table that has lost rows and has few or none left. During a reservation that is postponed. */
function shrinkTable(rows: Rows, archetype: Archetype, table: TableNumber): void {
  if (rows.vacated !== undefined) {
    rows.vacated.push(table);
  } else if (rows.tables.count[table]! > 0) {
    shrinkSlice(archetype, rows.tables, table);
  } else {
    freeSlice(rows.tables, archetype, table);
    if (archetype.rows === 0) releaseColumns(rows, archetype);
  }
}

/**
 * Frees the slice of a table without rows and lists it as empty. If the archetype has no rows left, call `releaseColumns` next.
 */
export function freeSlice(tables: Tables, archetype: Archetype, table: TableNumber): void {
  freeRows(archetype, tables.first[table]!, tables.capacity[table]!);
  tables.first[table] = NO_SLICE;
  tables.capacity[table] = 0;
  unlinkTable(tables, archetype.filled, table);
  appendTable(tables, archetype.empty, table);
}

/**
 * An archetype without rows starts again at row 0; large buffers are freed. But toggling a tag on all entities moves all rows to
 * another archetype and back, so one archetype at a time retains its buffers while a quarter as many rows are in use elsewhere.
 */
export function releaseColumns(rows: Rows, archetype: Archetype): void {
  archetype.end = 0;
  if (archetype.holeClasses !== 0) forgetHoles(archetype);
  const isLarge = archetype.lanes.capacity > KEPT_ROWS;
  const { retained } = rows;
  if (retained !== undefined && retained !== archetype && (isLarge || !mayRetain(rows, retained.lanes))) {
    rows.retained = undefined;
    if (retained.rows === 0) freeColumns(retained);
  }
  if (!isLarge) return;
  rows.retained = mayRetain(rows, archetype.lanes) ? archetype : undefined;
  if (rows.retained === undefined) freeColumns(archetype);
}

function freeColumns(archetype: Archetype): void {
  replaceLanes(archetype.lanes, 0);
  resizeBits(archetype.used, 0);
  archetype.bits = undefined;
}
