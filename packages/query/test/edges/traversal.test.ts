import { add, type Entity, type Relation, remove, set, spawnMany } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { destroy, each, eachRun, type Query, type QueryTerm, query, removeAll } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Damage, Docked, Frozen, Likes, Needs, Tag } from "../definitions.ts";
import { Any, ChildOf, Disabled, DisabledTree, Parent } from "../public/builtins.ts";
import { maybe, not, or } from "../public/filters.ts";
import { on, selfOrUp, up } from "../public/terms.ts";
import {
  Heavy,
  named,
  replaceNamedWorld,
  STORAGES,
  setUpNamedWorld,
  spawnWithIndexOf,
  Warm,
} from "./named-world.ts";

/** Cases of paths to ancestors that similar engines get wrong, or do not support. */

setUpNamedWorld();

/**
 *   a (Warm)
 *     b
 *       c
 *         d
 */
function plantChain(one: Relation, other: Relation) {
  const { spawnNamed } = named;
  const a = spawnNamed("a", Warm);
  const b = spawnNamed("b", one(a));
  const c = spawnNamed("c", other(b));
  const d = spawnNamed("d", one(c));
  return { a, b, c, d, tested: query(named.world, up(Warm)) as Query };
}

describe.each(STORAGES)("up, with parents stored by %s", (_, one, other) => {
  it("finds the nearest ancestor with it, itself excluded, any number of levels up", () => {
    const { tested, c } = plantChain(one, other);

    expect(named.sources(tested)).toBe("b<a c<a d<a");
    named.addOwn(c, Warm);
    expect(named.sources(tested)).toBe("b<a c<a d<c");
  });

  it("selfOrUp tries the entity itself first", () => {
    const { c } = plantChain(one, other);
    named.addOwn(c, Warm);

    expect(named.sources(query(named.world, selfOrUp(Warm)))).toBe("a<a b<a c<c d<c");
  });

  it("not(up) matches entities that have no such ancestor, roots included", () => {
    const { b } = plantChain(one, other);

    expect(named.matches(not(up(Warm)))).toBe("a");
    remove(named.world, b, ChildOf(Any));
    expect(named.matches(not(up(Warm)))).toBe("a b c d");
  });

  it("maybe(up) leaves no entity out", () => {
    const { c } = plantChain(one, other);
    named.addOwn(c, Heavy);

    expect(named.sources(query(named.world, maybe(up(Heavy))))).toBe("a<- b<- c<- d<c");
  });

  it("is right after it is added and removed at any ancestor", () => {
    const { world, sources } = named;
    const { a, b, c, tested } = plantChain(one, other);
    sources(tested);

    named.addOwn(b, Warm);
    expect(sources(tested)).toBe("b<a c<b d<b");
    remove(world, a, Warm);
    expect(sources(tested)).toBe("c<b d<b");
    named.addOwn(c, Warm);
    remove(world, b, Warm);
    expect(sources(tested)).toBe("d<c");
    removeAll(world, Warm);
    expect(sources(tested)).toBe("");
    named.addOwn(a, Warm);
    expect(sources(tested)).toBe("b<a c<a d<a");
  });

  it("is right after a reparent at any level", () => {
    const { world, sources, spawnNamed } = named;
    const { a, b, c, d, tested } = plantChain(one, other);
    const x = spawnNamed("x", Warm);
    sources(tested);

    add(world, d, other(b));
    expect(sources(tested)).toBe("b<a c<a d<a");
    add(world, c, one(x));
    expect(sources(tested)).toBe("b<a c<x d<a");
    add(world, d, one(c));
    expect(sources(tested)).toBe("b<a c<x d<x");
    add(world, x, other(b));
    expect(sources(tested)).toBe("b<a c<x d<x x<a");
    remove(world, c, ChildOf(Any));
    add(world, a, one(c));
    expect(sources(tested)).toBe("b<a x<a");
  });

  it("is right after parent and child change places", () => {
    const { world, sources } = named;
    const { a, b, c, d, tested } = plantChain(one, other);
    named.addOwn(b, Warm);
    sources(tested);

    add(world, c, one(a));
    add(world, b, other(c));

    expect(sources(tested)).toBe("b<a c<a d<a");
    add(world, d, other(b));
    expect(sources(tested)).toBe("b<a c<a d<b");
  });

  it("is right when a parent is destroyed and another entity is spawned with its index", () => {
    const { world, sources, spawnNamed } = named;
    const { a, tested } = plantChain(one, other);
    sources(tested);

    destroy(world, a);
    expect(sources(tested)).toBe("");
    const reused = spawnWithIndexOf(world, a);
    spawnNamed("e", one(reused));
    expect(sources(tested)).toBe("");
    named.addOwn(reused, Warm);
    expect(sources(tested)).toBe("e<?");
  });

  it("is right when ancestors move to another table, and tables become empty and fill again", () => {
    const { world, sources } = named;
    const { a, b, c, tested } = plantChain(one, other);
    sources(tested);

    for (const round of [0, 1, 2]) {
      for (const entity of [a, b, c]) add(world, entity, Frozen);
      expect([round, sources(tested)]).toEqual([round, "b<a c<a d<a"]);
      for (const entity of [c, a, b]) remove(world, entity, Frozen);
      expect([round, sources(tested)]).toEqual([round, "b<a c<a d<a"]);
    }
  });

  it("is right after all children of an entity become roots, and after a destruction in the middle", () => {
    const { world, sources, spawnNamed } = named;
    const { a, b, c, tested } = plantChain(one, other);
    spawnNamed("e", other(a));
    sources(tested);

    removeAll(world, ChildOf(b));
    expect(sources(tested)).toBe("b<a e<a");
    add(world, c, one(a));
    expect(sources(tested)).toBe("b<a c<a d<a e<a");
    destroy(world, c);
    expect(sources(tested)).toBe("b<a e<a");
  });

  it("passes current values, not those of the last structural change", () => {
    const { world } = named;
    const { a, tested } = plantChain(one, other);
    named.sources(tested);

    set(world, a, Warm, { of: 17 });
    const received = new Set<unknown>();
    each(tested, (...row: unknown[]) => received.add((row[0] as { of: number }).of));

    expect([...received]).toEqual([17]);
  });

  it("cannot be written", () => {
    const { tested } = plantChain(one, other);

    expect(() => each(tested, (...row: unknown[]) => ((row[0] as { of: number }).of = 1))).toThrow(TypeError);
  });

  it("a disabled ancestor is a source like any other; only disabled entities themselves are left out", () => {
    const { world, sources } = named;
    const { a, c, tested } = plantChain(one, other);
    sources(tested);

    add(world, a, Disabled);
    expect(sources(tested)).toBe("b<a c<a d<a");
    add(world, c, Disabled);
    expect(sources(tested)).toBe("b<a d<a");
    add(world, a, DisabledTree);
    expect(sources(tested)).toBe("");
    expect(sources(query(world, up(Warm), maybe(DisabledTree)))).toBe("b<a c<a d<a");
  });

  it("several paths, to different sources, can be in one query", () => {
    const { b } = plantChain(one, other);
    named.addOwn(b, Heavy);
    const { world, nameOf } = named;
    const reported: string[] = [];

    each(query(world, up(Warm), maybe(up(Heavy))), (warm, heavy, entity) => {
      reported.push(`${nameOf(entity)}<${nameOf(warm.of)}<${nameOf(heavy?.of)}`);
    });

    expect(reported.toSorted()).toEqual(["b<a<-", "c<a<b", "d<a<b"]);
  });

  it("is cached: rows come in long runs, not one by one", () => {
    const { a } = plantChain(one, other);
    for (const storage of [one, other]) spawnMany(named.world, 500, storage(a), Tag);
    let runs = 0;

    eachRun(query(named.world, Tag, up(Warm)), () => runs++);

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
    ["a parent: all entities below children of roots", () => up(ChildOf(Any)), "c"],
    ["itself or above", (ship) => selfOrUp(Likes(ship)), "a b c"],
    ["not", (ship) => not(up(Likes(ship))), "a ship"],
    ["along another relation", () => up(Warm, { relation: Docked }), "boat"],
  ])("%s", (_, term, expected) => {
    const { spawnNamed, addOwn, matches } = named;
    const ship = spawnNamed("ship");
    const a = spawnNamed("a", Likes(ship));
    const b = spawnNamed("b", Parent(a), Tag);
    const c = spawnNamed("c", ChildOf(b));
    if (expected === "boat") {
      addOwn(c, Warm);
      spawnNamed("boat", Docked(c));
    }

    expect(matches(term(ship))).toBe(expected);
  });

  it("passes the value of the pair", () => {
    const { spawnNamed, world, nameOf } = named;
    const ship = spawnNamed("ship");
    const a = spawnNamed("a", Damage(ship, { amount: 7 }));
    spawnNamed("b", Parent(a));
    spawnNamed("c", ChildOf(a));
    const reported: string[] = [];

    each(query(world, up(Damage(ship))), (damage, entity) => {
      reported.push(`${nameOf(entity)} ${damage.amount}`);
    });

    expect(reported.toSorted()).toEqual(["b 7", "c 7"]);
  });
});

