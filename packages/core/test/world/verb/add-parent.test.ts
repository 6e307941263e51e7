import { beforeEach, describe, expect, it } from "vitest";
import { add, pack, plainMemory, release, remove, spawn, spawnMany } from "../../../src/index.ts";
import { component, withHooks } from "../../defining.ts";
import {
  Any,
  ChildOf,
  Damage,
  Frozen,
  Label,
  Likes,
  OrderedChildren,
  Parent,
  Position,
} from "../../definitions.ts";
import { createDice, seeds } from "../../dice.ts";
import { createWorld, dock, type Entity, setShipAndDock, ship, world } from "../../fixture.ts";
import { depthOf, indexOf } from "../../handles.ts";
import { get, has, parentOf, subjectsOf, targetOf, verify } from "../../reading.ts";
import { counting } from "../../storage/memory/memories.ts";
import { snapshot } from "../snapshot.ts";

beforeEach(setShipAndDock);

function place(one: Entity): [table: number, row: number] {
  const { table, row } = world.entities;
  return [table[indexOf(one)]!, row[indexOf(one)]!];
}

describe("a parent stored by value", () => {
  it("is read like any parent, and distinguished by Parent alone", () => {
    const [typed, byValue] = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship))];

    for (const one of [typed, byValue]) {
      expect([parentOf(world, one), targetOf(world, one, ChildOf), has(world, one, ChildOf(ship))]).toEqual([
        ship,
        ship,
        true,
      ]);
      expect([has(world, one, ChildOf(dock)), has(world, one, ChildOf(Any))]).toEqual([false, true]);
    }
    expect([targetOf(world, typed, Parent), targetOf(world, byValue, Parent)]).toEqual([undefined, ship]);
    expect([has(world, typed, Parent(ship)), has(world, byValue, Parent(ship))]).toEqual([false, true]);
    expect([subjectsOf(world, ship, ChildOf), subjectsOf(world, ship, Parent)]).toEqual([
      [typed, byValue],
      [byValue],
    ]);
  });

  it("lets children of many parents share a table", () => {
    const parents = spawnMany(world, 500);

    const children = parents.map((parent) => spawn(world, Parent(parent), Position));

    expect(new Set(children.map((one) => place(one)[0])).size).toBe(1);
    expect(children.map((one) => parentOf(world, one))).toEqual(parents);
  });

  it("replaces the parent without moving a row", () => {
    const children = spawnMany(world, 3, Parent(ship), Position({ x: 1 }));
    const before = children.map(place);

    add(world, children[1]!, Parent(dock));

    expect(children.map(place)).toEqual(before);
    expect(children.map((one) => parentOf(world, one))).toEqual([ship, dock, ship]);
    expect([subjectsOf(world, ship, ChildOf), subjectsOf(world, dock, ChildOf), verify(world)]).toEqual([
      [children[0], children[2]],
      [children[1]],
      [],
    ]);
  });

  it("replaces the parent also together with other terms, which move the row once", () => {
    const one = spawn(world, Parent(ship), Position({ x: 1 }));

    add(world, one, Parent(dock), Frozen, Label("x"));

    expect([parentOf(world, one), has(world, one, Frozen), get(world, one, Position)]).toEqual([
      dock,
      true,
      { x: 1 },
    ]);
  });

  it("again changes nothing at all", () => {
    const one = spawn(world, Parent(ship), Frozen);
    spawn(world, Parent(ship));
    const before = snapshot(world);

    add(world, one, Parent(ship));
    add(world, one, Parent(ship), Frozen);

    expect(snapshot(world)).toEqual(before);
  });

  it("puts a child behind its new siblings, of both storages", () => {
    const others = [spawn(world, ChildOf(dock)), spawn(world, Parent(dock)), spawn(world, ChildOf(dock))];
    const one = spawn(world, Parent(ship));

    add(world, one, Parent(dock));

    expect(subjectsOf(world, dock, ChildOf)).toEqual([...others, one]);
  });

  it("keeps the depths of its descendants right", () => {
    const deck = spawn(world, Parent(ship));
    const seat = spawn(world, ChildOf(deck));
    const belt = spawn(world, Parent(seat));
    add(world, dock, ChildOf(spawn(world)));

    add(world, deck, Parent(dock));
    const lower = [deck, seat, belt].map((one) => depthOf(world, one));
    remove(world, deck, ChildOf(Any));

    expect(lower).toEqual([2, 3, 4]);
    expect([deck, seat, belt].map((one) => depthOf(world, one))).toEqual([0, 1, 2]);
  });

  it("allocates no arrays once the archetype is known", () => {
    const memory = counting(plainMemory());
    const world = createWorld({ memory });
    const parents = spawnMany(world, 1000);
    const one = spawn(world, Parent(parents[0]!), Position);
    const { allocations } = memory;

    for (const parent of parents) add(world, one, Parent(parent));

    expect(memory.allocations).toBe(allocations);
  });
});

