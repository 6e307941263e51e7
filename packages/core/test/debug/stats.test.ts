import { describe, expect, it } from "vitest";
import { dump, stats } from "../../src/debug.ts";
import type { Memory, World } from "../../src/index.ts";
import {
  add,
  ChildOf,
  createWorld,
  Disabled,
  Parent,
  plainMemory,
  release,
  spawn,
  spawnMany,
} from "../../src/index.ts";
import { DockedTo, Label, Likes, Position } from "../definitions.ts";
import { JournalCursor } from "../journal.ts";
import { asTag } from "../reading.ts";
import { counting, memories } from "../storage/memory/memories.ts";

describe.each(memories)("stats on %s memory", (_, createMemory) => {
  it("of an empty world are zeros, but for the record of its roots and the list of free slices", () => {
    const numbers = stats(createWorld({ memory: createMemory() }));

    const { bytes, bytesByPart, relations, ...counted } = numbers;
    expect(Object.values(counted).every((number) => number === 0)).toBe(true);
    expect([bytesByPart.columns, bytesByPart.siblings, relations]).toEqual([0, (8 + 32) * 4, []]);
    expect(bytes).toBeLessThan(2000);
  });

  it("count entities, rows, tables, archetypes and pairs", () => {
    const world = createWorld({ memory: createMemory() });
    const [ship, station] = [spawn(world), spawn(world)];
    spawnMany(world, 3, ChildOf(ship), Position);
    spawn(world, ChildOf(station), Position);
    release(world, spawn(world, Likes(ship)));

    expect(stats(world)).toMatchObject({
      entities: 6,
      rows: 6,
      tables: 4,
      emptyTables: 1,
      archetypes: 3,
      pairs: 3,
    });
  });

  it("count a run for each archetype with rows, however many parents there are", () => {
    const world = createWorld({ memory: createMemory() });
    const crowd = spawnMany(world, 3);
    for (const parent of crowd) spawnMany(world, 3, ChildOf(parent));
    const passing = spawn(world, Position);
    const before = stats(world).runs;

    release(world, passing);

    expect([before, stats(world).runs]).toEqual([3, 2]);
  });

  it("count types with their parents, and leave parents stored by value out of them", () => {
    const world = createWorld({ memory: createMemory() });
    const parents = spawnMany(world, 10);
    for (const parent of parents) {
      spawn(world, ChildOf(parent), Position);
      spawn(world, ChildOf(parent), Position);
      spawn(world, ChildOf(parent), Likes(parents[0]!));
      spawn(world, Parent(parent), Position);
    }
    spawn(world, ChildOf(parents[0]!), Likes(parents[1]!), Likes(parents[0]!));

    const { tables, emptyTables, archetypes, runs, relations } = stats(world);

    expect({ tables, emptyTables, archetypes, runs }).toEqual({
      tables: 1 + 10 + 10 + 1 + 1,
      emptyTables: 0,
      archetypes: 4,
      runs: 4,
    });
    expect(relations.map((one) => [one.relation, one.tables])).toEqual([
      ["ChildOf", 21],
      ["Likes", 11],
    ]);
    expect(dump(world).split("\n")).toHaveLength(tables);
  });

  it("count tables that are kept empty once", () => {
    const world = createWorld({ memory: createMemory() });
    for (const parent of spawnMany(world, 10)) release(world, spawn(world, ChildOf(parent), Position));

    expect(stats(world)).toMatchObject({ tables: 2, emptyTables: 1, archetypes: 2, runs: 1, relations: [] });
  });

  it("count all bytes that columns hold, eight for a JavaScript value", () => {
    const memory = counting(createMemory());
    const world = createWorld({ memory });
    spawnMany(world, 1000, Position, Label("a"));

    const { columnBytes, bytes, reservedRows } = stats(world);

    expect(columnBytes).toBe(memory.bytes + reservedRows * 8);
    expect(bytes).toBeGreaterThan(columnBytes);
  });

  it.each([ChildOf, Parent])("count lists of children, a number for each", (storage) => {
    const world = createWorld({ memory: createMemory() });
    const ship = spawn(world);
    const before = stats(world).bytesByPart.siblings;

    spawnMany(world, 1000, storage(ship));

    const added = stats(world).bytesByPart.siblings - before;
    expect(added).toBeGreaterThanOrEqual(1000 * 4);
    expect(added).toBeLessThan(2 * 1024 * 4);
  });

  it("count lists of entities with the same pairs among the bytes of tables", () => {
    const world = createWorld({ memory: createMemory() });
    const ship = spawn(world);
    spawn(world, Likes(ship));
    const before = stats(world).bytesByPart.tables;

    spawnMany(world, 1000, Likes(ship));

    expect(stats(world).bytesByPart.tables - before).toBeGreaterThanOrEqual(1000 * 4 * 2 - 200);
  });

  it("are plain numbers", () => {
    const world = createWorld({ memory: createMemory() });
    spawnMany(world, 10, Position);

    const { bytesByPart, relations, ...counted } = stats(world);
    expect(Object.values(counted).every((number) => Number.isFinite(number))).toBe(true);
    expect(Object.values(bytesByPart).every((number) => Number.isFinite(number))).toBe(true);
    expect(relations).toEqual([]);
  });

  it("have bytes by part that add up to all bytes", () => {
    const world = manyKinds(createMemory());

    const { bytesByPart, bytes, columnBytes } = stats(world);

    const parts = Object.values(bytesByPart);
    expect(parts.reduce((sum: number, part: number) => sum + part, 0)).toBe(bytes);
    expect(parts.every((part: number) => part > 0)).toBe(true);
    expect(bytesByPart.columns).toBe(columnBytes);
  });

  it("count for each relation its tables, targets and subjects, and targets by the number of their subjects", () => {
    const world = createWorld({ memory: createMemory() });
    const [one, two, seven, eight] = spawnMany(world, 4);
    for (const [parent, count] of [
      [one, 1],
      [two, 2],
      [seven, 7],
      [eight, 8],
    ] as const)
      spawnMany(world, count, ChildOf(parent!));
    spawn(world, Parent(one!));
    spawn(world, Likes(one!), Likes(two!));
    spawn(world, Position, Likes(two!));

    expect(stats(world).relations).toEqual([
      { relation: "ChildOf", tables: 4, targets: 4, subjects: 19, byValue: 1, histogram: [0, 2, 1, 1] },
      { relation: "Likes", tables: 2, targets: 2, subjects: 3, byValue: 0, histogram: [1, 1] },
    ]);
  });

  it("do not count targets whose subjects are gone", () => {
    const world = createWorld({ memory: createMemory() });
    const ship = spawn(world);
    release(world, spawn(world, Likes(ship)));

    expect(stats(world).relations).toEqual([
      { relation: "Likes", tables: 1, targets: 0, subjects: 0, byValue: 0, histogram: [] },
    ]);
  });

  it("count entities that are used as tags", () => {
    const world = createWorld({ memory: createMemory() });
    const team = spawn(world);
    spawnMany(world, 3, asTag(team));

    expect(stats(world).relations).toEqual([
      { relation: "Is", tables: 1, targets: 1, subjects: 3, byValue: 0, histogram: [0, 1] },
    ]);
  });

  it("have totals over relations that add up", () => {
    const { pairs, relations } = stats(manyKinds(createMemory()));

    expect(relations.reduce((sum, { targets }) => sum + targets, 0)).toBe(pairs);
    for (const { targets, histogram } of relations)
      expect(histogram.reduce((sum, count) => sum + count, 0)).toBe(targets);
  });
});

