import { beforeEach, expect, it } from "vitest";
import { verify } from "../../../../src/debug.ts";
import { Life } from "../../../../src/id/builtins.ts";
import {
  component,
  definitionAt,
  type Entity,
  emit,
  entityOf,
  event,
  f32,
  isAlive,
  observe,
  spawn,
  spawnMany,
  withHooks,
} from "../../../../src/index.ts";
import { addListeners } from "../../../../src/world/verb/observe.ts";
import { Frozen, Position } from "../../../definitions.ts";
import { setWorld, world } from "../../../stage.ts";
import { destroy } from "../../destroy.ts";

beforeEach(setWorld);

it("destroys a newborn: spawn gives its handle all the same, which is stale", () => {
  const told: Entity[] = [];
  observe(world, { added: Frozen }, ({ entity }) => {
    told.push(entity);
    destroy(world, entity);
  });

  const born = [spawn(world, Frozen), ...spawnMany(world, 2, Frozen)];

  expect(born).toEqual(told);
  expect(born.map((one) => isAlive(world, one))).toEqual([false, false, false]);
});

it("asks for the entity of the definition for which one is born: it is that one", () => {
  const asked: unknown[] = [];
  const call = (): void => {
    asked.push(entityOf(world, Frozen));
  };
  addListeners(world, [{ kind: "added", definition: Life, target: 0, call, isStopped: false }]);
  observe(world, { added: Position }, () => undefined);

  const known = entityOf(world, Position);

  expect(definitionAt(world, known)).toBe(Position);
  expect(new Set(asked)).toEqual(new Set([entityOf(world, Frozen)]));
  expect(world.entities.alive).toBe(2);
  expect(verify(world)).toEqual([]);
});

it("leaves nobody listening if it throws when it is told of who is there", () => {
  spawn(world, Frozen);
  const shout = (): never => {
    throw new Error("no");
  };

  expect(() => observe(world, { added: Frozen }, shout, { yieldExisting: true })).toThrow("no");

  expect(() => spawn(world, Frozen)).not.toThrow();
});

it("throws when a check hook tells it something: then the hook has refused", () => {
  const Asked = event("Asked");
  const judge = spawn(world);
  const Weight = withHooks(component("Weight", { kilos: f32 }), {
    check: () => emit(world, judge, Asked),
  });
  observe(world, { emitted: Asked }, () => {
    throw new Error("too heavy");
  });

  expect(() => spawn(world, Weight)).toThrow("too heavy");

  expect(world.entities.alive).toBe(1);
});
