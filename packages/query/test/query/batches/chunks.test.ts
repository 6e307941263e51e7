import { describe, expect, it } from "vitest";
import {
  areWorn,
  CHUNK,
  type Chunks,
  createChunks,
  enterChunk,
  enterLoose,
  fitLoose,
  fitTables,
  holderShapeOf,
  leaveChunk,
  leaveLoose,
  NEXT,
  NOTES,
  PREVIOUS,
  refreshOrder,
  TABLES_PER_CHUNK,
  withShape,
} from "../../../src/query/batches/chunks.ts";
import { createDice } from "../../dice.ts";

function chunksFor(tables: number, places = 1): Chunks {
  const chunks = createChunks(places);
  fitTables(chunks, tables + 1);
  fitLoose(chunks, tables + 1);
  return chunks;
}

/** The tables of a chunk, in order, read forwards; backwards must be the same. */
function tablesIn(chunks: Chunks, chunk: number): number[] {
  const forwards: number[] = [];
  for (let at = chunks.firstTable[chunk]!; at !== 0; at = chunks.notes[at * NOTES + NEXT]!) forwards.push(at);
  const backwards: number[] = [];
  for (let at = chunks.lastTable[chunk]!; at !== 0; at = chunks.notes[at * NOTES + PREVIOUS]!)
    backwards.push(at);
  expect(backwards.reverse()).toEqual(forwards);
  return forwards;
}

/** Chunks in the order of a visit. */
function ordered(chunks: Chunks): number[] {
  refreshOrder(chunks);
  return [...chunks.order.subarray(0, chunks.alive)];
}

describe("a table enters", () => {
  it("a chunk of its depth, shape and holder's shape", () => {
    const chunks = chunksFor(3);

    const chunk = enterChunk(chunks, 1, 4, 7, 9);

    expect([chunks.depth[chunk], chunks.shape[chunk], chunks.holder[chunk]]).toEqual([4, 7, 9]);
    expect(chunks.notes[1 * NOTES + CHUNK]).toBe(chunk);
  });

  it("the chunk of those who are like it, behind them", () => {
    const chunks = chunksFor(3);

    const chunk = enterChunk(chunks, 2, 1, 0, -1);

    expect([enterChunk(chunks, 3, 1, 0, -1), enterChunk(chunks, 1, 1, 0, -1)]).toEqual([chunk, chunk]);
    expect(tablesIn(chunks, chunk)).toEqual([2, 3, 1]);
  });

  it("another chunk if depth, shape or holder's shape differ", () => {
    const chunks = chunksFor(4);

    const found = [
      enterChunk(chunks, 1, 1, 5, 6),
      enterChunk(chunks, 2, 2, 5, 6),
      enterChunk(chunks, 3, 1, 6, 6),
      enterChunk(chunks, 4, 1, 5, -1),
    ];

    expect(new Set(found).size).toBe(4);
  });

  it.each([2 ** 15, 2 ** 16, 100_000])("its own chunk however many shapes there are: %i", (many) => {
    const chunks = chunksFor(4);

    const found = [
      enterChunk(chunks, 1, 1, 0, many - 1),
      enterChunk(chunks, 2, 1, 1, -1),
      enterChunk(chunks, 3, 1, many, 0),
      enterChunk(chunks, 4, 1, many - 1, many),
    ];

    expect(new Set(found).size).toBe(4);
  });

  it("a new chunk when the one there is full", () => {
    const chunks = chunksFor(1000);

    for (let table = 1; table <= 1000; table++) enterChunk(chunks, table, 1, 2, 3);

    expect(ordered(chunks).map((chunk) => tablesIn(chunks, chunk).length)).toEqual([256, 256, 256, 232]);
    expect(TABLES_PER_CHUNK).toBe(256);
  });

  it("a chunk of any depth", () => {
    const chunks = chunksFor(2);

    const chunk = enterChunk(chunks, 1, 100_000, 0, -1);

    expect([chunks.depth[chunk], ordered(chunks)]).toEqual([100_000, [chunk]]);
  });
});

