import { grownInt32 } from "@treeline/core/internal";
import { type Chunks, createChunks, refreshOrder } from "./chunks.ts";

/** The lists of all stretches of one list of traversals. Chunks own pieces of them. */
export interface Positions {
  chunks: Chunks;
  /** Position -> absolute row. */
  rows: Int32Array<ArrayBuffer>;
  /** By traversal: position -> absolute row of the holder. */
  readonly holderRows: Int32Array<ArrayBuffer>[];
  /** Position -> the unit whose row it is; 0 for a hole. */
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
 * Gives a chunk positions for `length` rows and a quarter more, or half more if it has outgrown some before; the rows that
 * it has go along. What it had is wasted until all is laid anew, unless nothing lies behind it.
 */
export function takeRoom(positions: Positions, chunk: number, length: number): void {
  const { chunks } = positions;
  const isFirst = chunks.room[chunk] === 0;
  const room = isFirst ? length + (length >> 2) + 1 : length + (length >> 1) + 16;
  if (positions.end + room > positions.rows.length && positions.wasted * 2 > positions.end)
    layAnew(positions);
  const former = chunks.start[chunk]!;
  const isLast = former + chunks.room[chunk]! === positions.end;
  const start = isLast && !isFirst ? former : positions.end;
  positions.end = start + room;
  if (positions.end > positions.rows.length) grow(positions);
  if (start !== former && !isFirst) {
    positions.wasted += chunks.room[chunk]!;
    for (const list of listsOf(positions)) list.copyWithin(start, former, former + chunks.rows[chunk]!);
  }
  chunks.start[chunk] = start;
  chunks.room[chunk] = room;
}

/** Makes room for all positions that are handed out. */
function grow(positions: Positions): void {
  const { holderRows, end } = positions;
  positions.rows = grownInt32(positions.rows, end);
  positions.rowUnits = grownInt32(positions.rowUnits, end);
  for (let place = 0; place < holderRows.length; place++)
    holderRows[place] = grownInt32(holderRows[place]!, end);
}

/** All lists by position; they have one length. */
function listsOf({ rows, rowUnits, holderRows }: Positions): Int32Array[] {
  return [rows, rowUnits, ...holderRows];
}

/** Moves the pieces of all chunks together, in the order of visits. */
function layAnew(positions: Positions): void {
  const { chunks, holderRows } = positions;
  const former = listsOf(positions);
  const { length } = positions.rows;
  positions.rows = new Int32Array(length);
  positions.rowUnits = new Int32Array(length);
  for (let place = 0; place < holderRows.length; place++) holderRows[place] = new Int32Array(length);
  const lists = listsOf(positions);
  positions.end = 0;
  positions.wasted = 0;
  refreshOrder(chunks);
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[at]!;
    const start = chunks.start[chunk]!;
    const moved = positions.end - start;
    const end = start + chunks.rows[chunk]!;
    for (let place = 0; place < lists.length; place++) {
      const from = former[place]!;
      const to = lists[place]!;
      for (let row = start; row < end; row++) to[row + moved] = from[row]!;
    }
    chunks.start[chunk] = positions.end;
    positions.end += chunks.room[chunk]!;
  }
}
