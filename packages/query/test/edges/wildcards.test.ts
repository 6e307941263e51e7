import { add, remove, type SpawnTerm, spawn, spawnMany } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { destroy, destroyWhere, each, eachRun, type QueryTerm, query, removeAll } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Likes, Tag } from "../definitions.ts";
import { Any, ChildOf, Parent } from "../public/builtins.ts";
import { relation } from "../public/define.ts";
import { all, maybe, not, or } from "../public/filters.ts";
import { bind } from "../public/parts.ts";
import { variable } from "../public/terms.ts";
import { named, replaceNamedWorld, setUpNamedWorld } from "./named-world.ts";

/** Cases of wildcards and open targets that similar engines get wrong, or do not support. */

const Owes = relation("Owes");
const target = variable("target");
const parent = variable("parent");

setUpNamedWorld();

/** Two liked entities, three that like or owe, and a child of each in both storages. */
function plantLikes() {
  const { spawnNamed } = named;
  const [a, b] = [spawnNamed("a"), spawnNamed("b")];
  spawnNamed("both", Likes(a), Likes(b));
  spawnNamed("one", Likes(a), Owes(a));
  spawnNamed("ower", Owes(b));
  spawnNamed("f", ChildOf(a));
  spawnNamed("k", Parent(b));
  return { a, b };
}

type Planted = ReturnType<typeof plantLikes>;

/** The entities that match with what the first variable is bound to: "f>a k>b". */
function pairs(...terms: QueryTerm[]): string {
  const found: string[] = [];
  each(query(named.world, ...terms), (...row: unknown[]) => {
    found.push(`${named.nameOf(row.at(-1) as number)}>${named.nameOf(row[0] as number)}`);
  });
  return found.toSorted().join(" ");
}

describe("a wildcard matches once for each entity", () => {
  it.each<[string, (planted: Planted) => QueryTerm[], string]>([
    ["any target of a relation", () => [Likes(Any)], "both one"],
    ["any relation to a target", ({ a }) => [Any(a)], "both f one"],
    ["any relation to any target", () => [Any(Any)], "both f k one ower"],
    ["any parent, in both storages", () => [ChildOf(Any)], "f k"],
    ["any parent in the one storage", () => [Parent(Any)], "k"],
    ["two wildcards", () => [Likes(Any), Owes(Any)], "one"],
    ["a wildcard and a target", ({ b }) => [Likes(Any), Likes(b)], "both"],
    ["no target of a relation", () => [not(Likes(Any)), Any(Any)], "f k ower"],
    ["no relation to a target", ({ a }) => [Any(Any), not(Any(a))], "k ower"],
    ["no relation at all", () => [not(Any(Any))], "a b"],
    ["one wildcard or another", ({ b }) => [or(Likes(Any), Any(b))], "both k one ower"],
    ["not a group of wildcards", () => [Any(Any), not(all(Likes(Any), Owes(Any)))], "both f k ower"],
  ])("%s", (_, terms, expected) => {
    const planted = plantLikes();

    expect(named.matches(...terms(planted))).toBe(expected);
  });

  it("maybe of a wildcard passes whether there is one", () => {
    plantLikes();
    const reported: string[] = [];

    each(query(named.world, Any(Any), maybe(Likes(Any)), maybe(ChildOf(Any))), (likes, isChild, entity) => {
      reported.push(`${named.nameOf(entity)} ${likes} ${isChild}`);
    });

    expect(reported.toSorted()).toEqual([
      "both true undefined",
      "f undefined true",
      "k undefined true",
      "one true undefined",
      "ower undefined undefined",
    ]);
  });

  it("matches in the same order in two worlds with the same history", () => {
    const orders = [0, 1].map(() => {
      replaceNamedWorld();
      const { a } = plantLikes();
      return [Likes(Any), Any(a), Any(Any), ChildOf(Any)].map((term) =>
        named.inOrder(query(named.world, term)),
      );
    });

    expect(orders[0]).toEqual(orders[1]);
  });

  it("follows pairs that come and go, and targets that are destroyed", () => {
    const { a, b } = plantLikes();
    const { world } = named;
    const [likes, any] = [query(world, Likes(Any)), query(world, Any(Any))];
    expect([named.inOrder(likes), named.matches(Any(Any))]).toEqual(["both one", "both f k one ower"]);

    destroy(world, a);
    expect(
      [named.inOrder(likes), named.inOrder(any)].map((text) => text.split(" ").toSorted().join(" ")),
    ).toEqual(["both", "both k ower"]);
    removeAll(world, Any(b));
    expect([named.inOrder(likes), named.inOrder(any)]).toEqual(["", ""]);
  });
});

