import {
  Any,
  add,
  ChildOf,
  Disabled,
  DisabledTree,
  type Entity,
  Parent,
  relation,
  remove,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  all,
  bind,
  changed,
  count,
  destroy,
  each,
  eachRun,
  entities,
  maybe,
  not,
  on,
  or,
  type Query,
  type QueryTerm,
  query,
  up,
  variable,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { DockedTo, Frozen, Likes, MemberOf, Owes, Tag } from "../definitions.ts";
import { bornWithIndexOf, cast, Heavy, STORAGES, setCast, Warm } from "./cast.ts";

/** What another engine of this kind does with variables, and more of it. */

const Knows = relation("Knows", { reflexive: true });
const p = variable("parent");
const ship = variable("ship");
const team = variable("team");

beforeEach(setCast);

afterEach(() => {
  expect(verify(cast.world)).toEqual([]);
});

/** Each answer as "x>a,b": who, and what the variables that were given as terms stand for. */
function joins(asked: Query): string {
  const found: string[] = [];
  each(asked, (...row: unknown[]) => {
    const names = row.map((one) => cast.nameOf(one as number));
    found.push(`${names.at(-1)}>${names.slice(0, -1).join(",")}`);
  });
  return found.toSorted().join(" ");
}

describe("children of this one, with one query", () => {
  it("for 1,000 parents with children in both storages", () => {
    const { world, born } = cast;
    const parents: Entity[] = [];
    for (let at = 0; at < 1000; at++) {
      const parent = born(`p${at}`);
      parents.push(parent);
      born(`f${at}`, ChildOf(parent), Tag);
      born(`k${at}`, Parent(parent), Tag);
    }
    const childrenOf = query(world, Tag, ChildOf(p));
    const wrong: string[] = [];

    parents.forEach((parent, at) => {
      const met = cast.inTurn(bind(childrenOf, p, parent));
      if (met !== `f${at} k${at}`) wrong.push(met);
    });

    expect(wrong).toEqual([]);
    expect(count(bind(childrenOf, p, undefined))).toBe(2000);
  });

  it("follows children who come, go and change storage, and is empty for the childless and the dead", () => {
    const { world, born } = cast;
    const [a, b] = [born("a"), born("b")];
    const k = born("k", Parent(a));
    const childrenOf = query(world, ChildOf(p));
    const of = (parent: Entity): string => cast.inTurn(bind(childrenOf, p, parent));
    expect([of(a), of(b), of(k)]).toEqual(["k", "", ""]);

    add(world, k, ChildOf(b));
    expect([of(a), of(b)]).toEqual(["", "k"]);
    destroy(world, b);
    expect([of(a), of(b)]).toEqual(["", ""]);
    const heir = bornWithIndexOf(world, b);
    born("j", Parent(heir));
    expect([of(b), of(heir)]).toEqual(["", "j"]);
  });

  it("is visited as it was set when the visit began", () => {
    const { world, born } = cast;
    const [a, b] = [born("a"), born("b")];
    for (const parent of [a, a, b]) born("c", ChildOf(parent));
    const childrenOf = query(world, ChildOf(p));
    let met = 0;

    each(bind(childrenOf, p, a), () => {
      met++;
      bind(childrenOf, p, b);
    });

    expect([met, count(childrenOf)]).toEqual([2, 1]);
  });

  it("is visited as it was set, also by columns of pairs, when it is set anew in the visit", () => {
    const { world, born } = cast;
    const [a, b] = [born("a"), born("b")];
    born("x", Owes(a, { coins: 1 }), Owes(b, { coins: 10 }));
    born("y", Owes(a, { coins: 2 }), Owes(b, { coins: 20 }), Tag);
    const asked = query(world, Owes(p));
    const coins: number[] = [];

    eachRun(bind(asked, p, a), (run) => {
      coins.push(run.columns<{ coins: Float32Array }>(Owes(p) as never).coins[run.first]!);
      bind(asked, p, b);
    });

    expect(coins).toEqual([1, 2]);
  });

  it.each(STORAGES)(
    "comes the same by runs as one by one, whatever befalls a family: %s",
    (_, one, other) => {
      const { world, born } = cast;
      const parents = [born("a"), born("b"), born("empty")];
      const children = parents
        .slice(0, 2)
        .flatMap((parent) => [1, 2, 3].map(() => born("c", one(parent), Tag)));
      const asked = query(world, Tag, ChildOf(p));
      const byRuns = (parent: Entity): Entity[] => {
        const found: Entity[] = [];
        eachRun(bind(asked, p, parent), (run) => {
          expect(world.deferDepth).toBe(1);
          for (let row = run.first; row < run.end; row++) found.push(run.entityAt(row));
        });
        return found;
      };
      const changes: (() => unknown)[] = [
        () => undefined,
        () => add(world, children[0]!, Disabled),
        () => add(world, children[1]!, Frozen),
        () => born("c", other(parents[0]!), Tag),
        () => remove(world, children[3]!, Tag),
        () => add(world, children[4]!, other(parents[0]!)),
        () => add(world, parents[0]!, DisabledTree),
        () => remove(world, parents[0]!, DisabledTree),
        () => destroy(world, children[5]!),
        () => destroy(world, parents[1]!),
      ];

      for (const [step, change] of changes.entries()) {
        change();
        const met = parents.map((parent) => [step, byRuns(parent)]);
        expect(met).toEqual(parents.map((parent) => [step, entities(bind(asked, p, parent))]));
      }
      expect(byRuns(parents[0]!).length).toBeGreaterThan(2);
      expect(world.deferDepth).toBe(0);
    },
  );

  it("by runs makes changes wait, unlocks after an error, and marks what is declared to be written", () => {
    const { world, born } = cast;
    const a = born("a");
    const child = born("x", ChildOf(a), Warm);
    const watched = query(world, changed(Warm));
    entities(watched);
    const asked = bind(query(world, Warm, ChildOf(p)), p, a);

    expect(() =>
      eachRun(asked, () => {
        remove(world, child, ChildOf(Any));
        expect(entities(asked)).toEqual([child]);
        throw new Error("enough");
      }),
    ).toThrow("enough");
    expect([world.deferDepth, entities(asked)]).toEqual([0, []]);

    add(world, child, ChildOf(a));
    eachRun(asked, () => undefined, { writes: [Warm] });
    expect(entities(watched)).toEqual([child]);
  });

  it("comes as one run for each family, and may be asked with not, or, maybe and up beside it", () => {
    const { world, born, give } = cast;
    const a = born("a", Warm);
    const [x, y] = [born("x", Parent(a)), born("y", ChildOf(a), Tag)];
    born("z", Parent(x));
    give(y, Heavy);
    const ask = (...terms: QueryTerm[]): string => {
      const asked = query(world, ChildOf(p), ...terms);
      return cast
        .inTurn(bind(asked, p, a))
        .split(" ")
        .toSorted()
        .join(" ");
    };

    expect([ask(not(Tag)), ask(or(Tag, Warm)), ask(maybe(Tag)), ask(up(Warm))]).toEqual([
      "x",
      "y",
      "x y",
      "x y",
    ]);
    let runs = 0;
    eachRun(bind(query(world, Tag, ChildOf(p)), p, a), () => runs++);
    expect(runs).toBe(1);
  });
});

describe("joins", () => {
  it("siblings are the children of one's own parent, in both storages, oneself included", () => {
    const { world, born } = cast;
    const [a, b] = [born("a"), born("b")];
    const me = born("me", Parent(a));
    born("brother", ChildOf(a));
    born("sister", Parent(a));
    born("stranger", Parent(b));
    const siblings = query(world, ChildOf(p), on(me, ChildOf(p)), p);

    expect(joins(siblings)).toBe("brother>a me>a sister>a");
    add(world, me, ChildOf(b));
    expect(joins(siblings)).toBe("me>b stranger>b");
    remove(world, me, ChildOf(Any));
    expect(joins(siblings)).toBe("");
    destroy(world, me);
    expect(joins(siblings)).toBe("");
  });

  it("terms that name one variable share it: who is docked to a ship of their own team", () => {
    const { world, born } = cast;
    const [red, blue] = [born("red"), born("blue")];
    const [r, b] = [born("r", MemberOf(red)), born("b", MemberOf(blue))];
    born("friend", DockedTo(r), MemberOf(red));
    born("foe", DockedTo(b), MemberOf(red));
    born("nobody", DockedTo(b));
    const asked = query(world, DockedTo(ship), on(ship, MemberOf(team)), MemberOf(team), ship, team);

    expect(joins(asked)).toBe("friend>r,red");
    add(world, b, MemberOf(red));
    expect(joins(asked)).toBe("foe>b,red friend>r,red");
    expect(joins(bind(asked, ship, b))).toBe("foe>b,red");
    expect(joins(bind(bind(asked, ship, undefined), team, blue))).toBe("");
  });

  it("a component may be asked of what is bound, and its value handed over", () => {
    const { world, born } = cast;
    const [a, b] = [born("a", Warm), born("b")];
    for (const parent of [a, b]) born(`${cast.nameOf(parent)}'s`, Parent(parent));

    expect(joins(query(world, ChildOf(p), on(p, Warm), p)).replace(/>.*,/, ">")).toBe("a's>a");
    expect(cast.sources(query(world, on(p, Warm), ChildOf(p)))).toBe("a's<a");
  });

  it("each answer comes once, also where several pairs lead to it", () => {
    const { world, born } = cast;
    const [a, b] = [born("a"), born("b")];
    born("x", Likes(a), Likes(b));
    add(world, a, Likes(b));

    expect(joins(query(world, Likes(ship), on(ship, Likes(team)), Likes(team), ship, team))).toBe("x>a,b");
    expect(joins(query(world, Likes(ship), ship))).toBe("a>b x>a x>b");
  });

  it("a reflexive relation holds with oneself", () => {
    const { world, born } = cast;
    const a = born("a");
    born("b", Knows(a));

    expect(joins(query(world, Knows(ship), ship, or(Knows(a))))).toBe("a>a b>a b>b");
  });

  it("what a variable stands for may be excluded, or told by maybe, if another term finds it", () => {
    const { world, born } = cast;
    const [a, b] = [born("a", Tag), born("b")];
    born("x", ChildOf(a), Likes(a));
    born("y", Parent(b));

    expect(joins(query(world, ChildOf(p), not(Likes(p)), p))).toBe("y>b");
    expect(joins(query(world, ChildOf(p), not(all(Likes(p), on(p, Tag))), p))).toBe("y>b");
    expect(joins(query(world, ChildOf(p), or(Likes(p), on(p, Frozen)), p))).toBe("x>a");
    const told: string[] = [];
    each(query(world, ChildOf(p), maybe(Likes(p))), (likes, entity) =>
      told.push(`${cast.nameOf(entity)} ${likes}`),
    );
    expect(told.toSorted()).toEqual(["x true", "y undefined"]);
    expect(codeOf(() => query(world, not(Likes(p))))).toBe("bad-query");
    expect(codeOf(() => query(world, Tag, p))).toBe("bad-query");
  });
});

describe("binding", () => {
  it("refuses a variable that no term has, and what is no entity", () => {
    const asked = query(cast.world, ChildOf(p));

    expect(codeOf(() => bind(asked, ship, cast.born("a")))).toBe("bad-query");
    expect(codeOf(() => bind(asked, p, -5 as Entity))).toBe("dead-entity");
    expect(cast.inTurn(asked)).toBe("");
  });

  it("of one query leaves others with the variable alone, unless they are the same question", () => {
    const { world, born } = cast;
    const [a, b] = [born("a"), born("b")];
    born("x", ChildOf(a), Tag);
    born("y", ChildOf(b), Tag);
    const [one, other] = [query(world, ChildOf(p)), query(world, Tag, ChildOf(p))];

    bind(one, p, a);

    expect([cast.inTurn(one), count(other)]).toEqual(["x", 2]);
    expect(query(world, ChildOf(p))).toBe(one);
  });
});
