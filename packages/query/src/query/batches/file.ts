import type { World } from "@treeline/core";
import { archetypeAt, grownInt32, pairsOf, rowAt, type TableId, tableAt } from "@treeline/core/internal";
import type { Traversal } from "../../term/plan.ts";
import {
  CHUNK,
  enterChunk,
  HELD,
  heldBy,
  leaveChunk,
  notesAt,
  notesOf,
  PLACE,
  Positions,
  takeRoom,
} from "./chunks.ts";
import { BY_TABLE, filingOfTable, lookUp, rowOfHolder, Ways } from "./ways.ts";

/** Behind so many rows of a chunk nobody is looked for who might fill a hole. */
const MANY_ROWS = 64;

/** More entries of those who wait are not kept for the next time. */
const KEPT_ENTRIES = 1024;

/** What the ways tell of units, and what these are put into. */
export class Files {
  readonly ways: Ways;
  readonly positions: Positions;
  /** Units whose rows are to be written, when all have been looked at: [unit, its holders ..., ...]. */
  waiting: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Numbers of these in use. */
  waitingLength = 0;

  constructor(world: World, traversals: readonly Pick<Traversal, "relation" | "what">[]) {
    this.ways = new Ways(world, traversals);
    this.positions = new Positions(traversals.length);
  }
}

/** Puts a table where its state says: out of all chunks if it is not filed as a whole. */
export function fileTable(world: World, files: Files, table: TableId): void {
  const { ways, positions } = files;
  const { tables } = ways.cursors;
  if (filingOfTable(ways, table) !== BY_TABLE || tables.first === tables.end) takeOut(positions, table);
  else {
    lookUp(world, ways, positions.chunks.holderShapes, table, 0);
    file(world, files, table, tables.archetype.number, tables.first, tables.end - tables.first);
  }
}

/** The same of one entity: out of all chunks if it is not loose. */
export function fileLoose(world: World, files: Files, index: number): void {
  const { ways, positions } = files;
  const pair = pairsOf(world).valueAt(index);
  if (pair === 0) takeOut(positions, -index);
  else {
    lookUp(world, ways, positions.chunks.holderShapes, tableAt(world, index), pair);
    file(world, files, -index, archetypeAt(world, index).number, rowAt(world, index), 1);
  }
}

/** Puts a unit into the chunk that `ways` tell of. It waits there, unless all is written as it should be. */
function file(world: World, files: Files, unit: number, shape: number, first: number, count: number): void {
  const { ways, positions } = files;
  const { chunks } = positions;
  const { depth, key, holders } = ways;
  positions.isOther = true;
  const notes = notesOf(chunks, unit);
  const at = notesAt(unit);
  let chunk = notes[at + CHUNK]!;
  const isAlike = chunks.depth[chunk] === depth && chunks.shape[chunk] === shape;
  const stays = chunk !== 0 && isAlike && chunks.holder[chunk] === key;
  if (stays && heldBy(chunks, unit) === count) {
    const place = notes[at + PLACE]!;
    if (place < 0 || isWritten(world, files, chunks.start[chunk]! + place, first)) return;
  } else {
    if (stays) giveUpRows(positions, unit);
    else {
      if (chunk !== 0) takeOut(positions, unit);
      chunk = enterChunk(chunks, unit, depth, shape, key);
    }
    if (unit > 0) notes[at + HELD] = count;
    notes[at + PLACE] = -1;
    chunks.waiting[chunk]! += count;
  }
  const end = files.waitingLength + 1;
  const length = end + holders.length;
  if (length > files.waiting.length) files.waiting = grownInt32(files.waiting, length);
  const { waiting } = files;
  waiting[end - 1] = unit;
  for (let way = 0; way < holders.length; way++) waiting[end + way] = holders[way]!;
  files.waitingLength = length;
}

/**
 * After all have been looked at: closes holes, makes room, in the order of the visit, so that new pieces lie in it too, and
 * writes those who wait.
 */
export function settle(world: World, files: Files): void {
  const { positions } = files;
  const { chunks } = positions;
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[at]!;
    if (chunks.holed[chunk] === 1) {
      const start = chunks.start[chunk]!;
      chunks.holed[chunk] = 0;
      chunks.rows[chunk] = moveRows(positions, chunk, start, start, chunks.rows[chunk]!) - start;
    }
    const length = chunks.rows[chunk]! + chunks.waiting[chunk]!;
    if (length > chunks.room[chunk]!) takeRoom(positions, chunk, length);
    chunks.waiting[chunk] = 0;
  }
  const { ways, waiting, waitingLength } = files;
  const { tables } = ways.cursors;
  const { rows, rowUnits, holderRows } = positions; // with room for all now
  for (let from = 0; from < waitingLength; from += 1 + chunks.places) {
    const unit = waiting[from]!;
    const notes = notesOf(chunks, unit);
    const at = notesAt(unit);
    const chunk = notes[at + CHUNK]!;
    if (unit > 0) tables.turnTo(unit);
    const first = unit > 0 ? tables.first : rowAt(world, -unit);
    const count = unit > 0 ? tables.end - first : 1;
    if (notes[at + PLACE]! < 0) {
      notes[at + PLACE] = chunks.rows[chunk]!;
      chunks.rows[chunk]! += count;
    }
    const position = chunks.start[chunk]! + notes[at + PLACE]!;
    for (let row = 0; row < count; row++) {
      rows[position + row] = first + row;
      rowUnits[position + row] = unit;
    }
    for (let place = 0; place < holderRows.length; place++) {
      const list = holderRows[place]!;
      const holderRow = rowOfHolder(world, waiting[from + 1 + place]!);
      for (let row = 0; row < count; row++) list[position + row] = holderRow;
    }
  }
  files.waitingLength = 0;
  if (waiting.length > KEPT_ENTRIES) files.waiting = new Int32Array(0);
}

/** Does the unit that `ways` tell of stand at a position with these rows, beside those of its holders? All follow from the first. */
function isWritten(world: World, { ways, positions }: Files, position: number, first: number): boolean {
  const { rows, holderRows } = positions;
  if (rows[position] !== first) return false;
  for (let place = 0; place < holderRows.length; place++)
    if (holderRows[place]![position] !== rowOfHolder(world, ways.holders[place]!)) return false;
  return true;
}

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
  const notes = notesOf(chunks, unit);
  const chunk = notes[notesAt(unit) + CHUNK]!;
  const held = heldBy(chunks, unit);
  const hole = chunks.start[chunk]! + notes[notesAt(unit) + PLACE]!;
  const end = chunks.start[chunk]! + chunks.rows[chunk]!;
  for (let from = end; chunks.holed[chunk] === 0 && from > hole && end - from < MANY_ROWS; ) {
    const other = rowUnits[from - 1]!;
    const length = heldBy(chunks, other);
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
function moveRows(positions: Positions, chunk: number, from: number, to: number, count: number): number {
  const { chunks, rows, rowUnits, holderRows } = positions;
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
    const held = heldBy(chunks, unit);
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
