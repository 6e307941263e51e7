import type { Entity, Relation } from "@treeline/core";
import { add, clone, observe, pack, remove, spawn, spawnMany } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { children, destroy } from "../../../src/index.ts";
import { forgetBatches, isFiled } from "../../../src/query/batches/batches.ts";
import { eachBelow } from "../../../src/query/batches/filing.ts";
import { keyOfTraversals, type Traversal } from "../../../src/term/plan.ts";
import { currentBatches } from "../../current-batches.ts";
import { Any, asTag, ChildOf, Parent } from "../../public/builtins.ts";
import {
  along,
  Docked,
  filedRows,
  Likes,
  Needs,
  Place,
  Size,
  Tired,
  Within,
} from "../../random/path-world.ts";
import { setWorld, world } from "../../test-world.ts";

beforeEach(setWorld);

/** Depth and sources of an entity in the batches of a list; undefined if it is not filed. */
function filedAt(entity: Entity, list: readonly Traversal[]): [depth: number, sources: number[]] | undefined {
  const row = filedRows(world, list).find(([index]) => index === indexOf(entity));
  return row && [row[1], row[2]];
}

const found = (depth: number, ...sources: (Entity | undefined)[]): [number, number[]] => [
  depth,
  sources.map((one) => (one === undefined ? 0 : indexOf(one))),
];

describe("the batches of a list", () => {
  it("contain all entities with a pair of one of the relations, at their depth along the first (I12)", () => {
    const list = [along(world, Docked, Size), along(world, ChildOf, Place)];
    const port = spawn(world, Size);
    const fleet = spawn(world, Place);
    const ship = spawn(world, Docked(port), ChildOf(fleet));
    const boat = spawn(world, Docked(ship), Size);
    const dinghy = spawn(world, Docked(boat), Parent(ship));
    const seat = spawn(world, ChildOf(ship));
    const mate = spawn(world, Parent(seat));

    expect([filedAt(port, list), filedAt(fleet, list)]).toEqual([undefined, undefined]);
    expect(filedAt(ship, list)).toEqual(found(1, port, fleet));
    expect(filedAt(boat, list)).toEqual(found(2, port, undefined));
    expect(filedAt(dinghy, list)).toEqual(found(3, boat, fleet));
    expect([filedAt(seat, list), filedAt(mate, list)]).toEqual([
      found(0, undefined, fleet),
      found(0, undefined, fleet),
    ]);
    expect(filedRows(world, list).map(([, depth]) => depth)).toEqual([0, 0, 1, 2, 3]);
  });

  it("are shared by equal lists, and others for another order, relation, definition or target", () => {
    const [one, other] = [spawn(world), spawn(world)];
    const [up, across] = [along(world, ChildOf, Size), along(world, Docked, Size)];
    const lists = [
      [up],
      [across],
      [up, across],
      [across, up],
      [along(world, ChildOf, Likes(one))],
      [along(world, ChildOf, Likes(other))],
      [along(world, ChildOf, Likes(Any))],
      [along(world, ChildOf, asTag(one))],
    ];

    const first = lists.map((list) => currentBatches(world, list));

    expect(new Set(first).size).toBe(lists.length);
    expect(lists.map((list) => currentBatches(world, [...list]))).toEqual(first);
  });

  it("are dropped separately, and made again for the next use", () => {
    const lists = [[along(world, ChildOf, Size)], [along(world, Docked, Size)]] as const;
    const before = lists.map((list) => currentBatches(world, list));

    forgetBatches(world, keyOfTraversals(lists[0]));
    forgetBatches(world, keyOfTraversals([along(world, Needs, Size)]));

    expect(world.graph.journal.cursors.length).toBe(1);
    expect(currentBatches(world, lists[1])).toBe(before[1]);
    expect(currentBatches(world, lists[0])).not.toBe(before[0]);
  });

  it("have one chunk for entities of one kind, whatever their parents and other targets are", () => {
    const ships = [spawn(world), spawn(world)];
    const ports = [spawn(world, Size), spawn(world, Size)];
    for (const ship of ships) for (const port of ports) spawn(world, Parent(ship), Docked(port));
    const by = (list: readonly Traversal[]): number[] => {
      const { chunks } = currentBatches(world, list).rowLists;
      return [...chunks.order.subarray(0, chunks.alive)].map((chunk) => chunks.rows[chunk]!);
    };

    expect(by([along(world, Docked, Size)])).toEqual([4]);
    expect(by([along(world, Docked, Size), along(world, ChildOf, Size)])).toEqual([4]);
  });

  it("record which archetypes have no row in them", () => {
    const port = spawn(world);
    const [ship, seat] = [spawn(world, Docked(port)), spawn(world, Parent(port))];
    const filed = (list: readonly Traversal[]): boolean[] =>
      [port, ship, seat].map((one) => {
        const { graph, entities } = world;
        const archetype = graph.archetypes[graph.tables.archetype[entities.table[indexOf(one)]!]!]!;
        return isFiled(currentBatches(world, list), archetype);
      });

    expect(filed([along(world, Docked, Size)])).toEqual([false, true, false]);
    expect(filed([along(world, ChildOf, Size)])).toEqual([false, false, true]);
  });
});

