import { beforeEach, expect, it } from "vitest";
import { add, clone, defer, emit, entityOf, observe, set, spawn, spawnMany } from "../../../../src/index.ts";
import { component, event, f32, withHooks } from "../../../defining.ts";
import { Frozen, Position } from "../../../definitions.ts";
import { type Entity, setWorld, world } from "../../../fixture.ts";
import { addObservers, Life } from "../../../internal.ts";
import { definitionAt, get, has, isAlive, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";

beforeEach(setWorld);

/** A component whose hook emits greater values, and whose observer throws. */
function heavyAbove(limit: number) {
  const TermPattern = event("Asked");
  const judge = spawn(world);
  observe(world, { emitted: TermPattern }, () => {
    throw new Error("too heavy");
  });
  return withHooks(component("Weight", { kilos: f32 }), {
    check: (_, __, { kilos }) => {
      if (kilos > limit) emit(world, judge, TermPattern);
    },
  });
}

it("destroys a spawned entity: spawn returns its handle all the same, which is stale", () => {
  const calls: Entity[] = [];
  observe(world, { added: Frozen }, ({ entity }) => {
    calls.push(entity);
    destroy(world, entity);
  });

  const spawned = [spawn(world, Frozen), ...spawnMany(world, 2, Frozen)];

  expect(spawned).toEqual(calls);
  expect(spawned.map((one) => isAlive(world, one))).toEqual([false, false, false]);
});

it("calls entityOf for the definition whose entity is being spawned: it is that one", () => {
  const requests: unknown[] = [];
  const call = (): void => {
    requests.push(entityOf(world, Frozen));
  };
  addObservers(world, [{ kind: "added", definition: Life, target: 0, call, isStopped: false }]);
  observe(world, { added: Position }, () => undefined);

  const known = entityOf(world, Position);

  expect(definitionAt(world, known)).toBe(Position);
  expect(new Set(requests)).toEqual(new Set([entityOf(world, Frozen)]));
  expect(world.entities.alive).toBe(2);
  expect(verify(world)).toEqual([]);
});

it("leaves no observer if it throws when it is called for existing entities", () => {
  spawn(world, Frozen);
  const shout = (): never => {
    throw new Error("no");
  };

  expect(() => observe(world, { added: Frozen }, shout, { yieldExisting: true })).toThrow("no");

  expect(() => spawn(world, Frozen)).not.toThrow();
});

it("throws when a check hook emits to it: then the hook has refused", () => {
  const Weight = heavyAbove(1);

  expect(() => spawn(world, Weight({ kilos: 2 }))).toThrow("too heavy");

  expect(world.entities.alive).toBe(1);
});

it("throws inside an iteration, too, before the change that the check hook refuses", () => {
  const Weight = heavyAbove(1);
  const crate = spawn(world, Weight({ kilos: 1 }));
  const stone = spawn(world);
  let spawned: Entity | undefined;

  expect(() => set(world, crate, Weight, { kilos: 2 })).toThrow("too heavy");
  expect(() => defer(world, () => set(world, crate, Weight, { kilos: 2 }))).toThrow("too heavy");
  expect(() => defer(world, () => add(world, stone, Weight({ kilos: 2 })))).toThrow("too heavy");
  expect(() => defer(world, () => (spawned = spawn(world, Weight({ kilos: 2 }))))).toThrow("too heavy");
  expect(() => clone(world, crate, { with: [Weight({ kilos: 2 })] })).toThrow("too heavy");

  expect(get(world, crate, Weight)).toEqual({ kilos: 1 });
  expect(has(world, stone, Weight)).toBe(false);
  expect(isAlive(world, spawned!)).toBe(false);
  expect(world.entities.alive).toBe(3);
  expect(verify(world)).toEqual([]);
});

it("refuses one change of several deferred ones, and makes the others", () => {
  const Weight = heavyAbove(1);
  const [light, heavy, last] = [spawn(world), spawn(world), spawn(world)];

  const both = () =>
    defer(world, () => {
      add(world, light, Weight({ kilos: 1 }));
      add(world, heavy, Weight({ kilos: 2 }));
      add(world, last, Weight({ kilos: 1 }));
    });

  expect(both).toThrow("too heavy");
  expect([light, heavy, last].map((entity) => has(world, entity, Weight))).toEqual([true, false, true]);
});
