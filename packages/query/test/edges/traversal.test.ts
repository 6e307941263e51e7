import {
  Any,
  add,
  ChildOf,
  Disabled,
  DisabledTree,
  type Entity,
  Parent,
  type Relation,
  remove,
  set,
  spawnMany,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  destroy,
  each,
  eachRun,
  maybe,
  not,
  on,
  or,
  type Query,
  type QueryTerm,
  query,
  removeAll,
  selfOrUp,
  up,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Damage, Docked, Frozen, Likes, Needs, Tag } from "../definitions.ts";
import { bornWithIndexOf, cast, Heavy, STORAGES, setCast, Warm } from "./cast.ts";

/** What another engine of this kind gets wrong, or gives up, on ways to ancestors. */

beforeEach(setCast);

afterEach(() => {
  expect(verify(cast.world)).toEqual([]);
});

/**
 *   a (Warm)
 *     b
 *       c
 *         d
 */
function plantChain(one: Relation, other: Relation) {
  const { born } = cast;
  const a = born("a", Warm);
  const b = born("b", one(a));
  const c = born("c", other(b));
  const d = born("d", one(c));
  return { a, b, c, d, asked: query(cast.world, up(Warm)) as Query };
}

describe.each(STORAGES)("up, with parents stored by %s", (_, one, other) => {
  it("finds the nearest ancestor with it, itself excluded, any number of levels up", () => {
    const { asked, c } = plantChain(one, other);

    expect(cast.sources(asked)).toBe("b<a c<a d<a");
    cast.give(c, Warm);
    expect(cast.sources(asked)).toBe("b<a c<a d<c");
  });

  it("selfOrUp takes itself first", () => {
    const { c } = plantChain(one, other);
    cast.give(c, Warm);

    expect(cast.sources(query(cast.world, selfOrUp(Warm)))).toBe("a<a b<a c<c d<c");
  });

  it("not(up) takes those who have no such ancestor, roots included", () => {
    const { b } = plantChain(one, other);

    expect(cast.who(not(up(Warm)))).toBe("a");
    remove(cast.world, b, ChildOf(Any));
    expect(cast.who(not(up(Warm)))).toBe("a b c d");
  });

  it("maybe(up) leaves nobody out", () => {
    const { c } = plantChain(one, other);
    cast.give(c, Heavy);

    expect(cast.sources(query(cast.world, maybe(up(Heavy))))).toBe("a<- b<- c<- d<c");
  });

  it("is right after it is added and removed at any ancestor", () => {
    const { world, sources } = cast;
    const { a, b, c, asked } = plantChain(one, other);
    sources(asked);

    cast.give(b, Warm);
    expect(sources(asked)).toBe("b<a c<b d<b");
    remove(world, a, Warm);
    expect(sources(asked)).toBe("c<b d<b");
    cast.give(c, Warm);
    remove(world, b, Warm);
    expect(sources(asked)).toBe("d<c");
    removeAll(world, Warm);
    expect(sources(asked)).toBe("");
    cast.give(a, Warm);
    expect(sources(asked)).toBe("b<a c<a d<a");
  });

  it("is right after a reparent at any level", () => {
    const { world, sources, born } = cast;
    const { a, b, c, d, asked } = plantChain(one, other);
    const x = born("x", Warm);
    sources(asked);

    add(world, d, other(b));
    expect(sources(asked)).toBe("b<a c<a d<a");
    add(world, c, one(x));
    expect(sources(asked)).toBe("b<a c<x d<a");
    add(world, d, one(c));
    expect(sources(asked)).toBe("b<a c<x d<x");
    add(world, x, other(b));
    expect(sources(asked)).toBe("b<a c<x d<x x<a");
    remove(world, c, ChildOf(Any));
    add(world, a, one(c));
    expect(sources(asked)).toBe("b<a x<a");
  });

  it("is right after parent and child change places", () => {
    const { world, sources } = cast;
    const { a, b, c, d, asked } = plantChain(one, other);
    cast.give(b, Warm);
    sources(asked);

    add(world, c, one(a));
    add(world, b, other(c));

    expect(sources(asked)).toBe("b<a c<a d<a");
    add(world, d, other(b));
    expect(sources(asked)).toBe("b<a c<a d<b");
  });

  it("is right when a parent dies and another is born with its index", () => {
    const { world, sources, born } = cast;
    const { a, asked } = plantChain(one, other);
    sources(asked);

    destroy(world, a);
    expect(sources(asked)).toBe("");
    const heir = bornWithIndexOf(world, a);
    born("e", one(heir));
    expect(sources(asked)).toBe("");
    cast.give(heir, Warm);
    expect(sources(asked)).toBe("e<?");
  });

  it("is right when ancestors move to another table, and tables run empty and fill again", () => {
    const { world, sources } = cast;
    const { a, b, c, asked } = plantChain(one, other);
    sources(asked);

    for (const round of [0, 1, 2]) {
      for (const entity of [a, b, c]) add(world, entity, Frozen);
      expect([round, sources(asked)]).toEqual([round, "b<a c<a d<a"]);
      for (const entity of [c, a, b]) remove(world, entity, Frozen);
      expect([round, sources(asked)]).toEqual([round, "b<a c<a d<a"]);
    }
  });

  it("is right after all children of somebody are made roots, and after a death in the middle", () => {
    const { world, sources, born } = cast;
    const { a, b, c, asked } = plantChain(one, other);
    born("e", other(a));
    sources(asked);

    removeAll(world, ChildOf(b));
    expect(sources(asked)).toBe("b<a e<a");
    add(world, c, one(a));
    expect(sources(asked)).toBe("b<a c<a d<a e<a");
    destroy(world, c);
    expect(sources(asked)).toBe("b<a e<a");
  });

  it("hands over values of now, not of the last change of structure", () => {
    const { world } = cast;
    const { a, asked } = plantChain(one, other);
    cast.sources(asked);

    set(world, a, Warm, { of: 17 });
    const seen = new Set<unknown>();
    each(asked, (...row: unknown[]) => seen.add((row[0] as { of: number }).of));

    expect([...seen]).toEqual([17]);
  });

  it("cannot be written", () => {
    const { asked } = plantChain(one, other);

    expect(() => each(asked, (...row: unknown[]) => ((row[0] as { of: number }).of = 1))).toThrow(TypeError);
  });

  it("a disabled ancestor is a source as any other, and only who is visited is left out for it", () => {
    const { world, sources } = cast;
    const { a, c, asked } = plantChain(one, other);
    sources(asked);

    add(world, a, Disabled);
    expect(sources(asked)).toBe("b<a c<a d<a");
    add(world, c, Disabled);
    expect(sources(asked)).toBe("b<a d<a");
    add(world, a, DisabledTree);
    expect(sources(asked)).toBe("");
    expect(sources(query(world, up(Warm), maybe(DisabledTree)))).toBe("b<a c<a d<a");
  });

  it("several ways, to different sources, stand side by side in one query", () => {
    const { b } = plantChain(one, other);
    cast.give(b, Heavy);
    const { world, nameOf } = cast;
    const told: string[] = [];

    each(query(world, up(Warm), maybe(up(Heavy))), (warm, heavy, entity) => {
      told.push(`${nameOf(entity)}<${nameOf(warm.of)}<${nameOf(heavy?.of)}`);
    });

    expect(told.toSorted()).toEqual(["b<a<-", "c<a<b", "d<a<b"]);
  });

  it("is kept: rows come in long runs, not one by one", () => {
    const { a } = plantChain(one, other);
    for (const storage of [one, other]) spawnMany(cast.world, 500, storage(a), Tag);
    let runs = 0;

    eachRun(query(cast.world, Tag, up(Warm)), () => runs++);

    expect(runs).toBeLessThan(10);
  });
});

