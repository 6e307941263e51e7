import { add, type Entity, type Relation, remove, spawnMany } from "@treeline/core";
import { describe, expect, it } from "vitest";
import type { Query, QueryTerm } from "../../src/index.ts";
import { destroy, each, eachBatch, eachLevel, query, removeAll } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Docked, Frozen, Likes, Needs, SoldIn, Tag } from "../definitions.ts";
import { Any, ChildOf, Parent } from "../public/builtins.ts";
import { maybe, not, or } from "../public/filters.ts";
import { bind, group, groupBy, orderBy, unbind } from "../public/parts.ts";
import { detachChildren } from "../public/siblings.ts";
import { cascade, up, variable } from "../public/terms.ts";
import { Heavy, named, STORAGES, setUpNamedWorld, spawnWithIndexOf, Warm } from "./named-world.ts";

/** Cases of iteration of parents before children that similar engines get wrong, or do not support. */

setUpNamedWorld();

/** The entities that match, level by level, each level in the order of names: "a | b c | d". */
function levels(tested: Query): string {
  const found = new Map<number, string[]>();
  const order: number[] = [];
  eachBatch(tested, (batch) => {
    if (order.at(-1) !== batch.depth) order.push(batch.depth);
    const level = found.get(batch.depth) ?? [];
    found.set(batch.depth, level);
    for (let at = batch.from; at < batch.to; at++) level.push(named.nameOf(batch.entityAt(batch.rows[at]!)));
  });
  if (order.length !== found.size) return `a level comes twice: ${order}`;
  return order.map((depth) => found.get(depth)!.toSorted().join(" ")).join(" | ");
}

/**
 *   a (Warm)          x
 *     b   c             y (Warm)
 *     d                   z
 *     e
 */
function plantTree(one: Relation, other: Relation) {
  const { spawnNamed } = named;
  const [e, d] = [spawnNamed("e", Tag), spawnNamed("d", Tag)];
  const a = spawnNamed("a", Tag, Warm);
  const b = spawnNamed("b", Tag, one(a));
  const c = spawnNamed("c", Tag, other(a));
  const x = spawnNamed("x", Tag);
  const y = spawnNamed("y", Tag, other(x), Warm);
  const z = spawnNamed("z", Tag, one(y));
  add(named.world, d, other(b));
  add(named.world, e, one(d));
  return { a, b, c, d, e, x, y, z, tested: query(named.world, Tag, cascade(Warm)) as Query };
}

