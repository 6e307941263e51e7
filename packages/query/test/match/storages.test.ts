import { add, type Entity, type Pair, pack, remove, spawn, spawnMany, type World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, describe, expect, it } from "vitest";
import { destroy, each, eachRun, type QueryTerm, query } from "../../src/index.ts";
import { Damage, Frozen, Likes, Position } from "../definitions.ts";
import { matchesOf } from "../matches.ts";
import { Any, asTag, ChildOf, Parent } from "../public/builtins.ts";
import { createWorld } from "../public/define.ts";
import { maybe, not } from "../public/filters.ts";

type Crew = { readonly [name: string]: Entity };

let world: World;

afterEach(() => {
  expect(verify(world)).toEqual([]);
});

const storages: [title: string, store: (parent: Entity, place: number) => Pair][] = [
  ["in the type", (parent) => ChildOf(parent)],
  ["as values", (parent) => Parent(parent)],
  ["in both storages", (parent, place) => (place % 2 === 0 ? ChildOf : Parent)(parent)],
];

/**
 *   ship              station            buoy
 *     a  b  c  d        e  f  g  h
 *       b1                f1
 */
function fleet(store: (typeof storages)[number][1]): Crew {
  world = createWorld();
  const [ship, station, buoy] = spawnMany(world, 3) as [Entity, Entity, Entity];
  const a = spawn(world, store(ship, 0), Position({ x: 1 }), Frozen);
  const e = spawn(world, store(station, 0), Position({ x: 5 }), Frozen);
  const b = spawn(world, store(ship, 1), Position({ x: 2 }), Frozen);
  const f = spawn(world, store(station, 1), Position({ x: 6 }), Frozen);
  const c = spawn(world, store(ship, 2), Likes(buoy), Damage(ship, { amount: 3 }));
  const g = spawn(world, store(station, 2), Likes(buoy), Likes(ship), Damage(ship, { amount: 7 }));
  const d = spawn(world, store(ship, 3), Position({ x: 4 }), Likes(station));
  const h = spawn(world, store(station, 3), asTag(buoy));
  const b1 = spawn(world, store(b, 0), Position({ x: 8 }));
  const f1 = spawn(world, store(f, 1), Position({ x: 9 }), Frozen);
  return { ship, station, buoy, a, b, c, d, e, f, g, h, b1, f1 };
}

const descriptions: [title: string, termsFor: (crew: Crew) => QueryTerm[], names: string][] = [
  ["the children of one parent", ({ ship }) => [ChildOf(ship!)], "a b c d"],
  ["the children of another", ({ f }) => [ChildOf(f!)], "f1"],
  ["none below entities without children", ({ buoy }) => [ChildOf(buoy!)], ""],
  ["children with a component", ({ ship }) => [ChildOf(ship!), Position], "a b d"],
  ["the same, the component first", ({ ship }) => [Position, ChildOf(ship!)], "a b d"],
  ["children without a component", ({ ship }) => [not(Position), ChildOf(ship!)], "c"],
  ["children with a tag and a component", ({ station }) => [Frozen, ChildOf(station!), Position], "e f"],
  ["children with a pair", ({ ship, station }) => [ChildOf(ship!), Likes(station!)], "d"],
  ["the same, the pair first", ({ ship, station }) => [Likes(station!), ChildOf(ship!)], "d"],
  ["children with one of two pairs only", ({ station, buoy }) => [ChildOf(station!), Likes(buoy!)], "g"],
  ["children without a pair", ({ ship, station }) => [ChildOf(ship!), not(Likes(station!))], "a b c"],
  ["none below two parents at once", ({ ship, station }) => [ChildOf(ship!), ChildOf(station!)], ""],
  ["children of one parent, not of another", ({ ship, f }) => [ChildOf(ship!), not(ChildOf(f!))], "a b c d"],
  ["none that is a child and is not", ({ ship }) => [ChildOf(ship!), not(ChildOf(ship!))], ""],
  ["all but the children of one parent", ({ ship }) => [Position, not(ChildOf(ship!))], "b1 e f f1"],
  [
    "all but the children of two parents",
    ({ ship, station }) => [not(ChildOf(ship!)), not(ChildOf(station!))],
    "b1 buoy f1 ship station",
  ],
  ["a pair, but not below one parent", ({ ship, buoy }) => [Likes(buoy!), not(ChildOf(ship!))], "g"],
  ["all with a parent", () => [ChildOf(Any)], "a b b1 c d e f f1 g h"],
  ["all with a parent and a component", () => [ChildOf(Any), Position], "a b b1 d e f f1"],
  ["the roots", () => [not(ChildOf(Any))], "buoy ship station"],
  ["all with any pair", () => [Any(Any)], "a b b1 c d e f f1 g h"],
  ["all without any pair", () => [not(Any(Any))], "buoy ship station"],
  ["all with any pair with one target", ({ ship }) => [Any(ship!)], "a b c d g"],
  ["all with any pair with another", ({ station }) => [Any(station!)], "d e f g h"],
  ["any pair with a target that no entity is below", ({ buoy }) => [Any(buoy!)], "c g"],
  ["all without any pair with one target", ({ ship }) => [Position, not(Any(ship!))], "b1 e f f1"],
  ["pairs with each of two targets", ({ ship, station }) => [Any(ship!), Any(station!)], "d g"],
  ["an entity as a tag", ({ buoy }) => [asTag(buoy!)], "h"],
  [
    "children without an entity as a tag",
    ({ station, buoy }) => [ChildOf(station!), not(asTag(buoy!))],
    "e f g",
  ],
  ["children with a component or without", ({ ship }) => [ChildOf(ship!), maybe(Position)], "a b c d"],
];

