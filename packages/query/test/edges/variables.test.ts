import { add, type Entity, remove } from "@treeline/core";
import { describe, expect, it } from "vitest";
import type { Query, QueryTerm } from "../../src/index.ts";
import { count, destroy, each, eachRun, entities, query } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { DockedTo, Frozen, Likes, MemberOf, Owes, Tag } from "../definitions.ts";
import { Any, ChildOf, Disabled, DisabledTree, Parent } from "../public/builtins.ts";
import { relation } from "../public/define.ts";
import { all, changed, maybe, not, or } from "../public/filters.ts";
import { bind, unbind } from "../public/parts.ts";
import { on, up, variable } from "../public/terms.ts";
import { isIterating } from "../world-state.ts";
import { Heavy, named, STORAGES, setUpNamedWorld, spawnWithIndexOf, Warm } from "./named-world.ts";

/** What similar engines do with variables, and more. */

const Knows = relation("Knows", { reflexive: true });
const p = variable("parent");
const ship = variable("ship");
const team = variable("team");

setUpNamedWorld();

/** Each match as "x>a,b": the entity, and what the variables that are terms are bound to. */
function joins(tested: Query): string {
  const found: string[] = [];
  each(tested, (...row: unknown[]) => {
    const names = row.map((one) => named.nameOf(one as number));
    found.push(`${names.at(-1)}>${names.slice(0, -1).join(",")}`);
  });
  return found.toSorted().join(" ");
}

describe("children of an entity, with one query", () => {
  it("for 1,000 parents with children in both storages", () => {
    const { world, spawnNamed } = named;
    const parents: Entity[] = [];
    for (let at = 0; at < 1000; at++) {
      const parent = spawnNamed(`p${at}`);
      parents.push(parent);
      spawnNamed(`f${at}`, ChildOf(parent), Tag);
      spawnNamed(`k${at}`, Parent(parent), Tag);
    }
    const childrenOf = query(world, Tag, ChildOf(p));
    const wrong: string[] = [];

    parents.forEach((parent, at) => {
      const met = named.inOrder(bind(childrenOf, p, parent));
      if (met !== `f${at} k${at}`) wrong.push(met);
    });

    expect(wrong).toEqual([]);
    expect(count(unbind(childrenOf, p))).toBe(2000);
  });

  it("follows children that come, go and change storage, and is empty for the childless and the destroyed", () => {
    const { world, spawnNamed } = named;
    const [a, b] = [spawnNamed("a"), spawnNamed("b")];
    const k = spawnNamed("k", Parent(a));
    const childrenOf = query(world, ChildOf(p));
    const of = (parent: Entity): string => named.inOrder(bind(childrenOf, p, parent));
    expect([of(a), of(b), of(k)]).toEqual(["k", "", ""]);

    add(world, k, ChildOf(b));
    expect([of(a), of(b)]).toEqual(["", "k"]);
    destroy(world, b);
    expect([of(a), of(b)]).toEqual(["", ""]);
    const reused = spawnWithIndexOf(world, b);
    spawnNamed("j", Parent(reused));
    expect([of(b), of(reused)]).toEqual(["", "j"]);
  });

  it("is iterated for the variable as it was set when the iteration began", () => {
    const { world, spawnNamed } = named;
    const [a, b] = [spawnNamed("a"), spawnNamed("b")];
    for (const parent of [a, a, b]) spawnNamed("c", ChildOf(parent));
    const childrenOf = query(world, ChildOf(p));
    let met = 0;

    each(bind(childrenOf, p, a), () => {
      met++;
      bind(childrenOf, p, b);
    });

    expect([met, count(childrenOf)]).toEqual([2, 1]);
  });

  it("is iterated as it was set, also by columns of pairs, when it is set again in the iteration", () => {
    const { world, spawnNamed } = named;
    const [a, b] = [spawnNamed("a"), spawnNamed("b")];
    spawnNamed("x", Owes(a, { coins: 1 }), Owes(b, { coins: 10 }));
    spawnNamed("y", Owes(a, { coins: 2 }), Owes(b, { coins: 20 }), Tag);
    const tested = query(world, Owes(p));
    const coins: number[] = [];

    eachRun(bind(tested, p, a), (run) => {
      coins.push(run.columns<{ coins: Float32Array }>(Owes(p) as never).coins[run.first]!);
      bind(tested, p, b);
    });

    expect(coins).toEqual([1, 2]);
  });

  it.each(STORAGES)(
    "matches the same by runs as one by one, whatever happens to the children: %s",
    (_, one, other) => {
      const { world, spawnNamed } = named;
      const parents = [spawnNamed("a"), spawnNamed("b"), spawnNamed("empty")];
      const children = parents
        .slice(0, 2)
        .flatMap((parent) => [1, 2, 3].map(() => spawnNamed("c", one(parent), Tag)));
      const tested = query(world, Tag, ChildOf(p));
      const byRuns = (parent: Entity): Entity[] => {
        const found: Entity[] = [];
        eachRun(bind(tested, p, parent), (run) => {
          expect(isIterating(world)).toBe(true);
          for (let row = run.first; row < run.end; row++) found.push(run.entityAt(row));
        });
        return found;
      };
      const changes: (() => unknown)[] = [
        () => undefined,
        () => add(world, children[0]!, Disabled),
        () => add(world, children[1]!, Frozen),
        () => spawnNamed("c", other(parents[0]!), Tag),
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
        expect(met).toEqual(parents.map((parent) => [step, entities(bind(tested, p, parent))]));
      }
      expect(byRuns(parents[0]!).length).toBeGreaterThan(2);
      expect(isIterating(world)).toBe(false);
    },
  );

  it("by runs defers changes, unlocks after an error, and marks declared writes", () => {
    const { world, spawnNamed } = named;
    const a = spawnNamed("a");
    const child = spawnNamed("x", ChildOf(a), Warm);
    const watched = query(world, changed(Warm));
    entities(watched);
    const tested = bind(query(world, Warm, ChildOf(p)), p, a);

    expect(() =>
      eachRun(tested, () => {
        remove(world, child, ChildOf(Any));
        expect(entities(tested)).toEqual([child]);
        throw new Error("enough");
      }),
    ).toThrow("enough");
    expect([isIterating(world), entities(tested)]).toEqual([false, []]);

    add(world, child, ChildOf(a));
    eachRun(tested, () => undefined, { writes: [Warm] });
    expect(entities(watched)).toEqual([child]);
  });

  it("comes as one run for all children of a parent, and combines with not, or, maybe and up", () => {
    const { world, spawnNamed, addOwn } = named;
    const a = spawnNamed("a", Warm);
    const [x, y] = [spawnNamed("x", Parent(a)), spawnNamed("y", ChildOf(a), Tag)];
    spawnNamed("z", Parent(x));
    addOwn(y, Heavy);
    const resultsWith = (...terms: QueryTerm[]): string => {
      const tested = query(world, ChildOf(p), ...terms);
      return named
        .inOrder(bind(tested, p, a))
        .split(" ")
        .toSorted()
        .join(" ");
    };

    expect([
      resultsWith(not(Tag)),
      resultsWith(or(Tag, Warm)),
      resultsWith(maybe(Tag)),
      resultsWith(up(Warm)),
    ]).toEqual(["x", "y", "x y", "x y"]);
    let runs = 0;
    eachRun(bind(query(world, Tag, ChildOf(p)), p, a), () => runs++);
    expect(runs).toBe(1);
  });
});

