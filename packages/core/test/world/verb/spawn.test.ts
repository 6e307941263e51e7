import { beforeEach, describe, expect, it } from "vitest";
import { observe, release, type SpawnTerm, set, spawn, spawnMany } from "../../../src/index.ts";
import { array, component, entity, f32, relation, value } from "../../defining.ts";
import { Any, ChildOf, Damage, DockedTo, Frozen, Label, Likes, Parent } from "../../definitions.ts";
import { createWorld, type Entity, setWorld, world } from "../../fixture.ts";
import { indexOf } from "../../handles.ts";
import { asTag, codeOf, get, has, isAlive, parentOf, stats } from "../../reading.ts";
import { snapshot } from "../snapshot.ts";

/** The most entities that a world holds. */
const MOST_ENTITIES = 2 ** 24 - 1;

const Position = component("Position", { x: f32, y: f32 });
const Titled = component("Titled", value("untitled"));
const Matrix = component("Matrix", { cells: array(f32, 4) });
const Aim = component("Aim", { at: entity });
const Rents = relation("Rents", { exclusive: true, fields: { price: f32 } });

const destroyed = (() => {
  const world = createWorld();
  const one = spawn(world);
  release(world, one);
  return { world, one };
})();

beforeEach(setWorld);

describe("spawn", () => {
  it("spawns an entity that has nothing", () => {
    const one = spawn(world);

    expect([isAlive(world, one), parentOf(world, one)]).toEqual([true, undefined]);
  });

  it("returns a handle of its own for each entity, above 0", () => {
    const handles = Array.from({ length: 1000 }, () => spawn(world));

    expect(new Set(handles).size).toBe(1000);
    expect(handles.every((handle) => handle > 0 && Number.isSafeInteger(handle))).toBe(true);
  });

  it("gives the entity all its terms, with values", () => {
    const ship = spawn(world);

    const one = spawn(world, Position({ x: 1, y: 2 }), Frozen, Label("Seat"), ChildOf(ship), Likes(ship));

    expect([get(world, one, Position), get(world, one, Label)]).toEqual([{ x: 1, y: 2 }, "Seat"]);
    expect([has(world, one, Frozen), has(world, one, Likes(ship)), parentOf(world, one)]).toEqual([
      true,
      true,
      ship,
    ]);
  });

  it("uses defaults for values that are not given", () => {
    const one = spawn(world, Position({ y: 2 }), Matrix, Aim(), Titled);

    expect(get(world, one, Position)).toEqual({ x: 0, y: 2 });
    expect(get(world, one, Matrix)).toEqual({ cells: new Float32Array(4) });
    expect(get(world, one, Aim)).toEqual({ at: undefined });
    expect(get(world, one, Titled)).toBe("untitled");
  });

  it("does not give an entity the data of one that was destroyed in its row", () => {
    spawn(world, Position({ x: 1, y: 1 }), Label("kept"));
    const gone = spawn(world, Position({ x: 7, y: 8 }), Titled("gone"));
    release(world, gone);

    const next = spawn(world, Position, Titled);

    expect([get(world, next, Position), get(world, next, Titled)]).toEqual([{ x: 0, y: 0 }, "untitled"]);
  });

  it("puts the entity straight into the table of its whole type", () => {
    const ship = spawn(world);

    spawn(world, Position, Frozen, ChildOf(ship));

    expect(world.graph.archetypes.filter(({ founded }) => founded)).toHaveLength(2);
  });

  it("accepts several targets of one relation, and their values", () => {
    const [a, b] = [spawn(world), spawn(world)];

    const one = spawn(world, Likes(a), Likes(b), Damage(b, { amount: 2 }), Damage(a, { amount: 1 }));

    expect([has(world, one, Likes(a)), has(world, one, Likes(b))]).toEqual([true, true]);
    expect([get(world, one, Damage(a)), get(world, one, Damage(b))]).toEqual([{ amount: 1 }, { amount: 2 }]);
  });

  it("keeps siblings in the order of spawning", () => {
    const ship = spawn(world);

    const children = [Frozen, Position, Label("a")].map((term) => spawn(world, ChildOf(ship), term));

    const orders = children.map((child) => world.entities.order[indexOf(child)]!);
    expect(orders).toEqual(orders.toSorted((one, other) => one - other));
    expect(new Set(orders).size).toBe(3);
  });
});

