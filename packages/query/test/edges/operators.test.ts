import { add, remove, spawnMany } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { destroy, each, eachRun, type QueryTerm, query } from "../../src/index.ts";
import { Frozen, Likes, Tag } from "../definitions.ts";
import { Any, ChildOf, Disabled, DisabledTree, Parent } from "../public/builtins.ts";
import { all, maybe, not, or } from "../public/filters.ts";
import { on, selfOrUp, singleton, up } from "../public/terms.ts";
import { Heavy, named, setUpNamedWorld, spawnWithIndexOf, Warm } from "./named-world.ts";

/** Cases of query operators that similar engines get wrong, or do not support. */

setUpNamedWorld();

/** Two parents, each with a child in either storage: k for Parent, f for ChildOf. All children have Tag. */
function plantPairs() {
  const { spawnNamed } = named;
  const [a, b] = [spawnNamed("a"), spawnNamed("b")];
  const k1 = spawnNamed("k1", Parent(a), Tag);
  const f1 = spawnNamed("f1", ChildOf(a), Tag);
  const k2 = spawnNamed("k2", Parent(b), Tag);
  const f2 = spawnNamed("f2", ChildOf(b), Tag);
  return { a, b, k1, f1, k2, f2 };
}

type Planted = ReturnType<typeof plantPairs>;

describe("ChildOf(p) means the same in both storages", () => {
  it.each<[string, (planted: Planted) => QueryTerm[], string]>([
    ["required", ({ a }) => [ChildOf(a)], "f1 k1"],
    ["required, with something else", ({ a }) => [Tag, ChildOf(a)], "f1 k1"],
    ["not", ({ a }) => [Tag, not(ChildOf(a))], "f2 k2"],
    ["not of a group of it", ({ a }) => [Tag, not(all(ChildOf(a)))], "f2 k2"],
    ["not of a group with something else", ({ a }) => [Tag, not(all(ChildOf(a), Tag))], "f2 k2"],
    ["not of a group that no entity matches", ({ a }) => [Tag, not(all(ChildOf(a), Frozen))], "f1 f2 k1 k2"],
    ["not of not", ({ a }) => [not(not(ChildOf(a)))], "f1 k1"],
    ["not of both", ({ a, b }) => [Tag, not(or(ChildOf(a), ChildOf(b)))], ""],
    ["not, not, of both", ({ a, b }) => [Tag, not(ChildOf(a)), not(ChildOf(b))], ""],
    ["one or the other", ({ a, b }) => [or(ChildOf(a), ChildOf(b))], "f1 f2 k1 k2"],
    ["one or the other, with something else", ({ a, b }) => [Tag, or(ChildOf(a), ChildOf(b))], "f1 f2 k1 k2"],
    ["one, or something else", ({ a }) => [or(ChildOf(a), Frozen)], "f1 k1"],
    ["one, or none at all", ({ a }) => [or(ChildOf(a), not(ChildOf(Any)))], "a b f1 k1"],
    ["groups of alternatives", ({ a, b }) => [or(all(ChildOf(a), Tag), all(ChildOf(b), Frozen))], "f1 k1"],
    ["both at once", ({ a, b }) => [ChildOf(a), ChildOf(b)], ""],
    ["maybe", ({ a }) => [Tag, maybe(ChildOf(a))], "f1 f2 k1 k2"],
    ["any parent", () => [ChildOf(Any)], "f1 f2 k1 k2"],
    ["no parent", () => [not(ChildOf(Any))], "a b"],
    ["Parent, which is its own storage only", ({ a }) => [Parent(a)], "k1"],
    ["not Parent", ({ a }) => [Tag, not(Parent(a))], "f1 f2 k2"],
    ["ChildOf and not Parent", ({ a }) => [ChildOf(a), not(Parent(a))], "f1"],
    ["any relation to it", ({ a }) => [Any(a)], "f1 k1"],
    ["no relation to it", ({ a }) => [Tag, not(Any(a))], "f2 k2"],
  ])("%s", (_, terms, expected) => {
    const planted = plantPairs();

    expect(named.matches(...terms(planted))).toBe(expected);
  });

  it("maybe differs for each entity, also for those that share a table", () => {
    const { a } = plantPairs();
    const { nameOf, world } = named;
    const reported: string[] = [];

    each(query(world, Tag, maybe(ChildOf(a))), (is, entity) => reported.push(`${nameOf(entity)} ${is}`));

    expect(reported.toSorted()).toEqual(["f1 true", "f2 undefined", "k1 true", "k2 undefined"]);
  });

  it("all match as before when children change parent and storage", () => {
    const { a, b, k1, f1, k2, f2 } = plantPairs();
    const { world, matches } = named;
    const resultsWith = (): string[] => [
      matches(Tag, not(ChildOf(a))),
      matches(Tag, not(all(ChildOf(a)))),
      matches(or(ChildOf(a), ChildOf(b))),
    ];

    add(world, k1, Parent(b));
    add(world, f2, ChildOf(a));
    expect(resultsWith()).toEqual(["k1 k2", "k1 k2", "f1 f2 k1 k2"]);

    add(world, k1, ChildOf(a));
    add(world, f1, Parent(a));
    remove(world, k2, ChildOf(Any));
    expect(resultsWith()).toEqual(["k2", "k2", "f1 f2 k1"]);
  });

  it("alternatives match children that come later, and whose parents are spawned later", () => {
    const { a, b } = plantPairs();
    const { world, spawnNamed, matches } = named;
    const tested = query(world, or(ChildOf(a), ChildOf(b)));
    named.inOrder(tested);

    spawnNamed("k3", Parent(b), Frozen);
    spawnNamed("f3", ChildOf(a), Frozen, Tag);

    expect(named.inOrder(tested).split(" ").toSorted().join(" ")).toBe("f1 f2 f3 k1 k2 k3");
    expect(matches(or(ChildOf(spawnNamed("c")), ChildOf(a)))).toBe("f1 f3 k1");
  });

  it("children in adjacent rows come as one run, all children of a parent at once", () => {
    const { a, b } = plantPairs();
    for (const parent of [a, b]) spawnMany(named.world, 1000, Parent(parent), Tag, Frozen);
    let [runs, met] = [0, 0];

    eachRun(query(named.world, ChildOf(a), Frozen), ({ first, end }) => {
      runs++;
      met += end - first;
    });

    expect([runs, met]).toEqual([1, 1000]);
  });
});