describe("batches of several traversals are right again", () => {
  it("when the depth of entities with parents by value changes above an owner, along the first relation", () => {
    const list = [along(world, Docked, Size), along(world, ChildOf, Size)];
    const [sea, port, ship] = [spawn(world), spawn(world, Tired), spawn(world)];
    const boat = spawn(world, Docked(port), Size);
    const dinghy = spawn(world, Docked(boat), Parent(ship));
    spawn(world, Docked(dinghy), Parent(ship));
    const before = filedRows(world, list).map(([, depth]) => depth);

    add(world, port, Docked(sea));

    expect([before, filedRows(world, list).map(([, depth]) => depth)]).toEqual([
      [1, 2, 3],
      [1, 2, 3, 4],
    ]);
    expect([filedAt(dinghy, list), verify(world)]).toEqual([found(3, boat, undefined), []]);
  });

  it.each([
    ["Docked", Docked],
    ["Needs", Needs],
  ])("after intervals of sources grew and moved, along %s", (_, relation: Relation) => {
    const list = [along(world, relation, Size)];
    const ports = Array.from({ length: 8 }, () => spawn(world));
    const ships = ports.map((port) => spawn(world, Size, relation(port)));
    const boats = ships.map((ship) => spawn(world, relation(ship)));
    filedRows(world, list);
    const firsts = [...world.graph.tables.first];

    for (const port of ports) spawnMany(world, 20, Size, relation(port));

    expect(boats.map((boat) => filedAt(boat, list))).toEqual(ships.map((ship) => found(2, ship)));
    expect(firsts.some((first, at) => first >= 0 && first !== world.graph.tables.first[at])).toBe(true);
  });

  it("after the target of a term was destroyed, and another entity got its index", () => {
    const [idol, port] = [spawn(world), spawn(world)];
    const list = [along(world, Docked, Likes(idol))];
    const ship = spawn(world, Docked(port), Likes(idol));
    const boat = spawn(world, Docked(ship));
    const before = filedAt(boat, list);

    destroy(world, idol);
    const between = filedAt(boat, list);
    let other = spawn(world);
    for (let at = 0; at < 5000 && indexOf(other) !== indexOf(idol); at++) {
      destroy(world, other);
      other = spawn(world);
    }
    add(world, ship, Likes(other));

    expect([before, between]).toEqual([found(2, ship), found(2, undefined)]);
    expect([indexOf(other), filedAt(boat, list)]).toEqual([indexOf(idol), found(2, undefined)]);
  });

  it("when the target of a reflexive relation is destroyed", () => {
    const [sea, port] = [spawn(world), spawn(world)];
    add(world, port, Docked(sea));
    const ship = spawn(world, Docked(port));
    const list = [along(world, Docked, Within(port)), along(world, Docked, Within(sea))];
    const before = filedAt(ship, list);

    destroy(world, sea);

    expect([before, filedAt(ship, list)]).toEqual([found(2, port, sea), found(1, port, undefined)]);
  });

  it("when parent and child change places, and storage, between two reads by observers", () => {
    const list = [along(world, ChildOf, Size), along(world, ChildOf, Tired), along(world, Docked, Size)];
    const root = spawn(world, Size);
    const one = spawn(world, Tired, ChildOf(root));
    const other = spawn(world, Docked(one), Parent(one));
    const seat = spawn(world, ChildOf(other));
    const before = [one, other, seat].map((entity) => filedAt(entity, list));

    add(world, other, ChildOf(root));
    add(world, one, Parent(other));
    add(world, seat, Parent(one));

    expect(before).toEqual([
      found(1, root, undefined, undefined),
      found(2, root, one, undefined),
      found(3, root, one, undefined),
    ]);
    expect([other, one, seat].map((entity) => filedAt(entity, list))).toEqual([
      found(1, root, undefined, undefined),
      found(2, root, undefined, undefined),
      found(3, root, one, undefined),
    ]);
  });

  it("when an entity is spawned after its subjects, and an observer reads in between", () => {
    const lists = [
      [along(world, Docked, Size), along(world, ChildOf, Place)],
      [along(world, Docked, Place), along(world, ChildOf, Size)],
      [along(world, Needs, Size)],
    ];
    const fleet = spawn(world, Place);
    const boat = spawn(world, Tired, ChildOf(fleet));
    const sea = spawn(world, Size, ChildOf(fleet));
    const ship = spawn(world, Size, Place, Docked(sea), ChildOf(fleet));
    add(world, boat, Docked(ship));
    add(world, boat, Needs(ship));
    const stop = observe(world, { added: Tired }, () => {
      for (const list of lists) currentBatches(world, list);
    });

    const copy = clone(world, fleet, { deep: true });
    stop();

    const [newBoat, newSea, newShip] = children(world, copy) as [Entity, Entity, Entity];
    expect(lists.map((list) => filedAt(newBoat, list))).toEqual([
      found(2, newShip, copy),
      found(2, newShip, undefined),
      found(1, newShip),
    ]);
    expect(filedAt(newShip, lists[0]!)).toEqual(found(1, newSea, copy));
    expect(verify(world)).toEqual([]);
  });

  it("after a pack", () => {
    const list = [along(world, Docked, Size), along(world, Needs, Size), along(world, ChildOf, Place)];
    const ports = Array.from({ length: 30 }, () => spawn(world, Size, Place));
    for (const port of ports)
      for (let at = 0; at < 3; at++) spawn(world, Docked(port), Needs(port), Parent(port));
    for (const port of ports.slice(5, 20)) remove(world, port, Size);
    const before = filedRows(world, list).sort(([one], [other]) => one - other);

    pack(world);

    expect(filedRows(world, list).sort(([one], [other]) => one - other)).toEqual(before);
    expect(verify(world)).toEqual([]);
  });
});

