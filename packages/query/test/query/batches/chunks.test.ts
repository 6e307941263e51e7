import { describe, expect, it } from "vitest";
import {
  allocateRoom,
  chunkFor,
  chunkOf,
  clearRowLists,
  enterChunk,
  fitEntities,
  leaveChunk,
  positionOf,
  RowLists,
  refreshOrder,
  sourceArchetypeOf,
  turnChunk,
  withArchetype,
} from "../../../src/query/batches/chunks.ts";
import { createDice, seeds } from "../../random/dice.ts";

type Kind = readonly [depth: number, archetype: number, source: number, pair?: number];

function listsFor(entities: number, places = 1): RowLists {
  const rowLists = new RowLists(places);
  fitEntities(rowLists.chunks, entities + 1);
  return rowLists;
}

/** Puts an entity in the chunk of a kind, in a row and below a source's row that follow from its index. @returns the chunk. */
function enter(rowLists: RowLists, index: number, ...kind: Kind): number {
  const chunk = chunkFor(rowLists.chunks, ...kind);
  const position = enterChunk(rowLists, chunk, index, 10 * index);
  rowLists.sourceRows.forEach((rows, path) => {
    rows[position] = 100 * index + path;
  });
  return chunk;
}

/** Chunks in the order of iteration. */
function ordered({ chunks }: RowLists): number[] {
  refreshOrder(chunks);
  return [...chunks.order.subarray(0, chunks.alive)];
}

function depths(rowLists: RowLists): number[] {
  return ordered(rowLists).map((chunk) => rowLists.chunks.depth[chunk]!);
}

/** [entity, its row, then the rows of its sources] by position. */
function rowsIn({ chunks, rows, indexes, sourceRows }: RowLists, chunk: number): number[][] {
  const start = chunks.start[chunk]!;
  return Array.from({ length: chunks.rows[chunk]! }, (_, at) =>
    [indexes, rows, ...sourceRows].map((list) => list[start + at]!),
  );
}

const known = (entities: readonly number[], places = 1): number[][] =>
  entities.map((index) => [
    index,
    10 * index,
    ...Array.from({ length: places }, (_, at) => 100 * index + at),
  ]);

describe("an entity enters", () => {
  it("a chunk of its depth, archetype and source's archetype", () => {
    const rowLists = listsFor(3);
    const { chunks } = rowLists;

    const chunk = enter(rowLists, 1, 4, 7, 9);

    expect([chunks.depth[chunk], chunks.archetype[chunk], chunks.source[chunk]]).toEqual([4, 7, 9]);
    expect([chunkOf(chunks, 1), chunkOf(chunks, 2)]).toEqual([chunk, 0]);
    expect(rowsIn(rowLists, chunk)).toEqual(known([1]));
  });

  it("behind those of the same kind, however many", () => {
    const rowLists = listsFor(5000);
    const { chunks } = rowLists;

    const found = Array.from({ length: 5000 }, (_, at) => enter(rowLists, 5000 - at, 4, 7, 9));

    const chunk = found[0]!;
    expect([new Set(found).size, chunks.rows[chunk], ordered(rowLists)]).toEqual([1, 5000, [chunk]]);
    expect(rowsIn(rowLists, chunk)).toEqual(known(Array.from({ length: 5000 }, (_, at) => 5000 - at)));
    expect([5000, 4999, 1].map((index) => positionOf(chunks, index) - chunks.start[chunk]!)).toEqual([
      0, 1, 4999,
    ]);
  });

  it("another chunk if depth, archetype or source's archetype differ", () => {
    const rowLists = listsFor(4);

    const found = [
      enter(rowLists, 1, 1, 5, 6),
      enter(rowLists, 2, 2, 5, 6),
      enter(rowLists, 3, 1, 6, 6),
      enter(rowLists, 4, 1, 5, -1),
    ];

    expect(new Set(found).size).toBe(4);
  });

  it.each([2 ** 15, 2 ** 16, 100_000])("its own chunk however many archetypes there are: %i", (many) => {
    const rowLists = listsFor(4);

    const found = [
      enter(rowLists, 1, 1, 0, many - 1),
      enter(rowLists, 2, 1, 1, -1),
      enter(rowLists, 3, 1, many, 0),
      enter(rowLists, 4, 1, many - 1, many),
    ];

    expect(new Set(found).size).toBe(4);
  });

  it("a chunk of any depth", () => {
    const rowLists = listsFor(2);

    const chunk = enter(rowLists, 1, 100_000, 0, -1);

    expect([rowLists.chunks.depth[chunk], ordered(rowLists)]).toEqual([100_000, [chunk]]);
  });
});