describe("or", () => {
  it("passes the value of the first alternative that holds, row by row where parents are values", () => {
    const { a } = plantPairs();
    const { world, spawnNamed, nameOf } = named;
    spawnNamed("w", Parent(a), Warm);
    spawnNamed("h", Parent(a), Heavy);
    spawnNamed("wh", ChildOf(a), Warm, Heavy);
    const reported: string[] = [];

    each(query(world, or(Warm, Heavy)), (value, entity) => {
      reported.push(`${nameOf(entity)}: ${nameOf(value.of)}`);
    });

    expect(reported.toSorted()).toEqual(["h: h", "w: w", "wh: wh"]);
  });

  it("may mix components, pairs, ancestors and given entities in one chain", () => {
    const { a, b } = plantPairs();
    named.addOwn(a, Warm);
    const chain = or(up(Warm), Likes(a), on(b, Frozen));
    const admirer = named.spawnNamed("admirer", Likes(a));

    expect(named.matches(chain)).toBe("admirer f1 k1");
    add(named.world, b, Frozen);
    expect(named.matches(chain)).toBe("a admirer b f1 f2 k1 k2");
    remove(named.world, b, Frozen);
    remove(named.world, admirer, Likes(Any));
    expect(named.matches(chain)).toBe("f1 k1");
  });

  it("of alternatives that both hold matches once", () => {
    const { a, b } = plantPairs();
    named.spawnNamed("both", Likes(a), Likes(b));

    expect(named.matches(or(Likes(a), Likes(b), Likes(Any)))).toBe("both");
  });
});

describe("not alone", () => {
  it("starts from all entities, those without anything included", () => {
    plantPairs();

    expect(named.matches(not(Tag))).toBe("a b");
    expect(named.matches(not(Frozen))).toBe("a b f1 f2 k1 k2");
  });

  it.each<[string, (planted: Planted) => QueryTerm, string]>([
    ["a target", ({ a }) => not(ChildOf(a)), "a b f2 k2"],
    ["any target", () => not(ChildOf(Any)), "a b"],
    ["any relation", () => not(Any(Any)), "a b"],
    ["ancestors", () => not(up(Warm)), "a b f2 k2"],
    ["oneself and ancestors", () => not(selfOrUp(Warm)), "b f2 k2"],
    ["alternatives of all these", ({ b }) => not(or(ChildOf(b), up(Warm))), "a b"],
    ["a given entity that has it not", ({ b }) => not(on(b, Warm)), "a b f1 f2 k1 k2"],
    ["a given entity that has it", ({ a }) => not(on(a, Warm)), ""],
    ["no component entity", () => not(singleton(Frozen)), "a b f1 f2 k1 k2"],
  ])("of %s", (_, term, expected) => {
    const planted = plantPairs();
    named.addOwn(planted.a, Warm);

    expect(named.matches(term(planted))).toBe(expected);
  });
});

