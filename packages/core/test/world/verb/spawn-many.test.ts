import { beforeEach, describe, expect, it } from "vitest";
import { verify } from "../../../src/debug.ts";
import {
  Any,
  add,
  ChildOf,
  component,
  createWorld,
  defer,
  entityOf,
  f32,
  get,
  has,
  isAlive,
  OrderedChildren,
  observe,
  Parent,
  parentOf,
  type SpawnTerm,
  spawn,
  spawnMany,
  subjectsOf,
  targetsOf,
  withHooks,
} from "../../../src/index.ts";
import { Frozen, Knows, Likes, Position } from "../../definitions.ts";
import { setShip, ship, world } from "../../stage.ts";
import { depthOf, tableOf } from "../inside.ts";
import { livingTables } from "../snapshot.ts";

beforeEach(setShip);

describe("many that are born at once", () => {
  it.each<[string, () => SpawnTerm[]]>([
    ["with a parent as a value", () => [Parent(ship), Position({ x: 1 })]],
    ["with a parent", () => [ChildOf(ship), Frozen]],
    ["with several targets", () => [Likes(ship), Likes(spawn(world)), Position]],
    ["with an entity as a tag", () => [ship, Frozen]],
    ["with a symmetric pair", () => [Knows(ship)]],
    ["with an entity that stands for a tag", () => [entityOf(world, Frozen)]],
  ])("are as if they were born one by one: %s", (_, terms) => {
    const given = terms();
    const other = createWorld();
    for (let count = world.entities.alive; count > 0; count--) spawn(other);

    const born = spawnMany(world, 5, ...given);
    const listing = livingTables(world);
    for (const one of born) expect(isAlive(world, one)).toBe(true);
    const single = spawn(world, ...given);

    expect(tableOf(world, single)).toBe(tableOf(world, born[0]!));
    expect([listing.length > 0, verify(world)]).toEqual([true, []]);
  });

  it("stand behind their siblings in the order of birth, of both storages", () => {
    const first = spawn(world, ChildOf(ship));

    const loose = spawnMany(world, 3, Parent(ship));
    const typed = spawnMany(world, 2, ChildOf(ship));

    expect(subjectsOf(world, ship, ChildOf)).toEqual([first, ...loose, ...typed]);
    expect([...loose, ...typed].map((one) => parentOf(world, one))).toEqual(
      Array.from({ length: 5 }, () => ship),
    );
    expect(loose.map((one) => depthOf(world, one))).toEqual([1, 1, 1]);
  });

  it("are listed by a parent with OrderedChildren, from the first one on", () => {
    add(world, ship, OrderedChildren);

    const born = spawnMany(world, 4, ChildOf(ship));

    expect([subjectsOf(world, ship, ChildOf), verify(world)]).toEqual([born, []]);
  });

  it("keep the order of their targets, and tie symmetric bonds", () => {
    const [a, b] = [spawn(world), spawn(world)];
    spawn(world, Likes(a), Likes(b));

    const born = spawnMany(world, 2, Likes(b), Likes(a), Knows(ship));

    expect(born.map((one) => targetsOf(world, one, Likes))).toEqual([
      [b, a],
      [b, a],
    ]);
    expect(targetsOf(world, ship, Knows)).toEqual(born);
  });

  it("are told one after another, each with all it has", () => {
    const told: unknown[] = [];
    observe(world, { added: Any, set: Position }, ({ kind, entity, definition }) =>
      told.push([kind, definition.name, get(world, entity, Position), parentOf(world, entity)]),
    );

    const born = spawnMany(world, 2, Parent(ship), Position({ x: 1 }));

    const each = [
      ["added", "Position", { x: 1 }, ship],
      ["added", "ChildOf", { x: 1 }, ship],
      ["set", "Position", { x: 1 }, ship],
    ];
    expect([born.length, told]).toEqual([2, [...each, ...each]]);
  });

  it("may be changed by listeners: that waits until all are born", () => {
    const seen: number[] = [];
    observe(world, { added: Frozen }, ({ entity }) => {
      seen.push(world.entities.alive);
      add(world, entity, Position({ x: 2 }));
    });

    const born = spawnMany(world, 3, Frozen);

    expect([born.every((one) => get(world, one, Position)!.x === 2), seen.at(-1)]).toEqual([true, 4]);
  });

  it("of which a hook refuses one are all refused: nobody is born, hears of it or is asked to bury", () => {
    let count = 0;
    const told: string[] = [];
    const Picky = withHooks(component<string>("Picky"), {
      check: () => {
        if (++count === 3) throw new Error("enough");
      },
      written: () => told.push("written"),
      onRemove: () => told.push("removed"),
    });
    observe(world, { added: Any, removed: Any }, ({ kind }) => told.push(kind));
    const before = [livingTables(world), world.entities.alive];

    expect(() => spawnMany(world, 5, Picky("p"), Parent(ship), Knows(ship))).toThrow("enough");

    expect([livingTables(world), world.entities.alive]).toEqual(before);
    expect([told, has(world, ship, Knows(Any)), verify(world)]).toEqual([[], false, []]);
  });

  it("inside a visit are alive at once, and have everything at its end", () => {
    const born = defer(world, () => {
      const unborn = spawnMany(world, 3, Parent(ship), Position({ x: 1 }));
      expect(unborn.map((one) => [isAlive(world, one), has(world, one, Position)])).toEqual(
        Array.from({ length: 3 }, () => [true, false]),
      );
      return unborn;
    });

    expect([subjectsOf(world, ship, ChildOf), get(world, born[2]!, Position), verify(world)]).toEqual([
      born,
      { x: 1 },
      [],
    ]);
  });

  it("inside a visit of which one dies before are the others", () => {
    const told: string[] = [];
    observe(world, { added: Frozen }, () => told.push("added"));

    const born = defer(world, () => spawnMany(world, 2, Frozen, ChildOf(ship)));

    expect([born.length, told]).toEqual([2, ["added", "added"]]);
  });

  it("with a hook: each of them is told", () => {
    const told: unknown[] = [];
    const Hooked = withHooks(component("Hooked", { x: f32 }), {
      written: (_, entity, value, parent) => told.push([entity, value, parent]),
    });

    const born = spawnMany(world, 2, Hooked({ x: 3 }), Parent(ship));

    expect(told).toEqual(born.map((one) => [one, { x: 3 }, ship]));
  });

  it("may be a hundred thousand loose children", () => {
    const born = spawnMany(world, 100_000, Parent(ship), Position({ x: 1 }));

    expect([subjectsOf(world, ship, ChildOf).length, get(world, born.at(-1)!, Position)]).toEqual([
      100_000,
      { x: 1 },
    ]);
  });
});
