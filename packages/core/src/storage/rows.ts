import { invariant } from "../base/error.ts";
import { KEPT_ROWS } from "../base/limits.ts";
import type { Archetype } from "./archetype.ts";
import { markRange, markUnused, markUsed, resizeBits } from "./bits.ts";
import { copyRow, forgetRows } from "./copy-rows.ts";
import { Journal, note, TABLE_CHANGED } from "./journal.ts";
import { type Lanes, replaceLanes } from "./lanes.ts";
import { forgetHoles, freeRows, growSlice, shrinkSlice } from "./slices.ts";
import { appendTable, NO_SLICE, type TableNumber, Tables, takeTable, UNLISTED } from "./table.ts";

/** Stands for "no entity moved". Index 0 is never given to an entity. */
export const NONE = 0;

/** What rows come and go in, besides their archetype. */
export class Rows {
  readonly tables: Tables = new Tables();
  readonly journal: Journal = new Journal();
  /** Archetypes that have had a row, in the order of their first ones. */
  readonly founded: Archetype[] = [];
  /** The last archetype that lost all its rows and kept large buffers; it may have rows again. See `giveColumnsBack`. */
  resting: Archetype | undefined;
  /** While rooms are held for rows that will come: tables that lost rows, or wait for some; what is left is given back then. */
  vacated: TableNumber[] | undefined;
}

/** Takes a new last row, 0-based within the table; the caller writes its values. All rows of the archetype may move meanwhile. */
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
 * Makes a table's slice hold `count` more rows, which cannot fail then. One without rows joins those with rows: rows must follow.
 * Where memory is refused, the columns of the archetype that rests go; if it still is, nothing has changed.
 */
export function makeRoomFor(rows: Rows, archetype: Archetype, table: TableNumber, count: number): void {
  const { tables } = rows;
  const have = tables.count[table]!;
  if (have + count <= tables.capacity[table]!) return;
  const first = tables.first[table]!;
  try {
    growSlice(archetype, tables, rows.journal, table, have + count);
  } catch (error) {
    const { resting } = rows;
    if (resting === undefined || resting === archetype || resting.rows > 0) throw error;
    rows.resting = undefined;
    closeColumns(resting);
    growSlice(archetype, tables, rows.journal, table, have + count);
  }
  if (have > 0) return;
  if (first !== UNLISTED) takeTable(tables, archetype.empty, table);
  appendTable(tables, archetype.filled, table);
}

/** Takes `count` new last rows at once; the caller writes entity indexes and values. @returns the first row. */
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

/** Takes the last `count` rows off a table, which nobody got; it keeps its room. */
export function takeBackRows(rows: Rows, archetype: Archetype, table: TableNumber, count: number): void {
  const { tables } = rows;
  const left = tables.count[table]! - count;
  const at = tables.first[table]! + left;
  tables.count[table] = left;
  archetype.rows -= count;
  markRange(archetype.used, at, at + count, false);
  note(rows.journal, TABLE_CHANGED, table);
}

