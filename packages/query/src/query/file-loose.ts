import type { World } from "@treeline/core";
import { grownInt32, loosePairOf } from "@treeline/core/internal";
import { enterLoose, leaveLoose } from "./chunks.ts";
import { type Holding, holderOf } from "./holders.ts";
import { moveToRoom, type Positions } from "./positions.ts";

/** Loose entities that have entered a chunk without room, until all have been looked at. */
export interface Waiting {
  /** [entity index, row of the holder, ...]; the first `length` numbers count. */
  entries: Int32Array<ArrayBuffer>;
  length: number;
}

/** More are not kept for the next time. */
const KEPT_ENTRIES = 1024;

export function createWaiting(): Waiting {
  return { entries: new Int32Array(0), length: 0 };
}

/**
 * Puts an entity where its state says: out of all chunks if it is not loose, or into one of its depth, shape and holder's
 * shape, which needs room for it if `waiting` lists it then.
 */
export function fileLoose(
  world: World,
  positions: Positions,
  holding: Holding,
  waiting: Waiting,
  index: number,
): void {
  const { graph, entities } = world;
  const { tables, records } = graph;
  const { chunks } = positions;
  const chunk = chunks.looseChunk[index]!;
  const pair = loosePairOf(graph.links, index);
  if (pair === 0) {
    if (chunk !== 0) takeOut(positions, index);
    return;
  }
  const depth = records.depth[pair]!;
  const shape = tables.shape[entities.table[index]!]!;
  const holder = holderOf(world, pair, holding);
  const holderTable = entities.table[holder]!;
  const holderShape = holder === 0 ? -1 : tables.shape[holderTable]!;
  const holderRow = holder === 0 ? 0 : tables.first[holderTable]! + entities.row[holder]!;
  const stays =
    chunk !== 0 &&
    chunks.depth[chunk] === depth &&
    chunks.shape[chunk] === shape &&
    chunks.holder[chunk] === holderShape;
  if (stays) {
    const place = chunks.loosePlace[index]!;
    if (place >= 0) writeRow(world, positions, chunks.start[chunk]! + place, index, holderRow);
    return;
  }
  if (chunk !== 0) takeOut(positions, index);
  const entered = enterLoose(chunks, index, depth, shape, holderShape);
  if (chunks.rows[entered]! < chunks.room[entered]!) append(world, positions, entered, index, holderRow);
  else {
    chunks.marked[entered] = 1;
    chunks.loosePlace[index] = -1;
    wait(waiting, index, holderRow);
  }
}

function writeRow(
  { graph, entities }: World,
  { rows, holderRows, rowUnits }: Positions,
  at: number,
  index: number,
  holderRow: number,
): void {
  rows[at] = graph.tables.first[entities.table[index]!]! + entities.row[index]!;
  holderRows[at] = holderRow;
  rowUnits[at] = index;
}

function append(world: World, positions: Positions, chunk: number, index: number, holderRow: number): void {
  const { chunks } = positions;
  const place = chunks.rows[chunk]!++;
  chunks.loosePlace[index] = place;
  writeRow(world, positions, chunks.start[chunk]! + place, index, holderRow);
}

/** Many will wait: their list need not grow step by step. */
export function fitWaiting(waiting: Waiting, count: number): void {
  waiting.entries = grownInt32(waiting.entries, count * 2);
}

function wait(waiting: Waiting, index: number, holderRow: number): void {
  waiting.entries = grownInt32(waiting.entries, waiting.length + 2);
  waiting.entries[waiting.length++] = index;
  waiting.entries[waiting.length++] = holderRow;
}

/** The last row of the chunk fills the place of the one that leaves. */
function takeOut(positions: Positions, index: number): void {
  const { chunks, rows, holderRows, rowUnits } = positions;
  const chunk = chunks.looseChunk[index]!;
  const start = chunks.start[chunk]!;
  const to = start + chunks.loosePlace[index]!;
  const from = start + --chunks.rows[chunk]!;
  if (from !== to) {
    const last = rowUnits[from]!;
    rows[to] = rows[from]!;
    holderRows[to] = holderRows[from]!;
    rowUnits[to] = last;
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
  const { entries, length } = waiting;
  for (let at = 0; at < length; at += 2) {
    const index = entries[at]!;
    append(world, positions, positions.chunks.looseChunk[index]!, index, entries[at + 1]!);
  }
  waiting.length = 0;
  if (entries.length > KEPT_ENTRIES) waiting.entries = new Int32Array(0);
}
