import { describe, expect, it } from "vitest";
import { add, pack, release, remove, spawn, spawnMany } from "../../../src/index.ts";
import { membersOf, ROOTS } from "../../../src/records/families.ts";
import { orderedSubjects } from "../../../src/world/state/targets.ts";
import { array, component, f32, f64, u8 } from "../../defining.ts";
import { Any, ChildOf, Damage, Frozen, Label, Likes } from "../../definitions.ts";
import { createDice, seeds } from "../../dice.ts";
import { createWorld, type Entity, type World } from "../../fixture.ts";
import { indexOf } from "../../handles.ts";
import { JournalCursor } from "../../journal.ts";
import { get, has, isAlive, locate, parentOf, stats, verify } from "../../reading.ts";
import { memories } from "../../storage/memory/memories.ts";

const Position = component("Position", { x: f32, y: f64, bytes: array(u8, 3) });

/** A world after many changes: entities of many archetypes, in any order. */
function grown(world: World, seed: number): Entity[] {
  const dice = createDice(seed);
  const all: Entity[] = [];
  for (let step = 0; step < 600; step++) {
    const terms = [
      ...(dice.chance(0.7) ? [Position({ x: step, y: step / 3, bytes: [step % 256, 1, 2] })] : []),
      ...(dice.chance(0.5) ? [Label(`e${step}`)] : []),
      ...(dice.chance(0.3) ? [Frozen] : []),
      ...(all.length > 0 && dice.chance(0.8) ? [ChildOf(dice.pick(all))] : []),
      ...(all.length > 0 && dice.chance(0.2) ? [Damage(dice.pick(all), { amount: step })] : []),
    ];
    all.push(spawn(world, ...terms));
  }
  for (const one of all) if (dice.chance(0.3)) remove(world, one, Position);
  for (const one of all) if (dice.chance(0.2)) remove(world, one, ChildOf(Any));
  return all;
}

/** The observable state of an entity, without rows and tables. */
function seen(world: World, one: Entity): unknown {
  return {
    alive: isAlive(world, one),
    position: get(world, one, Position),
    label: get(world, one, Label),
    frozen: has(world, one, Frozen),
    parent: parentOf(world, one),
    order: world.entities.order[indexOf(one)],
    hurts: has(world, one, Damage(Any)),
  };
}

/** The roots, then the children of each entity, in sibling order. */
function siblingsOf(world: World, all: readonly Entity[]): number[][] {
  return [
    membersOf(world.graph.families, ROOTS),
    ...all.map((one) => orderedSubjects(world, indexOf(one), ChildOf)),
  ];
}

/** The entity indexes of each archetype in the order of a walk, breadth first. */
function breadthFirst(world: World): number[][] {
  const { graph, entities } = world;
  const rows = graph.archetypes.map((): number[] => []);
  const queue = membersOf(graph.families, ROOTS);
  for (const index of queue) {
    rows[graph.tables.archetype[entities.table[index]!]!]!.push(index);
    queue.push(...orderedSubjects(world, index, ChildOf));
  }
  return rows;
}