/**
 * Takes one row out of a table by moving its last row into the hole.
 *
 * @param row 0-based within the table; must be below its row count.
 * @returns the index of the entity that now lives in `row`, or NOBODY if the last row was taken out.
 *   The caller owes that entity a new entity record.
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
  const { used } = archetype; // as markUnused does: most rows that go, go here
  used.words[(first + last) >>> 5]! &= ~(1 << ((first + last) & 31));
  used.stale = true;
  archetype.bits?.move(first + last, first + row);
  if (archetype.lanes.objects.length > 0) forgetRows(archetype.lanes, first + last, first + last + 1);
  if (rows.journal.reading) note(rows.journal, TABLE_CHANGED, table);
  if (last * 4 <= tables.capacity[table]!) lessened(rows, archetype, table);
  return moved;
}

/**
 * Moves a row to the end of another table of the archetype, which has room for it, and the last row into its place: `appendRow`,
 * `copyRow` and `takeRow`, but numbers of four bytes go in one pass over their lanes. @returns as `takeRow`; the caller owes the
 * one that moved to the last row of `to` a new entity record as well.
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
  const goal = tables.first[to]! + newRow;

  tables.count[to] = newRow + 1;
  tables.count[from] = last;
  const moved = row === last ? NONE : lanes.i32[filler]!;
  if (lanes.plan.plain && lanes.tracks === undefined) shiftNumbers(lanes, source, goal, filler);
  else {
    copyRow(lanes, source, goal);
    if (moved !== NONE) copyRow(lanes, filler, source);
    if (lanes.objects.length > 0) forgetRows(lanes, filler, filler + 1);
  }
  markUsed(used, goal);
  markUnused(used, filler);
  archetype.bits?.move(source, goal);
  archetype.bits?.move(filler, source);
  note(rows.journal, TABLE_CHANGED, to);
  note(rows.journal, TABLE_CHANGED, from);
  if (last * 4 <= tables.capacity[from]!) lessened(rows, archetype, from);
  return moved;
}

/** Of four-byte numbers: one row goes to `goal`, and `filler` into its place. */
function shiftNumbers({ i32, stride, plan }: Lanes, source: number, goal: number, filler: number): void {
  const end = plan.scalars4 * stride;
  for (let lane = 0; lane < end; lane += stride) {
    i32[lane + goal] = i32[lane + source]!;
    i32[lane + source] = i32[lane + filler]!;
  }
}

/**
 * Takes all rows out of a table that is about to be dropped: it stands in no list of its archetype then. Their entities are dead.
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
  takeTable(tables, archetype.filled, table);
  if (archetype.rows === 0) giveColumnsBack(rows, archetype);
}

/** A table has lost rows, and has few left or none: what is theirs is given back, unless rooms are held. */
function lessened(rows: Rows, archetype: Archetype, table: TableNumber): void {
  if (rows.vacated !== undefined) {
    rows.vacated.push(table);
  } else if (rows.tables.count[table]! > 0) {
    shrinkSlice(archetype, rows.tables, table);
  } else {
    endSlice(rows.tables, archetype, table);
    if (archetype.rows === 0) giveColumnsBack(rows, archetype);
  }
}

/** A table without rows goes among the empty ones. Where it was the last of its archetype, the caller gives columns back. */
export function endSlice(tables: Tables, archetype: Archetype, table: TableNumber): void {
  freeRows(archetype, tables.first[table]!, tables.capacity[table]!);
  tables.first[table] = NO_SLICE;
  tables.capacity[table] = 0;
  takeTable(tables, archetype.filled, table);
  appendTable(tables, archetype.empty, table);
}

/**
 * An archetype without rows starts anew at row 0; if its buffers are large, they go. But a tag that goes round takes all rows of
 * one archetype to another and back: so one archetype rests with its buffers while others have a quarter as many rows in use.
 */
export function giveColumnsBack(rows: Rows, archetype: Archetype): void {
  archetype.end = 0;
  if (archetype.holeClasses !== 0) forgetHoles(archetype);
  const isLarge = archetype.lanes.capacity > KEPT_ROWS;
  const { resting } = rows;
  if (resting !== undefined && resting !== archetype && (isLarge || !mayRest(rows, resting))) {
    rows.resting = undefined;
    if (resting.rows === 0) closeColumns(resting);
  }
  if (!isLarge) return;
  rows.resting = mayRest(rows, archetype) ? archetype : undefined;
  if (rows.resting === undefined) closeColumns(archetype);
}

function closeColumns(archetype: Archetype): void {
  replaceLanes(archetype.lanes, 0);
  resizeBits(archetype.used, 0);
  archetype.bits = undefined;
}

/** Are a quarter as many rows in use, over all archetypes, as its columns hold? */
function mayRest({ founded }: Rows, { lanes }: Archetype): boolean {
  const enough = lanes.capacity >> 2;
  let inUse = 0;
  for (let place = 0; place < founded.length && inUse < enough; place++) inUse += founded[place]!.rows;
  return inUse >= enough;
}
