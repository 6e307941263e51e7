import {
  Any,
  add,
  ChildOf,
  Parent,
  relation,
  remove,
  type SpawnTerm,
  spawn,
  spawnMany,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  all,
  bind,
  destroy,
  destroyWhere,
  each,
  eachRun,
  maybe,
  not,
  or,
  type QueryTerm,
  query,
  removeAll,
  variable,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Likes, Tag } from "../definitions.ts";
import { cast, setCast } from "./cast.ts";

/** What another engine of this kind gets wrong, or gives up, about wildcards and open targets. */

const Owes = relation("Owes");
const target = variable("target");
const parent = variable("parent");

beforeEach(setCast);

afterEach(() => {
  expect(verify(cast.world)).toEqual([]);
});

/** Two liked ones, three who like or owe, and a child of each in both storages. */
function plantLikes() {
  const { born } = cast;
  const [a, b] = [born("a"), born("b")];
  born("both", Likes(a), Likes(b));
  born("one", Likes(a), Owes(a));
  born("ower", Owes(b));
  born("f", ChildOf(a));
  born("k", Parent(b));
  return { a, b };
}

type Planted = ReturnType<typeof plantLikes>;

/** Who answers with what the first variable stands for: "f>a k>b". */
function pairs(...terms: QueryTerm[]): string {
  const found: string[] = [];
  each(query(cast.world, ...terms), (...row: unknown[]) => {
    found.push(`${cast.nameOf(row.at(-1) as number)}>${cast.nameOf(row[0] as number)}`);
  });
  return found.toSorted().join(" ");
}

describe("a wildcard answers once for each entity", () => {
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

    expect(cast.who(...terms(planted))).toBe(expected);
  });

  it("maybe of a wildcard tells whether there is one", () => {
    plantLikes();
    const told: string[] = [];

    each(query(cast.world, Any(Any), maybe(Likes(Any)), maybe(ChildOf(Any))), (likes, isChild, entity) => {
      told.push(`${cast.nameOf(entity)} ${likes} ${isChild}`);
    });

    expect(told.toSorted()).toEqual([
      "both true undefined",
      "f undefined true",
      "k undefined true",
      "one true undefined",
      "ower undefined undefined",
    ]);
  });

  it("in the same order in two worlds that went through the same", () => {
    const orders = [0, 1].map(() => {
      setCast();
      const { a } = plantLikes();
      return [Likes(Any), Any(a), Any(Any), ChildOf(Any)].map((term) => cast.inTurn(query(cast.world, term)));
    });

    expect(orders[0]).toEqual(orders[1]);
  });

  it("follows pairs that come and go, and targets that die", () => {
    const { a, b } = plantLikes();
    const { world } = cast;
    const [likes, any] = [query(world, Likes(Any)), query(world, Any(Any))];
    expect([cast.inTurn(likes), cast.who(Any(Any))]).toEqual(["both one", "both f k one ower"]);

    destroy(world, a);
    expect(
      [cast.inTurn(likes), cast.inTurn(any)].map((text) => text.split(" ").toSorted().join(" ")),
    ).toEqual(["both", "both k ower"]);
    removeAll(world, Any(b));
    expect([cast.inTurn(likes), cast.inTurn(any)]).toEqual(["", ""]);
  });
});

describe("an open target answers once for each pair", () => {
  it("names the target, the entity comes again for the next", () => {
    plantLikes();

    expect(pairs(Likes(target), target)).toBe("both>a both>b one>a");
    expect(pairs(Likes(target))).toBe("both>both both>both one>one");
  });

  it("names the parent of each child in both storages, and answers for no root", () => {
    plantLikes();

    expect(pairs(ChildOf(parent), parent)).toBe("f>a k>b");
    expect(pairs(not(Any(Any)), ChildOf(parent), parent)).toBe("");
  });

  it("names it one by one where children of many parents share a table", () => {
    const { world, born } = cast;
    const parents = ["p", "q", "r"].map((name) => born(name));
    for (const one of parents) for (const at of [1, 2]) born(`${cast.nameOf(one)}${at}`, Parent(one), Tag);

    expect(pairs(Tag, ChildOf(parent), parent)).toBe("p1>p p2>p q1>q q2>q r1>r r2>r");
    add(world, spawn(world), Tag);
    expect(pairs(Tag, ChildOf(parent), parent)).toBe("p1>p p2>p q1>q q2>q r1>r r2>r");
  });

  it("may be set, to somebody who has no such pair too", () => {
    const { a, b } = plantLikes();
    const asked = query(cast.world, Likes(target));

    expect([a, b].map((one) => cast.inTurn(bind(asked, target, one)))).toEqual(["both one", "both"]);
    expect(cast.inTurn(bind(asked, target, cast.born("nobody's")))).toBe("");
  });
});

describe("any parent", () => {
  it("comes as whole runs, not child by child", () => {
    const { world, born } = cast;
    for (let at = 0; at < 100; at++) spawnMany(world, 4, (at % 2 === 0 ? ChildOf : Parent)(born("p")), Tag);
    let [runs, met] = [0, 0];

    eachRun(query(world, Tag, ChildOf(Any)), ({ first, end }) => {
      runs++;
      met += end - first;
    });

    expect(met).toBe(400);
    expect(runs).toBeLessThan(5);
  });
});

describe("verbs take wildcards", () => {
  it("remove of any parent makes a root, in both storages", () => {
    const { b } = plantLikes();
    const { world, born, who } = cast;
    const children = [born("f2", ChildOf(b)), born("k2", Parent(b))];
    expect(who(ChildOf(Any))).toBe("f f2 k k2");

    for (const child of children) remove(world, child, ChildOf(Any));

    expect(who(ChildOf(Any))).toBe("f k");
  });

  it("removeAll of any target, and of any relation to a target, take pairs off and leave everybody alive", () => {
    const { a } = plantLikes();
    const { world, who } = cast;

    removeAll(world, Likes(Any));
    expect([who(Likes(Any)), who(Any(a))]).toEqual(["", "f one"]);
    removeAll(world, Any(a));
    expect([who(Any(Any)), who(not(Any(Any)))]).toEqual(["k ower", "a b both f one"]);
    removeAll(world, ChildOf(Any));
    expect(who(ChildOf(Any))).toBe("");
  });

  it("destroyWhere of any relation to a target ends those who have it, in both storages", () => {
    const { b } = plantLikes();

    expect(destroyWhere(cast.world, Any(b))).toBe(3);

    expect(cast.who(not(Tag))).toBe("a b f one");
  });

  it.each<[string, () => SpawnTerm]>([
    ["any target", () => Likes(Any) as never],
    ["any relation", () => Any(spawn(cast.world)) as never],
    ["any parent", () => ChildOf(Any) as never],
    ["an open target", () => Likes(target) as never],
  ])("nobody can be given %s", (_, term) => {
    const one = spawn(cast.world);

    expect(codeOf(() => add(cast.world, one, term() as never))).toMatch(/^(bad-term|dead-entity)$/);
    expect(codeOf(() => spawn(cast.world, term()))).toMatch(/^(bad-term|dead-entity)$/);
    expect(cast.who(Any(Any))).toBe("");
  });

  it("a relation to be found is refused: a wildcard relation takes no open target", () => {
    expect(codeOf(() => query(cast.world, Any(target as never)))).toBe("bad-query");
  });
});