describe("a table leaves", () => {
  it.each([
    ["first", 1, [2, 3]],
    ["in the middle", 2, [1, 3]],
    ["last", 3, [1, 2]],
  ])("a chunk, whose others stay in order: %s", (_, leaving, left) => {
    const chunks = chunksFor(3);
    const chunk = enterChunk(chunks, 1, 1, 0, -1);
    enterChunk(chunks, 2, 1, 0, -1);
    enterChunk(chunks, 3, 1, 0, -1);

    leaveChunk(chunks, leaving);

    expect([tablesIn(chunks, chunk), chunks.notes[leaving * NOTES + CHUNK], chunks.filed]).toEqual([
      left,
      0,
      2,
    ]);
  });

  it("and a chunk without tables ends", () => {
    const chunks = chunksFor(2);
    enterChunk(chunks, 1, 1, 0, -1);
    const stays = enterChunk(chunks, 2, 2, 0, -1);

    leaveChunk(chunks, 1);

    expect([chunks.alive, ordered(chunks)]).toEqual([1, [stays]]);
  });

  it("and the number of a chunk that ended is used again", () => {
    const chunks = chunksFor(2);
    const first = enterChunk(chunks, 1, 1, 0, -1);
    leaveChunk(chunks, 1);

    const second = enterChunk(chunks, 2, 9, 8, 7);

    expect([second, chunks.depth[second], chunks.shape[second], chunks.holder[second]]).toEqual([
      first,
      9,
      8,
      7,
    ]);
    expect(tablesIn(chunks, second)).toEqual([2]);
  });

  it("and the chunk that ended takes no more tables of its kind", () => {
    const chunks = chunksFor(3);
    enterChunk(chunks, 1, 1, 0, -1);
    leaveChunk(chunks, 1);
    const other = enterChunk(chunks, 2, 5, 5, 5);

    const again = enterChunk(chunks, 3, 1, 0, -1);

    expect(again).not.toBe(other);
    expect(tablesIn(chunks, again)).toEqual([3]);
  });
});

describe("a loose entity", () => {
  it("enters the one chunk of its depth, shape and holder's shape, which has no limit", () => {
    const chunks = chunksFor(5000);

    const found = Array.from({ length: 5000 }, (_, at) => enterLoose(chunks, at + 1, 4, 7, 9));

    const chunk = chunks.looseChunk[5000]!;
    expect([chunks.depth[chunk], chunks.shape[chunk], chunks.holder[chunk]]).toEqual([4, 7, 9]);
    expect([new Set(found).size, chunks.units[chunk], ordered(chunks)]).toEqual([1, 5000, [chunk]]);
  });

  it("enters another chunk if depth, shape or holder's shape differ", () => {
    const chunks = chunksFor(4);

    const found = [
      enterLoose(chunks, 1, 1, 5, 6),
      enterLoose(chunks, 2, 2, 5, 6),
      enterLoose(chunks, 3, 1, 6, 6),
      enterLoose(chunks, 4, 1, 5, -1),
    ];

    expect(new Set(found).size).toBe(4);
  });

  it("leaves, and the chunk ends with the last one; its kind gets a new chunk then", () => {
    const chunks = chunksFor(3);
    const chunk = enterLoose(chunks, 1, 1, 5, 6);
    enterLoose(chunks, 2, 1, 5, 6);

    leaveLoose(chunks, 1);
    const between = [chunks.units[chunk], chunks.alive];
    leaveLoose(chunks, 2);
    const after = [chunks.alive, chunks.keys, chunks.looseChunk[1], chunks.looseChunk[2]];
    const other = enterLoose(chunks, 3, 2, 5, 6);
    const again = enterLoose(chunks, 1, 1, 5, 6);

    expect([between, after]).toEqual([
      [1, 1],
      [0, 0, 0, 0],
    ]);
    expect([chunks.depth[other], chunks.depth[again]]).toEqual([2, 1]);
  });

  it("stands in the order of chunks between tables, by depth", () => {
    const chunks = chunksFor(6);
    enterChunk(chunks, 1, 3, 0, -1);
    enterLoose(chunks, 1, 2, 1, -1);
    enterChunk(chunks, 2, 1, 0, -1);
    enterLoose(chunks, 2, 4, 1, -1);

    expect(ordered(chunks).map((chunk) => chunks.depth[chunk])).toEqual([1, 2, 3, 4]);
  });
});

describe("the shape of the holders of a chunk", () => {
  it("is known for each traversal, if there is one and if there are several", () => {
    const single = chunksFor(2);
    const chunks = chunksFor(2, 3);
    const { holderShapes } = chunks;
    const list = [7, -1, 4].reduce((before, shape) => withShape(holderShapes, before, shape), 0);

    const alone = [enterChunk(single, 1, 1, 5, 9), enterChunk(single, 2, 1, 5, -1)];
    const chunk = enterChunk(chunks, 1, 1, 5, list);

    expect(alone.map((one) => holderShapeOf(single, one, 0))).toEqual([9, -1]);
    expect([0, 1, 2].map((place) => holderShapeOf(chunks, chunk, place))).toEqual([7, -1, 4]);
  });
});

