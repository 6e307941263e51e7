// Appends and takes rows, which stay dense (`takeRow`); grows columns (`makeRoomFor`), frees or keeps unused ones (`releaseColumns`).
import { invariant } from "../base/error.ts";
import { KEPT_ROWS, ROW_ALIGNMENT } from "../base/limits.ts";
import type { Archetype } from "./archetype.ts";
import { copyRow, copyRows, forgetRows, permuteRows, swapRows } from "./copy-rows.ts";
import { Journal, note, ROW_FILLED } from "./journal.ts";
import { mayRetain, replaceLanes } from "./lanes.ts";
import {
  appendTable,
  enterTable,
  leaveTable,
  type PairNumber,
  reserveInTable,
  type TableNumber,
  Tables,
  unlinkTable,
} from "./table.ts";

/** Means "no entity moved". No entity has index 0. */
export const NONE = 0;

/** The state that rows need in addition to their archetype. */
export class Rows {
  readonly tables: Tables = new Tables();
  readonly journal: Journal = new Journal();
  /** By entity index: its row. The next new index is `length`. */
  readonly entities: { readonly row: Int32Array; readonly length: number };
  /** Archetypes that have had a table, in the order of their first tables. */
  readonly founded: Archetype[] = [];
  /** The last archetype that lost all its rows and kept large buffers; it may have rows again. See `releaseColumns`. */
  retained: Archetype | undefined;
  /** During a reservation: archetypes, tables and pairs that have become empty; `endReservation` frees what they do not use. */
  vacated:
    | {
        readonly archetypes: Set<Archetype>;
        readonly tables: Set<TableNumber>;
        readonly pairs: Set<PairNumber>;
      }
    | undefined;

  constructor(entities: Rows["entities"]) {
    this.entities = entities;
  }
}

export function aligned(rows: number): number {
  return Math.ceil(rows / ROW_ALIGNMENT) * ROW_ALIGNMENT;
}

/**
 * Makes room for `count` more rows, so that adding them cannot fail. Columns grow by half, or to what is needed. If allocation fails, the
 * columns of the retained archetype are freed; if it still fails, nothing has changed.
 */
export function makeRoomFor(rows: Rows, archetype: Archetype, count: number): void {
  const { capacity } = archetype.lanes;
  const needed = archetype.rows + count;
  if (needed <= capacity) return;
  const grown = aligned(Math.max(Math.ceil(capacity * 1.5), needed));
  try {
    resizeColumns(archetype, grown);
  } catch (error) {
    const { retained } = rows;
    if (retained === undefined || retained === archetype || retained.rows > 0) throw error;
    rows.retained = undefined;
    freeColumns(retained);
    resizeColumns(archetype, grown);
  }
}

/** Makes the columns another length, at least that of the rows, which stay where they are. */
export function resizeColumns(archetype: Archetype, capacity: number): void {
  const { lanes, rows } = archetype;
  replaceLanes(lanes, capacity, (old) => copyRows(old, 0, lanes, 0, rows));
  archetype.bits?.resize();
}

/** Lists an entity in a table with pairs, which may have had none so far. One without has all rows of its archetype, and no list. */
export function enter(rows: Rows, archetype: Archetype, table: TableNumber, index: number): void {
  const { tables } = rows;
  if (tables.count[table] === 0) {
    if (tables.listed[table] === 1) unlinkTable(tables, archetype.empty, table);
    appendTable(tables, archetype.filled, table);
  }
  enterTable(tables, table, index);
}

/** The opposite. The caller handles a table without entities: see `tidyEmpty`. */
export function leave(rows: Rows, archetype: Archetype, table: TableNumber, index: number): void {
  const { tables } = rows;
  leaveTable(tables, table, index);
  if (tables.count[table] !== 0) return;
  unlinkTable(tables, archetype.filled, table);
  appendTable(tables, archetype.empty, table);
  rows.vacated?.tables.add(table);
}

/** Adds a last row; the caller writes its values and the record of the entity, and lists it in its table. */
export function appendRow(rows: Rows, archetype: Archetype, index: number): number {
  const row = archetype.rows;
  if (row === archetype.lanes.capacity) makeRoomFor(rows, archetype, 1);
  archetype.rows = row + 1;
  archetype.lanes.i32[row] = index;
  return row;
}

/** Adds `count` last rows; the caller writes entity indexes and values, and the rest. @returns the first row. */
export function appendRows(rows: Rows, archetype: Archetype, count: number): number {
  const row = archetype.rows;
  if (row + count > archetype.lanes.capacity) makeRoomFor(rows, archetype, count);
  archetype.rows = row + count;
  return row;
}