describe("paths along other relations", () => {
  it("of different relations may lead to different sources", () => {
    const { spawnNamed, world, nameOf } = named;
    const [port, fleet] = [spawnNamed("port", Warm), spawnNamed("fleet", Warm)];
    const ship = spawnNamed("ship", Docked(port), Parent(fleet));
    spawnNamed("boat", Docked(ship), ChildOf(ship));
    const reported: string[] = [];

    each(query(world, up(Warm, { relation: Docked }), up(Warm)), (docked, child, entity) => {
      reported.push(`${nameOf(entity)}<${nameOf(docked.of)}<${nameOf(child.of)}`);
    });

    expect(reported.toSorted()).toEqual(["boat<port<fleet", "ship<port<fleet"]);
  });

  it("with several targets follow the branch of the oldest target to its end before the next", () => {
    const { spawnNamed, world, sources } = named;
    const [far, near] = [spawnNamed("far", Warm), spawnNamed("near", Warm)];
    const [first, second] = [spawnNamed("first"), spawnNamed("second", Needs(near))];
    spawnNamed("x", Needs(second), Needs(first));
    const tested = query(world, up(Warm, { relation: Needs }));

    expect(sources(tested)).toBe("second<near x<near");
    add(world, first, Needs(far));
    expect(sources(tested)).toBe("first<far second<near x<far");
    remove(world, first, Needs(far));
    expect(sources(tested)).toBe("second<near x<near");
  });

  it.each<[string, QueryTerm]>([
    ["a relation that cannot be followed", up(Warm, { relation: Likes })],
    ["Parent, which ChildOf covers", up(Warm, { relation: Parent })],
    ["no relation", up(Warm, { relation: Tag as never })],
    ["any relation", up(Warm, { relation: Any as never })],
  ])("are refused along %s", (_, term) => {
    expect(codeOf(() => query(named.world, term))).toBe("bad-query");
    expect(codeOf(() => query(named.world, not(term as never)))).toBe("bad-query");
  });
});

