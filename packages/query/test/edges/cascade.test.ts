import { Any, add, ChildOf, type Entity, Parent, type Relation, remove, spawnMany } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  bind,
  cascade,
  destroy,
  detachChildren,
  each,
  eachBatch,
  eachLevel,
  group,
  groupBy,
  maybe,
  not,
  or,
  orderBy,
  type Query,
  type QueryTerm,
  query,
  removeAll,
  up,
  variable,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Docked, Frozen, Likes, Needs, SoldIn, Tag } from "../definitions.ts";
import { bornWithIndexOf, cast, Heavy, STORAGES, setCast, Warm } from "./cast.ts";

/** What another engine of this kind gets wrong, or gives up, about visits of parents before children. */

beforeEach(setCast);

afterEach(() => {
  expect(verify(cast.world)).toEqual([]);
});

/** Who is visited, level by level, each level in the order of names: "a | b c | d". */
function levels(asked: Query): string {
  const found = new Map<number, string[]>();
  const order: number[] = [];
  eachBatch(asked, (batch) => {
    if (order.at(-1) !== batch.depth) order.push(batch.depth);
    const level = found.get(batch.depth) ?? [];
    found.set(batch.depth, level);
    for (let at = batch.from; at < batch.to; at++) level.push(cast.nameOf(batch.entityAt(batch.rows[at]!)));
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
  const { born } = cast;
  const [e, d] = [born("e", Tag), born("d", Tag)];
  const a = born("a", Tag, Warm);
  const b = born("b", Tag, one(a));
  const c = born("c", Tag, other(a));
  const x = born("x", Tag);
  const y = born("y", Tag, other(x), Warm);
  const z = born("z", Tag, one(y));
  add(cast.world, d, other(b));
  add(cast.world, e, one(d));
  return { a, b, c, d, e, x, y, z, asked: query(cast.world, Tag, cascade(Warm)) as Query };
}

describe.each(STORAGES)("cascade, with parents stored by %s", (_, one, other) => {
  it("comes parents first, whole levels of all trees together, roots included", () => {
    expect(levels(plantTree(one, other).asked)).toBe("a x | b c y | d z | e");
  });

  it("downwards comes children first, the same levels in reverse", () => {
    plantTree(one, other);

    expect(levels(query(cast.world, Tag, cascade(Warm, { desc: true })))).toBe("e | d z | b c y | a x");
  });

  it("does not filter, and hands over the nearest ancestor's value, if there is one", () => {
    plantTree(one, other);
    const asked = query(cast.world, cascade(Warm), Tag);

    expect(cast.sources(asked)).toBe("a<- b<a c<a d<a e<a x<- y<- z<y");
  });

  it("with up visits those who have such an ancestor only, by level", () => {
    plantTree(one, other);

    expect(levels(query(cast.world, Tag, cascade(Warm), up(Warm)))).toBe("b c | d z | e");
    expect(levels(query(cast.world, Tag, cascade(Warm), not(up(Warm))))).toBe("a x | y");
  });

  it("is right after parent and child change places", () => {
    const { a, b, d, asked } = plantTree(one, other);
    levels(asked);

    add(cast.world, d, one(a));
    add(cast.world, b, other(d));
    expect(levels(asked)).toBe("a x | c d y | b e z");
    remove(cast.world, d, ChildOf(Any));
    add(cast.world, a, one(d));
    expect(levels(asked)).toBe("d x | a b e y | c z");
  });

  it("is right after reparents at any level, deeper and shallower", () => {
    const { a, b, z, x, asked } = plantTree(one, other);
    levels(asked);

    add(cast.world, b, other(z));
    expect(levels(asked)).toBe("a x | c y | z | b | d | e");
    add(cast.world, x, one(a));
    expect(levels(asked)).toBe("a | c x | y | z | b | d | e");
    remove(cast.world, b, ChildOf(Any));
    expect(levels(asked)).toBe("a b | c d x | e y | z");
  });

  it("is right after a parent died and another was born with its index", () => {
    const { a, b, asked } = plantTree(one, other);
    levels(asked);

    destroy(cast.world, b);
    expect(levels(asked)).toBe("a x | c y | z");
    destroy(cast.world, a);
    const heir = bornWithIndexOf(cast.world, a);
    cast.born("heir's", Tag, one(heir));
    expect(levels(asked)).toBe("x | heir's y | z");
  });

  it("is right after children are detached, and after removeAll and making anew", () => {
    const { a, b, c, d, asked } = plantTree(one, other);
    levels(asked);

    detachChildren(cast.world, a);
    expect(levels(asked)).toBe("a b c x | d y | e z");
    removeAll(cast.world, ChildOf(Any));
    expect(levels(asked)).toBe("a b c d e x y z");
    for (const [child, parent] of [
      [b, a],
      [c, b],
      [d, c],
    ] as const)
      add(cast.world, child, one(parent));
    expect(levels(asked)).toBe("a e x y z | b | c | d");
    removeAll(cast.world, Warm);
    expect(cast.sources(query(cast.world, cascade(Warm), Tag))).toBe("a<- b<- c<- d<- e<- x<- y<- z<-");
  });

  it("goes with or, several of it", () => {
    const { c, z } = plantTree(one, other);
    add(cast.world, c, Frozen);
    cast.give(z, Heavy);

    expect(levels(query(cast.world, or(Frozen, Warm, Heavy), cascade(Warm)))).toBe("a | c y | z");
    expect(levels(query(cast.world, or(up(Warm), Heavy), or(Tag, Frozen), cascade(Warm)))).toBe(
      "b c | d z | e",
    );
  });

  it("goes with several cascade terms, each with its own source", () => {
    const { b } = plantTree(one, other);
    const { world, nameOf } = cast;
    cast.give(b, Heavy);
    const told: string[] = [];

    each(query(world, Tag, cascade(Warm), cascade(Heavy)), (warm, heavy, entity) => {
      told.push([entity, warm?.of, heavy?.of].map(nameOf).join(""));
    });

    expect(told.toSorted()).toEqual(["a--", "ba-", "ca-", "dab", "eab", "x--", "y--", "zy-"]);
    const depths = { a: 0, x: 0, b: 1, c: 1, y: 1, d: 2, z: 2, e: 3 };
    expect(told.map(([name]) => depths[name as "a"])).toEqual([0, 0, 1, 1, 1, 2, 2, 3]);
  });

  it("goes with groupBy: level by level in each group", () => {
    const { world, born } = cast;
    const [north, south] = [born("north"), born("south")];
    const { a, b, d, e, x, y } = plantTree(one, other);
    for (const entity of [e, b, a]) add(world, entity, SoldIn(north));
    for (const entity of [y, d, x]) add(world, entity, SoldIn(south));
    const asked = query(world, Tag, cascade(Warm), groupBy(SoldIn));

    expect(cast.inTurn(asked)).toBe("a b e x y d c z");
    expect(levels(group(asked, south))).toBe("x | y | d");
    expect(levels(group(asked, undefined))).toBe("c | z");
  });

  it("goes with orderBy: by the order within each level", () => {
    const { b, c, y } = plantTree(one, other);
    for (const [entity, of] of [
      [y, 1],
      [c, 2],
      [b, 3],
    ] as const)
      add(cast.world, entity, Heavy({ of }));

    expect(cast.inTurn(query(cast.world, Heavy, cascade(Warm), orderBy(Heavy, "of")))).toBe("y c b");
  });

  it("goes with a target, with a variable that is set, and with one that is free", () => {
    const { a, b, c } = plantTree(one, other);
    const parent = variable("parent");
    add(cast.world, c, one(b));
    const asked = query(cast.world, Tag, ChildOf(parent), cascade(Warm));

    expect(levels(query(cast.world, Tag, ChildOf(b), cascade(Warm)))).toBe("c d");
    expect(levels(bind(asked, parent, a))).toBe("b");
    expect(levels(bind(asked, parent, undefined))).toBe("b y | c d z | e");
  });

  it("levels are what may be worked on in any order: nobody in one is an ancestor of another", () => {
    const { asked } = plantTree(one, other);
    const told: string[] = [];

    eachLevel(asked, (level) => told.push(`${level.depth}: ${level.count}`));

    expect(told).toEqual(["0: 2", "1: 3", "2: 2", "3: 1"]);
  });

  it("carries values down in one visit", () => {
    const { world } = cast;
    const a = cast.born("a", Heavy({ of: 1 }));
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
  it.each(STORAGES)("lists a branch that came below another behind it, by %s", (_, one, other) => {
    const { world, born } = cast;
    const n1 = born("1", Warm);
    const n4 = born("4", Warm);
    const n2 = born("2", Warm, one(n1));
    born("5", Warm, one(n4));
    const n3 = born("3", Warm, other(n2));
    const asked = query(world, Warm, cascade(Warm));
    expect(levels(asked)).toBe("1 4 | 2 5 | 3");

    add(world, n4, other(n3));

    expect(levels(asked)).toBe("1 | 2 | 3 | 4 | 5");
    expect(cast.sources(query(world, cascade(Warm), Warm))).toBe("1<- 2<1 3<2 4<3 5<4");
  });

  it("visits a mixed tree in one pass, whatever storage each of its entities has", () => {
    const { world, born } = cast;
    const storages = [ChildOf, Parent];
    let parents: Entity[] = [born("0:0", Tag)];
    for (let depth = 1; depth <= 4; depth++) {
      parents = parents.flatMap((parent, at) =>
        storages.map((storage, place) => born(`${depth}:${at * 2 + place}`, Tag, storage(parent))),
      );
    }

    const depths = cast
      .inTurn(query(world, Tag, cascade(Warm)))
      .split(" ")
      .map((name) => Number(name[0]));

    expect(depths).toEqual(
      [0, 1, 2, 3, 4].flatMap((depth) => Array.from({ length: 2 ** depth }, () => depth)),
    );
  });
});

describe("cascade along other relations", () => {
  it("goes along an exclusive one, with children in both storages beside it", () => {
    const { world, born } = cast;
    const boat = born("boat", Tag);
    const ship = born("ship", Tag, Warm);
    const port = born("port", Tag);
    add(world, boat, Docked(ship));
    add(world, ship, Docked(port));
    add(world, port, Parent(boat));

    expect(levels(query(world, Tag, cascade(Warm, { relation: Docked })))).toBe("port | ship | boat");
    expect(levels(query(world, Tag, cascade(Warm)))).toBe("boat ship | port");
    expect(cast.sources(query(world, cascade(Warm, { relation: Docked }), Tag))).toBe(
      "boat<ship port<- ship<-",
    );
  });

  it("counts the longest way where there are many targets", () => {
    const { world, born } = cast;
    const [a, b] = [born("a", Tag), born("b", Tag)];
    const c = born("c", Tag, Needs(a));
    const d = born("d", Tag, Needs(a), Needs(c));
    const asked = query(world, Tag, cascade(Warm, { relation: Needs }));

    expect(levels(asked)).toBe("a b | c | d");
    add(world, c, Needs(b));
    add(world, a, Needs(b));
    expect(levels(asked)).toBe("b | a | c | d");
    remove(world, d, Needs(c));
    expect(levels(asked)).toBe("b | a | c d");
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
    expect(codeOf(() => query(cast.world, term() as QueryTerm))).toBe("bad-query");
  });

  it("twice along different relations, or in both directions", () => {
    const ask = (...terms: QueryTerm[]) => codeOf(() => query(cast.world, ...terms));

    expect(ask(cascade(Warm), cascade(Heavy, { relation: Docked }))).toBe("bad-query");
    expect(ask(cascade(Warm), cascade(Warm, { desc: true }))).toBe("bad-query");
    expect(ask(cascade(Warm, { relation: Docked }), cascade(Heavy, { relation: Docked }))).toBeUndefined();
  });
});