describe.each(STORAGES)("cascade, with parents stored by %s", (_, one, other) => {
  it("iterates parents first, whole levels of all trees together, roots included", () => {
    expect(levels(plantTree(one, other).tested)).toBe("a x | b c y | d z | e");
  });

  it("downwards iterates children first, the same levels in reverse", () => {
    plantTree(one, other);

    expect(levels(query(named.world, Tag, cascade(Warm, { desc: true })))).toBe("e | d z | b c y | a x");
  });

  it("does not filter, and passes the nearest ancestor's value, if there is one", () => {
    plantTree(one, other);
    const tested = query(named.world, cascade(Warm), Tag);

    expect(named.sources(tested)).toBe("a<- b<a c<a d<a e<a x<- y<- z<y");
  });

  it("with up iterates only entities that have such an ancestor, by level", () => {
    plantTree(one, other);

    expect(levels(query(named.world, Tag, cascade(Warm), up(Warm)))).toBe("b c | d z | e");
    expect(levels(query(named.world, Tag, cascade(Warm), not(up(Warm))))).toBe("a x | y");
  });

  it("is right after parent and child change places", () => {
    const { a, b, d, tested } = plantTree(one, other);
    levels(tested);

    add(named.world, d, one(a));
    add(named.world, b, other(d));
    expect(levels(tested)).toBe("a x | c d y | b e z");
    remove(named.world, d, ChildOf(Any));
    add(named.world, a, one(d));
    expect(levels(tested)).toBe("d x | a b e y | c z");
  });

  it("is right after reparents at any level, deeper and shallower", () => {
    const { a, b, z, x, tested } = plantTree(one, other);
    levels(tested);

    add(named.world, b, other(z));
    expect(levels(tested)).toBe("a x | c y | z | b | d | e");
    add(named.world, x, one(a));
    expect(levels(tested)).toBe("a | c x | y | z | b | d | e");
    remove(named.world, b, ChildOf(Any));
    expect(levels(tested)).toBe("a b | c d x | e y | z");
  });

  it("is right after a parent is destroyed and another entity is spawned with its index", () => {
    const { a, b, tested } = plantTree(one, other);
    levels(tested);

    destroy(named.world, b);
    expect(levels(tested)).toBe("a x | c y | z");
    destroy(named.world, a);
    const reused = spawnWithIndexOf(named.world, a);
    named.spawnNamed("heir's", Tag, one(reused));
    expect(levels(tested)).toBe("x | heir's y | z");
  });

  it("is right after children are detached, and after removeAll and respawning", () => {
    const { a, b, c, d, tested } = plantTree(one, other);
    levels(tested);

    detachChildren(named.world, a);
    expect(levels(tested)).toBe("a b c x | d y | e z");
    removeAll(named.world, ChildOf(Any));
    expect(levels(tested)).toBe("a b c d e x y z");
    for (const [child, parent] of [
      [b, a],
      [c, b],
      [d, c],
    ] as const)
      add(named.world, child, one(parent));
    expect(levels(tested)).toBe("a e x y z | b | c | d");
    removeAll(named.world, Warm);
    expect(named.sources(query(named.world, cascade(Warm), Tag))).toBe("a<- b<- c<- d<- e<- x<- y<- z<-");
  });

  it("combines with or, several of it", () => {
    const { c, z } = plantTree(one, other);
    add(named.world, c, Frozen);
    named.addOwn(z, Heavy);

    expect(levels(query(named.world, or(Frozen, Warm, Heavy), cascade(Warm)))).toBe("a | c y | z");
    expect(levels(query(named.world, or(up(Warm), Heavy), or(Tag, Frozen), cascade(Warm)))).toBe(
      "b c | d z | e",
    );
  });

  it("combines with several cascade terms, each with its own source", () => {
    const { b } = plantTree(one, other);
    const { world, nameOf } = named;
    named.addOwn(b, Heavy);
    const reported: string[] = [];

    each(query(world, Tag, cascade(Warm), cascade(Heavy)), (warm, heavy, entity) => {
      reported.push([entity, warm?.of, heavy?.of].map(nameOf).join(""));
    });

    expect(reported.toSorted()).toEqual(["a--", "ba-", "ca-", "dab", "eab", "x--", "y--", "zy-"]);
    const depths = { a: 0, x: 0, b: 1, c: 1, y: 1, d: 2, z: 2, e: 3 };
    expect(reported.map(([name]) => depths[name as "a"])).toEqual([0, 0, 1, 1, 1, 2, 2, 3]);
  });

  it("combines with groupBy: level by level in each group", () => {
    const { world, spawnNamed } = named;
    const [north, south] = [spawnNamed("north"), spawnNamed("south")];
    const { a, b, d, e, x, y } = plantTree(one, other);
    for (const entity of [e, b, a]) add(world, entity, SoldIn(north));
    for (const entity of [y, d, x]) add(world, entity, SoldIn(south));
    const tested = query(world, Tag, cascade(Warm), groupBy(SoldIn));

    expect(named.inOrder(tested)).toBe("a b e x y d c z");
    expect(levels(group(tested, south))).toBe("x | y | d");
    expect(levels(group(tested, undefined))).toBe("c | z");
  });

  it("combines with orderBy: by the order within each level", () => {
    const { b, c, y } = plantTree(one, other);
    for (const [entity, of] of [
      [y, 1],
      [c, 2],
      [b, 3],
    ] as const)
      add(named.world, entity, Heavy({ of }));

    expect(named.inOrder(query(named.world, Heavy, cascade(Warm), orderBy(Heavy, "of")))).toBe("y c b");
  });

  it("combines with a target, with a variable that is set, and with one that is free", () => {
    const { a, b, c } = plantTree(one, other);
    const parent = variable("parent");
    add(named.world, c, one(b));
    const tested = query(named.world, Tag, ChildOf(parent), cascade(Warm));

    expect(levels(query(named.world, Tag, ChildOf(b), cascade(Warm)))).toBe("c d");
    expect(levels(bind(tested, parent, a))).toBe("b");
    expect(levels(unbind(tested, parent))).toBe("b y | c d z | e");
  });

  it("levels can be processed in any order: no entity in one is an ancestor of another", () => {
    const { tested } = plantTree(one, other);
    const reported: string[] = [];

    eachLevel(tested, (level) => reported.push(`${level.depth}: ${level.count}`));

    expect(reported).toEqual(["0: 2", "1: 3", "2: 2", "3: 1"]);
  });

  it("carries values down in one iteration", () => {
    const { world } = named;
    const a = named.spawnNamed("a", Heavy({ of: 1 }));
    let at = a;
    for (let level = 0; level < 6; level++)
      at = spawnMany(world, 1, (level % 2 === 0 ? one : other)(at), Heavy)[0]!;
    add(world, a, Heavy({ of: 1 }));

    each(query(world, Heavy, cascade(Heavy)), (own, above) => {
      if (above !== undefined) own.of = above.of * 2;
    });

    const found: number[] = [];
    each(query(world, Heavy, cascade(Heavy)), (own) => found.push(own.of));
    expect(found.slice(1)).toEqual([2, 4, 8, 16, 32, 64].map((factor) => factor * found[0]!));
  });
});

