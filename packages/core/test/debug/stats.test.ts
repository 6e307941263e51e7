import { describe, expect, it } from "vitest";
import { stats } from "../../src/debug.ts";
import { ChildOf, createWorld, Parent, pack, release, spawn, spawnMany } from "../../src/index.ts";
import { Label, Likes, Position } from "../definitions.ts";
import { counting, memories } from "../storage/memory/memories.ts";

describe.each(memories)("stats on %s memory", (_, createMemory) => {
  it("of an empty world are zeros", () => {
    const numbers = stats(createWorld({ memory: createMemory() }));

    const counted = { ...numbers, bytes: 0 };
    expect(Object.values(counted).every((number) => number === 0)).toBe(true);
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

  it("count runs of adjacent rows over all archetypes", () => {
    const world = createWorld({ memory: createMemory() });
    const crowd = spawnMany(world, 2);
    for (const parent of crowd) spawnMany(world, 3, ChildOf(parent));
    const apart = stats(world).runs;

    pack(world);

    expect([apart, stats(world).runs]).toEqual([3, 2]);
  });

  it("count all bytes that columns hold, eight for a JavaScript value", () => {
    const memory = counting(createMemory());
    const world = createWorld({ memory });
    spawnMany(world, 1000, Position, Label("a"));

    const { columnBytes, bytes, reservedRows } = stats(world);

    expect(columnBytes).toBe(memory.bytes + reservedRows * 8);
    expect(bytes).toBeGreaterThan(columnBytes);
  });

  it("count lists of children", () => {
    const [inType, byValue] = [ChildOf, Parent].map((storage) => {
      const world = createWorld({ memory: createMemory() });
      const ship = spawn(world);
      spawnMany(world, 1000, storage(ship));
      return stats(world).bytes;
    });

    expect(byValue! - inType!).toBeGreaterThan(1000 * 4 * 4 * 0.9);
  });

  it("are plain numbers", () => {
    const world = createWorld({ memory: createMemory() });
    spawnMany(world, 10, Position);

    expect(Object.values(stats(world)).every((number) => Number.isFinite(number))).toBe(true);
  });
});
