import type { World } from "@treeline/core";
import { archetypeAt, pairsOf, rowAt, type TableId, tableAt } from "@treeline/core/internal";
import { CHUNK, enterChunk, HELD, leaveChunk, notesAt, notesOf, PLACE } from "./chunks.ts";
import { type Positions, takeRoom } from "./positions.ts";
import { BY_TABLE, filingOfTable, lookUp, rowOfHolder, type Ways } from "./ways.ts";

/** Behind so many rows of a chunk nobody is looked for who might fill a hole. */
const MANY_ROWS = 64;

/** Where units are filed: what the ways tell of them, and what they are put into. */
export interface Files {
  readonly ways: Ways;
  readonly positions: Positions;
}

/**
 * Puts a table where its state says: out of all chunks if it is not filed as a whole, or into one of its depth, shape and
 * holders' shapes.
 */
export function fileTable(world: World, files: Files, table: TableId): void {
  const { ways, positions } = files;
  const isByTable = filingOfTable(world, ways, table) === BY_TABLE;
  const { tables } = ways.cursors; // it stands at the table
  const { first, end } = tables;
  if (!isByTable || first === end) {
    takeOut(positions, table);
    return;
  }
  const shape = tables.archetype.number;
  lookUp(world, ways, positions.chunks.holderShapes, table, 0);
  file(world, files, table, shape, first, end - first);
}

/** The same of one entity: out of all chunks if it is not loose. */
export function fileLoose(world: World, files: Files, index: number): void {
  const { ways, positions } = files;
  const pair = pairsOf(world).valueAt(index);
  if (pair === 0) {
    takeOut(positions, -index);
    return;
  }
  lookUp(world, ways, positions.chunks.holderShapes, tableAt(world, index), pair);
  file(world, files, -index, archetypeAt(world, index).number, rowAt(world, index), 1);
}

/** Puts a unit into the chunk that `ways` tell of. */
function file(
  world: World,
  { ways, positions }: Files,
  unit: number,
  shape: number,
  first: number,
  count: number,
): void {
  const { chunks } = positions;
  const { depth, key, holders, holderRows } = ways;
  positions.isOther = true;
  for (let place = 0; place < holders.length; place++)
    holderRows[place] = rowOfHolder(world, holders[place]!);
  const notes = notesOf(chunks, unit);
  const at = notesAt(unit);
  let chunk = notes[at + CHUNK]!;
  const stays =
    chunk !== 0 &&
    chunks.depth[chunk] === depth &&
    chunks.shape[chunk] === shape &&
    chunks.holder[chunk] === key;
  if (stays && notes[at + HELD] === count) {
    const position = chunks.start[chunk]! + notes[at + PLACE]!;
    if (!isWritten(positions, position, first, holderRows))
      writeRows(positions, position, unit, first, count, holderRows);
    return;
  }
  if (stays) giveUpRows(positions, unit);
  else {
    if (chunk !== 0) takeOut(positions, unit);
    chunk = enterChunk(chunks, unit, depth, shape, key);
  }
  const place = chunks.rows[chunk]!;
  if (place + count > chunks.room[chunk]!) takeRoom(positions, chunk, place + count);
  notes[at + PLACE] = place;
  notes[at + HELD] = count;
  chunks.rows[chunk] = place + count;
  writeRows(positions, chunks.start[chunk]! + place, unit, first, count, holderRows);
}

/** Does the unit at a position stand there with these rows, beside these of its holders? All follow from the first ones. */
function isWritten(
  { rows, holderRows }: Positions,
  position: number,
  first: number,
  rowsAbove: Int32Array,
): boolean {
  if (rows[position] !== first) return false;
  for (let place = 0; place < holderRows.length; place++)
    if (holderRows[place]![position] !== rowsAbove[place]) return false;
  return true;
}

/** Writes a unit's rows, and the rows of its holders, at a position. */
function writeRows(
  { rows, rowUnits, holderRows }: Positions,
  position: number,
  unit: number,
  first: number,
  count: number,
  rowsAbove: Int32Array,
): void {
  const nearestRows = holderRows[0]!;
  const nearestRow = rowsAbove[0]!;
  const end = first + count;
  let at = position;
  for (let row = first; row < end; row++) {
    rows[at] = row;
    nearestRows[at] = nearestRow;
    rowUnits[at] = unit;
    at++;
  }
  for (let place = 1; place < holderRows.length; place++)
    holderRows[place]!.fill(rowsAbove[place]!, position, at);
}

/** Takes a unit out of its chunk, if it is in one. */
function takeOut(positions: Positions, unit: number): void {
  const { chunks } = positions;
  const chunk = notesOf(chunks, unit)[notesAt(unit) + CHUNK]!;
  if (chunk === 0) return;
  positions.isOther = true;
  giveUpRows(positions, unit);
  if (chunks.units[chunk] === 1) positions.wasted += chunks.room[chunk]!;
  leaveChunk(chunks, unit);
}

/**
 * Takes a unit's rows out of its chunk: others from the end of it fill their place, either one unit that is as long, or the
 * last ones if they are as long together. Else they leave a hole.
 */
function giveUpRows(positions: Positions, unit: number): void {
  const { chunks, rowUnits } = positions;
  const notes = notesOf(chunks, unit); // those of all units of the chunk
  const chunk = notes[notesAt(unit) + CHUNK]!;
  const held = notes[notesAt(unit) + HELD]!;
  const hole = chunks.start[chunk]! + notes[notesAt(unit) + PLACE]!;
  const end = chunks.start[chunk]! + chunks.rows[chunk]!;
  for (let from = end; chunks.holed[chunk] === 0 && from > hole && end - from < MANY_ROWS; ) {
    const other = rowUnits[from - 1]!;
    const length = notes[notesAt(other) + HELD]!;
    from -= length;
    if (other !== unit && length !== held && end - from !== held) continue;
    if (other !== unit) moveRows(positions, chunk, from, hole, held);
    if (from + held < end) moveRows(positions, chunk, from + held, from, end - from - held);
    chunks.rows[chunk]! -= held;
    return;
  }
  rowUnits.fill(0, hole, hole + held);
  chunks.holed[chunk] = 1;
}

/** Moves whole units of a chunk forwards, and leaves holes out. @returns the position behind the last one. */
function moveRows(
  { chunks, rows, rowUnits, holderRows }: Positions,
  chunk: number,
  from: number,
  to: number,
  count: number,
): number {
  const nearestRows = holderRows[0]!;
  let end = to;
  for (let at = from; at < from + count; ) {
    const unit = rowUnits[at]!;
    if (unit === 0 || at === end) {
      if (unit !== 0) end++;
      at++;
      continue;
    }
    const notes = notesOf(chunks, unit);
    const held = notes[notesAt(unit) + HELD]!;
    notes[notesAt(unit) + PLACE] = end - chunks.start[chunk]!;
    for (let place = 1; place < holderRows.length; place++) holderRows[place]!.copyWithin(end, at, at + held);
    for (const behind = at + held; at < behind; at++) {
      rows[end] = rows[at]!;
      nearestRows[end] = nearestRows[at]!;
      rowUnits[end++] = unit;
    }
  }
  return end;
}

/** Moves the rows of a chunk with holes together. */
export function closeHoles(positions: Positions, chunk: number): void {
  const { chunks } = positions;
  const start = chunks.start[chunk]!;
  chunks.holed[chunk] = 0;
  chunks.rows[chunk] = moveRows(positions, chunk, start, start, chunks.rows[chunk]!) - start;
}
