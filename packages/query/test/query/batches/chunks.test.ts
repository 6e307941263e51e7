import { describe, expect, it } from "vitest";
import {
  areStale,
  CHUNK,
  Chunks,
  enterChunk,
  fitUnits,
  leaveChunk,
  notesAt,
  notesFor,
  refreshOrder,
  sourceArchetypeOf,
  TABLES_PER_CHUNK,
  withArchetype,
} from "../../../src/query/batches/chunks.ts";
import { createDice, seeds } from "../../random/dice.ts";

function chunksFor(tables: number, places = 1): Chunks {
  const chunks = new Chunks(places);
  fitUnits(chunks, tables + 1, tables + 1);
  return chunks;
}

/** The chunk of a unit; 0 for none. */
function chunkOf(chunks: Chunks, unit: number): number {
  return notesFor(chunks, unit)[notesAt(unit) + CHUNK]!;
}

/** Chunks in the order of iteration. */
function ordered(chunks: Chunks): number[] {
  refreshOrder(chunks);
  return [...chunks.order.subarray(0, chunks.alive)];
}

describe("a table enters", () => {
  it("a chunk of its depth, archetype and source's archetype", () => {
    const chunks = chunksFor(3);

    const chunk = enterChunk(chunks, 1, 4, 7, 9);

    expect([chunks.depth[chunk], chunks.archetype[chunk], chunks.source[chunk]]).toEqual([4, 7, 9]);
    expect(chunkOf(chunks, 1)).toBe(chunk);
  });

  it("the chunk of tables with the same key", () => {
    const chunks = chunksFor(3);

    const chunk = enterChunk(chunks, 2, 1, 0, -1);

    expect([enterChunk(chunks, 3, 1, 0, -1), enterChunk(chunks, 1, 1, 0, -1)]).toEqual([chunk, chunk]);
    expect(chunks.units[chunk]).toBe(3);
  });

  it("another chunk if depth, archetype or source's archetype differ", () => {
    const chunks = chunksFor(4);

    const found = [
      enterChunk(chunks, 1, 1, 5, 6),
      enterChunk(chunks, 2, 2, 5, 6),
      enterChunk(chunks, 3, 1, 6, 6),
      enterChunk(chunks, 4, 1, 5, -1),
    ];

    expect(new Set(found).size).toBe(4);
  });

  it.each([2 ** 15, 2 ** 16, 100_000])("its own chunk however many archetypes there are: %i", (many) => {
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

    expect(ordered(chunks).map((chunk) => chunks.units[chunk])).toEqual([256, 256, 256, 232]);
    expect(TABLES_PER_CHUNK).toBe(256);
  });

  it("a chunk of any depth", () => {
    const chunks = chunksFor(2);

    const chunk = enterChunk(chunks, 1, 100_000, 0, -1);

    expect([chunks.depth[chunk], ordered(chunks)]).toEqual([100_000, [chunk]]);
  });
});

describe("a table leaves", () => {
  it("a chunk, in which the others stay", () => {
    const chunks = chunksFor(3);
    const chunk = enterChunk(chunks, 1, 1, 0, -1);
    enterChunk(chunks, 2, 1, 0, -1);
    enterChunk(chunks, 3, 1, 0, -1);

    leaveChunk(chunks, 2);

    expect([1, 2, 3].map((table) => chunkOf(chunks, table))).toEqual([chunk, 0, chunk]);
    expect([chunks.units[chunk], chunks.filed]).toEqual([2, 2]);
  });

  it("and a chunk without tables is freed", () => {
    const chunks = chunksFor(2);
    enterChunk(chunks, 1, 1, 0, -1);
    const stays = enterChunk(chunks, 2, 2, 0, -1);

    leaveChunk(chunks, 1);

    expect([chunks.alive, ordered(chunks)]).toEqual([1, [stays]]);
  });

  it("and the number of a freed chunk is used again", () => {
    const chunks = chunksFor(2);
    const first = enterChunk(chunks, 1, 1, 0, -1);
    leaveChunk(chunks, 1);

    const second = enterChunk(chunks, 2, 9, 8, 7);

    expect([second, chunks.depth[second], chunks.archetype[second], chunks.source[second]]).toEqual([
      first,
      9,
      8,
      7,
    ]);
    expect(chunks.units[second]).toBe(1);
  });

  it("and the freed chunk accepts no more tables of its kind", () => {
    const chunks = chunksFor(3);
    enterChunk(chunks, 1, 1, 0, -1);
    leaveChunk(chunks, 1);
    const other = enterChunk(chunks, 2, 5, 5, 5);

    const again = enterChunk(chunks, 3, 1, 0, -1);

    expect(again).not.toBe(other);
    expect(chunks.units[again]).toBe(1);
  });
});

