import { grownInt32 } from "@treeline/core/internal";
import { type Chunks, createChunks, NEXT, NOTES, POSITION } from "./chunks.ts";

/** The lists of all stretches of one list of traversals. Chunks own pieces of them. */
export interface Positions {
  chunks: Chunks;
  /** Position -> absolute row. */
  rows: Int32Array<ArrayBuffer>;
  /** By traversal: position -> absolute row of the holder. */
  readonly holderRows: Int32Array<ArrayBuffer>[];
  /** Position -> whose row it is: a table, or in chunks of loose entities the index of one. */
  rowUnits: Int32Array<ArrayBuffer>;
  /** Something was filed, or taken out, since the stretches were last refreshed. */
  isOther: boolean;
  /** Positions handed out. */
  end: number;
  /** Positions handed out that no chunk owns any more. */
  wasted: number;
}

/** @param places how many traversals there are. */
export function createPositions(places: number): Positions {
  return {
    chunks: createChunks(places),
    rows: new Int32Array(0),
    holderRows: Array.from({ length: places }, () => new Int32Array(0)),
    rowUnits: new Int32Array(0),
    isOther: true,
    end: 0,
    wasted: 0,
  };
}

/** No chunk owns anything any more. */
export function clearPositions(positions: Positions): void {
  positions.chunks = createChunks(positions.chunks.places);
  positions.end = 0;
  positions.wasted = 0;
  positions.isOther = true;
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
  positions.rowUnits = grownInt32(positions.rowUnits, positions.end);
  const { holderRows } = positions;
  for (let place = 0; place < holderRows.length; place++)
    holderRows[place] = grownInt32(holderRows[place]!, positions.end);
}

/** The same, and the rows that the chunk has go along. */
export function moveToRoom(positions: Positions, chunk: number, length: number): void {
  const { chunks, rows, rowUnits } = positions;
  const holderRows = [...positions.holderRows];
  const from = chunks.start[chunk]!;
  const end = from + chunks.rows[chunk]!;
  takeRoom(positions, chunk, length);
  if (from === end) return;
  const to = chunks.start[chunk]!;
  positions.rows.set(rows.subarray(from, end), to);
  positions.rowUnits.set(rowUnits.subarray(from, end), to);
  holderRows.forEach((list, place) => {
    positions.holderRows[place]!.set(list.subarray(from, end), to);
  });
}

/** Moves the pieces of all chunks together. */
function layAnew(positions: Positions): void {
  const { chunks, rows, rowUnits } = positions;
  const holderRows = [...positions.holderRows];
  positions.rows = new Int32Array(rows.length);
  holderRows.forEach(({ length }, place) => {
    positions.holderRows[place] = new Int32Array(length);
  });
  positions.rowUnits = new Int32Array(rows.length);
  positions.end = 0;
  positions.wasted = 0;
  for (let chunk = 1; chunk < chunks.length; chunk++) {
    if (chunks.units[chunk] === 0) continue;
    const start = chunks.start[chunk]!;
    const end = start + chunks.room[chunk]!;
    const to = positions.end;
    positions.rows.set(rows.subarray(start, end), to);
    positions.rowUnits.set(rowUnits.subarray(start, end), to);
    for (let place = 0; place < holderRows.length; place++)
      positions.holderRows[place]!.set(holderRows[place]!.subarray(start, end), to);
    for (let table = chunks.firstTable[chunk]!; table !== 0; table = chunks.notes[table * NOTES + NEXT]!) {
      chunks.notes[table * NOTES + POSITION]! += to - start;
    }
    chunks.start[chunk] = to;
    positions.end += end - start;
  }
}
