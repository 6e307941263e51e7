import { beforeEach, describe, expect, it } from "vitest";
import { add, clear, clone, defer, observe, release, remove, set } from "../../../../src/index.ts";
import { Any, ChildOf, Frozen, Likes, Parent, Position } from "../../../definitions.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../../fixture.ts";
import { depthOf, indexOf, tableOf } from "../../../handles.ts";
import {
  asTag,
  codeOf,
  entityAt,
  get,
  has,
  isAlive,
  isDisabled,
  locate,
  parentOf,
  subjectsOf,
  targetsOf,
  verify,
} from "../../../reading.ts";
import { destroy } from "../../destroy.ts";
import { livingTables } from "../../snapshot.ts";

let world: World;
let ship: Entity;

beforeEach(() => {
  world = createWorld();
  ship = spawn(world, Position({ x: 1 }));
});

describe("an entity spawned inside an iteration", () => {
  it.each<[string, () => Entity]>([
    ["spawn", () => spawn(world, Position({ x: 2 }), Frozen, ChildOf(ship))],
    ["spawnMany", () => spawnMany(world, 3, Position({ x: 2 }), Frozen, Parent(ship))[1]!],
    ["clone", () => clone(world, ship, { with: [Frozen, ChildOf(ship)] })],
  ])("is alive at once, can be read, and is in no list until the end: %s", (_, give) => {
    defer(world, () => {
      const one = give();

      expect([isAlive(world, one), entityAt(world, indexOf(one))]).toEqual([true, one]);
      expect([Position, Frozen, ChildOf(ship), Any(Any)].map((what) => has(world, one, what))).toEqual([
        ...[true, true, true, true],
      ]);
      expect([get(world, one, Position)?.x, parentOf(world, one)]).toEqual([expect.any(Number), ship]);
      expect(codeOf(() => locate(world, one, Position))).toBe("iterating");
      expect([targetsOf(world, one, Likes), subjectsOf(world, one, ChildOf), isDisabled(world, one)]).toEqual(
        [[], [], false],
      );
      expect(subjectsOf(world, ship, ChildOf)).toEqual([]);
    });
    expect(world.slots.pending!.given.size).toBe(0);
  });

  it("has no row, and is in no table that can be iterated", () => {
    const before = livingTables(world);

    defer(world, () => {
      spawnMany(world, 5, Position);

      expect(livingTables(world)).toEqual(before);
    });

    expect(livingTables(world)).not.toEqual(before);
  });

  it("has at the end what the terms say", () => {
    const one = defer(world, () => spawn(world, Position({ x: 2 }), Frozen, ChildOf(ship), Likes(ship)));

    expect([get(world, one, Position), has(world, one, Frozen), parentOf(world, one)]).toEqual([
      { x: 2 },
      true,
      ship,
    ]);
    expect([tableOf(world, one) === world.pendingTable, verify(world)]).toEqual([false, []]);
  });

  it("may be a parent, a target and a tag at once", () => {
    const [one, child, byValue, friend] = defer(world, () => {
      const spawned = spawn(world, Frozen);
      add(world, ship, Likes(spawned));
      return [
        spawned,
        spawn(world, ChildOf(spawned)),
        spawn(world, Parent(spawned)),
        spawn(world, asTag(spawned)),
      ];
    }) as [Entity, Entity, Entity, Entity];

    expect([subjectsOf(world, one, ChildOf), subjectsOf(world, one, Likes)]).toEqual([
      [child, byValue],
      [ship],
    ]);
    expect([has(world, friend, asTag(one)), verify(world)]).toEqual([true, []]);
  });

  it("keeps depths right, also if its later parent is spawned later", () => {
    const [top, middle, low] = defer(world, () => {
      const chain = spawnMany(world, 3) as [Entity, Entity, Entity];
      add(world, chain[2], ChildOf(chain[1]));
      add(world, chain[1], Parent(chain[0]));
      add(world, chain[0], ChildOf(ship));
      return chain;
    });

    expect([top, middle, low].map((one) => depthOf(world, one))).toEqual([1, 2, 3]);
  });

  it("can get more, lose it, and be set, before it has anything", () => {
    const one = defer(world, () => {
      const spawned = spawn(world, Position({ x: 2 }));
      add(world, spawned, Frozen);
      set(world, spawned, Position, { x: 3 });
      remove(world, spawned, Position);
      set(world, spawned, Position, { x: 4 });
      return spawned;
    });

    expect([has(world, one, Frozen), get(world, one, Position)]).toEqual([true, { x: 4 }]);
  });

  it.each<[string, (one: Entity) => unknown]>([
    ["release", (one) => release(world, one)],
    ["destroy", (one) => destroy(world, one)],
  ])(
    "can be destroyed before it has anything, by %s: observers are notified of no more than for others",
    (_, destroyOne) => {
      const calls: string[] = [];
      observe(world, { added: Any, removed: Any }, ({ kind, definition }) =>
        calls.push(`${kind} ${definition.name}`),
      );

      const one = defer(world, () => {
        const spawned = spawn(world, Frozen);
        destroyOne(spawned);
        return spawned;
      });

      expect(calls).toEqual(["added Frozen", "removed Frozen"]);
      expect([isAlive(world, one), verify(world)]).toEqual([false, []]);
    },
  );

  it("can be cleared, and cloned, before it has anything", () => {
    const [one, copy] = defer(world, () => {
      const spawned = spawn(world, Frozen);
      const second = clone(world, spawned);
      clear(world, spawned);
      return [spawned, second];
    }) as [Entity, Entity];

    expect([has(world, one, Frozen), has(world, copy, Frozen)]).toEqual([false, true]);
  });

  it("has an index that is not reused meanwhile", () => {
    const spawned = defer(world, () => [
      spawn(world),
      ...spawnMany(world, 3),
      clone(world, ship),
      spawn(world),
    ]);

    expect(new Set(spawned.map(indexOf)).size).toBe(6);
    expect(spawned.every((one) => isAlive(world, one))).toBe(true);
  });

  it("counts as alive at once", () => {
    defer(world, () => {
      spawn(world);
      expect(world.entities.alive).toBe(2);
    });
    expect(world.entities.alive).toBe(2);
  });
});

describe("the table of pending spawns", () => {
  it("does not grow, however many entities pass through it", () => {
    const pass = (): void => {
      const spawned = defer(world, () => spawnMany(world, 10));
      for (const one of spawned) release(world, one);
    };
    for (let round = 0; round < 600; round++) pass();
    const { length } = world.entities;
    const tables = world.graph.tables.length;

    for (let round = 0; round < 600; round++) pass();

    expect([world.entities.length, world.graph.tables.length]).toEqual([length, tables]);
  });
});