/** A world that uses every part of the memory. */
function manyKinds(memory: Memory): World {
  const world = createWorld({ memory });
  new JournalCursor(world.graph.journal).catchUp();
  const ship = spawn(world, Position);
  spawnMany(world, 100, ChildOf(ship), Position, Label("a"));
  spawnMany(world, 100, Parent(ship), Disabled);
  add(world, spawn(world, Likes(ship), DockedTo(ship)), Position);
  return world;
}

describe("stats", () => {
  it("count exactly the bytes of all buffers that the world leads to", () => {
    const world = manyKinds(plainMemory());

    const { bytes } = stats(world);

    const values = world.graph.archetypes.flatMap(({ lanes }) => lanes.objects);
    const ofValues = values.reduce((sum, { length }) => sum + length * 8, 0);
    expect(bytes - ofValues).toBe(buffersOf(world).reduce((sum, { byteLength }) => sum + byteLength, 0));
  });
});

/** All buffers that can be reached from a value, each once. */
function buffersOf(root: object): ArrayBufferLike[] {
  const seen = new Set<unknown>();
  const buffers = new Set<ArrayBufferLike>();
  const left: unknown[] = [root];
  for (let one = left.pop(); left.length > 0 || one !== undefined; one = left.pop()) {
    if (typeof one !== "object" || one === null || seen.has(one)) continue;
    seen.add(one);
    if (ArrayBuffer.isView(one)) buffers.add(one.buffer);
    else if (one instanceof Map || one instanceof Set) left.push(...one.values());
    else left.push(...Object.values(one));
  }
  return [...buffers];
}
