import { add, defer, type Entity, get, isAlive, pack, release, spawn, spawnMany } from "@treeline/core";
import { dump, stats } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { children, destroy } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { countingMemory } from "../counting-memory.ts";
import { Damage, Frozen, Holds, Likes, Mesh, Owns, Position } from "../definitions.ts";
import { drawing, plant } from "../drawn-tree.ts";
import { ChildOf } from "../public/builtins.ts";
import { createWorld, relation } from "../public/define.ts";
import { setShipAndStation, ship, station, verifyWorld, world } from "../test-world.ts";
import { living } from "./alive.ts";

const Rents = relation("Rents", { onTargetDestroy: "delete" });

beforeEach(setShipAndStation);

afterEach(verifyWorld);

describe("destroy", () => {
  it("destroys one entity that is the target of no pair", () => {
    const one = spawn(world, Position, Mesh("a"));

    destroy(world, one);

    expect(living(one, ship, station)).toEqual([false, true, true]);
  });

  it("destroys everything below, of all archetypes and depths, and nothing else", () => {
    const cockpit = spawn(world, ChildOf(ship), Position);
    const seats = spawnMany(world, 3, ChildOf(cockpit), Mesh("seat"));
    const lamp = spawn(world, ChildOf(seats[1]!), Frozen);
    const dock = spawn(world, ChildOf(station), Position);

    destroy(world, ship);

    expect(living(ship, cockpit, ...seats, lamp)).toEqual([false, false, false, false, false, false]);
    expect([living(station, dock), stats(world).entities]).toEqual([[true, true], 2]);
  });

  it("of an inner entity leaves its parent and its siblings", () => {
    const [first, second, third] = spawnMany(world, 3, ChildOf(ship)) as [Entity, Entity, Entity];
    spawnMany(world, 5, ChildOf(second), Position);

    destroy(world, second);

    expect([children(world, ship), stats(world).entities]).toEqual([[first, third], 4]);
  });

  it("spares entities that were given another parent before", () => {
    const planted = plant(world, "liner\n  cockpit\n    seat\nfreighter");
    add(world, planted.cockpit, ChildOf(planted.freighter));

    destroy(world, planted.liner);

    expect(drawing(world, { ...planted, ship, station })).toBe(
      "ship\nstation\nfreighter\n  cockpit\n    seat",
    );
  });

  it("does nothing to a dead entity", () => {
    destroy(world, ship);
    const before = dump(world);

    destroy(world, ship);

    expect([dump(world), isAlive(world, station)]).toEqual([before, true]);
  });

  it("is refused for an entity of another world, also inside an iteration", () => {
    const before = dump(world);
    const foreign = spawn(createWorld());

    expect(codeOf(() => destroy(world, foreign))).toBe("dead-entity");
    expect(codeOf(() => defer(world, () => destroy(world, foreign)))).toBe("dead-entity");
    expect(dump(world)).toBe(before);
  });

  it.each([
    ["0", 0],
    ["NaN", Number.NaN],
    ["undefined", undefined],
    ["a text", "ship"],
  ])("is refused for what can be no handle: %s", (_, none) => {
    const before = dump(world);

    expect(codeOf(() => destroy(world, none as Entity))).toBe("dead-entity");
    expect(dump(world)).toBe(before);
  });

  it("destroys subjects of every deleting relation, and their subjects", () => {
    const owner = spawn(world, Owns(ship));
    const tenant = spawn(world, Rents(owner), Position);
    const child = spawn(world, ChildOf(tenant));
    const other = spawn(world, Owns(station));

    destroy(world, ship);

    expect(living(ship, owner, tenant, child, other, station)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it("does not destroy targets of destroyed entities", () => {
    const owner = spawn(world, Owns(ship), ChildOf(station));

    destroy(world, owner);

    expect(living(ship, station)).toEqual([true, true]);
    expect(codeOf(() => release(world, ship))).toBe(undefined);
  });

  it("destroys a subject that also has a pair that would only be removed", () => {
    const both = spawn(world, Owns(ship), Likes(ship));

    destroy(world, ship);

    expect(living(both)).toEqual([false]);
  });
});

describe("cycles and diamonds", () => {
  it("of two entities that own each other are destroyed as a whole", () => {
    const one = spawn(world, Owns(ship));
    add(world, ship, Owns(one));

    destroy(world, ship);

    expect(living(ship, one, station)).toEqual([false, false, true]);
  });

  it("of three are destroyed as a whole, whichever entity is destroyed", () => {
    for (const start of [0, 1, 2]) {
      const ring = spawnMany(world, 3);
      ring.forEach((one, at) => {
        add(world, one, Owns(ring[(at + 1) % 3]!));
      });

      destroy(world, ring[start]!);

      expect(living(...ring)).toEqual([false, false, false]);
    }
  });

  it("over different relations are destroyed as a whole", () => {
    const cockpit = spawn(world, ChildOf(ship));
    const seat = spawn(world, ChildOf(cockpit));
    add(world, ship, Owns(seat));

    destroy(world, cockpit);

    expect(living(ship, cockpit, seat)).toEqual([false, false, false]);
  });

  it("of a parent that is owned by its child are destroyed as a whole, from either end", () => {
    for (const end of [0, 1]) {
      const parent = spawn(world);
      const child = spawn(world, ChildOf(parent));
      add(world, parent, Owns(child));

      destroy(world, [parent, child][end]!);

      expect(living(parent, child)).toEqual([false, false]);
    }
  });

  it("that share a table with other entities spare those", () => {
    const [one, other] = spawnMany(world, 2, Position) as [Entity, Entity];
    add(world, one, Owns(other));
    add(world, other, Owns(one));
    const foreign = spawn(world, Position, Owns(ship));

    destroy(world, one);

    expect(living(one, other, foreign)).toEqual([false, false, true]);
  });

  it.each([
    ["deletes", Owns],
    ["removes", Likes],
    ["refuses", Holds],
  ])("of one entity that points at itself end with it: a relation that %s", (_, own) => {
    const one = spawn(world);
    const child = spawn(world, ChildOf(one));
    add(world, one, own(one));

    destroy(world, one);

    expect(living(one, child)).toEqual([false, false]);
  });

  it("destroy an entity once that is reached on two paths", () => {
    const cockpit = spawn(world, ChildOf(ship));
    const shared = spawn(world, ChildOf(cockpit), Owns(ship), Rents(cockpit));
    const below = spawn(world, ChildOf(shared));

    destroy(world, ship);

    expect([living(cockpit, shared, below), stats(world).entities]).toEqual([[false, false, false], 1]);
  });
});

describe("after a destruction", () => {
  it("indexes are used again, and old handles stay invalid", () => {
    const old = [ship];
    for (let round = 0; round < 12; round++) {
      const root = spawn(world);
      const below = spawnMany(world, 500, ChildOf(root));
      destroy(world, root);
      old.push(root, ...below);
    }

    const indexes = new Set(old.map((one) => one % 2 ** 24));
    expect(indexes.size).toBeLessThan(old.length);
    expect(old.filter((one) => isAlive(world, one))).toEqual([ship]);
  });

  it("tables, pairs and bytes are what they were before the spawn, however often", () => {
    const memory = countingMemory();
    const world = createWorld({ memory });
    const home = spawn(world);
    const cycle = (): void => {
      const root = spawn(world, ChildOf(home), Position);
      for (const child of spawnMany(world, 20, ChildOf(root), Position, Mesh("a"))) {
        spawnMany(world, 3, ChildOf(child), Frozen, Likes(home), Damage(root, { amount: 1 }));
        spawn(world, Owns(child), Likes(child));
      }
      destroy(world, root);
    };
    // Until all indexes have been used once, so that indexes of pairs have their final length.
    for (let round = 0; round < 160; round++) cycle();
    const [before, bytes] = [stats(world), memory.bytes];

    for (let round = 0; round < 80; round++) cycle();

    expect([stats(world), memory.bytes]).toEqual([before, bytes]);
    expect([before.entities, before.pairs]).toEqual([1, 0]); // the pair of home's children is gone with the last one
  });

  it("the world works as before: packed, filled and queried", () => {
    const roots = spawnMany(world, 30);
    for (const root of roots) spawnMany(world, 4, ChildOf(root), Position);
    for (const root of roots.slice(0, 20)) destroy(world, root);

    pack(world);
    const spawned = roots.slice(20).map((root) => spawn(world, ChildOf(root), Position({ x: 7 })));

    expect(spawned.map((one) => get(world, one, Position)!.x)).toEqual(spawned.map(() => 7));
    expect(roots.slice(20).map((root) => children(world, root).length)).toEqual(Array(10).fill(5));
  });
});

describe("a wide and a deep tree", () => {
  it("of 20,000 children under one parent, and one under each, are destroyed", () => {
    const root = spawn(world);
    const wide = spawnMany(world, 20_000, ChildOf(root));
    for (const one of wide) spawn(world, ChildOf(one));

    destroy(world, root);

    expect([stats(world).entities, stats(world).pairs]).toEqual([2, 0]);
  });

  it("along another deleting relation are destroyed without a stack overflow", () => {
    let last = ship;
    for (let at = 0; at < 20_000; at++) last = spawn(world, Owns(last));

    destroy(world, ship);

    expect(stats(world).entities).toBe(1);
  });
});