describe("the order of chunks", () => {
  it("is by depth, whatever the order of coming", () => {
    const chunks = chunksFor(6);
    [3, 1, 4, 1, 5, 2].map((depth, at) => enterChunk(chunks, at + 1, depth, at, -1));

    expect(ordered(chunks).map((chunk) => chunks.depth[chunk])).toEqual([1, 1, 2, 3, 4, 5]);
  });

  it("is kept while no chunk begins or ends", () => {
    const chunks = chunksFor(4);
    enterChunk(chunks, 1, 1, 0, -1);
    enterChunk(chunks, 2, 2, 0, -1);
    refreshOrder(chunks);
    const { order } = chunks;

    enterChunk(chunks, 3, 2, 0, -1);
    leaveChunk(chunks, 3);
    refreshOrder(chunks);

    expect([chunks.orderStale, chunks.order]).toEqual([false, order]);
  });

  it("of no chunks is empty", () => {
    expect(ordered(createChunks(1))).toEqual([]);
  });
});

describe("chunks are worn", () => {
  it("not while they are well filled", () => {
    const chunks = chunksFor(20_000);
    for (let table = 1; table <= 20_000; table++) enterChunk(chunks, table, 1 + (table % 3), 0, -1);

    expect(areWorn(chunks)).toBe(false);
  });

  it("not when there are many kinds with few tables each", () => {
    const chunks = chunksFor(1000);
    for (let table = 1; table <= 1000; table++) enterChunk(chunks, table, table, 0, -1);

    expect(areWorn(chunks)).toBe(false);
  });

  it("when most tables have left and one is left in each", () => {
    const chunks = chunksFor(40 * TABLES_PER_CHUNK);
    for (let table = 1; table <= 40 * TABLES_PER_CHUNK; table++) enterChunk(chunks, table, 1, 0, -1);

    for (let table = 1; table <= 40 * TABLES_PER_CHUNK; table++) {
      if (table % TABLES_PER_CHUNK !== 0) leaveChunk(chunks, table);
    }

    expect([chunks.alive, areWorn(chunks)]).toEqual([40, true]);
  });
});

describe("loose entities, however many", () => {
  it("do not hide that chunks of tables are worn", () => {
    const tables = 40 * TABLES_PER_CHUNK;
    const chunks = chunksFor(tables);
    for (let one = 1; one <= tables; one++) {
      enterChunk(chunks, one, 1, 0, -1);
      enterLoose(chunks, one, 1, 1, -1);
    }

    for (let table = 1; table <= tables; table++)
      if (table % TABLES_PER_CHUNK !== 0) leaveChunk(chunks, table);

    expect([chunks.alive, areWorn(chunks)]).toEqual([41, true]);
  });

  it("do not wear chunks out", () => {
    const chunks = chunksFor(10_000);
    for (let one = 1; one <= 10_000; one++) enterLoose(chunks, one, one % 500, 1, -1);

    for (let one = 1; one <= 10_000; one++) if (one > 500) leaveLoose(chunks, one);

    expect([chunks.alive, areWorn(chunks)]).toEqual([500, false]);
  });
});

describe("after random coming and going", () => {
  it.each([1, 2, 3])("each table stands once, in a chunk of its kind, seed %i", (seed) => {
    const dice = createDice(seed);
    const tables = 3000;
    const chunks = chunksFor(tables);
    const kinds = new Map<number, [depth: number, shape: number, holder: number]>();

    for (let at = 0; at < 20_000; at++) {
      const table = 1 + dice.below(tables);
      if (kinds.delete(table)) leaveChunk(chunks, table);
      else {
        const kind: [number, number, number] = [1 + dice.below(3), dice.below(2), dice.below(2) - 1];
        kinds.set(table, kind);
        enterChunk(chunks, table, ...kind);
      }
    }

    const seen: number[] = [];
    const wrong: number[] = [];
    for (const chunk of ordered(chunks)) {
      const here = tablesIn(chunks, chunk);
      seen.push(...here);
      const kind = [chunks.depth[chunk], chunks.shape[chunk], chunks.holder[chunk]].join();
      wrong.push(
        ...here.filter(
          (table) => chunks.notes[table * NOTES + CHUNK] !== chunk || kinds.get(table)!.join() !== kind,
        ),
      );
      if (here.length > TABLES_PER_CHUNK || here.length !== chunks.units[chunk]) wrong.push(chunk);
    }
    expect(wrong).toEqual([]);
    expect(seen.toSorted((a, b) => a - b)).toEqual([...kinds.keys()].toSorted((a, b) => a - b));
    expect([chunks.filed, chunks.keys]).toEqual([kinds.size, 12]);
  });
});
