import { beforeEach, expect, it } from "vitest";
import { add, clone, observe, remove, type SpawnTerm, set, spawn, spawnMany } from "../../../src/index.ts";
import { component, f32, f64, relation } from "../../defining.ts";
import { ChildOf, Knows, Position } from "../../definitions.ts";
import { type Entity, setWorld, type World, world } from "../../fixture.ts";
import { codeOf, get, isAlive, verify } from "../../reading.ts";
import { destroy } from "../destroy.ts";

/** A value is read once: here by a getter. */
function readBy(getter: () => number): SpawnTerm {
  let times = 0;
  return Position({
    get x(): number {
      if (times++ > 0) throw new Error("read twice");
      return getter();
    },
  });
}

function fail(): never {
  throw new Error("no value");
}

const spawns: [string, (world: World, other: Entity, term: SpawnTerm) => unknown][] = [
  ["spawnMany with symmetric pairs", (world, other, term) => spawnMany(world, 3, term, Knows(other))],
  ["spawn with a symmetric pair", (world, other, term) => spawn(world, term, Knows(other))],
  [
    "spawnMany that is observed",
    (world, other, term) => {
      observe(world, { added: Position }, () => {});
      return spawnMany(world, 3, term, ChildOf(other));
    },
  ],
  ["clone", (world, other, term) => clone(world, other, { with: [term, Knows(other)] })],
];

beforeEach(setWorld);

it.each(spawns)("no entity is spawned by %s when a getter throws", (_, spawnOne) => {
  const other = spawn(world);
  expect(() => spawnOne(world, other, readBy(fail))).toThrow("no value");
  expect(world.entities.alive).toBe(1);
  expect(world.graph.vacated).toBeUndefined();
  expect(verify(world)).toEqual([]);
});

it.each([
  [
    "spawnMany with symmetric pairs",
    (world: World, other: Entity, term: SpawnTerm) => spawnMany(world, 3, term, Knows(other)),
  ],
  [
    "clone",
    (world: World, other: Entity, term: SpawnTerm) =>
      clone(world, spawn(world), { with: [term, ChildOf(other)] }),
  ],
])("no entity is spawned by %s when a getter destroys the target", (_, spawnOne) => {
  const other = spawn(world);
  const term = readBy(() => {
    destroy(world, other);
    return 1;
  });
  expect(codeOf(() => spawnOne(world, other, term))).toBe("dead-entity");
  expect(verify(world)).toEqual([]);
});

it("reserved rows of spawned entities stay theirs when a getter also spawns", () => {
  const other = spawn(world);
  const term = readBy(() => {
    spawnMany(world, 50, Position, Knows(other));
    return 1;
  });
  expect(spawnMany(world, 3, term, Knows(other))).toHaveLength(3);
  expect(verify(world)).toEqual([]);
});

it("the result of a getter is checked", () => {
  const term = readBy(() => "much" as unknown as number);
  expect(codeOf(() => clone(world, spawn(world), { with: [term] }))).toBe("bad-value");
  expect(world.entities.alive).toBe(1);
});

it.each([
  ["add", (entity: Entity, term: SpawnTerm) => add(world, entity, term)],
  ["add of two", (entity: Entity, term: SpawnTerm) => add(world, entity, term, Knows(entity))],
  [
    "set",
    (entity: Entity) =>
      set(world, entity, Position, {
        get x(): number {
          destroy(world, entity);
          return 1;
        },
      }),
  ],
])("%s is refused when a getter destroys the entity", (_, give) => {
  const entity = spawn(world);
  const term = readBy(() => {
    destroy(world, entity);
    return 1;
  });

  expect(codeOf(() => give(entity, term))).toBe("dead-entity");

  expect(isAlive(world, entity)).toBe(false);
  expect(verify(world)).toEqual([]);
});

it("set writes to no other pair when a getter removes the pair", () => {
  const Weighs = relation("Weighs", { fields: { grams: f64 } });
  const [one, other] = spawnMany(world, 2) as [Entity, Entity];
  const scale = spawn(world, Weighs(one, { grams: 1 }));

  set(world, scale, Weighs(one), {
    get grams(): number {
      remove(world, scale, Weighs(one));
      add(world, scale, Weighs(other, { grams: 2 }));
      return 5;
    },
  });

  expect(get(world, scale, Weighs(other))).toEqual({ grams: 2 });
});

it("accessors of a class may spawn: each field gets its own value", () => {
  const Point = component("Point", { x: f32, y: f32 });
  class Place {
    y = 2;
    get x(): number {
      spawn(world, Point({ x: 9, y: 9 }));
      return 1;
    }
  }

  expect(get(world, spawn(world, Point(new Place())), Point)).toEqual({ x: 1, y: 2 });
});