describe("joins", () => {
  it("siblings are the children of the entity's own parent, in both storages, the entity included", () => {
    const { world, spawnNamed } = named;
    const [a, b] = [spawnNamed("a"), spawnNamed("b")];
    const me = spawnNamed("me", Parent(a));
    spawnNamed("brother", ChildOf(a));
    spawnNamed("sister", Parent(a));
    spawnNamed("stranger", Parent(b));
    const siblings = query(world, ChildOf(p), on(me, ChildOf(p)), p);

    expect(joins(siblings)).toBe("brother>a me>a sister>a");
    add(world, me, ChildOf(b));
    expect(joins(siblings)).toBe("me>b stranger>b");
    remove(world, me, ChildOf(Any));
    expect(joins(siblings)).toBe("");
    destroy(world, me);
    expect(joins(siblings)).toBe("");
  });

  it("terms that name one variable share it: entities docked to a ship of their own team", () => {
    const { world, spawnNamed } = named;
    const [red, blue] = [spawnNamed("red"), spawnNamed("blue")];
    const [r, b] = [spawnNamed("r", MemberOf(red)), spawnNamed("b", MemberOf(blue))];
    spawnNamed("friend", DockedTo(r), MemberOf(red));
    spawnNamed("foe", DockedTo(b), MemberOf(red));
    spawnNamed("unbound", DockedTo(b));
    const tested = query(world, DockedTo(ship), on(ship, MemberOf(team)), MemberOf(team), ship, team);

    expect(joins(tested)).toBe("friend>r,red");
    add(world, b, MemberOf(red));
    expect(joins(tested)).toBe("foe>b,red friend>r,red");
    expect(joins(bind(tested, ship, b))).toBe("foe>b,red");
    expect(joins(bind(unbind(tested, ship), team, blue))).toBe("");
  });

  it("a component may be required of a bound entity, and its value passed", () => {
    const { world, spawnNamed } = named;
    const [a, b] = [spawnNamed("a", Warm), spawnNamed("b")];
    for (const parent of [a, b]) spawnNamed(`${named.nameOf(parent)}'s`, Parent(parent));

    expect(joins(query(world, ChildOf(p), on(p, Warm), p)).replace(/>.*,/, ">")).toBe("a's>a");
    expect(named.sources(query(world, on(p, Warm), ChildOf(p)))).toBe("a's<a");
  });

  it("each match comes once, also if several pairs lead to it", () => {
    const { world, spawnNamed } = named;
    const [a, b] = [spawnNamed("a"), spawnNamed("b")];
    spawnNamed("x", Likes(a), Likes(b));
    add(world, a, Likes(b));

    expect(joins(query(world, Likes(ship), on(ship, Likes(team)), Likes(team), ship, team))).toBe("x>a,b");
    expect(joins(query(world, Likes(ship), ship))).toBe("a>b x>a x>b");
  });

  it("a reflexive relation holds between an entity and itself", () => {
    const { world, spawnNamed } = named;
    const a = spawnNamed("a");
    spawnNamed("b", Knows(a));

    expect(joins(query(world, Knows(ship), ship, or(Knows(a))))).toBe("a>a b>a b>b");
  });

  it("a bound entity may be excluded, or used in maybe, if another term finds it", () => {
    const { world, spawnNamed } = named;
    const [a, b] = [spawnNamed("a", Tag), spawnNamed("b")];
    spawnNamed("x", ChildOf(a), Likes(a));
    spawnNamed("y", Parent(b));

    expect(joins(query(world, ChildOf(p), not(Likes(p)), p))).toBe("y>b");
    expect(joins(query(world, ChildOf(p), not(all(Likes(p), on(p, Tag))), p))).toBe("y>b");
    expect(joins(query(world, ChildOf(p), or(Likes(p), on(p, Frozen)), p))).toBe("x>a");
    const reported: string[] = [];
    each(query(world, ChildOf(p), maybe(Likes(p))), (likes, entity) =>
      reported.push(`${named.nameOf(entity)} ${likes}`),
    );
    expect(reported.toSorted()).toEqual(["x true", "y undefined"]);
    expect(codeOf(() => query(world, not(Likes(p))))).toBe("bad-query");
    expect(codeOf(() => query(world, Tag, p))).toBe("bad-query");
  });
});