describe("between the storages", () => {
  const moves = [
    ["ChildOf to Parent", ChildOf, Parent],
    ["Parent to ChildOf", Parent, ChildOf],
  ] as const;

  it.each(moves)("with the same parent, a child keeps its place among its siblings: %s", (_, from, to) => {
    for (const beside of [[], [Frozen]]) {
      const children = [from, ChildOf, from, Parent, from].map((storage) => spawn(world, storage(ship)));

      add(world, children[2]!, to(ship), ...beside);
      add(world, children[0]!, to(ship), ...beside);
      add(world, children[4]!, to(ship), ...beside);

      expect(subjectsOf(world, ship, ChildOf)).toEqual(children);
      expect([0, 2, 4].map((at) => has(world, children[at]!, Parent(ship)))).toEqual(
        Array.from({ length: 3 }, () => to === Parent),
      );
      expect(verify(world)).toEqual([]);
      for (const child of children) release(world, child);
    }
  });

  it.each(moves)("a child keeps its values, pairs and descendants: %s", (_, from, to) => {
    const one = spawn(
      world,
      from(ship),
      Position({ x: 1 }),
      Label("x"),
      Likes(dock),
      Damage(dock, { amount: 2 }),
    );
    const below = [spawn(world, ChildOf(one)), spawn(world, Parent(one))];

    add(world, one, to(ship));

    expect([get(world, one, Position), get(world, one, Label), get(world, one, Damage(dock))]).toEqual([
      { x: 1 },
      "x",
      { amount: 2 },
    ]);
    expect([has(world, one, Likes(dock)), subjectsOf(world, one, ChildOf)]).toEqual([true, below]);
    expect(below.map((each) => depthOf(world, each))).toEqual([2, 2]);
  });

  it.each(moves)("another parent is a reparent, to the end of its children: %s", (_, from, to) => {
    const others = [spawn(world, ChildOf(dock)), spawn(world, Parent(dock))];
    const one = spawn(world, from(ship));

    add(world, one, to(dock));

    expect([
      parentOf(world, one),
      subjectsOf(world, ship, ChildOf),
      subjectsOf(world, dock, ChildOf),
    ]).toEqual([dock, [], [...others, one]]);
    release(world, ship);
    expect(verify(world)).toEqual([]);
  });

  it.each(moves)("hooks are not called while the parent is the same: %s", (_, from, to) => {
    const calls: unknown[] = [];
    const Hooked = withHooks(component<string>("Hooked"), {
      check: (__, ___, value, parent) => {
        calls.push(["check", value, parent]);
      },
      written: (__, ___, value, parent) => calls.push(["written", value, parent]),
    });
    const one = spawn(world, from(ship), Hooked("h"));
    calls.length = 0;

    add(world, one, to(ship));
    const same = calls.splice(0);
    add(world, one, from(dock));

    expect(same).toEqual([]);
    expect(calls).toEqual([
      ["check", "h", dock],
      ["written", "h", dock],
    ]);
  });

  it.each(moves)("a parent with OrderedChildren keeps its list: %s", (_, from, to) => {
    add(world, ship, OrderedChildren);
    const children = spawnMany(world, 4, from(ship));

    add(world, children[1]!, to(ship));
    remove(world, ship, OrderedChildren);
    add(world, children[2]!, to(ship));

    expect(subjectsOf(world, ship, ChildOf)).toEqual(children);
  });
});

describe("children of both storages", () => {
  it.each(seeds(1, 3))("are in the order of attaching under random changes, seed %i", (seed) => {
    const dice = createDice(seed);
    const parents = spawnMany(world, 4);
    const twin = new Map(parents.map((parent) => [parent, [] as Entity[]]));
    const all: Entity[] = [];
    const wrong: string[] = [];
    const leave = (one: Entity): void => {
      const parent = parentOf(world, one);
      if (parent !== undefined)
        twin.set(
          parent,
          twin.get(parent)!.filter((each) => each !== one),
        );
    };

    for (let step = 0; step < 1200; step++) {
      const parent = dice.pick(parents);
      const storage = dice.chance(0.5) ? ChildOf : Parent;
      const act = all.length < 5 ? 0 : dice.below(7);
      if (act < 2) {
        const spawned = spawn(
          world,
          storage(parent),
          ...(dice.chance(0.3) ? [Frozen] : []),
          Position({ x: step }),
        );
        all.push(spawned);
        twin.get(parent)!.push(spawned);
      } else {
        const one = dice.pick(all);
        if (act === 2) {
          leave(one);
          release(world, one);
          all.splice(all.indexOf(one), 1);
        } else if (act === 3) {
          leave(one);
          remove(world, one, ChildOf(Any));
        } else if (act === 4) add(world, one, Frozen);
        else if (act === 5 && dice.chance(0.1)) {
          if (dice.chance(0.5)) pack(world);
          else add(world, parent, OrderedChildren);
        } else {
          if (parentOf(world, one) !== parent) {
            leave(one);
            twin.get(parent)!.push(one);
          }
          add(world, one, storage(parent), ...(dice.chance(0.3) ? [Frozen] : []));
        }
      }
      if (dice.chance(0.01)) remove(world, parent, OrderedChildren);
      if (subjectsOf(world, parent, ChildOf).join() !== twin.get(parent)!.join()) wrong.push(`step ${step}`);
    }

    expect(wrong.slice(0, 3)).toEqual([]);
    expect(verify(world)).toEqual([]);
  });
});