describe("an open target matches once for each pair", () => {
  it("passes the target, and the entity comes again for the next", () => {
    plantLikes();

    expect(pairs(Likes(target), target)).toBe("both>a both>b one>a");
    expect(pairs(Likes(target))).toBe("both>both both>both one>one");
  });

  it("passes the parent of each child in both storages, and matches no root", () => {
    plantLikes();

    expect(pairs(ChildOf(parent), parent)).toBe("f>a k>b");
    expect(pairs(not(Any(Any)), ChildOf(parent), parent)).toBe("");
  });

  it("passes it one by one where children of many parents share a table", () => {
    const { world, spawnNamed } = named;
    const parents = ["p", "q", "r"].map((name) => spawnNamed(name));
    for (const one of parents)
      for (const at of [1, 2]) spawnNamed(`${named.nameOf(one)}${at}`, Parent(one), Tag);

    expect(pairs(Tag, ChildOf(parent), parent)).toBe("p1>p p2>p q1>q q2>q r1>r r2>r");
    add(world, spawn(world), Tag);
    expect(pairs(Tag, ChildOf(parent), parent)).toBe("p1>p p2>p q1>q q2>q r1>r r2>r");
  });

  it("can be set, also to an entity that is the target of no such pair", () => {
    const { a, b } = plantLikes();
    const tested = query(named.world, Likes(target));

    expect([a, b].map((one) => named.inOrder(bind(tested, target, one)))).toEqual(["both one", "both"]);
    expect(named.inOrder(bind(tested, target, named.spawnNamed("unused")))).toBe("");
  });
});

describe("any parent", () => {
  it("comes as whole runs, not child by child", () => {
    const { world, spawnNamed } = named;
    for (let at = 0; at < 100; at++)
      spawnMany(world, 4, (at % 2 === 0 ? ChildOf : Parent)(spawnNamed("p")), Tag);
    let [runs, met] = [0, 0];

    eachRun(query(world, Tag, ChildOf(Any)), ({ first, end }) => {
      runs++;
      met += end - first;
    });

    expect(met).toBe(400);
    expect(runs).toBeLessThan(5);
  });
});

describe("verbs accept wildcards", () => {
  it("remove of any parent makes a root, in both storages", () => {
    const { b } = plantLikes();
    const { world, spawnNamed, matches } = named;
    const children = [spawnNamed("f2", ChildOf(b)), spawnNamed("k2", Parent(b))];
    expect(matches(ChildOf(Any))).toBe("f f2 k k2");

    for (const child of children) remove(world, child, ChildOf(Any));

    expect(matches(ChildOf(Any))).toBe("f k");
  });

  it("removeAll of any target, and of any relation to a target, remove pairs and destroy nothing", () => {
    const { a } = plantLikes();
    const { world, matches } = named;

    removeAll(world, Likes(Any));
    expect([matches(Likes(Any)), matches(Any(a))]).toEqual(["", "f one"]);
    removeAll(world, Any(a));
    expect([matches(Any(Any)), matches(not(Any(Any)))]).toEqual(["k ower", "a b both f one"]);
    removeAll(world, ChildOf(Any));
    expect(matches(ChildOf(Any))).toBe("");
  });

  it("destroyWhere of any relation to a target destroys its subjects, in both storages", () => {
    const { b } = plantLikes();

    expect(destroyWhere(named.world, Any(b))).toBe(3);

    expect(named.matches(not(Tag))).toBe("a b f one");
  });

  it.each<[string, () => SpawnTerm]>([
    ["any target", () => Likes(Any) as never],
    ["any relation", () => Any(spawn(named.world)) as never],
    ["any parent", () => ChildOf(Any) as never],
    ["an open target", () => Likes(target) as never],
  ])("an entity cannot be given %s", (_, term) => {
    const one = spawn(named.world);

    expect(codeOf(() => add(named.world, one, term() as never))).toMatch(/^(bad-term|dead-entity)$/);
    expect(codeOf(() => spawn(named.world, term()))).toMatch(/^(bad-term|dead-entity)$/);
    expect(named.matches(Any(Any))).toBe("");
  });

  it("a relation to be bound is refused: a wildcard relation does not accept an open target", () => {
    expect(codeOf(() => query(named.world, Any(target as never)))).toBe("bad-query");
  });
});