describe("up of pairs and wildcards", () => {
  it.each<[string, (ship: Entity) => QueryTerm, string]>([
    ["a pair", (ship) => up(Likes(ship)), "b c"],
    ["any pair of a relation", () => up(Likes(Any)), "b c"],
    ["any pair with a target", (ship) => up(Any(ship)), "b c"],
    ["any pair at all", () => up(Any(Any)), "b c"],
    ["a tag", () => up(Tag), "c"],
    ["a parent: everybody below children of roots", () => up(ChildOf(Any)), "c"],
    ["itself or above", (ship) => selfOrUp(Likes(ship)), "a b c"],
    ["not", (ship) => not(up(Likes(ship))), "a ship"],
    ["along another relation", () => up(Warm, { relation: Docked }), "boat"],
  ])("%s", (_, term, expected) => {
    const { born, give, who } = cast;
    const ship = born("ship");
    const a = born("a", Likes(ship));
    const b = born("b", Parent(a), Tag);
    const c = born("c", ChildOf(b));
    if (expected === "boat") {
      give(c, Warm);
      born("boat", Docked(c));
    }

    expect(who(term(ship))).toBe(expected);
  });

  it("hands over the value of the pair", () => {
    const { born, world, nameOf } = cast;
    const ship = born("ship");
    const a = born("a", Damage(ship, { amount: 7 }));
    born("b", Parent(a));
    born("c", ChildOf(a));
    const told: string[] = [];

    each(query(world, up(Damage(ship))), (damage, entity) => {
      told.push(`${nameOf(entity)} ${damage.amount}`);
    });

    expect(told.toSorted()).toEqual(["b 7", "c 7"]);
  });
});

