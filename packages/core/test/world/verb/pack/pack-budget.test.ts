import { describe, expect, it } from "vitest";
import { add, defer, pack, release, remove, set, spawn, spawnMany } from "../../../../src/index.ts";
import { reserveFamily } from "../../../../src/records/families.ts";
import { orderedSubjects } from "../../../../src/world/state/targets.ts";
import { array, component, f32, f64, u8 } from "../../../defining.ts";
import {
  Any,
  ChildOf,
  Damage,
  Disabled,
  Frozen,
  Label,
  OrderedChildren,
  Parent,
} from "../../../definitions.ts";
import { createDice } from "../../../dice.ts";
import { createWorld, type Entity, type World } from "../../../fixture.ts";
import { indexOf } from "../../../handles.ts";
import { codeOf, get, has, isAlive, locate, parentOf, stats, verify } from "../../../reading.ts";
import { memories } from "../../../storage/memory/memories.ts";
import { refusing } from "../../../storage/memory/refused-memory.ts";
import { destroy } from "../../destroy.ts";

const Position = component("Position", { x: f32, y: f64, bytes: array(u8, 3) });

/** A clock that advances by one each time it is read: a budget is a number of steps. */
function counting(): () => number {
  let time = 0;
  return () => time++;
}

/** Packs in steps until everything is packed. @returns the number of calls. */
function packInSteps(world: World, budget = 50): number {
  const now = counting();
  let calls = 1;
  while (!pack(world, { budget, now })) calls++;
  return calls;
}

/** A world after many changes, with children in lists, parents stored by value, and tags in bits. */
function grown(world: World, seed: number): Entity[] {
  const dice = createDice(seed);
  const all: Entity[] = [];
  for (let step = 0; step < 700; step++) {
    const parent = all.length > 0 && dice.chance(0.8) ? dice.pick(all) : undefined;
    all.push(
      spawn(
        world,
        ...(dice.chance(0.7) ? [Position({ x: step, y: step / 3, bytes: [step % 256, 1, 2] })] : []),
        ...(dice.chance(0.5) ? [Label(`e${step}`)] : []),
        ...(dice.chance(0.2) ? [OrderedChildren] : []),
        ...(parent === undefined ? [] : [dice.chance(0.7) ? ChildOf(parent) : Parent(parent)]),
        ...(all.length > 0 && dice.chance(0.2) ? [Damage(dice.pick(all), { amount: step })] : []),
      ),
    );
  }
  for (const one of all) if (dice.chance(0.2)) add(world, one, Disabled);
  for (const one of all) if (dice.chance(0.3)) remove(world, one, Position);
  for (const one of all) if (dice.chance(0.1)) remove(world, one, ChildOf(Any));
  for (const one of all) if (dice.chance(0.1)) add(world, one, Frozen);
  return all;
}

/** 1,000 parents with children of which two thirds are destroyed at random. */
function thinned(world: World, seed: number): void {
  const dice = createDice(seed);
  const parents = spawnMany(world, 300);
  const children = Array.from({ length: 6000 }, () => spawn(world, ChildOf(dice.pick(parents)), Position));
  for (const child of children) if (dice.chance(0.66)) release(world, child);
}

/** One family whose rows are in another order than its children. */
function hugeFamily(world: World): void {
  const parent = spawn(world);
  const other = spawn(world);
  spawnMany(world, 40, ChildOf(other), Label("x"));
  const children = spawnMany(world, 5000, ChildOf(parent), Label("x"));
  for (let at = 0; at < 4000; at += 3) release(world, children[at]!);
  destroy(world, other);
}

function chains(world: World): void {
  for (let chain = 0; chain < 20; chain++) {
    let last = spawn(world, Label("top"));
    for (let depth = 0; depth < 50; depth++) last = spawn(world, ChildOf(last), Label("x"));
  }
}

function lists(world: World): void {
  const parents = spawnMany(world, 5, OrderedChildren);
  const children = Array.from({ length: 400 }, (_, at) =>
    at % 3 === 0
      ? spawn(world, Parent(parents[at % 5]!), Label("v"))
      : spawn(world, ChildOf(parents[at % 5]!), ...(at % 2 === 0 ? [Frozen] : [])),
  );
  for (let at = 0; at < 300; at += 7) add(world, children[at]!, ChildOf(parents[(at + 1) % 5]!));
}

/** Two families in the opposite of the order that their rows had when the world was packed, which left few rows to spare. */
function crowded(world: World): void {
  const [one, other] = spawnMany(world, 2);
  const first = spawnMany(world, 20, ChildOf(one!), Label("x"));
  const second = spawnMany(world, 20, ChildOf(other!), Label("x"));
  pack(world);
  for (const child of first) add(world, child, ChildOf(other!));
  for (const child of second) add(world, child, ChildOf(one!));
}

const WORLDS: readonly (readonly [string, (world: World) => void])[] = [
  ["after many changes", (world) => grown(world, 1)],
  ["after other changes", (world) => grown(world, 2)],
  ["of many small families in any order", (world) => thinned(world, 3)],
  ["of one large family", hugeFamily],
  ["of chains", chains],
  ["whose columns are nearly full", crowded],
  ["of lists of children in both storages", lists],
  ["without entities", () => undefined],
];