describe("maybe", () => {
  it("passes undefined for an entity that does not have it, and leaves none out", () => {
    const { a } = plantPairs();
    const { world, nameOf } = named;
    named.spawnNamed("w", Parent(a), Tag, Warm);
    const reported: string[] = [];

    each(query(world, Tag, maybe(Warm), maybe(Frozen), maybe(up(Warm))), (own, frozen, above, entity) => {
      reported.push(`${nameOf(entity)} ${nameOf(own?.of)} ${frozen} ${nameOf(above?.of)}`);
    });

    expect(reported.toSorted()).toEqual([
      "f1 - undefined -",
      "f2 - undefined -",
      "k1 - undefined -",
      "k2 - undefined -",
      "w w undefined -",
    ]);
  });
});

describe("a disabled entity", () => {
  it.each<[string, QueryTerm[], string]>([
    ["does not match", [Tag], "on"],
    ["matches if required", [Tag, Disabled], "off"],
    ["matches if maybe names it", [Tag, maybe(Disabled)], "off on"],
    ["matches where alternatives name it", [Tag, or(Disabled, Warm)], "off"],
    ["does not match where it is excluded", [Tag, not(Disabled)], "on"],
    ["does not match not alone", [not(Frozen)], "on"],
    ["does not match a term that requires it of other entities", [Tag, not(up(Disabled))], "on"],
  ])("%s", (_, terms, expected) => {
    named.spawnNamed("on", Tag);
    named.spawnNamed("off", Tag, Disabled);

    expect(named.matches(...terms)).toBe(expected);
  });

  it("by itself disables only itself; by its tree, everything below it in both storages", () => {
    const { a, b } = plantPairs();

    add(named.world, a, Disabled);
    expect(named.matches(Tag)).toBe("f1 f2 k1 k2");

    add(named.world, b, DisabledTree);
    expect(named.matches(Tag)).toBe("f1 k1");
    expect(named.matches(Tag, maybe(DisabledTree))).toBe("f1 f2 k1 k2");

    remove(named.world, b, DisabledTree);
    expect(named.matches(Tag)).toBe("f1 f2 k1 k2");
  });
});

describe("a target that is destroyed while a query names it", () => {
  it("may be destroyed, and then matches nothing, with any operator", () => {
    const { a, b } = plantPairs();
    const { world, spawnNamed, matches } = named;
    spawnNamed("fan", Likes(a));
    const fans = query(world, Likes(a));

    destroy(world, a);

    expect(named.inOrder(fans)).toBe("");
    expect([matches(ChildOf(a)), matches(Any(a)), matches(Tag, not(ChildOf(a)))]).toEqual(["", "", "f2 k2"]);
    expect(matches(or(ChildOf(a), ChildOf(b)))).toBe("f2 k2");
    expect(matches(Tag, on(a, Frozen))).toBe("");
    expect(matches(Tag, not(on(a, Frozen)))).toBe("f2 k2");
    expect(matches(Tag, not(all(ChildOf(a))))).toBe("f2 k2");
  });

  it("is not mistaken for an entity spawned with its index", () => {
    const { a } = plantPairs();
    const { world, matches } = named;
    destroy(world, a);
    const reused = spawnWithIndexOf(world, a);
    named.spawnNamed("orphan", ChildOf(reused));

    expect([matches(ChildOf(a)), matches(on(a, Tag))]).toEqual(["", ""]);
    expect(matches(ChildOf(reused))).toBe("orphan");
  });
});

describe("tables that became empty", () => {
  it("are not iterated, and are again once they have rows", () => {
    const { world, spawnNamed } = named;
    const one = spawnNamed("one", Tag, Warm);
    const tested = query(world, Tag);
    let runs = 0;
    const countRuns = (): number => {
      runs = 0;
      eachRun(tested, () => runs++);
      return runs;
    };

    expect(countRuns()).toBe(1);
    remove(world, one, Warm);
    expect(countRuns()).toBe(1);
    remove(world, one, Tag);
    expect(countRuns()).toBe(0);
    add(world, one, Tag);
    expect(countRuns()).toBe(1);
  });
});
