import { describe, expect, it } from "vitest";
import { defer, pack, release, reserve } from "../../../src/index.ts";
import { ChildOf, Label, Likes, Parent, Position } from "../../definitions.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../fixture.ts";
import { codeOf, dump, stats, verify } from "../../reading.ts";
import { type CountingMemory, counting, memories } from "../../storage/memory/memories.ts";

/** What a reservation must keep: the arrays of the entity index, and the lists of children and of tables. */
function arraysOf({ entities, graph }: World): unknown[] {
  const { handles, table, row, family, place, order } = entities;
  const { pool, placeOf } = graph.tables.lists;
  return [handles, table, row, family, place, order, graph.families.pool, pool, placeOf];
}

describe.each(memories)("reserve on %s memory", (_, createMemory) => {
  function started(): { memory: CountingMemory; world: World; ship: Entity } {
    const memory = counting(createMemory());
    const world = createWorld({ memory });
    return { memory, world, ship: spawn(world) };
  }

  it.each<[string, (ship: Entity) => readonly Parameters<typeof spawn>[1][]]>([
    ["nothing", () => []],
    ["components", () => [Position({ x: 1 }), Label("a")]],
    ["a parent", (ship) => [Position, ChildOf(ship)]],
    ["a parent stored by value", (ship) => [Position, Parent(ship)]],
    ["several pairs", (ship) => [Likes(ship), ChildOf(ship)]],
  ])("lets entities with %s be spawned one by one without any allocation", (__, termsOf) => {
    const { memory, world, ship } = started();
    const terms = termsOf(ship);
    spawn(world, ...terms);

    reserve(world, 5000, ...terms);

    const [{ allocations }, arrays] = [memory, arraysOf(world)];
    for (let at = 0; at < 5000; at++) spawn(world, ...terms);
    expect(memory.allocations).toBe(allocations);
    expect(arraysOf(world).every((array, at) => array === arrays[at])).toBe(true);
    expect(verify(world)).toEqual([]);
  });

  it("makes room for a type that no entity has yet", () => {
    const { memory, world, ship } = started();

    reserve(world, 3000, Position, ChildOf(ship));

    const { allocations } = memory;
    for (let at = 0; at < 3000; at++) spawn(world, Position, ChildOf(ship));
    expect(memory.allocations).toBe(allocations);
    expect(verify(world)).toEqual([]);
  });

  it("makes room in the list of a parent whose children store it in both ways", () => {
    const { world, ship } = started();
    const parent = spawn(world);
    spawn(world, ChildOf(parent));
    spawn(world, Parent(parent));

    reserve(world, 4000, ChildOf(parent));

    const arrays = arraysOf(world);
    spawnMany(world, 4000, ChildOf(parent));
    expect(arraysOf(world).every((array, at) => array === arrays[at])).toBe(true);
    expect(ship).toBeDefined();
  });

  it("makes room in the list of a table for many at once", () => {
    const { memory, world, ship } = started();
    spawn(world, Likes(ship));

    reserve(world, 4000, Likes(ship));

    const [{ allocations }, arrays] = [memory, arraysOf(world)];
    spawnMany(world, 4000, Likes(ship));
    expect(memory.allocations).toBe(allocations);
    expect(arraysOf(world).every((array, at) => array === arrays[at])).toBe(true);
  });

  it("changes nothing that can be read", () => {
    const { world, ship } = started();
    spawnMany(world, 20, Position({ x: 2 }), ChildOf(ship));
    const before = [dump(world), stats(world).rows, stats(world).tables, stats(world).pairs];

    reserve(world, 1000, Position, ChildOf(ship));
    reserve(world, 1000, Label("b"), Likes(ship));
    reserve(world, 1000);
    reserve(world, 0, Position);

    expect([dump(world), stats(world).rows, stats(world).tables, stats(world).pairs]).toEqual(before);
    expect(verify(world)).toEqual([]);
  });

  it("inside an iteration waits for its end", () => {
    const { memory, world } = started();
    const { allocations } = memory;

    defer(world, () => {
      reserve(world, 1000, Position);
      expect(memory.allocations).toBe(allocations);
    });

    expect(stats(world).reservedRows).toBeGreaterThan(1000);
  });

  it("inside an iteration is dropped if a target is gone by then", () => {
    const { world, ship } = started();

    defer(world, () => {
      release(world, ship);
      reserve(world, 1000, Position, ChildOf(ship));
    });

    expect(stats(world).reservedRows).toBeLessThan(1000);
  });

  it("gives the room back in pack", () => {
    const { world } = started();
    spawn(world, Position);
    reserve(world, 100_000, Position);

    pack(world);

    expect(stats(world).reservedRows).toBeLessThan(100);
  });

  it.each([-1, 0.5, Number.NaN, "3" as unknown as number])("refuses %s entities as bad-value", (count) => {
    const { world } = started();

    expect(codeOf(() => reserve(world, count, Position))).toBe("bad-value");
  });

  it("refuses terms as spawn does", () => {
    const { world, ship } = started();
    release(world, ship);

    expect(codeOf(() => reserve(world, 1, ChildOf(ship)))).toBe("dead-entity");
    expect(codeOf(() => reserve(world, 1, Position, Position))).toBe("bad-term");
    expect(codeOf(() => reserve(world, 1, Position({ x: "a" as unknown as number })))).toBe("bad-value");
  });

  it.each([
    ["more entities than a world holds", 16_777_216],
    ["in total too many", 16_777_214],
  ])("refuses %s as capacity, and nothing has changed", (__, count) => {
    const { world } = started();
    spawnMany(world, 2, Position);
    const before = [dump(world), stats(world)];

    expect(codeOf(() => reserve(world, count, Position))).toBe("capacity");

    expect([dump(world), stats(world)]).toEqual(before);
  });

  it("leaves no trace if the memory refuses", () => {
    const { memory, world } = started();
    spawnMany(world, 20, Position, Label("a"));
    const { allocate } = memory;
    const before = [dump(world), stats(world)];
    const failing = memory as { allocate: typeof allocate };

    failing.allocate = () => {
      throw new RangeError("full");
    };
    expect(() => reserve(world, 10_000, Position, Label("a"))).toThrow(RangeError);
    failing.allocate = allocate;

    expect([dump(world), stats(world)]).toEqual(before);
    expect(verify(world)).toEqual([]);
    reserve(world, 10_000, Position, Label("a"));
    expect(stats(world).reservedRows).toBeGreaterThan(10_000);
  });
});