describe("with several targets", () => {
  it("the branch of the target with the lowest index is followed to its end before the next", () => {
    const [low, high, near, far] = [spawn(world), spawn(world), spawn(world, Size), spawn(world, Size)];
    add(world, low, Needs(far));
    add(world, high, Needs(near));
    const one = spawn(world, Needs(high), Needs(low));
    const list = [along(world, Needs, Size)];

    const before = filedAt(one, list);
    remove(world, far, Size);
    const between = filedAt(one, list);
    add(world, high, Size);

    expect([before, between]).toEqual([found(2, far), found(2, near)]);
    expect(filedAt(one, list)).toEqual(found(2, high));
  });

  it("the longest path up is the depth", () => {
    const top = spawn(world, Size);
    let last = top;
    for (let at = 0; at < 5; at++) last = spawn(world, Needs(last));
    const one = spawn(world, Needs(top), Needs(last));

    expect(filedAt(one, [along(world, Needs, Size)])).toEqual(found(6, top));
  });

  it("each branch is walked once, though paths to it double with every step", () => {
    let level = [spawn(world, Size), spawn(world)];
    const top = level[0]!;
    for (let at = 0; at < 5000; at++) {
      const [one, other] = level as [Entity, Entity];
      level = [spawn(world, Needs(one), Needs(other)), spawn(world, Needs(other), Needs(one))];
    }

    const last = filedAt(level[1]!, [along(world, Needs, Size)]);
    const none = filedAt(level[1]!, [along(world, Needs, Tired)]);

    expect([last, none]).toEqual([found(5000, top), found(5000, undefined)]);
  });
});

