import { describe, expect, it } from "vitest";
import { add, clone, pack, removeMany, set, sparse, spawn, spawnMany } from "../../../../src/index.ts";
import { component, f32, relation } from "../../../defining.ts";
import { Any, ChildOf, Damage, Label, OrderedChildren, Parent } from "../../../definitions.ts";
import { createDice } from "../../../dice.ts";
import { createWorld, type Entity, type World } from "../../../fixture.ts";
import { codeOf, get, isAlive, stats, subjectsOf, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";

const Position = component("Position", { x: f32 });
const Heat = component("Heat", { degrees: f32 }, { storage: sparse });
const Owes = relation("Owes", { fields: { sum: f32 }, storage: sparse });
const Likes = relation("Likes");

/** A clock that advances by one each time it is read. */
function counting(): () => number {
  let time = 0;
  return () => time++;
}

const WAYS: readonly (readonly [string, (world: World) => void])[] = [
  ["at once", (world) => pack(world)],
  [
    "within a budget",
    (world) => {
      for (const now = counting(); !pack(world, { budget: 100, now }); );
    },
  ],
];

type Term = Parameters<typeof spawn>[1];

const TREES: readonly (readonly [string, (above: Entity) => Term[]])[] = [
  ["with tables of children", (above) => [ChildOf(above), Position]],
  ["with parents stored by value", (above) => [Parent(above), Position]],
  ["with lists of children", (above) => [ChildOf(above), OrderedChildren]],
  ["with pairs of two relations", (above) => [ChildOf(above), Likes(above), Damage(above, { amount: 1 })]],
  ["with sparse components and pairs", (above) => [Parent(above), Heat, Owes(above, { sum: 1 })]],
];

/** As many trees of 20 entities. */
function plant(world: World, count: number, termsOf: (above: Entity) => Term[]): Entity[] {
  return Array.from({ length: count }, () => {
    const nodes = [spawn(world)];
    for (let at = 1; at < 20; at++) nodes.push(spawn(world, ...termsOf(nodes[Math.floor((at - 1) / 3)]!)));
    return nodes[0]!;
  });
}

/** All bytes but those of columns of tables, which keep their room within a budget, and their bits. */
function bytesIn(world: World): number {
  const { bytes, bytesByPart } = stats(world);
  return bytes - bytesByPart.columns - bytesByPart.bits;
}

describe.each(WAYS)("packing %s", (_, packAll) => {
  it.each(TREES)("gives back what destroyed trees had: %s", (__, termsOf) => {
    const world = createWorld();
    const [kept] = plant(world, 3, termsOf);
    destroy(world, clone(world, kept!, { deep: true }));
    packAll(world);
    const before = bytesIn(world);

    destroy(world, ...plant(world, 1_000, termsOf));
    packAll(world);

    expect(bytesIn(world)).toBeLessThan(before + 2_000);
    expect(verify(world)).toEqual([]);
  });

  it("gives back what trees had between others that stay", () => {
    const world = createWorld();
    const all = plant(world, 1_000, (above) => [Parent(above), Position]);
    destroy(world, ...all.slice(300));
    const full = stats(world).bytesByPart;
    packAll(world);

    const { entities, pairs, siblings } = stats(world).bytesByPart;
    expect(Math.max(entities / full.entities, pairs / full.pairs, siblings / full.siblings)).toBeLessThan(
      0.4,
    );
    expect(verify(world)).toEqual([]);
  });

  it("gives back what the lists of tables have in reserve, and keeps what they list", () => {
    const world = createWorld();
    const [one, other] = spawnMany(world, 2);
    const all = spawnMany(world, 3_000, Position, Likes(one!));
    for (const entity of all.slice(0, 20)) add(world, entity, Likes(other!));
    destroy(world, ...all.slice(40));
    packAll(world);

    const { lists } = world.graph.tables;
    expect(lists.pool.length).toBe(64);
    expect(lists.placeOf.length).toBeLessThan(100);
    expect([one!, other!].map((target) => subjectsOf(world, target, Likes))).toEqual([
      all.slice(0, 40),
      all.slice(0, 20),
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("keeps stale handles stale, whatever is spawned later", () => {
    const world = createWorld();
    const [first] = spawnMany(world, 10, Position);
    const issued = new Set<Entity>();
    for (let round = 0; round < 6; round++) {
      const made = spawnMany(world, 2_000 * (1 + (round % 3)), Position, ChildOf(first!));
      for (const one of made) {
        expect(issued.has(one)).toBe(false);
        issued.add(one);
      }
      const middle = made[made.length >> 1]!;
      destroy(world, ...made.filter((one) => one !== middle));
      packAll(world);
      destroy(world, middle);
      packAll(world);
    }
    const [last] = spawnMany(world, 20_000, Position);

    expect([...issued].filter((one) => isAlive(world, one))).toEqual([]);
    for (const one of [...issued].slice(0, 50)) {
      expect(codeOf(() => get(world, one, Position))).toBe("dead-entity");
      expect(codeOf(() => set(world, one, Position, { x: 1 }))).toBe("dead-entity");
      expect(codeOf(() => spawn(world, ChildOf(one)))).toBe("dead-entity");
      expect(codeOf(() => spawn(world, Likes(one)))).toBe("dead-entity");
    }
    expect(isAlive(world, last!)).toBe(true);
    expect(verify(world)).toEqual([]);
  });

  it.each([1, 2, 3, 4])("may be called between any changes: seed %i", (seed) => {
    const world = createWorld();
    const dice = createDice(seed);
    const issued = new Set<Entity>();
    let living: Entity[] = [];
    const add = (one: Entity): void => {
      expect(issued.has(one)).toBe(false);
      issued.add(one);
      living.push(one);
    };
    for (let step = 0; step < 400; step++) {
      const kind = dice.below(12);
      const parent = living.length > 0 && dice.chance(0.8) ? dice.pick(living) : undefined;
      if (kind < 5) {
        const [, termsOf] = dice.pick(TREES);
        const terms = parent === undefined ? [Label("root")] : termsOf(parent);
        for (let count = dice.below(40); count > 0; count--) add(spawn(world, ...terms));
      } else if (kind === 5 && living.length < 3_000 && parent !== undefined) {
        const copy = clone(world, parent, { deep: true });
        issued.add(copy);
      } else if (kind < 8 && parent !== undefined) destroy(world, parent);
      else if (kind < 10) removeMany(world, living.slice(0, 20), ChildOf(Any));
      else if (kind === 10) {
        destroy(world, ...living.slice(dice.below(living.length + 1)));
      } else packAll(world);
      living = living.filter((one) => isAlive(world, one));
      if (step % 20 === 0) expect(verify(world)).toEqual([]);
    }
    packAll(world);
    expect(verify(world)).toEqual([]);
    const alive = new Set(living);
    for (const one of issued) if (isAlive(world, one)) alive.add(one);
    destroy(world, ...alive);
    packAll(world);
    expect([...issued].filter((one) => isAlive(world, one))).toEqual([]);
    expect(verify(world)).toEqual([]);
  });
});