/** All handles that a world has; those of free indexes are negative. */
function handlesIn(world: World): Entity[] {
  return [...world.entities.handles].slice(1, world.entities.length) as Entity[];
}

/** What can be read of entities, without rows and tables. */
function seen(world: World, all: readonly Entity[]): unknown[] {
  return all.map(
    (one) =>
      isAlive(world, one) && [
        get(world, one, Position),
        get(world, one, Label),
        has(world, one, Frozen),
        has(world, one, Disabled),
        has(world, one, Damage(Any)),
        parentOf(world, one),
        orderedSubjects(world, indexOf(one), ChildOf),
      ],
  );
}

/** The rows of every archetype in order: the indexes of their entities. */
function layoutOf(world: World): number[][] {
  return world.graph.archetypes.map(({ lanes, rows }) => [...lanes.i32.subarray(0, rows)]);
}

describe.each(WORLDS)("a world %s, packed within a budget", (_, build) => {
  it("is packed after some calls as by one call without a budget", () => {
    const [world, whole] = [createWorld(), createWorld()];
    build(world);
    build(whole);

    packInSteps(world);

    expect(pack(whole)).toBe(true);
    expect(layoutOf(world)).toEqual(layoutOf(whole));
  });

  it("reads the same and is valid after each call", () => {
    const world = createWorld();
    build(world);
    const all = handlesIn(world);
    const before = seen(world, all);
    const now = counting();

    for (let isDone = false, call = 0; !isDone; call++) {
      isDone = pack(world, { budget: 61, now });
      if (call % 10 !== 0 && !isDone) continue;
      expect(verify(world)).toEqual([]);
      expect(seen(world, all)).toEqual(before);
    }
  });
});

describe.each(memories)("pack within a budget on %s memory", (__, createMemory) => {
  it("keeps all values, and may be interrupted by any change", () => {
    const world = createWorld({ memory: createMemory() });
    const all = grown(world, 5);
    const dice = createDice(6);
    const expected = new Map(all.map((one) => [one, get(world, one, Position)]));
    const now = counting();

    for (let round = 0; round < 200; round++) {
      pack(world, { budget: dice.below(400), now });
      const one = dice.pick(all);
      if (dice.chance(0.5)) expected.set(one, { x: round, y: round, bytes: Uint8Array.of(1, 2, 3) });
      if (dice.chance(0.5)) add(world, dice.pick(all), Frozen);
      else remove(world, dice.pick(all), Frozen);
      const value = expected.get(one);
      if (value !== undefined) add(world, one, Position({ ...value, bytes: [...value.bytes] }));
      if (round % 20 === 0) expect(verify(world)).toEqual([]);
    }

    packInSteps(world);
    expect(verify(world)).toEqual([]);
    for (const [one, value] of expected) expect(get(world, one, Position)).toEqual(value);
  });
});