describe("a chain of 20,000", () => {
  it.each<[string, Relation]>([
    ["Docked", Docked],
    ["Needs", Needs],
  ])("along %s is filed one by one, whatever the term is", (_, relation) => {
    const top = spawn(world, Size);
    let last = top;
    for (let at = 0; at < 20_000; at++) last = spawn(world, relation(last));
    const list = [along(world, relation, Size), along(world, relation, Likes(top))];

    const rows = filedRows(world, list);

    expect(rows.length).toBe(20_000);
    expect(rows.filter(([, depth], at) => depth !== at + 1)).toEqual([]);
    expect(rows.at(-1)).toEqual([indexOf(last), 20_000, [indexOf(top), 0]]);
  });

  it("that moved as a whole is processed once in a round, not once for each entity", () => {
    const chain = [spawn(world)];
    for (let at = 0; at < 1000; at++) chain.push(spawn(world, Docked(chain[at]!)));
    const { list } = currentBatches(world, [along(world, Docked, Size)]);
    let met = 0;

    for (const one of chain) eachBelow(world, indexOf(one), list[0]!, () => met++);

    expect(met).toBe(1000);
  });
});

describe("a few changes in a large world", () => {
  it.each<[string, readonly Relation[]]>([
    ["Docked", [Docked]],
    ["Docked and ChildOf", [Docked, ChildOf]],
    ["ChildOf and Docked", [ChildOf, Docked]],
  ])("write few rows, along %s", (_, relations) => {
    const list = relations.map((relation) => along(world, relation, Size));
    const ports = spawnMany(world, 100, Size);
    const ships = ports.flatMap((port) => spawnMany(world, 50, Docked(port), Parent(port)));
    const boats = ships.map((ship) => spawn(world, Docked(ship)));
    // Entities get rows at the ends of tables that have room, so that none moves for them.
    for (let at = 0; at < 10; at++) add(world, ships[at * 60]!, Docked(ports[99]!));
    filedRows(world, list);
    const { rowLists } = currentBatches(world, list);
    const before = rowLists.rows.slice(0, rowLists.end);

    for (let at = 0; at < 10; at++) add(world, boats[at * 60]!, Docked(ships[4999]!));
    currentBatches(world, list);

    const { rows } = rowLists;
    expect(rows.subarray(0, before.length).filter((row, at) => row !== before[at]).length).toBeLessThan(60);
    expect(verify(world)).toEqual([]);
  });
});

describe("the version", () => {
  it("stays while nothing of what is filed changes", () => {
    const list = [along(world, Docked, Size)];
    const port = spawn(world, Size);
    const ship = spawn(world, Docked(port));
    const version = (): number => currentBatches(world, list).version;

    const steps = [
      () => version(),
      () => spawn(world, Tired),
      () => add(world, spawn(world), ChildOf(port)),
      () => add(world, ship, Tired),
      () => add(world, port, Place),
      () => destroy(world, ship),
      () => pack(world),
    ].map((step) => {
      const before = version();
      step();
      return version() === before;
    });

    expect(steps).toEqual([true, true, true, false, false, false, false]);
  });
});
