import { beforeEach, describe, expect, it } from "vitest";
import {
  allocateRoom,
  clearRowLists,
  enterChunk,
  fitUnits,
  leaveChunk,
  RowLists,
} from "../../../src/query/batches/chunks.ts";

let rowLists: RowLists;

beforeEach(() => {
  rowLists = new RowLists(2);
  fitUnits(rowLists.chunks, 1001, 1001);
});

/** Begins a chunk of one table, with so many rows: 1000 * table and on. */
function begin(table: number, rows: number): number {
  const { chunks } = rowLists;
  const chunk = enterChunk(chunks, table, table, 0, -1);
  allocateRoom(rowLists, chunk, rows);
  chunks.rows[chunk] = rows;
  for (let row = 0; row < rows; row++) {
    const at = chunks.start[chunk]! + row;
    rowLists.rows[at] = 1000 * table + row;
    rowLists.sourceRows[0]![at] = table;
    rowLists.sourceRows[1]![at] = -table;
    rowLists.rowUnits[at] = table;
  }
  return chunk;
}

function rowsOf(chunk: number): number[] {
  const { chunks, rows } = rowLists;
  const start = chunks.start[chunk]!;
  return [...rows.subarray(start, start + chunks.rows[chunk]!)];
}

/** Row intervals of chunks as [start, end), by start; they must not overlap. */
function overlaps(): string[] {
  const { chunks } = rowLists;
  const intervals: [number, number][] = [];
  for (let chunk = 1; chunk < chunks.length; chunk++) {
    if (chunks.units[chunk]! > 0)
      intervals.push([chunks.start[chunk]!, chunks.start[chunk]! + chunks.room[chunk]!]);
  }
  intervals.sort(([one], [other]) => one - other);
  const wrong = intervals.filter(([start], at) => at > 0 && start < intervals[at - 1]![1]);
  if (intervals.length > 0 && intervals.at(-1)![1] > rowLists.end) wrong.push(intervals.at(-1)!);
  return wrong.map(String);
}

describe("allocateRoom", () => {
  it("gives a chunk the requested rows and a quarter more", () => {
    const chunk = begin(1, 100);

    expect([rowLists.chunks.room[chunk], rowLists.end]).toEqual([126, 126]);
    expect(rowLists.rows.length).toBeGreaterThanOrEqual(126);
  });

  it("gives chunks row intervals one after another", () => {
    for (let table = 1; table <= 20; table++) begin(table, table);

    expect(overlaps()).toEqual([]);
  });

  it("abandons the former interval, and gives half more the second time", () => {
    const chunk = begin(1, 100);
    begin(2, 400);

    allocateRoom(rowLists, chunk, 200);

    expect([rowLists.wasted, rowLists.chunks.room[chunk]]).toEqual([126, 316]);
    expect(overlaps()).toEqual([]);
  });

  it("moves all intervals together once more than half is abandoned, and rows move along", () => {
    const kept = [1, 2, 3].map((table) => begin(table, 10 * table));
    const gone = [4, 5, 6].map((table) => begin(table, 100));
    gone.forEach((chunk, at) => {
      rowLists.wasted += rowLists.chunks.room[chunk]!;
      leaveChunk(rowLists.chunks, 4 + at);
    });
    const before = kept.map(rowsOf);

    const chunk = begin(7, 600);

    expect(rowLists.wasted).toBe(0);
    expect(rowLists.end).toBe(kept.reduce((sum, one) => sum + rowLists.chunks.room[one]!, 0) + 751);
    expect(kept.map(rowsOf)).toEqual(before);
    const lasts = kept.map((one) => rowLists.chunks.start[one]! + rowLists.chunks.rows[one]! - 1);
    expect(lasts.map((at) => rowLists.sourceRows.map((rows) => rows[at]))).toEqual([
      [1, -1],
      [2, -2],
      [3, -3],
    ]);
    expect([rowsOf(chunk).length, overlaps()]).toEqual([600, []]);
  });
});

describe("a chunk that outgrows its room", () => {
  it("moves its rows along", () => {
    const chunk = begin(1, 30);
    begin(2, 30);
    const before = rowsOf(chunk);

    allocateRoom(rowLists, chunk, 60);

    expect([rowsOf(chunk), overlaps()]).toEqual([before, []]);
    expect(rowLists.sourceRows.map((rows) => rows[rowLists.chunks.start[chunk]! + 29])).toEqual([1, -1]);
    expect(rowLists.rowUnits[rowLists.chunks.start[chunk]! + 29]).toBe(1);
  });

  it("moves them also when all intervals are moved on the way", () => {
    const gone = begin(3, 600);
    const chunk = begin(1, 300);
    const other = begin(2, 10);
    const before = [rowsOf(chunk), rowsOf(other)];
    rowLists.wasted += rowLists.chunks.room[gone]!;
    leaveChunk(rowLists.chunks, 3);

    allocateRoom(rowLists, chunk, 2000);

    expect(rowLists.wasted).toBe(376);
    expect([rowsOf(chunk), rowsOf(other), overlaps()]).toEqual([...before, []]);
  });

  it("stays where it is if nothing comes after it", () => {
    begin(2, 30);
    const chunk = begin(1, 30);
    const { start } = rowLists.chunks;
    const former = start[chunk];

    allocateRoom(rowLists, chunk, 60);

    expect([start[chunk], rowLists.wasted, overlaps()]).toEqual([former, 0, []]);
  });
});

describe("clearRowLists", () => {
  it("removes everything from all chunks", () => {
    begin(1, 100);

    clearRowLists(rowLists);

    expect([rowLists.end, rowLists.wasted, rowLists.chunks.alive]).toEqual([0, 0, 0]);
  });
});
