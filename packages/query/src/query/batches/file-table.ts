import type { World } from "@treeline/core";
import type { TableCursor, TableId } from "@treeline/core/internal";
import { cursorsOf } from "../../match/pairs.ts";
import { CHUNK, type Chunks, enterChunk, HELD, HOLDER, leaveChunk, NEXT, NOTES, POSITION } from "./chunks.ts";
import { type Positions, takeRoom } from "./positions.ts";
import { BY_TABLE, filingOfTable, lookUp, rowOfHolder, type Ways } from "./ways.ts";

/** A table with more rows is not written each time it is listed, but once: with its whole chunk. */
const FEW_ROWS = 32;
/** Behind so many rows of a chunk nobody is looked for who might fill a hole. */
const MANY_ROWS = 64;

/**
 * Puts a table where its state says: out of all chunks if it is not filed as a whole, or into one of its depth, shape and
 * holders' shapes.
 */
export function fileTable(world: World, positions: Positions, ways: Ways, table: TableId): void {
  const { chunks } = positions;
  const chunk = chunks.notes[table * NOTES + CHUNK]!;
  const isByTable = filingOfTable(world, ways, table) === BY_TABLE;
  const { tables } = ways.cursors; // it stands at the table
  const shape = tables.archetype.number;
  if (!isByTable || tables.first === tables.end) {
    if (chunk !== 0) takeOut(positions, table);
    return;
  }
  positions.isOther = true;
  lookUp(world, ways, chunks.holderShapes, table, 0);
  const { depth, key } = ways;
  chunks.notes[table * NOTES + HOLDER] = ways.holders[0]!;
  if (!ways.isPlain) noteOthers(chunks, table, ways.holders);
  const stays =
    chunk !== 0 &&
    chunks.depth[chunk] === depth &&
    chunks.shape[chunk] === shape &&
    chunks.holder[chunk] === key;
  if (stays) {
    fileAgain(world, positions, tables, chunk);
    return;
  }
  if (chunk !== 0) takeOut(positions, table);
  putIn(world, positions, tables, enterChunk(chunks, table, depth, shape, key));
}

/** The table stays in its chunk; where its rows lie, or how many there are, may be different. */
function fileAgain(world: World, positions: Positions, tables: TableCursor, chunk: number): void {
  const { chunks } = positions;
  const { table, first, end } = tables;
  const count = end - first;
  if (chunks.marked[chunk] === 1) return;
  if (count > FEW_ROWS) chunks.marked[chunk] = 1;
  else if (chunks.notes[table * NOTES + HELD] === count) writeRows(world, positions, tables);
  else {
    giveUpRows(positions, table);
    putIn(world, positions, tables, chunk);
  }
}

/** Notes the holders along all but the first way. */
function noteOthers(chunks: Chunks, table: TableId, holders: Int32Array): void {
  for (let place = 1; place < holders.length; place++) chunks.holderOf[place]![table] = holders[place]!;
}

/** Appends the rows of a table that has just entered a chunk, if there is room for them. */
function putIn(world: World, positions: Positions, tables: TableCursor, chunk: number): void {
  const { chunks } = positions;
  const { table, first, end } = tables;
  if (chunks.marked[chunk] === 1) return;
  const rows = chunks.rows[chunk]!;
  const count = end - first;
  if (rows + count > chunks.room[chunk]!) {
    chunks.marked[chunk] = 1;
    return;
  }
  chunks.notes[table * NOTES + POSITION] = chunks.start[chunk]! + rows;
  chunks.notes[table * NOTES + HELD] = count;
  chunks.rows[chunk] = rows + count;
  writeRows(world, positions, tables);
}

function takeOut(positions: Positions, table: TableId): void {
  const { chunks } = positions;
  positions.isOther = true;
  const chunk = chunks.notes[table * NOTES + CHUNK]!;
  giveUpRows(positions, table);
  if (chunks.units[chunk] === 1) positions.wasted += chunks.room[chunk]!;
  leaveChunk(chunks, table);
}

/**
 * Takes a table's rows out of its chunk: others from the end of it fill their place, either one table that is as long, or the
 * last ones if they are as long together.
 */