describe("an entity leaves", () => {
  it("a chunk, in which the last one fills its place, with all that is noted of it", () => {
    const rowLists = listsFor(4, 3);
    const { chunks } = rowLists;
    const chunk = enter(rowLists, 1, 1, 0, -1);
    for (const index of [2, 3, 4]) enter(rowLists, index, 1, 0, -1);

    leaveChunk(rowLists, 2);

    expect(rowsIn(rowLists, chunk)).toEqual(known([1, 4, 3], 3));
    expect([1, 2, 3, 4].map((index) => chunkOf(chunks, index))).toEqual([chunk, 0, chunk, chunk]);
    expect(positionOf(chunks, 4)).toBe(chunks.start[chunk]! + 1);
  });

  it("and the others stay if it was the last one", () => {
    const rowLists = listsFor(3);
    const chunk = enter(rowLists, 1, 1, 0, -1);
    for (const index of [2, 3]) enter(rowLists, index, 1, 0, -1);

    leaveChunk(rowLists, 3);

    expect(rowsIn(rowLists, chunk)).toEqual(known([1, 2]));
  });

  it("and a chunk without rows is freed; its positions are wasted", () => {
    const rowLists = listsFor(2);
    const { chunks } = rowLists;
    const goes = enter(rowLists, 1, 1, 0, -1);
    const stays = enter(rowLists, 2, 2, 0, -1);

    leaveChunk(rowLists, 1);

    expect([chunks.alive, ordered(rowLists)]).toEqual([1, [stays]]);
    expect(rowLists.wasted).toBe(chunks.room[goes]);
  });

  it("and the number of a freed chunk is used again", () => {
    const rowLists = listsFor(2);
    const { chunks } = rowLists;
    const first = enter(rowLists, 1, 1, 0, -1);
    leaveChunk(rowLists, 1);

    const second = enter(rowLists, 2, 9, 8, 7);

    expect([second, chunks.depth[second], chunks.archetype[second], chunks.source[second]]).toEqual([
      first,
      9,
      8,
      7,
    ]);
    expect(rowsIn(rowLists, second)).toEqual(known([2]));
  });

  it("and the freed chunk accepts no more entities of its kind", () => {
    const rowLists = listsFor(3);
    enter(rowLists, 1, 1, 0, -1);
    leaveChunk(rowLists, 1);
    const other = enter(rowLists, 2, 5, 5, 5);

    const again = enter(rowLists, 3, 1, 0, -1);

    expect(again).not.toBe(other);
    expect([rowsIn(rowLists, other), rowsIn(rowLists, again)]).toEqual([known([2]), known([3])]);
  });
});

describe("the archetype of the sources of a chunk", () => {
  it("is known for each traversal, with one and with several", () => {
    const single = listsFor(2);
    const several = listsFor(2, 3);
    const list = [7, -1, 4].reduce(
      (before, archetype) => withArchetype(several.chunks.sourceArchetypes, before, archetype),
      0,
    );

    const alone = [enter(single, 1, 1, 5, 9), enter(single, 2, 1, 5, -1)];
    const chunk = enter(several, 1, 1, 5, list);

    expect(alone.map((one) => sourceArchetypeOf(single.chunks, one, 0))).toEqual([9, -1]);
    expect([0, 1, 2].map((place) => sourceArchetypeOf(several.chunks, chunk, place))).toEqual([7, -1, 4]);
  });
});

describe("the order of chunks", () => {
  it("is by depth, whatever the order of entering", () => {
    const rowLists = listsFor(6);
    [3, 1, 4, 1, 5, 2].forEach((depth, at) => {
      enter(rowLists, at + 1, depth, at, -1);
    });

    expect(depths(rowLists)).toEqual([1, 1, 2, 3, 4, 5]);
  });

  it("is that of their numbers within a depth", () => {
    const rowLists = listsFor(4);
    const chunks = [2, 2, 2, 2].map((depth, at) => enter(rowLists, at + 1, depth, 9 - at, -1));

    expect(ordered(rowLists)).toEqual(chunks);
  });

  it("stays while no chunk is made or freed", () => {
    const rowLists = listsFor(4);
    const { chunks } = rowLists;
    enter(rowLists, 1, 1, 0, -1);
    enter(rowLists, 2, 2, 0, -1);
    refreshOrder(chunks);
    const { order } = chunks;

    enter(rowLists, 3, 2, 0, -1);
    leaveChunk(rowLists, 3);
    refreshOrder(chunks);

    expect([chunks.orderStale, chunks.order]).toEqual([false, order]);
  });

  it("of no chunks is empty", () => {
    expect(ordered(new RowLists(1))).toEqual([]);
  });
});

describe("after all chunks were dropped", () => {
  it("no entity is filed, no position is in use, and entities enter new chunks", () => {
    const rowLists = listsFor(100);
    for (let index = 1; index <= 100; index++) enter(rowLists, index, 1 + (index % 3), 0, -1);

    clearRowLists(rowLists);
    const dropped = [rowLists.end, rowLists.wasted, rowLists.chunks.alive, rowLists.isChanged];
    fitEntities(rowLists.chunks, 101);
    const before = [1, 50, 100].map((index) => chunkOf(rowLists.chunks, index));
    const chunk = enter(rowLists, 50, 2, 0, -1);

    expect([dropped, before]).toEqual([
      [0, 0, 0, true],
      [0, 0, 0],
    ]);
    expect([rowsIn(rowLists, chunk), ordered(rowLists)]).toEqual([known([50]), [chunk]]);
  });
});