describe("cascade in growing and shrinking trees", () => {
  /** 1 <- 2 <- 3 and 4 <- 5, then 4 below 3. */
  it.each(STORAGES)("lists a branch that moved below a later branch after it, by %s", (_, one, other) => {
    const { world, spawnNamed } = named;
    const n1 = spawnNamed("1", Warm);
    const n4 = spawnNamed("4", Warm);
    const n2 = spawnNamed("2", Warm, one(n1));
    spawnNamed("5", Warm, one(n4));
    const n3 = spawnNamed("3", Warm, other(n2));
    const tested = query(world, Warm, cascade(Warm));
    expect(levels(tested)).toBe("1 4 | 2 5 | 3");

    add(world, n4, other(n3));

    expect(levels(tested)).toBe("1 | 2 | 3 | 4 | 5");
    expect(named.sources(query(world, cascade(Warm), Warm))).toBe("1<- 2<1 3<2 4<3 5<4");
  });

  it("iterates a mixed tree in one pass, whatever storage each of its entities has", () => {
    const { world, spawnNamed } = named;
    const storages = [ChildOf, Parent];
    let parents: Entity[] = [spawnNamed("0:0", Tag)];
    for (let depth = 1; depth <= 4; depth++) {
      parents = parents.flatMap((parent, at) =>
        storages.map((storage, place) => spawnNamed(`${depth}:${at * 2 + place}`, Tag, storage(parent))),
      );
    }

    const depths = named
      .inOrder(query(world, Tag, cascade(Warm)))
      .split(" ")
      .map((name) => Number(name[0]));

    expect(depths).toEqual(
      [0, 1, 2, 3, 4].flatMap((depth) => Array.from({ length: 2 ** depth }, () => depth)),
    );
  });
});

describe("cascade along other relations", () => {
  it("follows an exclusive one, with children in both storages beside it", () => {
    const { world, spawnNamed } = named;
    const boat = spawnNamed("boat", Tag);
    const ship = spawnNamed("ship", Tag, Warm);
    const port = spawnNamed("port", Tag);
    add(world, boat, Docked(ship));
    add(world, ship, Docked(port));
    add(world, port, Parent(boat));

    expect(levels(query(world, Tag, cascade(Warm, { relation: Docked })))).toBe("port | ship | boat");
    expect(levels(query(world, Tag, cascade(Warm)))).toBe("boat ship | port");
    expect(named.sources(query(world, cascade(Warm, { relation: Docked }), Tag))).toBe(
      "boat<ship port<- ship<-",
    );
  });

  it("counts the longest path where there are many targets", () => {
    const { world, spawnNamed } = named;
    const [a, b] = [spawnNamed("a", Tag), spawnNamed("b", Tag)];
    const c = spawnNamed("c", Tag, Needs(a));
    const d = spawnNamed("d", Tag, Needs(a), Needs(c));
    const tested = query(world, Tag, cascade(Warm, { relation: Needs }));

    expect(levels(tested)).toBe("a b | c | d");
    add(world, c, Needs(b));
    add(world, a, Needs(b));
    expect(levels(tested)).toBe("b | a | c | d");
    remove(world, d, Needs(c));
    expect(levels(tested)).toBe("b | a | c d");
  });
});

describe("cascade is refused", () => {
  it.each<[string, () => unknown]>([
    ["inside or", () => or(cascade(Warm) as never)],
    ["inside not", () => not(cascade(Warm) as never)],
    ["inside maybe", () => maybe(cascade(Warm) as never)],
    ["of a tag", () => cascade(Tag as never)],
    ["along what cannot be followed", () => cascade(Warm, { relation: Likes })],
    ["along Parent, which ChildOf covers", () => cascade(Warm, { relation: Parent })],
  ])("%s", (_, term) => {
    expect(codeOf(() => query(named.world, term() as QueryTerm))).toBe("bad-query");
  });

  it("twice along different relations, or in both directions", () => {
    const make = (...terms: QueryTerm[]) => codeOf(() => query(named.world, ...terms));

    expect(make(cascade(Warm), cascade(Heavy, { relation: Docked }))).toBe("bad-query");
    expect(make(cascade(Warm), cascade(Warm, { desc: true }))).toBe("bad-query");
    expect(make(cascade(Warm, { relation: Docked }), cascade(Heavy, { relation: Docked }))).toBeUndefined();
  });
});