describe("an entity with a parent stored by value", () => {
  it("enters the one chunk of its depth, archetype and source's archetype, which has no limit", () => {
    const chunks = chunksFor(5000);

    const found = Array.from({ length: 5000 }, (_, at) => enterChunk(chunks, -1 - at, 4, 7, 9));

    const chunk = chunkOf(chunks, -5000);
    expect([chunks.depth[chunk], chunks.archetype[chunk], chunks.source[chunk]]).toEqual([4, 7, 9]);
    expect([new Set(found).size, chunks.units[chunk], ordered(chunks)]).toEqual([1, 5000, [chunk]]);
  });

  it("enters another chunk if depth, archetype or source's archetype differ", () => {
    const chunks = chunksFor(4);

    const found = [
      enterChunk(chunks, -1, 1, 5, 6),
      enterChunk(chunks, -2, 2, 5, 6),
      enterChunk(chunks, -3, 1, 6, 6),
      enterChunk(chunks, -4, 1, 5, -1),
    ];

    expect(new Set(found).size).toBe(4);
  });

  it("leaves, and the chunk is freed with the last one; its kind gets a new chunk then", () => {
    const chunks = chunksFor(3);
    const chunk = enterChunk(chunks, -1, 1, 5, 6);
    enterChunk(chunks, -2, 1, 5, 6);

    leaveChunk(chunks, -1);
    const between = [chunks.units[chunk], chunks.alive];
    leaveChunk(chunks, -2);
    const after = [chunks.alive, chunkOf(chunks, -1), chunkOf(chunks, -2)];
    const other = enterChunk(chunks, -3, 2, 5, 6);
    const again = enterChunk(chunks, -1, 1, 5, 6);

    expect([between, after]).toEqual([
      [1, 1],
      [0, 0, 0],
    ]);
    expect([chunks.depth[other], chunks.depth[again]]).toEqual([2, 1]);
  });

  it("is in the order of chunks between tables, by depth", () => {
    const chunks = chunksFor(6);
    enterChunk(chunks, 1, 3, 0, -1);
    enterChunk(chunks, -1, 2, 1, -1);
    enterChunk(chunks, 2, 1, 0, -1);
    enterChunk(chunks, -2, 4, 1, -1);

    expect(ordered(chunks).map((chunk) => chunks.depth[chunk])).toEqual([1, 2, 3, 4]);
  });
});

describe("the archetype of the sources of a chunk", () => {
  it("is known for each traversal, with one and with several", () => {
    const single = chunksFor(2);
    const chunks = chunksFor(2, 3);
    const { sourceArchetypes } = chunks;
    const list = [7, -1, 4].reduce(
      (before, archetype) => withArchetype(sourceArchetypes, before, archetype),
      0,
    );

    const alone = [enterChunk(single, 1, 1, 5, 9), enterChunk(single, 2, 1, 5, -1)];
    const chunk = enterChunk(chunks, 1, 1, 5, list);

    expect(alone.map((one) => sourceArchetypeOf(single, one, 0))).toEqual([9, -1]);
    expect([0, 1, 2].map((place) => sourceArchetypeOf(chunks, chunk, place))).toEqual([7, -1, 4]);
  });
});