describe("after random entering, leaving and moving", () => {
  /** Where lists differ from a map of entities to their kinds. */
  /** Gives a chunk of a pair another depth, and another source, if it can. */
  function turn({ chunks }: RowLists, kinds: Map<number, Kind>, chunk: number, depth: number): void {
    const own = [...kinds].filter(([index]) => chunkOf(chunks, index) === chunk);
    const [, [, archetype, source, pair]] = own[0]!;
    const others = [...kinds.values()].map((one) => one.join());
    const kind: Kind = [depth, archetype, -1 - source, pair!];

    expect(turnChunk(chunks, chunk, depth, -1 - source)).toBe(!others.includes(kind.join()));
    if (!others.includes(kind.join())) for (const [index] of own) kinds.set(index, kind);
  }

  function wrongIn(rowLists: RowLists, kinds: ReadonlyMap<number, Kind>, entities: number): string[] {
    const { chunks } = rowLists;
    const wrong: string[] = [];
    const missing = new Map([...kinds].map(([index, kind]) => [index, kind.join()]));
    let depth = 0;
    let end = 0;
    const slices: [start: number, end: number][] = [];
    for (const chunk of ordered(rowLists)) {
      const kind = [chunks.depth, chunks.archetype, chunks.source, chunks.pair].map((of) => of[chunk]).join();
      if (chunks.depth[chunk]! < depth) wrong.push(`chunk ${chunk} comes after depth ${depth}`);
      depth = chunks.depth[chunk]!;
      if (chunks.rows[chunk] === 0) wrong.push(`chunk ${chunk} is empty`);
      if (chunks.rows[chunk]! > chunks.room[chunk]!) wrong.push(`chunk ${chunk} exceeds its room`);
      slices.push([chunks.start[chunk]!, chunks.start[chunk]! + chunks.room[chunk]!]);
      for (const [at, row] of rowsIn(rowLists, chunk).entries()) {
        const index = row[0]!;
        if (missing.get(index) !== kind) wrong.push(`${index} should not be in chunk ${chunk}`);
        if (String(row) !== String(known([index], rowLists.sourceRows.length)[0]))
          wrong.push(`${index} has ${row}`);
        if (chunkOf(chunks, index) !== chunk || positionOf(chunks, index) !== chunks.start[chunk]! + at)
          wrong.push(`${index} is not where it is noted`);
        missing.delete(index);
      }
    }
    for (const index of missing.keys()) wrong.push(`${index} is nowhere`);
    for (let index = 1; index <= entities; index++)
      if (!kinds.has(index) && chunkOf(chunks, index) !== 0) wrong.push(`${index} is noted somewhere`);
    for (const [start, stop] of slices.sort(([one], [other]) => one - other)) {
      if (start < end) wrong.push(`slices overlap at ${start}`);
      end = stop;
    }
    if (end > rowLists.end || rowLists.end > rowLists.rows.length) wrong.push("slices exceed the lists");
    const rooms = slices.reduce((sum, [start, stop]) => sum + stop - start, 0);
    if (rooms + rowLists.wasted !== rowLists.end) wrong.push("what is wasted is miscounted");
    return wrong;
  }

  it.each(
    seeds(1, 3).flatMap((seed) => [
      { seed, paths: 1, most: 3000 },
      { seed: seed + 100, paths: 3, most: 60 },
    ]),
  )("each entity is once in the one chunk of its kind, seed $seed", ({ seed, paths, most }) => {
    const dice = createDice(seed);
    const rowLists = listsFor(most, paths);
    const kinds = new Map<number, Kind>();
    const wrong: string[] = [];

    for (let round = 0; round < 20 && wrong.length === 0; round++) {
      // Many of few kinds, then few of many kinds: chunks grow, become empty, and all are compacted.
      const many = round % 2 === 0 ? 2 : 40;
      for (let at = 0; at < 1000; at++) {
        const index = 1 + dice.below(most);
        const stays = dice.chance(0.6);
        if (kinds.delete(index)) leaveChunk(rowLists, index);
        if (!stays) continue;
        const kind: Kind = [1 + dice.below(many), dice.below(2), dice.below(2) - 1, dice.below(3)];
        kinds.set(index, kind);
        if (dice.chance(0.05)) {
          const chunk = chunkFor(rowLists.chunks, ...kind);
          allocateRoom(rowLists, chunk, rowLists.chunks.rows[chunk]! + 1 + dice.below(50));
        }
        enter(rowLists, index, ...kind);
        if (dice.chance(0.02) && kind[3]! > 0)
          turn(rowLists, kinds, chunkOf(rowLists.chunks, index), 1 + dice.below(many));
      }
      wrong.push(...wrongIn(rowLists, kinds, most));
    }

    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
