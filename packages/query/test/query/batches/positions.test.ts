import { beforeEach, describe, expect, it } from "vitest";
import {
  clearPositions,
  enterChunk,
  fitUnits,
  leaveChunk,
  Positions,
  takeRoom,
} from "../../../src/query/batches/chunks.ts";

let positions: Positions;

beforeEach(() => {
  positions = new Positions(2);
  fitUnits(positions.chunks, 1001, 1001);
});

/** Begins a chunk of one table, with so many rows: 1000 * table and on. */
function begin(table: number, rows: number): number {
  const { chunks } = positions;
  const chunk = enterChunk(chunks, table, table, 0, -1);
  takeRoom(positions, chunk, rows);
  chunks.rows[chunk] = rows;
  for (let row = 0; row < rows; row++) {
    const at = chunks.start[chunk]! + row;
    positions.rows[at] = 1000 * table + row;
    positions.holderRows[0]![at] = table;
    positions.holderRows[1]![at] = -table;
    positions.rowUnits[at] = table;
  }
  return chunk;
}

function rowsOf(chunk: number): number[] {
  const { chunks, rows } = positions;
  const start = chunks.start[chunk]!;
  return [...rows.subarray(start, start + chunks.rows[chunk]!)];
}

/** Pieces of chunks as [start, end), by start; none may reach into another. */
function overlaps(): string[] {
  const { chunks } = positions;
  const pieces: [number, number][] = [];
  for (let chunk = 1; chunk < chunks.length; chunk++) {
    if (chunks.units[chunk]! > 0)
      pieces.push([chunks.start[chunk]!, chunks.start[chunk]! + chunks.room[chunk]!]);
  }
  pieces.sort(([one], [other]) => one - other);
  const wrong = pieces.filter(([start], at) => at > 0 && start < pieces[at - 1]![1]);
  if (pieces.length > 0 && pieces.at(-1)![1] > positions.end) wrong.push(pieces.at(-1)!);
  return wrong.map(String);
}

describe("takeRoom", () => {
  it("gives a chunk the rows asked for and a quarter more", () => {
    const chunk = begin(1, 100);

    expect([positions.chunks.room[chunk], positions.end]).toEqual([126, 126]);
    expect(positions.rows.length).toBeGreaterThanOrEqual(126);
  });

  it("gives chunks pieces behind one another", () => {
    for (let table = 1; table <= 20; table++) begin(table, table);

    expect(overlaps()).toEqual([]);
  });

  it("wastes the former piece, and gives half more the second time", () => {
    const chunk = begin(1, 100);
    begin(2, 400);

    takeRoom(positions, chunk, 200);

    expect([positions.wasted, positions.chunks.room[chunk]]).toEqual([126, 316]);
    expect(overlaps()).toEqual([]);
  });

  it("lays all pieces anew once more than half is wasted, and rows go along", () => {
    const kept = [1, 2, 3].map((table) => begin(table, 10 * table));
    const gone = [4, 5, 6].map((table) => begin(table, 100));
    gone.forEach((chunk, at) => {
      positions.wasted += positions.chunks.room[chunk]!;
      leaveChunk(positions.chunks, 4 + at);
    });
    const before = kept.map(rowsOf);

    const chunk = begin(7, 600);

    expect(positions.wasted).toBe(0);
    expect(positions.end).toBe(kept.reduce((sum, one) => sum + positions.chunks.room[one]!, 0) + 751);
    expect(kept.map(rowsOf)).toEqual(before);
    const lasts = kept.map((one) => positions.chunks.start[one]! + positions.chunks.rows[one]! - 1);
    expect(lasts.map((at) => positions.holderRows.map((rows) => rows[at]))).toEqual([
      [1, -1],
      [2, -2],
      [3, -3],
    ]);
    expect([rowsOf(chunk).length, overlaps()]).toEqual([600, []]);
  });
});

describe("a chunk that outgrows its room", () => {
  it("takes its rows along", () => {
    const chunk = begin(1, 30);
    begin(2, 30);
    const before = rowsOf(chunk);

    takeRoom(positions, chunk, 60);

    expect([rowsOf(chunk), overlaps()]).toEqual([before, []]);
    expect(positions.holderRows.map((rows) => rows[positions.chunks.start[chunk]! + 29])).toEqual([1, -1]);
    expect(positions.rowUnits[positions.chunks.start[chunk]! + 29]).toBe(1);
  });

  it("takes them along also when everything is laid anew on the way", () => {
    const gone = begin(3, 600);
    const chunk = begin(1, 300);
    const other = begin(2, 10);
    const before = [rowsOf(chunk), rowsOf(other)];
    positions.wasted += positions.chunks.room[gone]!;
    leaveChunk(positions.chunks, 3);

    takeRoom(positions, chunk, 2000);

    expect(positions.wasted).toBe(376);
    expect([rowsOf(chunk), rowsOf(other), overlaps()]).toEqual([...before, []]);
  });

  it("stays where it is if nothing lies behind it", () => {
    begin(2, 30);
    const chunk = begin(1, 30);
    const { start } = positions.chunks;
    const former = start[chunk];

    takeRoom(positions, chunk, 60);

    expect([start[chunk], positions.wasted, overlaps()]).toEqual([former, 0, []]);
  });
});

describe("clearPositions", () => {
  it("takes everything from all chunks", () => {
    begin(1, 100);

    clearPositions(positions);

    expect([positions.end, positions.wasted, positions.chunks.alive]).toEqual([0, 0, 0]);
  });
});