describe("ways along other relations", () => {
  it("several of different relations may lead to different sources", () => {
    const { born, world, nameOf } = cast;
    const [port, fleet] = [born("port", Warm), born("fleet", Warm)];
    const ship = born("ship", Docked(port), Parent(fleet));
    born("boat", Docked(ship), ChildOf(ship));
    const told: string[] = [];

    each(query(world, up(Warm, { relation: Docked }), up(Warm)), (docked, child, entity) => {
      told.push(`${nameOf(entity)}<${nameOf(docked.of)}<${nameOf(child.of)}`);
    });

    expect(told.toSorted()).toEqual(["boat<port<fleet", "ship<port<fleet"]);
  });

  it("of several targets the line of the one born first is followed to its end before the next", () => {
    const { born, world, sources } = cast;
    const [far, near] = [born("far", Warm), born("near", Warm)];
    const [first, second] = [born("first"), born("second", Needs(near))];
    born("x", Needs(second), Needs(first));
    const asked = query(world, up(Warm, { relation: Needs }));

    expect(sources(asked)).toBe("second<near x<near");
    add(world, first, Needs(far));
    expect(sources(asked)).toBe("first<far second<near x<far");
    remove(world, first, Needs(far));
    expect(sources(asked)).toBe("second<near x<near");
  });

  it.each<[string, QueryTerm]>([
    ["a relation that cannot be followed", up(Warm, { relation: Likes })],
    ["Parent, which ChildOf covers", up(Warm, { relation: Parent })],
    ["no relation", up(Warm, { relation: Tag as never })],
    ["any relation", up(Warm, { relation: Any as never })],
  ])("are refused along %s", (_, term) => {
    expect(codeOf(() => query(cast.world, term))).toBe("bad-query");
    expect(codeOf(() => query(cast.world, not(term as never)))).toBe("bad-query");
  });
});

describe("up inside other terms", () => {
  it.each(STORAGES)("in alternatives, in groups and of given entities, by %s", (_, one, other) => {
    const { who } = cast;
    const { c, d } = plantChain(one, other);
    add(cast.world, d, Frozen);
    cast.give(c, Heavy);

    expect(who(or(up(Heavy), Warm))).toBe("a d");
    expect(who(or(up(Frozen), up(Heavy)))).toBe("d");
    expect(who(Frozen, on(c, up(Warm)))).toBe("d");
    expect(who(Frozen, not(on(c, up(Heavy))))).toBe("d");
    expect(who(Frozen, on(c, selfOrUp(Heavy)))).toBe("d");
    remove(cast.world, c, ChildOf(Any));
    expect(who(Frozen, on(c, up(Warm)))).toBe("");
  });

  it("a dead target of what is looked for above answers nobody, and excludes nobody", () => {
    const { born, world, who } = cast;
    const ship = born("ship");
    const a = born("a", Likes(ship));
    born("b", Parent(a));
    const asked = query(world, up(Likes(ship)));
    expect(cast.inTurn(asked)).toBe("b");

    destroy(world, ship);

    expect([cast.inTurn(asked), who(not(up(Likes(ship))))]).toEqual(["", "a b"]);
  });
});

describe("up over deep and wide trees", () => {
  it.each(STORAGES)("finds a source 20,000 levels up, by %s", (_, one, other) => {
    const { world, born } = cast;
    const root = born("root", Warm);
    let at = root;
    for (let level = 0; level < 10_000; level++) {
      const middle = spawnMany(world, 1, one(at))[0]!;
      at = spawnMany(world, 1, other(middle))[0]!;
    }
    born("leaf", other(at), Tag);
    const asked = query(world, Tag, up(Warm));

    expect(cast.sources(asked)).toBe("leaf<root");
    remove(world, root, Warm);
    expect(cast.sources(asked)).toBe("");
    cast.give(root, Warm);
    expect(cast.sources(asked)).toBe("leaf<root");
    setCast(); // `verify` walks up from everybody
  });
});
