import { describe, expect, it } from "vitest";
import {
  add,
  clone,
  defer,
  entityOf,
  type Memory,
  plainMemory,
  release,
  TreelineError,
} from "../../../../src/index.ts";
import { component, f32 } from "../../../defining.ts";
import { ChildOf, Label, Likes, Parent } from "../../../definitions.ts";
import { createWorld, type Entity, spawn, spawnMany } from "../../../fixture.ts";
import { codeOf, get, isAlive, stats, subjectsOf, verify } from "../../../reading.ts";
import { counting, memories } from "../../../storage/memory/memories.ts";
import { livingTables, snapshot } from "../../snapshot.ts";

const Position = component("Position", { x: f32, y: f32 });

describe.each(memories)("new tables of a known archetype on %s memory", (_, createMemory) => {
  it("allocate arrays only when the columns grow, and read no query", () => {
    const memory = counting(createMemory());
    const world = createWorld({ memory });
    const parents = spawnMany(world, 10_000, Position);
    spawn(world, ChildOf(parents[0]!), Position);
    const { allocations } = memory;
    const founded = world.graph.founded.length;

    for (const parent of parents) spawn(world, ChildOf(parent), Position);

    expect(world.graph.founded.length).toBe(founded);
    expect(memory.allocations - allocations).toBeLessThan(25);
    expect(stats(world).tables).toBe(10_001);
  });

  it("cost nothing more by reparents", () => {
    const memory = counting(createMemory());
    const world = createWorld({ memory });
    const parents = spawnMany(world, 2000);
    const children = parents.map((parent) => spawn(world, ChildOf(parent), Position));
    const { allocations } = memory;

    children.forEach((child, at) => {
      add(world, child, ChildOf(parents[(at * 7 + 1) % 2000]!));
    });

    expect(memory.allocations - allocations).toBeLessThan(4);
  });
});

describe("a table of two rows", () => {
  it("costs some hundred bytes at most, all included", () => {
    const world = createWorld();
    const parents = spawnMany(world, 50_000);
    const before = stats(world);

    for (const parent of parents) spawnMany(world, 2, ChildOf(parent));

    const { bytes, columnBytes, tables } = stats(world);
    expect(tables).toBe(50_001);
    // Without the columns; the entity index grows by 100,000 entities meanwhile.
    expect((bytes - columnBytes - (before.bytes - before.columnBytes)) / 50_000).toBeLessThan(250);
  });
});

describe("30,000 parents that are spawned with a child and destroyed", () => {
  it("leave tables, pairs and bytes flat", () => {
    const world = createWorld();
    const cycle = (): void => {
      const parent = spawn(world);
      release(world, spawn(world, ChildOf(parent)));
      release(world, parent);
    };
    for (let count = 0; count < 15_000; count++) cycle();
    const early = stats(world);

    for (let count = 15_000; count < 30_000; count++) cycle();

    expect(stats(world)).toEqual(early);
    expect([early.entities, early.pairs]).toEqual([0, 0]);
    expect(verify(world)).toEqual([]);
  });

  it("leave tables, pairs and bytes flat also with values, other pairs and neighbours that stay", () => {
    const world = createWorld();
    const friends = spawnMany(world, 10, Position);
    const cycle = (count: number): void => {
      const friend = friends[count % 10]!;
      const parent = spawn(world, Position, Likes(friend));
      const child = spawn(world, ChildOf(parent), Label("c"), Likes(friend));
      add(world, child, ChildOf(friend));
      release(world, child);
      release(world, parent);
    };
    for (let count = 0; count < 5000; count++) cycle(count);
    const early = stats(world);

    for (let count = 5000; count < 12_000; count++) cycle(count);

    expect(stats(world)).toEqual(early);
    expect(verify(world)).toEqual([]);
  });
});