describe("the order of chunks", () => {
  it("is by depth, whatever the order of entering", () => {
    const chunks = chunksFor(6);
    [3, 1, 4, 1, 5, 2].map((depth, at) => enterChunk(chunks, at + 1, depth, at, -1));

    expect(ordered(chunks).map((chunk) => chunks.depth[chunk])).toEqual([1, 1, 2, 3, 4, 5]);
  });

  it("stays while no chunk is made or freed", () => {
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
    expect(ordered(new Chunks(1))).toEqual([]);
  });
});

describe("chunks are stale", () => {
  it("not while they are well filled", () => {
    const chunks = chunksFor(20_000);
    for (let table = 1; table <= 20_000; table++) enterChunk(chunks, table, 1 + (table % 3), 0, -1);

    expect(areStale(chunks)).toBe(false);
  });

  it("not when there are many kinds with few tables each", () => {
    const chunks = chunksFor(1000);
    for (let table = 1; table <= 1000; table++) enterChunk(chunks, table, table, 0, -1);

    expect(areStale(chunks)).toBe(false);
  });

  it("when most tables have left and one is left in each", () => {
    const chunks = chunksFor(40 * TABLES_PER_CHUNK);
    for (let table = 1; table <= 40 * TABLES_PER_CHUNK; table++) enterChunk(chunks, table, 1, 0, -1);

    for (let table = 1; table <= 40 * TABLES_PER_CHUNK; table++) {
      if (table % TABLES_PER_CHUNK !== 0) leaveChunk(chunks, table);
    }

    expect([chunks.alive, areStale(chunks)]).toEqual([40, true]);
  });
});

describe("entities with parents stored by value, however many", () => {
  it("do not hide that chunks of tables are stale", () => {
    const tables = 40 * TABLES_PER_CHUNK;
    const chunks = chunksFor(tables);
    for (let one = 1; one <= tables; one++) {
      enterChunk(chunks, one, 1, 0, -1);
      enterChunk(chunks, -one, 1, 1, -1);
    }

    for (let table = 1; table <= tables; table++)
      if (table % TABLES_PER_CHUNK !== 0) leaveChunk(chunks, table);

    expect([chunks.alive, areStale(chunks)]).toEqual([41, true]);
  });

  it("do not make chunks stale", () => {
    const chunks = chunksFor(10_000);
    for (let one = 1; one <= 10_000; one++) enterChunk(chunks, -one, one % 500, 1, -1);

    for (let one = 1; one <= 10_000; one++) if (one > 500) leaveChunk(chunks, -one);

    expect([chunks.alive, areStale(chunks)]).toEqual([500, false]);
  });
});

describe("after random entering and leaving", () => {
  it.each(seeds(1, 3))("each table is in one chunk, one of its kind, seed %i", (seed) => {
    const dice = createDice(seed);
    const tables = 3000;
    const chunks = chunksFor(tables);
    const kinds = new Map<number, [depth: number, archetype: number, source: number]>();

    for (let at = 0; at < 20_000; at++) {
      const table = 1 + dice.below(tables);
      if (kinds.delete(table)) leaveChunk(chunks, table);
      else {
        const kind: [number, number, number] = [1 + dice.below(3), dice.below(2), dice.below(2) - 1];
        kinds.set(table, kind);
        enterChunk(chunks, table, ...kind);
      }
    }

    const wrong: number[] = [];
    const units = new Map<number, number>();
    for (let table = 1; table <= tables; table++) {
      const chunk = chunkOf(chunks, table);
      const kind = [chunks.depth[chunk], chunks.archetype[chunk], chunks.source[chunk]].join();
      if (kinds.has(table) ? kinds.get(table)!.join() !== kind : chunk !== 0) wrong.push(table);
      if (chunk !== 0) units.set(chunk, (units.get(chunk) ?? 0) + 1);
    }
    expect(wrong).toEqual([]);
    expect(ordered(chunks).map((chunk) => [chunk, chunks.units[chunk]])).toEqual(
      ordered(chunks).map((chunk) => [chunk, units.get(chunk)]),
    );
    expect([units.size, Math.max(...units.values()) <= TABLES_PER_CHUNK]).toEqual([chunks.alive, true]);
    expect(chunks.filed).toBe(kinds.size);
  });
});