describe("spawn refuses, and changes nothing", () => {
  it.each<[string, string, (one: Entity, other: Entity) => readonly unknown[]]>([
    ["dead-entity", "a parent that is not alive", () => [ChildOf(destroyed.one)]],
    ["dead-entity", "a target that is no entity", () => [Likes(0 as Entity)]],
    [
      "dead-entity",
      "a target that is not alive after good terms",
      (one) => [Position, Likes(one), Damage(destroyed.one)],
    ],
    ["bad-term", "a wildcard", () => [Likes(Any)]],
    ["bad-term", "a relation without target", () => [Likes]],
    ["bad-term", "something that is no term", () => [{}]],
    ["bad-term", "a number", () => [5]],
    ["bad-term", "a text", () => ["Position"]],
    ["bad-term", "a function that is no definition", () => [() => 1]],
    ["bad-term", "undefined, as cyclic imports give", () => [undefined]],
    ["bad-term", "null", () => [null]],
    ["bad-term", "a component twice", () => [Position({ x: 1 }), Frozen, Position({ x: 2 })]],
    ["bad-term", "an object component twice", () => [Label("a"), Label("b")]],
    ["bad-term", "a tag twice", () => [Frozen, Frozen]],
    ["bad-term", "two parents", (one, other) => [ChildOf(one), ChildOf(other)]],
    ["bad-term", "two parents, one as a value", (one, other) => [Parent(one), ChildOf(other)]],
    ["bad-term", "one parent in both storages", (one) => [ChildOf(one), Frozen, Parent(one)]],
    ["bad-term", "two parents as values", (one, other) => [Parent(one), Parent(other)]],
    ["bad-term", "an entity as a tag twice", (one) => [one, Frozen, one]],
    ["dead-entity", "an entity as a tag that is not alive", () => [asTag(destroyed.one)]],
    ["dead-entity", "a value parent that is not alive", () => [Parent(destroyed.one)]],
    ["bad-term", "a wildcard of any relation", () => [Any(Any)]],
    ["bad-term", "two targets of an exclusive relation", (one, other) => [DockedTo(one), DockedTo(other)]],
    ["bad-term", "two targets of one with data", (one, other) => [Rents(one), Rents(other)]],
    ["bad-term", "a pair twice", (one) => [Likes(one), Likes(one)]],
    ["bad-term", "a pair twice with another between", (one, other) => [Likes(one), Likes(other), Likes(one)]],
    ["bad-term", "a pair with data twice", (one) => [Damage(one, { amount: 1 }), Damage(one)]],
    ["bad-value", "a value for a tag", () => [(Frozen as unknown as (value: unknown) => unknown)({ x: 1 })]],
    ["dead-entity", "the number of the wildcard as target", () => [Likes(-1 as Entity)]],
    ["bad-value", "a value that is no object", () => [Position(5 as never)]],
    ["bad-value", "a field that is no number", () => [Position({ x: "1" as never })]],
    ["bad-value", "null for a number", () => [Position({ x: null as never })]],
    ["bad-value", "a list of the wrong length", () => [Matrix({ cells: [1, 2, 3] })]],
    ["bad-value", "a number for a list", () => [Matrix({ cells: 4 as never })]],
    ["bad-value", "a bad value of a pair", (one) => [Damage(one, { amount: {} as never })]],
  ])("with %s: %s", (code, _, termsFor) => {
    const [one, other] = [spawn(world, Position, Likes(spawn(world))), spawn(world)];
    const before = snapshot(world);
    const terms = termsFor(one, other) as readonly SpawnTerm[];

    const refused = [codeOf(() => spawn(world, ...terms)), codeOf(() => spawnMany(world, 3, ...terms))];

    expect(refused).toEqual([code, code]);
    expect(snapshot(world)).toEqual(before);
  });

  it("with capacity: one entity more than a world holds", () => {
    spawn(world, Position);
    world.entities.length = MOST_ENTITIES + 1;
    const { alive } = world.entities;

    expect(codeOf(() => spawn(world, Position))).toBe("capacity");
    expect(codeOf(() => spawnMany(world, 2, Position))).toBe("capacity");

    expect([world.entities.alive, stats(world).rows]).toEqual([alive, 1]);
  });

  it("with capacity, when observers of the first ones spawn the last entities that there is room for", () => {
    for (const entity of spawnMany(world, 4)) release(world, entity);
    world.entities.length = MOST_ENTITIES + 1; // four are free
    const stop = observe(world, { added: Position }, () => spawn(world, Frozen));

    expect(codeOf(() => spawnMany(world, 3, Position))).toBe("capacity");
    stop();

    const { entities } = world;
    expect([entities.free, entities.alive, stats(world).rows]).toEqual([0, 4, 4]);
  });
});

describe("spawnMany", () => {
  it("spawns as many entities as requested, all with the same values", () => {
    const ship = spawn(world);

    const spawned = spawnMany(
      world,
      100,
      Position({ x: 1 }),
      Label("one"),
      Matrix({ cells: [1, 2, 3, 4] }),
      ChildOf(ship),
      Damage(ship, { amount: 3 }),
    );

    expect(new Set(spawned).size).toBe(100);
    for (const one of spawned) {
      expect(get(world, one, Position)).toEqual({ x: 1, y: 0 });
      expect([get(world, one, Label), parentOf(world, one)]).toEqual(["one", ship]);
      expect(get(world, one, Matrix)).toEqual({ cells: Float32Array.of(1, 2, 3, 4) });
      expect(get(world, one, Damage(ship))).toEqual({ amount: 3 });
    }
  });

  it("returns the handles in the order of spawning, which is that of siblings", () => {
    const ship = spawn(world);

    const spawned = spawnMany(world, 50, ChildOf(ship));

    const orders = spawned.map((one) => world.entities.order[indexOf(one)]!);
    expect(orders).toEqual(orders.toSorted((one, other) => one - other));
  });

  it("leaves existing entities alone", () => {
    const first = spawn(world, Position({ x: 9 }));

    spawnMany(world, 1000, Position({ x: 1 }));

    expect(get(world, first, Position)).toEqual({ x: 9, y: 0 });
  });

  it("spawns none for 0", () => {
    const before = snapshot(world);

    expect(spawnMany(world, 0, Position)).toEqual([]);

    expect(snapshot(world)).toEqual(before);
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "3" as never, Object.create(null)])(
    "refuses %o entities as bad-value, and changes nothing",
    (count) => {
      const world = createWorld();
      const before = snapshot(world);

      expect(codeOf(() => spawnMany(world, count, Position))).toBe("bad-value");

      expect(snapshot(world)).toEqual(before);
    },
  );

  it("writes values into a row for each, so that they can differ afterwards", () => {
    const [one, other] = spawnMany(world, 2, Matrix({ cells: [1, 1, 1, 1] })) as [Entity, Entity];

    set(world, one, Matrix, { cells: [9, 9, 9, 9] });

    expect(get(world, other, Matrix)).toEqual({ cells: Float32Array.of(1, 1, 1, 1) });
  });
});
