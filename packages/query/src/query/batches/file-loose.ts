import type { World } from "@treeline/core";
import { archetypeAt, grownInt32, pairsOf, rowAt, tableAt } from "@treeline/core/internal";
import { enterLoose, leaveLoose } from "./chunks.ts";
import { moveToRoom, type Positions } from "./positions.ts";
import { lookUp, rowOfHolder, type Ways } from "./ways.ts";

/** Loose entities that have entered a chunk without room, until all have been looked at. */
export interface Waiting {
  /** [entity index, row of the holder along the first way, ...]; the first `length` numbers count. */
  entries: Int32Array<ArrayBuffer>;
  /** In the same order: for each the rows of its holders along the other ways. */
  others: Int32Array<ArrayBuffer>;
  length: number;
}

/** More are not kept for the next time. */
const KEPT_ENTRIES = 1024;

export function createWaiting(): Waiting {
  return { entries: new Int32Array(0), others: new Int32Array(0), length: 0 };
}

/**
 * Puts an entity where its state says: out of all chunks if it is not loose, or into one of its depth, shape and holders'
 * shapes, which needs room for it if `waiting` lists it then.
 */
export function fileLoose(
  world: World,
  positions: Positions,
  ways: Ways,
  waiting: Waiting,
  index: number,
): void {
  const { chunks } = positions;
  const chunk = chunks.looseChunk[index]!;
  const pair = pairsOf(world).valueAt(index);
  if (pair === 0) {
    if (chunk !== 0) takeOut(positions, index);
    return;
  }
  positions.isOther = true;
  const table = tableAt(world, index);
  const shape = archetypeAt(world, index).number;
  lookUp(world, ways, chunks.holderShapes, table, pair);
  const { depth, key } = ways;
  const hasOthers = ways.list.length > 1;
  const holderRow = rowOfHolder(world, ways.holders[0]!);
  if (hasOthers) findOtherRows(world, ways);
  const stays =
    chunk !== 0 &&
    chunks.depth[chunk] === depth &&
    chunks.shape[chunk] === shape &&
    chunks.holder[chunk] === key;
  if (stays) {
    const place = chunks.loosePlace[index]!;
    if (place < 0) return;
    writeRow(world, positions, chunks.start[chunk]! + place, index, holderRow);
    if (hasOthers) writeOthers(positions, chunks.start[chunk]! + place, ways.holderRows, 0);
    return;
  }
  if (chunk !== 0) takeOut(positions, index);
  const entered = enterLoose(chunks, index, depth, shape, key);
  if (chunks.rows[entered]! < chunks.room[entered]!) {
    append(world, positions, entered, index, holderRow);
    if (hasOthers)
      writeOthers(positions, chunks.start[entered]! + chunks.loosePlace[index]!, ways.holderRows, 0);
  } else {
    chunks.marked[entered] = 1;
    chunks.loosePlace[index] = -1;
    wait(waiting, index, holderRow);
    if (hasOthers) waitOthers(waiting, ways.holderRows);
  }
}

function findOtherRows(world: World, { holders, holderRows }: Ways): void {
  for (let place = 1; place < holders.length; place++)
    holderRows[place - 1] = rowOfHolder(world, holders[place]!);
}

function writeRow(
  world: World,
  { rows, holderRows, rowUnits }: Positions,
  at: number,
  index: number,
  holderRow: number,
): void {
  rows[at] = rowAt(world, index);
  holderRows[0]![at] = holderRow;
  rowUnits[at] = index;
}

/** @param from the rows of the holders along all but the first way stand there in `list`. */
function writeOthers({ holderRows }: Positions, at: number, list: Int32Array, from: number): void {
  for (let place = 1; place < holderRows.length; place++) holderRows[place]![at] = list[from + place - 1]!;
}

function append(world: World, positions: Positions, chunk: number, index: number, holderRow: number): void {
  const { chunks } = positions;
  const place = chunks.rows[chunk]!++;
  chunks.loosePlace[index] = place;
  writeRow(world, positions, chunks.start[chunk]! + place, index, holderRow);
}

/** Many will wait: their lists need not grow step by step. */
export function fitWaiting(waiting: Waiting, count: number, places: number): void {
  waiting.entries = grownInt32(waiting.entries, count * 2);
  waiting.others = grownInt32(waiting.others, count * (places - 1));
}

function wait(waiting: Waiting, index: number, holderRow: number): void {
  const at = waiting.length;
  if (at + 2 > waiting.entries.length) waiting.entries = grownInt32(waiting.entries, at + 2);
  const { entries } = waiting;
  entries[at] = index;
  entries[at + 1] = holderRow;
  waiting.length = at + 2;
}

function waitOthers(waiting: Waiting, list: Int32Array): void {
  const others = list.length - 1;
  const end = (waiting.length >> 1) * others;
  waiting.others = grownInt32(waiting.others, end);
  for (let at = 0; at < others; at++) waiting.others[end - others + at] = list[at]!;
}

/** The last row of the chunk fills the place of the one that leaves. */
function takeOut(positions: Positions, index: number): void {
  const { chunks, rows, holderRows, rowUnits } = positions;
  positions.isOther = true;
  const chunk = chunks.looseChunk[index]!;
  const start = chunks.start[chunk]!;
  const to = start + chunks.loosePlace[index]!;
  const from = start + --chunks.rows[chunk]!;
  if (from !== to) {
    const last = rowUnits[from]!;
    rows[to] = rows[from]!;
    holderRows[0]![to] = holderRows[0]![from]!;
    rowUnits[to] = last;
    for (let place = 1; place < chunks.places; place++) holderRows[place]![to] = holderRows[place]![from]!;
    chunks.loosePlace[last] = to - start;
  }
  if (chunks.units[chunk] === 1) positions.wasted += chunks.room[chunk]!;
  leaveLoose(chunks, index);
}

/** Makes room for those of a chunk's entities that wait. */
export function makeRoom(positions: Positions, chunk: number): void {
  const { chunks } = positions;
  if (chunks.units[chunk]! > chunks.room[chunk]!) moveToRoom(positions, chunk, chunks.units[chunk]!);
  chunks.marked[chunk] = 0;
}

/** Gives places to those who wait; there is room for all of them. */
export function appendWaiting(world: World, positions: Positions, waiting: Waiting): void {
  const { entries, length, others } = waiting;
  const { chunks } = positions;
  const otherPlaces = chunks.places - 1;
  for (let at = 0; at < length; at += 2) {
    const index = entries[at]!;
    append(world, positions, chunks.looseChunk[index]!, index, entries[at + 1]!);
    if (otherPlaces === 0) continue;
    const position = chunks.start[chunks.looseChunk[index]!]! + chunks.loosePlace[index]!;
    writeOthers(positions, position, others, (at >> 1) * otherPlaces);
  }
  waiting.length = 0;
  if (entries.length > KEPT_ENTRIES) waiting.entries = new Int32Array(0);
  if (others.length > KEPT_ENTRIES) waiting.others = new Int32Array(0);
}
