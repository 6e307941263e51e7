import { beforeEach, describe, expect, it } from "vitest";
import { add, clone, defer, observe, pack, release, remove, set } from "../../../src/index.ts";
import { component, f32, withHooks } from "../../defining.ts";
import { ChildOf, Damage, Frozen, Label } from "../../definitions.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../fixture.ts";
import { get, has } from "../../reading.ts";
import { destroy } from "../destroy.ts";

const Position = component("Position", { x: f32, y: f32 });
const Hooked = withHooks(component("Hooked", { x: f32 }), { written: () => undefined });

let world: World;
let one: Entity;
let other: Entity;

beforeEach(() => {
  world = createWorld();
  [one, other] = [spawn(world, Position, Hooked), spawn(world, Position)];
});

describe("inside an iteration, a set of what is there", () => {
  it("is written at once", () => {
    add(world, one, Damage(other, { amount: 1 }), Label("a"));

    defer(world, () => {
      set(world, one, Position, { x: 5 });
      set(world, one, Label, "b");
      set(world, one, Damage(other), { amount: 7 });
      set(world, one, Hooked, { x: 6 });

      expect([get(world, one, Position), get(world, one, Label)]).toEqual([{ x: 5, y: 0 }, "b"]);
      expect([get(world, one, Damage(other)), get(world, one, Hooked)]).toEqual([{ amount: 7 }, { x: 6 }]);
    });
  });

  it.each<[string, () => unknown]>([
    ["an addition to it", () => add(world, one, Frozen)],
    ["its removal", () => remove(world, one, Position)],
    ["a reparent of it", () => add(world, one, ChildOf(other))],
    ["its destruction", () => release(world, one)],
    ["an earlier deferred set of it", () => set(world, one, Label, "a")],
    ["a clone of any entity", () => clone(world, other)],
    ["the spawn of many", () => spawnMany(world, 2)],
    ["a pack", () => pack(world)],
    ["a destroy", () => destroy(world, other)],
  ])("is deferred behind %s", (_, issue) => {
    defer(world, () => {
      issue();
      set(world, one, Position, { x: 5 });

      expect(get(world, one, Position)).toEqual({ x: 0, y: 0 });
    });
  });

  it.each<[string, () => unknown]>([
    ["an addition to another entity", () => add(world, other, Frozen)],
    ["the destruction of another entity", () => release(world, other)],
    ["a spawn", () => spawn(world, Position)],
    ["a set that was made at once", () => set(world, one, Position, { y: 1 })],
  ])("is not deferred behind %s", (_, issue) => {
    defer(world, () => {
      issue();
      set(world, one, Position, { x: 5 });

      expect(get(world, one, Position)!.x).toBe(5);
    });
  });

  it("is deferred behind every deferred command if it has hooks, since these read other entities too", () => {
    defer(world, () => {
      spawn(world);
      set(world, one, Hooked, { x: 5 });

      expect(get(world, one, Hooked)).toEqual({ x: 0 });
    });

    expect(get(world, one, Hooked)).toEqual({ x: 5 });
  });

  it("has the same result as all commands made in the order of issue", () => {
    defer(world, () => {
      set(world, one, Position, { x: 1, y: 1 });
      remove(world, one, Position);
      set(world, one, Position, { x: 2 });
      set(world, one, Position, { y: 3 });
    });

    expect(get(world, one, Position)).toEqual({ x: 2, y: 3 });
  });

  it("is dropped if the entity was destroyed, and adds again what was removed", () => {
    defer(world, () => {
      remove(world, other, Position);
      set(world, other, Position, { x: 2 });
      release(world, one);
      set(world, one, Position, { x: 2 });
    });

    expect(get(world, other, Position)).toEqual({ x: 2, y: 0 });
  });
});

describe("a set", () => {
  it("notifies observers once, after the value was written", () => {
    const calls: unknown[] = [];
    observe(world, { set: Position }, ({ entity, target }) =>
      calls.push([get(world, entity, Position), target]),
    );

    set(world, one, Position, { x: 5 });
    set(world, one, Position, {});

    expect(calls).toEqual([
      [{ x: 5, y: 0 }, undefined],
      [{ x: 5, y: 0 }, undefined],
    ]);
  });

  it("of a pair is reported with its target", () => {
    const calls: unknown[] = [];
    observe(world, { set: Damage }, ({ definition, target }) => calls.push([definition.name, target]));

    set(world, one, Damage(other), { amount: 2 });
    set(world, one, Damage(other), { amount: 3 });

    expect(calls).toEqual([
      ["Damage", other],
      ["Damage", other],
    ]);
  });

  it("that adds is reported as added, then as set", () => {
    const calls: string[] = [];
    observe(world, { set: Label, added: Label }, ({ kind }) => calls.push(kind));

    set(world, one, Label, "a");
    set(world, one, Label, "b");

    expect(calls).toEqual(["added", "set", "set"]);
    expect(has(world, one, Label)).toBe(true);
  });

  it("passes the previous value to onSet", () => {
    const calls: unknown[] = [];
    const Watched = withHooks(component("Watched", { x: f32, y: f32 }), {
      onSet: (_, entity, value, before) => calls.push([entity === one, value, before]),
    });

    set(world, one, Watched, { x: 1 });
    set(world, one, Watched, { y: 2 });
    add(world, one, Watched({ x: 3 }));
    spawn(world, Watched);

    expect(calls).toEqual([
      [true, { x: 1, y: 0 }, undefined],
      [true, { x: 1, y: 2 }, { x: 1, y: 0 }],
      [true, { x: 3, y: 2 }, { x: 1, y: 2 }],
      [false, { x: 0, y: 0 }, undefined],
    ]);
  });
});