describe.each(storages)("with parents stored %s", (_, store) => {
  it.each(descriptions)("each finds %s", (__, termsFor, expected) => {
    const crew = fleet(store);
    const names = new Map(Object.entries(crew).map(([name, entity]) => [entity, name]));

    const found = matchesOf(world, ...termsFor(crew)).map((entity) => names.get(entity)!);

    expect(found.toSorted().join(" ")).toBe(expected);
  });

  it.each(descriptions)("eachRun finds %s", (__, termsFor, expected) => {
    const crew = fleet(store);
    const names = new Map(Object.entries(crew).map(([name, entity]) => [entity, name]));
    const found: string[] = [];

    eachRun(query(world, ...termsFor(crew)), (run) => {
      for (let row = run.first; row < run.end; row++) found.push(names.get(run.entityAt(row))!);
    });

    expect(found.toSorted().join(" ")).toBe(expected);
  });

  it("rows have their own values, and can be written", () => {
    const { ship, a, b, d } = fleet(store) as { ship: Entity; a: Entity; b: Entity; d: Entity };
    const received: [Entity, number][] = [];

    each(query(world, Position, ChildOf(ship)), (position, entity) => {
      position.x *= 10;
      received.push([entity, position.x]);
    });
    eachRun(query(world, ChildOf(ship), Position), (run) => {
      const { x } = run.columns(Position);
      for (let row = run.first; row < run.end; row++) received.push([run.entityAt(row), x[row]!]);
    });

    const right: [Entity, number][] = [
      [a, 10],
      [b, 20],
      [d, 40],
    ];
    const ascending = received.toSorted(([one], [other]) => one - other);
    expect(ascending).toEqual(right.flatMap((one) => [one, one]));
  });

  it("values of pairs are those of the row's own table", () => {
    const { ship, station, c, g } = fleet(store) as Record<"ship" | "station" | "c" | "g", Entity>;
    add(world, g, Damage(station, { amount: 70 }));
    const received: [Entity, number][] = [];

    each(query(world, Damage(ship)), (damage, entity) => received.push([entity, damage.amount]));
    each(query(world, ChildOf(station), Damage(station)), (damage, entity) => {
      received.push([entity, damage.amount]);
    });
    eachRun(query(world, Damage(ship), not(ChildOf(ship))), (run) => {
      const { amount } = run.columns(Damage(ship));
      for (let row = run.first; row < run.end; row++) received.push([run.entityAt(row), amount[row]!]);
    });

    expect(received.toSorted(([one, by], [other, than]) => one - other || by - than)).toEqual([
      [c, 3],
      [g, 7],
      [g, 7],
      [g, 70],
    ]);
  });

  it("a query made before follows reparents, detaching, destructions and packing", () => {
    const { ship, station, a, b, c, d, e } = fleet(store) as Record<
      "ship" | "station" | "a" | "b" | "c" | "d" | "e",
      Entity
    >;
    const below = query(world, ChildOf(ship));
    const inspect = (): Entity[] => {
      const found: Entity[] = [];
      each(below, (entity) => found.push(entity));
      return found.toSorted((one, other) => one - other);
    };

    add(world, e, store(ship, 1));
    remove(world, a, ChildOf(Any));
    const moved = inspect();
    pack(world);
    const packed = inspect();
    destroy(world, b);
    add(world, c, store(station, 0));
    const fewer = inspect();
    destroy(world, ship);

    expect([moved, packed, fewer, inspect()]).toEqual([
      [b, c, d, e].toSorted((x, y) => x! - y),
      packed,
      fewer,
      [],
    ]);
    expect(packed).toEqual(moved);
    expect(fewer).toEqual([d, e].toSorted((x, y) => x! - y));
  });

  it("a destroyed parent has no children, and not of its children matches every entity", () => {
    const { ship, f, a } = fleet(store) as Record<"ship" | "f" | "a", Entity>;
    destroy(world, f);

    expect(matchesOf(world, ChildOf(f))).toEqual([]);
    expect(matchesOf(world, Parent(f))).toEqual([]);
    expect(matchesOf(world, Any(f))).toEqual([]);
    expect(matchesOf(world, asTag(f))).toEqual([]);
    expect(matchesOf(world, ChildOf(ship), Frozen, not(ChildOf(f)), not(Any(f)), not(asTag(f)))).toContain(a);
  });
});