describe("up inside other terms", () => {
  it.each(STORAGES)("in alternatives, in groups and for given entities, by %s", (_, one, other) => {
    const { matches } = named;
    const { c, d } = plantChain(one, other);
    add(named.world, d, Frozen);
    named.addOwn(c, Heavy);

    expect(matches(or(up(Heavy), Warm))).toBe("a d");
    expect(matches(or(up(Frozen), up(Heavy)))).toBe("d");
    expect(matches(Frozen, on(c, up(Warm)))).toBe("d");
    expect(matches(Frozen, not(on(c, up(Heavy))))).toBe("d");
    expect(matches(Frozen, on(c, selfOrUp(Heavy)))).toBe("d");
    remove(named.world, c, ChildOf(Any));
    expect(matches(Frozen, on(c, up(Warm)))).toBe("");
  });

  it("a destroyed target of a term on ancestors matches nothing, and excludes nothing", () => {
    const { spawnNamed, world, matches } = named;
    const ship = spawnNamed("ship");
    const a = spawnNamed("a", Likes(ship));
    spawnNamed("b", Parent(a));
    const tested = query(world, up(Likes(ship)));
    expect(named.inOrder(tested)).toBe("b");

    destroy(world, ship);

    expect([named.inOrder(tested), matches(not(up(Likes(ship))))]).toEqual(["", "a b"]);
  });
});

describe("up over deep and wide trees", () => {
  it.each(STORAGES)("finds a source 20,000 levels up, by %s", (_, one, other) => {
    const { world, spawnNamed } = named;
    const root = spawnNamed("root", Warm);
    let at = root;
    for (let level = 0; level < 10_000; level++) {
      const middle = spawnMany(world, 1, one(at))[0]!;
      at = spawnMany(world, 1, other(middle))[0]!;
    }
    spawnNamed("leaf", other(at), Tag);
    const tested = query(world, Tag, up(Warm));

    expect(named.sources(tested)).toBe("leaf<root");
    remove(world, root, Warm);
    expect(named.sources(tested)).toBe("");
    named.addOwn(root, Warm);
    expect(named.sources(tested)).toBe("leaf<root");
    replaceNamedWorld(); // `verify` walks up from every entity
  });
});