describe("binding", () => {
  it("refuses a variable that no term has, and a value that is not an entity", () => {
    const tested = query(named.world, ChildOf(p));

    expect(codeOf(() => bind(tested, ship, named.spawnNamed("a")))).toBe("bad-query");
    expect(codeOf(() => bind(tested, p, -5 as Entity))).toBe("dead-entity");
    expect(codeOf(() => unbind(tested, ship))).toBe("bad-query");
    expect(named.inOrder(tested)).toBe("");
  });

  it("refuses undefined and stays as it was; unbind frees the variable, also one that is free", () => {
    const { world, spawnNamed } = named;
    const [a, b] = [spawnNamed("a"), spawnNamed("b")];
    spawnNamed("c", ChildOf(a));
    spawnNamed("d", ChildOf(b));
    const tested = bind(query(world, ChildOf(p)), p, a);

    expect(codeOf(() => bind(tested, p, undefined as unknown as Entity))).toBe("dead-entity");
    expect(named.inOrder(tested)).toBe("c");
    expect(unbind(tested, p)).toBe(tested);
    expect(named.inOrder(tested)).toBe("c d");
    expect(named.inOrder(unbind(tested, p))).toBe("c d");
  });

  it("of one query does not bind other queries' variable, unless the descriptions are equal", () => {
    const { world, spawnNamed } = named;
    const [a, b] = [spawnNamed("a"), spawnNamed("b")];
    spawnNamed("x", ChildOf(a), Tag);
    spawnNamed("y", ChildOf(b), Tag);
    const [one, other] = [query(world, ChildOf(p)), query(world, Tag, ChildOf(p))];

    bind(one, p, a);

    expect([named.inOrder(one), count(other)]).toEqual(["x", 2]);
    expect(query(world, ChildOf(p))).toBe(one);
  });
});