function giveUpRows(positions: Positions, table: TableId): void {
  const { chunks, rowUnits } = positions;
  const { notes } = chunks;
  const chunk = notes[table * NOTES + CHUNK]!;
  if (chunks.marked[chunk] === 1) return;
  const held = notes[table * NOTES + HELD]!;
  const hole = notes[table * NOTES + POSITION]!;
  const end = chunks.start[chunk]! + chunks.rows[chunk]!;
  chunks.rows[chunk]! -= held;
  let from = end;
  while (from > hole && end - from < MANY_ROWS) {
    const unit = rowUnits[from - 1]!;
    const length = notes[unit * NOTES + HELD]!;
    from -= length;
    if (unit === table || length === held) {
      if (unit !== table) moveUnits(positions, from, hole, held);
      moveUnits(positions, from + held, from, end - from - held);
      return;
    }
    if (end - from === held) {
      moveUnits(positions, from, hole, held);
      return;
    }
  }
  chunks.marked[chunk] = 1;
}

/** Moves whole tables of a chunk forwards. @param count rows. */
function moveUnits(
  { chunks, rows, rowUnits, holderRows }: Positions,
  from: number,
  to: number,
  count: number,
): void {
  let last = 0;
  for (let row = 0; row < count; row++) {
    const unit = rowUnits[from + row]!;
    rows[to + row] = rows[from + row]!;
    rowUnits[to + row] = unit;
    if (unit !== last) chunks.notes[unit * NOTES + POSITION] = to + row;
    last = unit;
  }
  for (let place = 0; place < holderRows.length; place++) {
    const list = holderRows[place]!;
    for (let row = 0; row < count; row++) list[to + row] = list[from + row]!;
  }
}

/** Writes a table's rows, and the rows of their holders, at the table's position. */
function writeRows(world: World, positions: Positions, { table, first, end }: TableCursor): void {
  const { chunks, rows, rowUnits } = positions;
  const firstHolderRow = rowOfHolder(world, chunks.notes[table * NOTES + HOLDER]!);
  const firstHolderRows = positions.holderRows[0]!;
  let at = chunks.notes[table * NOTES + POSITION]!;
  for (let row = first; row < end; row++) {
    rows[at] = row;
    firstHolderRows[at] = firstHolderRow;
    rowUnits[at] = table;
    at++;
  }
  if (chunks.places > 1) writeOthers(world, positions, table, at);
}

/** The same along all but the first way. @param end behind the last position of the table. */
function writeOthers(world: World, { chunks, holderRows }: Positions, table: TableId, end: number): void {
  for (let place = 1; place < chunks.places; place++) {
    const holderRow = rowOfHolder(world, chunks.holderOf[place]![table]!);
    holderRows[place]!.fill(holderRow, chunks.notes[table * NOTES + POSITION], end);
  }
}

/** Reads the rows of a chunk's tables, and of their holders, anew. */
export function refillTables(world: World, positions: Positions, chunk: number): void {
  const { chunks } = positions;
  const { tables } = cursorsOf(world);
  chunks.marked[chunk] = 0;
  let length = 0;
  for (let table = chunks.firstTable[chunk]!; table !== 0; table = chunks.notes[table * NOTES + NEXT]!) {
    tables.turnTo(table);
    length += tables.end - tables.first;
  }
  if (length > chunks.room[chunk]!) takeRoom(positions, chunk, length);

  const { rows, rowUnits } = positions;
  const holderRows = positions.holderRows[0]!;
  const { notes } = chunks;
  let at = chunks.start[chunk]!;
  chunks.rows[chunk] = length;
  for (let table = chunks.firstTable[chunk]!; table !== 0; table = notes[table * NOTES + NEXT]!) {
    const holderRow = rowOfHolder(world, notes[table * NOTES + HOLDER]!);
    tables.turnTo(table);
    const { first, end } = tables;
    notes[table * NOTES + POSITION] = at;
    notes[table * NOTES + HELD] = end - first;
    for (let row = first; row < end; row++) {
      rows[at] = row;
      holderRows[at] = holderRow;
      rowUnits[at] = table;
      at++;
    }
    if (chunks.places > 1) writeOthers(world, positions, table, at);
  }
}