describe("pack within a budget", () => {
  it("takes one step a call if the budget is 0, which moves few rows", () => {
    const world = createWorld();
    thinned(world, 1);
    const now = counting();
    const { row } = world.entities;
    const moved: number[] = [];

    for (let isDone = false; !isDone; ) {
      const before = row.slice();
      isDone = pack(world, { budget: 0, now });
      moved.push(row.reduce((count, one, index) => count + (one === before[index] ? 0 : 1), 0));
    }

    expect(Math.max(...moved)).toBeLessThanOrEqual(2 * 64);
    expect(moved.reduce((sum, count) => sum + count)).toBeGreaterThan(1000);
  });

  it("takes no step and does not note anything while a packed world does not change", () => {
    const world = createWorld();
    thinned(world, 2);
    packInSteps(world);
    const now = (): number => {
      throw new Error("read");
    };

    expect(pack(world, { budget: 1, now })).toBe(true);
  });

  it("is still done after values were written", () => {
    const world = createWorld();
    const one = spawn(world, Position);
    packInSteps(world);

    set(world, one, Position, { x: 2, y: 3, bytes: [1, 2, 3] });

    expect(pack(world, { budget: 0, now: counting() })).toBe(true);
  });

  it("begins again after a change", () => {
    const world = createWorld();
    const parents = spawnMany(world, 5);
    const children = parents.map((parent) => spawnMany(world, 8, ChildOf(parent), Position));
    packInSteps(world);

    for (const one of children[2]!) release(world, one);

    expect(pack(world, { budget: 0, now: counting() })).toBe(false);
    packInSteps(world);
    expect(locate(world, children[4]![0]!, Position)!.row).toBe(24);
  });

  it("sorts what comes first also in a world that changes before each call", () => {
    const [world, whole] = [createWorld(), createWorld()];
    for (const one of [world, whole]) thinned(one, 4);
    const now = counting();
    const other = spawn(world);
    pack(whole);

    for (let frame = 0; frame < 20; frame++) {
      add(world, other, Frozen);
      remove(world, other, Frozen);
      expect(pack(world, { budget: 20, now })).toBe(false);
    }

    const ofChildren = whole.graph.archetypes.findIndex(({ rows }) => rows > 1000);
    const [rows, expected] = [layoutOf(world)[ofChildren]!, layoutOf(whole)[ofChildren]!];
    expect(rows.slice(0, 500)).toEqual(expected.slice(0, 500));
    expect(rows).not.toEqual(expected);
  });

  it("uses the clock of the platform by default", () => {
    const world = createWorld();
    thinned(world, 5);

    expect(pack(world, { budget: 60_000 })).toBe(true);
  });

  it("frees the columns of archetypes without rows", () => {
    const world = createWorld();
    for (const one of spawnMany(world, 500, Position)) release(world, one);

    packInSteps(world);

    expect(stats(world)).toMatchObject({ reservedRows: 0, columnBytes: 0 });
  });

  it("sorts large families as well", () => {
    const [world, whole] = [createWorld(), createWorld()];
    for (const each of [world, whole]) {
      const [one, other, last] = spawnMany(each, 3);
      spawnMany(each, 10, ChildOf(last!), Position);
      spawnMany(each, 70_000, ChildOf(other!), Position);
      spawnMany(each, 10, ChildOf(one!), Position);
    }
    pack(whole);

    packInSteps(world);

    expect(layoutOf(world)).toEqual(layoutOf(whole));
    expect(verify(world)).toEqual([]);
  });

  it("inside an iteration waits for its end, and returns false", () => {
    const [world, whole] = [createWorld(), createWorld()];
    for (const one of [world, whole]) thinned(one, 7);
    const before = layoutOf(world);
    const now = counting();
    pack(whole);

    defer(world, () => {
      expect(pack(world, { budget: 1e9, now })).toBe(false);
      expect(pack(world)).toBe(false);
      expect(layoutOf(world)).toEqual(before);
    });

    expect(layoutOf(world)).toEqual(layoutOf(whole));
    expect(layoutOf(world)).not.toEqual(before);
    expect(pack(world, { budget: 1e9, now })).toBe(true);
  });

  it("in a strict world inside an iteration is refused as iterating", () => {
    const world = createWorld({ strict: true });

    defer(world, () => {
      expect(codeOf(() => pack(world, { budget: 1 }))).toBe("iterating");
    });
  });

  it.each([-1, Number.NaN, "3", null, {}])("refuses %s as a budget, as bad-value", (budget) => {
    const world = createWorld();
    thinned(world, 8);
    const before = layoutOf(world);

    expect(codeOf(() => pack(world, { budget: budget as number }))).toBe("bad-value");

    expect(layoutOf(world)).toEqual(before);
  });

  it("refuses a clock that is no function, as bad-value", () => {
    const world = createWorld();

    expect(codeOf(() => pack(world, { budget: 1, now: 5 as unknown as () => number }))).toBe("bad-value");
  });

  it("makes at the end what a clock changes", () => {
    const world = createWorld();
    const parents = spawnMany(world, 20, Position);
    for (let at = 0; at < 200; at++)
      spawn(world, Position, ChildOf(parents[at % 20]!), ...(at % 3 > 0 ? [Frozen] : []));
    const now = counting();
    const spawned: Entity[] = [];
    const changing = (): number => {
      if (spawned.length < 30) spawned.push(spawn(world, Position, ChildOf(parents[spawned.length % 20]!)));
      return now();
    };

    for (let calls = 0; calls < 50; calls++) {
      pack(world, { budget: 1, now: changing });
      expect(verify(world)).toEqual([]);
    }

    expect(spawned.map((one) => parentOf(world, one))).toEqual(spawned.map((_, at) => parents[at % 20]));
  });

  it("needs no memory for columns", () => {
    const memory = refusing();
    const world = createWorld({ memory });
    const whole = createWorld();
    for (const one of [world, whole]) crowded(one);
    memory.refuse(1, false);

    packInSteps(world);

    pack(whole);
    expect(memory.requests).toBe(0);
    expect(layoutOf(world)).toEqual(layoutOf(whole));
    expect(verify(world)).toEqual([]);
  });

  it("begins again after the clock has thrown", () => {
    const [world, whole] = [createWorld(), createWorld()];
    for (const one of [world, whole]) thinned(one, 9);
    let left = 10;
    const broken = (): number => {
      if (left-- === 0) throw new Error("stopped");
      return 0;
    };

    expect(() => pack(world, { budget: 1, now: broken })).toThrow("stopped");
    expect(verify(world)).toEqual([]);
    packInSteps(world);

    pack(whole);
    expect(layoutOf(world)).toEqual(layoutOf(whole));
  });

  it("goes on where it was after a list of children was only made longer", () => {
    const [world, whole] = [createWorld(), createWorld()];
    for (const one of [world, whole]) hugeFamily(one);
    const now = counting();
    const { families } = world.graph;
    const pair = world.entities.family[world.entities.length - 1]!;
    pack(whole);

    for (let calls = 0; !pack(world, { budget: 10, now }); calls++)
      if (calls === 2) reserveFamily(families, world.entities, pair, 20_000);

    expect(layoutOf(world)).toEqual(layoutOf(whole));
  });
});