describe.each(memories)("pack on %s memory", (_, createMemory) => {
  it.each(seeds(1, 3))("changes no observable state, seed %i", (seed) => {
    const world = createWorld({ memory: createMemory() });
    const all = grown(world, seed);
    const before = { entities: all.map((one) => seen(world, one)), siblings: siblingsOf(world, all) };

    pack(world);

    expect({ entities: all.map((one) => seen(world, one)), siblings: siblingsOf(world, all) }).toEqual(
      before,
    );
    expect(verify(world)).toEqual([]);
  });

  it("keeps values with their pairs", () => {
    const world = createWorld({ memory: createMemory() });
    const targets = spawnMany(world, 5);
    const sources = targets.map((target, at) =>
      spawn(world, Damage(target, { amount: at }), Damage(targets[(at + 1) % 5]!, { amount: at * 10 })),
    );
    release(world, spawn(world, Damage(targets[0]!), Damage(targets[1]!)));

    pack(world);

    const amounts = sources.map((one, at) => [
      get(world, one, Damage(targets[at]!))!.amount,
      get(world, one, Damage(targets[(at + 1) % 5]!))!.amount,
    ]);
    expect(amounts).toEqual(targets.map((__, at) => [at, at * 10]));
  });

  it.each(seeds(5, 3))("sorts the rows of each archetype breadth first, seed %i", (seed) => {
    const world = createWorld({ memory: createMemory() });
    grown(world, seed);

    pack(world);

    const rows = world.graph.archetypes.map((one) => [...one.lanes.i32.subarray(0, one.rows)]);
    expect(rows).toEqual(breadthFirst(world));
  });

  it("leaves room for an eighth more rows", () => {
    const world = createWorld({ memory: createMemory() });
    grown(world, 5);

    pack(world);

    for (const { rows, lanes } of world.graph.archetypes) {
      expect(lanes.capacity).toBeLessThanOrEqual(rows * 1.125 + 15);
    }
  });

  it("leaves the world usable", () => {
    const world = createWorld({ memory: createMemory() });
    const all = grown(world, 6);
    pack(world);

    for (const [at, one] of all.entries()) {
      if (at % 3 === 0) add(world, one, Position({ x: at }));
      if (at % 5 === 0) remove(world, one, ChildOf(Any));
    }
    const children = all.map((one) => spawn(world, ChildOf(one), Label("young")));

    expect(children.every((child, at) => parentOf(world, child) === all[at])).toBe(true);
    expect(verify(world)).toEqual([]);
    pack(world);
    expect(verify(world)).toEqual([]);
  });
});

describe("pack", () => {
  it("lays children in the order of their parents, and siblings in theirs", () => {
    const world = createWorld();
    const parents = spawnMany(world, 4, Position);
    const children = Array.from({ length: 12 }, (_, at) =>
      spawn(world, ChildOf(parents[(at * 3) % 4]!), Label(`${at}`)),
    );

    pack(world);

    const rowOf = (one: Entity): number => locate(world, one, Label)!.row;
    const expected = parents.flatMap((parent) =>
      children.filter((child) => parentOf(world, child) === parent),
    );
    expect(children.toSorted((one, other) => rowOf(one) - rowOf(other))).toEqual(expected);
  });

  it("lays parents before children of the same archetype, by depth", () => {
    const world = createWorld();
    const root = spawn(world);
    const top = spawn(world, ChildOf(root), Label("1"));
    const deep = spawn(world, ChildOf(top), Label("2"));
    const deeper = spawn(world, ChildOf(deep), Label("3"));
    const late = spawn(world, ChildOf(root), Label("1 again"));
    add(world, deeper, Frozen);
    remove(world, deeper, Frozen);

    pack(world);

    const rows = [top, late, deep, deeper].map((one) => locate(world, one, Label)!.row);
    expect(rows).toEqual([0, 1, 2, 3]);
  });

  it("puts rows of siblings in sibling order also after some have moved", () => {
    const world = createWorld();
    const ship = spawn(world);
    const children = spawnMany(world, 6, ChildOf(ship), Label("c"));
    release(world, children[1]!);
    add(world, children[0]!, Frozen);
    remove(world, children[0]!, Frozen);

    pack(world);

    const rows = [0, 2, 3, 4, 5].map((at) => locate(world, children[at]!, Label)!.row);
    expect(rows).toEqual([0, 1, 2, 3, 4]);
  });

  it("makes readers of the journal start over", () => {
    const world = createWorld();
    spawnMany(world, 3, Position);
    const { journal } = world.graph;
    const cursor = new JournalCursor(journal);
    cursor.catchUp();

    pack(world);

    expect(cursor.lost).toBe(true);
  });

  it("does nothing to an empty world", () => {
    const world = createWorld();

    pack(world);

    expect(stats(world)).toMatchObject({ entities: 0, reservedRows: 0 });
  });

  it("frees what archetypes without rows held", () => {
    const world = createWorld();
    for (const one of spawnMany(world, 500, Position)) release(world, one);
    expect(stats(world).reservedRows).toBeGreaterThan(0);

    pack(world);

    expect(stats(world)).toMatchObject({ reservedRows: 0, columnBytes: 0 });
  });

  it("packs a chain of 30,000 without running out of stack", () => {
    const world = createWorld();
    let last = spawn(world, Position({ x: 1 }));
    for (let depth = 1; depth < 30_000; depth++) last = spawn(world, ChildOf(last));
    add(world, last, Position({ x: 5 }), Likes(last));

    pack(world);

    expect(get(world, last, Position)!.x).toBe(5);
  });
});
