import { describe, expect, it } from "vitest";
import {
  add,
  clear,
  clone,
  defer,
  entityOf,
  observe,
  pack,
  release,
  remove,
  set,
} from "../../../../src/index.ts";
import { Any, ChildOf, DockedTo, Frozen, Likes, Lit, Parent, Position } from "../../../definitions.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../../fixture.ts";
import { beginDeferred, endDeferred } from "../../../internal.ts";
import { codeOf, get, has, isAlive, locate, parentOf, read, targetOf, verify } from "../../../reading.ts";
import { livingTables, snapshot } from "../../snapshot.ts";
import { start } from "./lock-fixture.ts";

type Act = (world: World, one: Entity, ship: Entity) => unknown;

const structural: [string, Act][] = [
  ["spawn", (world) => spawn(world)],
  ["spawnMany", (world) => spawnMany(world, 2, Position)],
  ["clone", (world, one) => clone(world, one)],
  ["add of a tag", (world, one) => add(world, one, Frozen)],
  ["add of a parent", (world, one, ship) => add(world, ship, ChildOf(spawn(world)), Position({ x: one }))],
  ["add of a parent by value", (world, one, ship) => add(world, one, Parent(ship))],
  ["add of an exclusive pair", (world, one, ship) => add(world, one, DockedTo(ship))],
  ["remove", (world, one) => remove(world, one, Position)],
  ["remove of the parent", (world, one) => remove(world, one, ChildOf(Any))],
  ["set of what is not there", (world, _, ship) => set(world, ship, Position, { x: 2 })],
  ["clear", (world, one) => clear(world, one)],
  ["release", (world, one) => release(world, one)],
  ["pack", (world) => pack(world)],
  ["entityOf, first call", (world) => entityOf(world, Lit)],
];

describe("inside an iteration of a strict world", () => {
  it.each(structural)("%s is refused as iterating, and changes nothing", (_, act) => {
    const { world, one, ship } = start(true);
    beginDeferred(world);
    const before = snapshot(world);

    expect(codeOf(() => act(world, one, ship))).toBe("iterating");

    expect(snapshot(world)).toEqual(before);
    endDeferred(world, true);
    expect(snapshot(world)).toEqual({ ...before, deferDepth: 0 });
  });

  it("a change is refused with what to do", () => {
    const { world } = start(true);

    expect(() => defer(world, () => spawn(world))).toThrow(
      "this world is strict: spawn, destroy, add, remove and move after the iteration, not inside it",
    );
  });

  it("within another, changes are refused until the outermost one ends", () => {
    const { world } = start(true);
    beginDeferred(world);
    beginDeferred(world);
    endDeferred(world, true);
    const inside = codeOf(() => spawn(world));

    endDeferred(world, true);

    expect([inside, codeOf(() => spawn(world))]).toEqual(["iterating", undefined]);
  });

  it("a set of what is there is made at once", () => {
    const { world, one } = start(true);

    defer(world, () => {
      set(world, one, Position, { x: 5 });
      expect(get(world, one, Position)).toEqual({ x: 5 });
    });
  });

  it("an observer that changes something is refused, and the change that it observes is made", () => {
    const { world, one } = start(true);
    observe(world, { added: Frozen }, () => spawn(world));

    expect(codeOf(() => add(world, one, Frozen))).toBe("iterating");

    expect([has(world, one, Frozen), world.entities.alive, world.deferDepth]).toEqual([true, 2, 0]);
  });
});

describe("inside an iteration", () => {
  it.each(structural)("%s is deferred until it ends, and then has the same result", (_, act) => {
    const [now, later] = [start(), start()];
    act(now.world, now.one, now.ship);
    const before = livingTables(later.world);

    beginDeferred(later.world);
    act(later.world, later.one, later.ship);
    const inside = livingTables(later.world);
    endDeferred(later.world, true);

    expect(inside).toEqual(before);
    expect(livingTables(later.world)).toEqual(livingTables(now.world));
    expect([later.world.hasCommands, later.world.commands.list, verify(later.world)]).toEqual([
      false,
      [],
      [],
    ]);
  });

  it("values may be read and written", () => {
    const { world, one, ship } = start();
    beginDeferred(world);

    set(world, one, Position, { x: 5 });

    expect([get(world, one, Position)!.x, read(world, one, Position, { x: 0 })]).toEqual([5, true]);
    expect([has(world, one, Frozen), isAlive(world, one), parentOf(world, one)]).toEqual([false, true, ship]);
    expect([targetOf(world, one, DockedTo), locate(world, one, Position)!.columns.x.length > 0]).toEqual([
      undefined,
      true,
    ]);
    endDeferred(world, true);
  });

  it("within another, changes are deferred until the outermost one ends", () => {
    const { world, one } = start();
    const seen: boolean[] = [];

    defer(world, () => {
      defer(world, () => add(world, one, Frozen));
      seen.push(has(world, one, Frozen));
    });

    expect([...seen, has(world, one, Frozen)]).toEqual([false, true]);
  });

  it("of one world, another world is changed at once", () => {
    const { world } = start();
    const other = createWorld();

    defer(world, () => {
      expect(has(other, spawn(other, Frozen), Frozen)).toBe(true);
    });
  });

  it.each<[string, string, (world: World, one: Entity, destroyed: Entity) => unknown]>([
    ["an entity that is not alive", "dead-entity", (world, _, destroyed) => add(world, destroyed, Frozen)],
    [
      "a target that is not alive",
      "dead-entity",
      (world, one, destroyed) => add(world, one, Likes(destroyed)),
    ],
    ["a parent that is not alive", "dead-entity", (world, _, destroyed) => spawn(world, ChildOf(destroyed))],
    [
      "a parent that is not alive for many",
      "dead-entity",
      (world, _, destroyed) => spawnMany(world, 2, Parent(destroyed)),
    ],
    ["an entity to clear that is not alive", "dead-entity", (world, _, destroyed) => clear(world, destroyed)],
    ["an entity to clone that is not alive", "dead-entity", (world, _, destroyed) => clone(world, destroyed)],
    [
      "a target of a clone that is not alive",
      "dead-entity",
      (world, one, destroyed) => clone(world, one, { with: [Likes(destroyed)] }),
    ],
    [
      "an entity to remove something from that is not alive",
      "dead-entity",
      (world, _, destroyed) => remove(world, destroyed, Frozen),
    ],
    [
      "an entity to set that is not alive",
      "dead-entity",
      (world, _, destroyed) => set(world, destroyed, Position, { x: 1 }),
    ],
    ["a wildcard", "bad-term", (world, one) => add(world, one, Likes(Any) as never)],
    ["a tag twice", "bad-term", (world, one) => add(world, one, Frozen, Frozen)],
    ["a tag twice at spawn", "bad-term", (world) => spawn(world, Frozen, Frozen)],
    ["no term at all", "bad-term", (world, one) => add(world, one, undefined as never)],
    ["a bad value", "bad-value", (world, one) => add(world, one, Position({ x: "1" as never }))],
    ["a bad value of a set", "bad-value", (world, one) => set(world, one, Position, { x: "1" as never })],
    ["a bad number of spawns", "bad-value", (world) => spawnMany(world, -1)],
  ])("what cannot be right is refused at the call: %s", (_, code, act) => {
    const { world, one } = start();
    const destroyed = spawn(world);
    release(world, destroyed);
    const before = snapshot(world);

    const inside = defer(world, () => codeOf(() => act(world, one, destroyed)));

    expect(inside).toBe(code);
    expect(snapshot(world)).toEqual(before);
  });
});
