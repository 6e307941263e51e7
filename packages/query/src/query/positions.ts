import { grownInt32 } from "@treeline/core/internal";
import { type Chunks, createChunks } from "./chunks.ts";

/** The two lists of all stretches of one component. Chunks own pieces of them. */
export interface Positions {
  chunks: Chunks;
  /** Position -> absolute row, and absolute row of the holder. */
  rows: Int32Array<ArrayBuffer>;
  holderRows: Int32Array<ArrayBuffer>;
  /** Position -> whose row it is: a table, or in chunks of loose entities the index of one. */
  rowUnits: Int32Array<ArrayBuffer>;
  /** Positions handed out. */
  end: number;
  /** Positions handed out that no chunk owns any more. */
  wasted: number;
}

export function createPositions(): Positions {
  return {
    chunks: createChunks(),
    rows: new Int32Array(0),
    holderRows: new Int32Array(0),
    rowUnits: new Int32Array(0),
    end: 0,
    wasted: 0,
  };
}

/** No chunk owns anything any more. */
export function clearPositions(positions: Positions): void {
  positions.chunks = createChunks();
  positions.end = 0;
  positions.wasted = 0;
}

/**
 * Gives a chunk positions for `length` rows and a quarter more, or half more if it has outgrown some before. What it
 * had is wasted until all is laid anew; the rows in it stay there, for the caller.
 */
export function takeRoom(positions: Positions, chunk: number, length: number): void {
  const { chunks } = positions;
  const isFirst = chunks.room[chunk] === 0;
  const room = isFirst ? length + (length >> 2) + 1 : length + (length >> 1) + 16;
  positions.wasted += chunks.room[chunk]!;
  chunks.room[chunk] = 0;
  if (positions.end + room > positions.rows.length && positions.wasted * 2 > positions.end)
    layAnew(positions);
  chunks.start[chunk] = positions.end;
  chunks.room[chunk] = room;
  positions.end += room;
  positions.rows = grownInt32(positions.rows, positions.end);
  positions.holderRows = grownInt32(positions.holderRows, positions.end);
  positions.rowUnits = grownInt32(positions.rowUnits, positions.end);
}

/** The same, and the rows that the chunk has go along. */
export function moveToRoom(positions: Positions, chunk: number, length: number): void {
  const { chunks, rows, holderRows, rowUnits } = positions;
  const from = chunks.start[chunk]!;
  const end = from + chunks.rows[chunk]!;
  takeRoom(positions, chunk, length);
  if (from === end) return;
  const to = chunks.start[chunk]!;
  positions.rows.set(rows.subarray(from, end), to);
  positions.holderRows.set(holderRows.subarray(from, end), to);
  positions.rowUnits.set(rowUnits.subarray(from, end), to);
}

/** Moves the pieces of all chunks together. */
function layAnew(positions: Positions): void {
  const { chunks, rows, holderRows, rowUnits } = positions;
  positions.rows = new Int32Array(rows.length);
  positions.holderRows = new Int32Array(rows.length);
  positions.rowUnits = new Int32Array(rows.length);
  positions.end = 0;
  positions.wasted = 0;
  for (let chunk = 1; chunk < chunks.length; chunk++) {
    if (chunks.units[chunk] === 0) continue;
    const start = chunks.start[chunk]!;
    const end = start + chunks.room[chunk]!;
    const to = positions.end;
    positions.rows.set(rows.subarray(start, end), to);
    positions.holderRows.set(holderRows.subarray(start, end), to);
    positions.rowUnits.set(rowUnits.subarray(start, end), to);
    for (let table = chunks.firstTable[chunk]!; table !== 0; table = chunks.next[table]!) {
      chunks.position[table]! += to - start;
    }
    chunks.start[chunk] = to;
    positions.end += end - start;
  }
}
