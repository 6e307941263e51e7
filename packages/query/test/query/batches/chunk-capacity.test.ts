import { beforeEach, describe, expect, it } from "vitest";
import {
  allocateRoom,
  chunkFor,
  enterChunk,
  fitEntities,
  leaveChunk,
  positionOf,
  RowLists,
} from "../../../src/query/batches/chunks.ts";

let rowLists: RowLists;

beforeEach(() => {
  rowLists = new RowLists(2);
  fitEntities(rowLists.chunks, 10_001);
});

/** Begins a chunk at a depth, with as many entities: 1000 * depth and on. */
function begin(depth: number, rows: number): number {
  const chunk = chunkFor(rowLists.chunks, depth, depth, -1);
  allocateRoom(rowLists, chunk, rows);
  for (let row = 0; row < rows; row++) {
    const index = 1000 * depth + row;
    const position = enterChunk(rowLists, chunk, index, 2 * index);
    rowLists.sourceRows[0]![position] = 3 * index;
    rowLists.sourceRows[1]![position] = -index;
  }
  return chunk;
}

/** All entities of a chunk leave it, so that its positions are wasted. */
function end(chunk: number): void {
  const { chunks } = rowLists;
  const start = chunks.start[chunk]!;
  const gone = [...rowLists.indexes.subarray(start, start + chunks.rows[chunk]!)];
  for (const index of gone) leaveChunk(rowLists, index);
}

/** [entity, row, rows of sources] by position. */
function rowsOf(chunk: number): number[][] {
  const { chunks, indexes, rows, sourceRows } = rowLists;
  const start = chunks.start[chunk]!;
  return Array.from({ length: chunks.rows[chunk]! }, (_, at) =>
    [indexes, rows, ...sourceRows].map((list) => list[start + at]!),
  );
}

/** Slices of living chunks that begin before the one before them ends, or end behind all positions. */
function overlaps(): string[] {
  const { chunks } = rowLists;
  const slices: [number, number][] = [];
  for (let chunk = 1; chunk < chunks.length; chunk++)
    if (chunks.depth[chunk]! >= 0)
      slices.push([chunks.start[chunk]!, chunks.start[chunk]! + chunks.room[chunk]!]);
  slices.sort(([one], [other]) => one - other);
  const wrong = slices.filter(([start], at) => at > 0 && start < slices[at - 1]![1]);
  if (slices.length > 0 && slices.at(-1)![1] > rowLists.end) wrong.push(slices.at(-1)!);
  return wrong.map(String);
}

describe("allocateRoom", () => {
  it("gives a chunk the requested rows and a quarter more", () => {
    const chunk = begin(1, 100);

    expect([rowLists.chunks.room[chunk], rowLists.end]).toEqual([126, 126]);
    expect(rowLists.rows.length).toBeGreaterThanOrEqual(126);
  });

  it("gives chunks slices one after another", () => {
    for (let depth = 1; depth <= 9; depth++) begin(depth, 3 * depth);

    expect(overlaps()).toEqual([]);
  });

  it("abandons the former slice, and gives half more the second time", () => {
    const chunk = begin(1, 100);
    begin(2, 400);

    allocateRoom(rowLists, chunk, 200);

    expect([rowLists.wasted, rowLists.chunks.room[chunk]]).toEqual([126, 316]);
    expect(overlaps()).toEqual([]);
  });

  it("moves all slices together once more than half is abandoned, and rows move along", () => {
    const kept = [3, 1, 2].map((depth) => begin(depth, 10 * depth));
    const gone = [4, 5, 6].map((depth) => begin(depth, 100));
    for (const chunk of gone) end(chunk);
    const before = kept.map(rowsOf);

    const chunk = begin(7, 600);

    expect(rowLists.wasted).toBe(0);
    expect(rowLists.end).toBe(kept.reduce((sum, one) => sum + rowLists.chunks.room[one]!, 0) + 751);
    expect(kept.map(rowsOf)).toEqual(before);
    expect([rowsOf(chunk).length, overlaps()]).toEqual([600, []]);
  });

  it("stores the slices in the order of iteration when it moves them together", () => {
    const [deep, shallow, middle] = [3, 1, 2].map((depth) => begin(depth, 10)) as [number, number, number];
    end(begin(4, 300));

    begin(5, 600);

    const { start } = rowLists.chunks;
    expect([start[shallow], start[middle], start[deep]]).toEqual([0, 13, 26]);
    expect([positionOf(rowLists.chunks, 3004), rowsOf(deep)[4]]).toEqual([30, [3004, 6008, 9012, -3004]]);
  });
});

describe("a chunk that outgrows its room", () => {
  it("moves its rows along", () => {
    const chunk = begin(1, 30);
    begin(2, 30);
    const before = rowsOf(chunk);

    allocateRoom(rowLists, chunk, 60);

    expect([rowsOf(chunk), overlaps()]).toEqual([before, []]);
  });

  it("gets room when one more entity enters, which comes last", () => {
    const chunk = begin(1, 4);
    begin(2, 4);
    const before = rowsOf(chunk);
    const room = rowLists.chunks.room[chunk]!;

    for (const index of [901, 902, 903]) enterChunk(rowLists, chunk, index, index);

    expect(room).toBe(6);
    expect(rowsOf(chunk).slice(0, 4)).toEqual(before);
    expect(
      rowsOf(chunk)
        .slice(4)
        .map(([index, row]) => [index, row]),
    ).toEqual([
      [901, 901],
      [902, 902],
      [903, 903],
    ]);
    expect([rowLists.wasted, overlaps()]).toEqual([6, []]);
  });

  it("moves them also when all slices are moved on the way", () => {
    const gone = begin(3, 600);
    const chunk = begin(1, 300);
    const other = begin(2, 10);
    const before = [rowsOf(chunk), rowsOf(other)];
    end(gone);

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