describe("terms of the value storage alone", () => {
  it("match neither children by pair nor roots", () => {
    world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const typed = spawn(world, ChildOf(ship), Frozen);
    const byValue = spawn(world, Parent(ship), Frozen);
    const other = spawn(world, Parent(station), Frozen);

    expect(matchesOf(world, Parent(ship))).toEqual([byValue]);
    expect(matchesOf(world, Frozen, not(Parent(ship)))).toEqual([typed, other]);
    expect(matchesOf(world, Parent(Any))).toEqual([byValue, other]);
    expect(matchesOf(world, not(Parent(Any)))).toEqual([ship, station, typed]);
    expect(matchesOf(world, ChildOf(ship), not(Parent(ship)))).toEqual([typed]);
    expect(matchesOf(world, ChildOf(Any), not(Parent(Any)))).toEqual([typed]);
    expect(matchesOf(world, Parent(ship), ChildOf(ship))).toEqual([byValue]);
  });

  it("follow a child from one storage to the other", () => {
    world = createWorld();
    const ship = spawn(world);
    const child = spawn(world, ChildOf(ship));

    add(world, child, Parent(ship));
    const asValue = matchesOf(world, Parent(ship));
    add(world, child, ChildOf(ship));

    expect([asValue, matchesOf(world, Parent(ship)), matchesOf(world, ChildOf(ship))]).toEqual([
      [child],
      [],
      [child],
    ]);
  });
});

/** A similar engine matches wrongly here. Children k1 and f1 of a, k2 and f2 of b; k's store their parents as values. */
describe("children of two parents in one table", () => {
  function kids(): { a: Entity; b: Entity; k1: Entity; k2: Entity; f1: Entity; f2: Entity } {
    world = createWorld();
    const [a, b] = spawnMany(world, 2) as [Entity, Entity];
    const k1 = spawn(world, Parent(a), Frozen);
    const k2 = spawn(world, Parent(b), Frozen);
    const f1 = spawn(world, ChildOf(a), Frozen);
    const f2 = spawn(world, ChildOf(b), Frozen);
    return { a, b, k1, k2, f1, f2 };
  }

  it("are distinguished when one parent is excluded", () => {
    const { a, k2, f2 } = kids();

    expect(matchesOf(world, Frozen, not(ChildOf(a)))).toEqual([k2, f2]);
  });

  it("all stay when another parent is excluded, also without other terms", () => {
    const { a, b, k2, f2 } = kids();

    expect(matchesOf(world, not(ChildOf(a)))).toEqual([a, b, k2, f2]);
  });

  it("are found for each parent, by queries made one after the other and made again", () => {
    const { a, b, k1, k2, f1, f2 } = kids();
    const [ofA, ofB] = [query(world, ChildOf(a)), query(world, ChildOf(b))];
    const found: Entity[][] = [];

    for (const tested of [ofA, ofB, ofA]) {
      const these: Entity[] = [];
      each(tested, (entity) => these.push(entity));
      found.push(these.toSorted((one, other) => one - other));
    }

    expect(found).toEqual([
      [k1, f1],
      [k2, f2],
      [k1, f1],
    ]);
  });

  it("are never in one run with a child of the other", () => {
    const { a, k1, k2, f1 } = kids();
    const runs: Entity[][] = [];

    eachRun(query(world, ChildOf(a)), (run) => {
      const these: Entity[] = [];
      for (let row = run.first; row < run.end; row++) these.push(run.entityAt(row));
      runs.push(these);
    });

    expect(runs.flat()).not.toContain(k2);
    expect(new Set(runs.flat())).toEqual(new Set([k1, f1]));
  });
});

describe("runs of children that store their parents by value", () => {
  it("are whole in adjacent rows", () => {
    world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    spawnMany(world, 3, Parent(station), Position);
    spawnMany(world, 100, Parent(ship), Position);
    spawnMany(world, 3, Parent(station), Position);
    spawnMany(world, 10, Parent(ship), Position);
    const lengths: number[] = [];

    eachRun(query(world, ChildOf(ship), Position), (run) => lengths.push(run.end - run.first));

    expect(lengths).toEqual([100, 10]);
  });

  it("come in the order of the siblings", () => {
    world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const children = spawnMany(world, 6, Parent(station), Position);
    for (const place of [4, 5, 0, 3, 1, 2]) add(world, children[place]!, Parent(ship));
    const runs: Entity[][] = [];

    eachRun(query(world, ChildOf(ship)), (run) => {
      runs.push([run.entityAt(run.first), run.entityAt(run.end - 1)]);
    });

    expect(runs).toEqual([
      [children[4], children[5]],
      [children[0], children[0]],
      [children[3], children[3]],
      [children[1], children[2]],
    ]);
  });

  it("are cut out of longer ones when their parent is excluded", () => {
    world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    spawnMany(world, 3, Parent(station), Position);
    spawnMany(world, 4, Parent(ship), Position);
    spawnMany(world, 5, Parent(station), Position);
    const lengths: number[] = [];

    eachRun(query(world, Position, not(ChildOf(ship))), (run) => lengths.push(run.end - run.first));

    expect(lengths).toEqual([3, 5]);
  });
});