/** Removes a row by moving the last one into its place, and updates the record of that entity. */
export function takeRow(rows: Rows, archetype: Archetype, row: number): void {
  const { lanes, bits } = archetype;
  const last = archetype.rows - 1;
  archetype.moves++;
  CHECK: invariant(row >= 0 && row <= last, () => `row ${row} outside 0..${last}`);
  if (row !== last) {
    copyRow(lanes, last, row);
    const moved = lanes.i32[row]!;
    rows.entities.row[moved] = row;
    if (rows.journal.reading) note(rows.journal, ROW_FILLED, moved);
  }
  bits?.move(last, row);
  if (lanes.objects.length > 0) forgetRows(lanes, last, last + 1);
  archetype.rows = last;
  if (last === 0) releaseColumns(rows, archetype);
}

/**
 * Removes several rows; the last rows move into their places. What the rows kept elsewhere is gone already; not for archetypes with bits.
 *
 * @param holes the rows, each once, at the places `from <= place < end`; not read if they are all that there are.
 */
export function takeRows(
  rows: Rows,
  archetype: Archetype,
  holes: Int32Array,
  from: number,
  end: number,
): void {
  const { journal, entities } = rows;
  const { lanes } = archetype;
  const count = archetype.rows;
  const left = count - (end - from);
  archetype.moves++;
  CHECK: for (let at = from; left > 0 && at < end; at++)
    invariant(holes[at]! < count, () => `row ${holes[at]} outside 0..${count - 1}`);
  if (left > 0) {
    const { i32 } = lanes;
    for (let at = from; at < end; at++) i32[holes[at]!] = NONE;
    let filler = count;
    for (let at = from; at < end; at++) {
      const row = holes[at]!;
      if (row >= left) continue;
      do filler--;
      while (i32[filler] === NONE);
      const moved = i32[filler]!;
      copyRow(lanes, filler, row);
      entities.row[moved] = row;
      if (journal.reading) note(journal, ROW_FILLED, moved);
    }
  }
  if (lanes.objects.length > 0) forgetRows(lanes, left, count);
  archetype.rows = left;
  if (left === 0) releaseColumns(rows, archetype);
}

/** Moves an entity to another row of its archetype, and the entity there to its row. */
export function seat(rows: Rows, archetype: Archetype, index: number, row: number): void {
  const { entities, journal } = rows;
  const { lanes, bits } = archetype;
  const from = entities.row[index]!;
  if (from === row) return;
  const other = lanes.i32[row]!;
  swapRows(lanes, from, row);
  archetype.moves++;
  bits?.swap(from, row);
  entities.row[index] = row;
  entities.row[other] = from;
  note(journal, ROW_FILLED, index);
  note(journal, ROW_FILLED, other);
}

/**
 * Puts all rows into another order, and frees what they leave of the columns but for an eighth, so that the next spawn does not copy everything. If
 * allocation fails, nothing changes. The caller tells the journal.
 *
 * @param from new row -> former row.
 */
export function packRows({ entities }: Rows, archetype: Archetype, from: Int32Array): void {
  const { lanes } = archetype;
  const capacity = aligned(from.length + (from.length >> 3));
  let row = 0;
  while (row < from.length && from[row] === row) row++;
  if (capacity === 0) freeColumns(archetype);
  if (row === from.length && lanes.capacity <= capacity) return;
  replaceLanes(lanes, capacity, (old) => permuteRows(old, from, lanes));
  archetype.moves++;
  archetype.bits?.permute(from);
  const { i32 } = lanes;
  for (; row < from.length; row++) entities.row[i32[row]!] = row;
}

/** Makes room for entities in a table. Room for rows is that of the archetype: see `makeRoomFor`. */
export function makeRoomIn(rows: Rows, table: TableNumber, count: number): void {
  // Entities that are spawned after this get indexes behind those of today.
  reserveInTable(rows.tables, table, count, rows.entities.length + count);
}

/**
 * Large buffers of an archetype without rows are freed. But toggling a tag on all entities moves all rows to
 * another archetype and back, so one archetype at a time retains its buffers while a quarter as many rows are in use elsewhere.
 */
export function releaseColumns(rows: Rows, archetype: Archetype): void {
  if (rows.vacated !== undefined) {
    rows.vacated.archetypes.add(archetype);
    return;
  }
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

/** Frees the columns of an archetype without rows. */
export function freeColumns(archetype: Archetype): void {
  if (archetype.lanes.capacity > 0) replaceLanes(archetype.lanes, 0);
  archetype.bits = undefined;
}
