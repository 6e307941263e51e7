import type { World } from "@treeline/core";
import type { TableNumber } from "@treeline/core/internal";
import { enterChunk, leaveChunk } from "./chunks.ts";
import { type Holding, holderOf } from "./holders.ts";
import { type Positions, takeRoom } from "./positions.ts";

/** A table with more rows is not written each time it is listed, but once: with its whole chunk. */
const FEW_ROWS = 32;

/** Puts a table where its state says: out of all chunks, or into one of its depth, shape and holder's shape. */
export function fileTable(world: World, positions: Positions, holding: Holding, table: TableNumber): void {
  const { graph, entities } = world;
  const { tables, records } = graph;
  const { chunks } = positions;
  const chunk = chunks.chunkOf[table]!;
  const shape = tables.shape[table]!;
  const parentPair = tables.parentPair[table]!;
  if (shape < 0 || tables.count[table] === 0 || parentPair === 0) {
    if (chunk !== 0) takeOut(positions, table);
    return;
  }
  const depth = records.depth[parentPair]!;
  const holder = holderOf(world, parentPair, holding);
  const holderShape = holder === 0 ? -1 : tables.shape[entities.table[holder]!]!;
  chunks.holderOf[table] = holder;
  const stays =
    chunk !== 0 &&
    chunks.depth[chunk] === depth &&
    chunks.shape[chunk] === shape &&
    chunks.holder[chunk] === holderShape;
  if (stays) {
    if (chunks.marked[chunk] === 1) return;
    if (tables.count[table]! > FEW_ROWS) chunks.marked[chunk] = 1;
    else if (chunks.held[table] === tables.count[table]) writeRows(world, positions, table);
    else {
      giveUpRows(positions, table);
      putIn(world, positions, table, chunk);
    }
    return;
  }
  if (chunk !== 0) takeOut(positions, table);
  putIn(world, positions, table, enterChunk(chunks, table, depth, shape, holderShape));
}

/** Appends the rows of a table that has just entered a chunk, if there is room for them. */
function putIn(world: World, positions: Positions, table: TableNumber, chunk: number): void {
  const { chunks } = positions;
  if (chunks.marked[chunk] === 1) return;
  const rows = chunks.rows[chunk]!;
  const count = world.graph.tables.count[table]!;
  if (rows + count > chunks.room[chunk]!) {
    chunks.marked[chunk] = 1;
    return;
  }
  chunks.position[table] = chunks.start[chunk]! + rows;
  chunks.held[table] = count;
  chunks.rows[chunk] = rows + count;
  writeRows(world, positions, table);
}

function takeOut(positions: Positions, table: TableNumber): void {
  const { chunks } = positions;
  const chunk = chunks.chunkOf[table]!;
  giveUpRows(positions, table);
  if (chunks.units[chunk] === 1) positions.wasted += chunks.room[chunk]!;
  leaveChunk(chunks, table);
}

/** Takes a table's rows out of its chunk: those of the last table fill their place if they are as many. */
function giveUpRows({ chunks, rows, holderRows, rowUnits }: Positions, table: TableNumber): void {
  const chunk = chunks.chunkOf[table]!;
  if (chunks.marked[chunk] === 1) return;
  const held = chunks.held[table]!;
  const last = rowUnits[chunks.start[chunk]! + chunks.rows[chunk]! - 1]!;
  if (chunks.held[last] !== held) {
    chunks.marked[chunk] = 1;
    return;
  }
  const to = chunks.position[table]!;
  const from = chunks.position[last]!;
  for (let row = 0; row < held && last !== table; row++) {
    rows[to + row] = rows[from + row]!;
    holderRows[to + row] = holderRows[from + row]!;
    rowUnits[to + row] = last;
  }
  chunks.position[last] = to;
  chunks.rows[chunk]! -= held;
}

/** Writes a table's rows, and the row of their holder, at the table's position. */
function writeRows({ graph, entities }: World, positions: Positions, table: TableNumber): void {
  const { chunks, rows, holderRows, rowUnits } = positions;
  const { first, count } = graph.tables;
  const holder = chunks.holderOf[table]!;
  const holderRow = holder === 0 ? 0 : first[entities.table[holder]!]! + entities.row[holder]!;
  let at = chunks.position[table]!;
  const end = first[table]! + count[table]!;
  for (let row = first[table]!; row < end; row++) {
    rows[at] = row;
    holderRows[at] = holderRow;
    rowUnits[at] = table;
    at++;
  }
}

/** Reads the rows of a chunk's tables, and of their holders, anew. */
export function refillTables(world: World, positions: Positions, chunk: number): void {
  const { chunks } = positions;
  const { count } = world.graph.tables;
  chunks.marked[chunk] = 0;
  let length = 0;
  for (let table = chunks.firstTable[chunk]!; table !== 0; table = chunks.next[table]!)
    length += count[table]!;
  if (length > chunks.room[chunk]!) takeRoom(positions, chunk, length);

  let at = chunks.start[chunk]!;
  chunks.rows[chunk] = length;
  for (let table = chunks.firstTable[chunk]!; table !== 0; table = chunks.next[table]!) {
    chunks.position[table] = at;
    chunks.held[table] = count[table]!;
    writeRows(world, positions, table);
    at += count[table]!;
  }
}