describe("a memory that is full", () => {
  /** Plain memory that refuses everything on demand. */
  function limited(): Memory & { full: boolean } {
    const plain = plainMemory();
    const memory = {
      ...plain,
      full: false,
      allocate: (bytes: number, moved: () => void) => {
        if (memory.full) throw new TreelineError("capacity", "full");
        return plain.allocate(bytes, moved);
      },
    };
    return memory;
  }

  it.each<[string, (world: ReturnType<typeof createWorld>, ship: Entity) => unknown]>([
    ["spawn", (world) => spawn(world, Position)],
    ["spawn of a child", (world, ship) => spawn(world, ChildOf(ship), Position)],
    ["spawnMany", (world) => spawnMany(world, 100, Position)],
    ["add", (world, ship) => add(world, ship, Position)],
    ["a reparent", (world, ship) => add(world, ship, ChildOf(spawn(world)))],
    ["a reparent as a value", (world, ship) => add(world, ship, Parent(spawn(world)))],
    ["spawn of a child by value", (world, ship) => spawn(world, Parent(ship), Position)],
    ["spawnMany of children by value", (world, ship) => spawnMany(world, 9, Parent(ship), Position)],
    ["a clone", (world, ship) => clone(world, ship, { deep: true, with: [Position] })],
    ["the entity of a definition", (world) => entityOf(world, Position)],
  ])("refuses %s as capacity, and the world stays healthy", (_, act) => {
    const memory = limited();
    const world = createWorld({ memory });
    const ship = spawn(world, Label("Ship"));
    spawn(world);
    memory.full = true;

    const code = codeOf(() => act(world, ship));
    memory.full = false;

    expect(code).toBe("capacity");
    expect(verify(world)).toEqual([]);
    expect(get(world, ship, Label)).toBe("Ship");
    expect(codeOf(() => release(world, ship))).toBeUndefined();
  });

  it.each<[string, (world: ReturnType<typeof createWorld>, ship: Entity) => Entity[]]>([
    ["spawn", (world) => [spawn(world, Position)]],
    ["spawnMany", (world) => spawnMany(world, 20, Position)],
    ["a child by value", (world, ship) => [spawn(world, Parent(ship), Position)]],
    ["the entity of a definition", (world) => [entityOf(world, Position)]],
    ["a clone", (world, ship) => [clone(world, ship, { with: [Position] })]],
  ])("refuses deferred changes as capacity: %s is not alive then, and the world stays healthy", (_, act) => {
    const memory = limited();
    const world = createWorld({ memory });
    const ship = spawn(world, Label("Ship"));
    let spawned: Entity[] = [];

    const code = codeOf(() =>
      defer(world, () => {
        spawned = act(world, ship);
        memory.full = true;
      }),
    );
    memory.full = false;

    expect([code, spawned.map((one) => isAlive(world, one))]).toEqual(["capacity", spawned.map(() => false)]);
    expect([
      world.entities.alive,
      world.componentEntities.size,
      world.definitionsByEntity.size,
      verify(world),
    ]).toEqual([1, 0, 0, []]);
    expect(isAlive(world, entityOf(world, Position))).toBe(true);
  });

  it("refuses a list of children as capacity, and no child has moved", () => {
    const memory = limited();
    const world = createWorld({ memory });
    const ship = spawn(world);
    const children = spawnMany(world, 3, ChildOf(ship), Label("x"));
    memory.full = true;
    const before = livingTables(world);

    expect(codeOf(() => add(world, children[0]!, Parent(ship), Position))).toBe("capacity");

    memory.full = false;
    expect([livingTables(world), subjectsOf(world, ship, ChildOf), verify(world)]).toEqual([
      before,
      children,
      [],
    ]);
  });

  it("refuses growth as capacity, and all entities keep their values", () => {
    const memory = limited();
    const world = createWorld({ memory });
    const crowd = Array.from({ length: 16 }, (_, at) => spawn(world, Position({ x: at })));
    memory.full = true;
    const before = snapshot(world);

    expect(codeOf(() => spawn(world, Position))).toBe("capacity");

    expect(snapshot(world)).toEqual(before);
    expect(crowd.map((one) => get(world, one, Position)!.x)).toEqual(crowd.map((_, at) => at));
  });
});
