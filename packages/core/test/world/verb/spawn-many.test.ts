import { beforeEach, describe, expect, it } from "vitest";
import { add, defer, entityOf, observe, type SpawnTerm, spawn, spawnMany } from "../../../src/index.ts";
import { component, f32, withHooks } from "../../defining.ts";
import { Any, ChildOf, Frozen, Knows, Likes, OrderedChildren, Parent, Position } from "../../definitions.ts";
import { createWorld, setShip, ship, world } from "../../fixture.ts";
import { depthOf, tableOf } from "../../handles.ts";
import { asTag, get, has, isAlive, parentOf, subjectsOf, targetsOf, verify } from "../../reading.ts";
import { livingTables } from "../snapshot.ts";

beforeEach(setShip);

describe("many that are spawned at once", () => {
  it.each<[string, () => SpawnTerm[]]>([
    ["with a parent by value", () => [Parent(ship), Position({ x: 1 })]],
    ["with a parent", () => [ChildOf(ship), Frozen]],
    ["with several targets", () => [Likes(ship), Likes(spawn(world)), Position]],
    ["with an entity as a tag", () => [asTag(ship), Frozen]],
    ["with a symmetric pair", () => [Knows(ship)]],
    ["with the component entity of a tag", () => [asTag(entityOf(world, Frozen))]],
  ])("are as if they were spawned one by one: %s", (_, terms) => {
    const given = terms();
    const other = createWorld();
    for (let count = world.entities.alive; count > 0; count--) spawn(other);

    const spawned = spawnMany(world, 5, ...given);
    const listing = livingTables(world);
    for (const one of spawned) expect(isAlive(world, one)).toBe(true);
    const single = spawn(world, ...given);

    expect(tableOf(world, single)).toBe(tableOf(world, spawned[0]!));
    expect([listing.length > 0, verify(world)]).toEqual([true, []]);
  });

  it("are behind their siblings in the order of spawning, of both storages", () => {
    const first = spawn(world, ChildOf(ship));

    const byValue = spawnMany(world, 3, Parent(ship));
    const typed = spawnMany(world, 2, ChildOf(ship));

    expect(subjectsOf(world, ship, ChildOf)).toEqual([first, ...byValue, ...typed]);
    expect([...byValue, ...typed].map((one) => parentOf(world, one))).toEqual(
      Array.from({ length: 5 }, () => ship),
    );
    expect(byValue.map((one) => depthOf(world, one))).toEqual([1, 1, 1]);
  });

  it("are listed by a parent with OrderedChildren, from the first one on", () => {
    add(world, ship, OrderedChildren);

    const spawned = spawnMany(world, 4, ChildOf(ship));

    expect([subjectsOf(world, ship, ChildOf), verify(world)]).toEqual([spawned, []]);
  });

  it("keep the order of their targets, and add symmetric pairs", () => {
    const [a, b] = [spawn(world), spawn(world)];
    spawn(world, Likes(a), Likes(b));

    const spawned = spawnMany(world, 2, Likes(b), Likes(a), Knows(ship));

    expect(spawned.map((one) => targetsOf(world, one, Likes))).toEqual([
      [b, a],
      [b, a],
    ]);
    expect(targetsOf(world, ship, Knows)).toEqual(spawned);
  });

  it("are reported one after another, each with all it has", () => {
    const calls: unknown[] = [];
    observe(world, { added: Any, set: Position }, ({ kind, entity, definition }) =>
      calls.push([kind, definition.name, get(world, entity, Position), parentOf(world, entity)]),
    );

    const spawned = spawnMany(world, 2, Parent(ship), Position({ x: 1 }));

    const each = [
      ["added", "Position", { x: 1 }, ship],
      ["added", "ChildOf", { x: 1 }, ship],
      ["set", "Position", { x: 1 }, ship],
    ];
    expect([spawned.length, calls]).toEqual([2, [...each, ...each]]);
  });

  it("may be changed by observers: that is deferred until all are spawned", () => {
    const seen: number[] = [];
    observe(world, { added: Frozen }, ({ entity }) => {
      seen.push(world.entities.alive);
      add(world, entity, Position({ x: 2 }));
    });

    const spawned = spawnMany(world, 3, Frozen);

    expect([spawned.every((one) => get(world, one, Position)!.x === 2), seen.at(-1)]).toEqual([true, 4]);
  });

  it("of which a hook refuses one are all refused: none is spawned, reported or passed to onRemove", () => {
    let count = 0;
    const calls: string[] = [];
    const Picky = withHooks(component<string>("Picky"), {
      check: () => {
        if (++count === 3) throw new Error("enough");
      },
      written: () => calls.push("written"),
      onRemove: () => calls.push("removed"),
    });
    observe(world, { added: Any, removed: Any }, ({ kind }) => calls.push(kind));
    const before = [livingTables(world), world.entities.alive];

    expect(() => spawnMany(world, 5, Picky("p"), Parent(ship), Knows(ship))).toThrow("enough");

    expect([livingTables(world), world.entities.alive]).toEqual(before);
    expect([calls, has(world, ship, Knows(Any)), verify(world)]).toEqual([[], false, []]);
  });

  it("inside an iteration can be read at once, and have rows at its end", () => {
    const spawned = defer(world, () => {
      const pending = spawnMany(world, 3, Parent(ship), Position({ x: 1 }));
      expect(pending.map((one) => [isAlive(world, one), has(world, one, Position)])).toEqual(
        Array.from({ length: 3 }, () => [true, true]),
      );
      return pending;
    });

    expect([subjectsOf(world, ship, ChildOf), get(world, spawned[2]!, Position), verify(world)]).toEqual([
      spawned,
      { x: 1 },
      [],
    ]);
  });

  it("inside an iteration of which one is destroyed before are the others", () => {
    const calls: string[] = [];
    observe(world, { added: Frozen }, () => calls.push("added"));

    const spawned = defer(world, () => spawnMany(world, 2, Frozen, ChildOf(ship)));

    expect([spawned.length, calls]).toEqual([2, ["added", "added"]]);
  });

  it("with a hook: it is called for each of them", () => {
    const calls: unknown[] = [];
    const Hooked = withHooks(component("Hooked", { x: f32 }), {
      written: (_, entity, value, parent) => calls.push([entity, value, parent]),
    });

    const spawned = spawnMany(world, 2, Hooked({ x: 3 }), Parent(ship));

    expect(calls).toEqual(spawned.map((one) => [one, { x: 3 }, ship]));
  });

  it("may be a hundred thousand children by value", () => {
    const spawned = spawnMany(world, 100_000, Parent(ship), Position({ x: 1 }));

    expect([subjectsOf(world, ship, ChildOf).length, get(world, spawned.at(-1)!, Position)]).toEqual([
      100_000,
      { x: 1 },
    ]);
  });
});
