import { Any, add, ChildOf, Disabled, DisabledTree, Parent, remove, spawnMany } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  all,
  destroy,
  each,
  eachRun,
  maybe,
  not,
  on,
  or,
  type QueryTerm,
  query,
  selfOrUp,
  singleton,
  up,
} from "../../src/index.ts";
import { Frozen, Likes, Tag } from "../definitions.ts";
import { bornWithIndexOf, cast, Heavy, setCast, Warm } from "./cast.ts";

/** What another engine of this kind gets wrong, or gives up, about the operators of queries. */

beforeEach(setCast);

afterEach(() => {
  expect(verify(cast.world)).toEqual([]);
});

/** Two parents, each with a child in either storage: k for Parent, f for ChildOf. All children have Tag. */
function plantPairs() {
  const { born } = cast;
  const [a, b] = [born("a"), born("b")];
  const k1 = born("k1", Parent(a), Tag);
  const f1 = born("f1", ChildOf(a), Tag);
  const k2 = born("k2", Parent(b), Tag);
  const f2 = born("f2", ChildOf(b), Tag);
  return { a, b, k1, f1, k2, f2 };
}

type Planted = ReturnType<typeof plantPairs>;

describe("ChildOf(p) means the same in both storages", () => {
  it.each<[string, (planted: Planted) => QueryTerm[], string]>([
    ["asked for", ({ a }) => [ChildOf(a)], "f1 k1"],
    ["asked for, with something else", ({ a }) => [Tag, ChildOf(a)], "f1 k1"],
    ["not", ({ a }) => [Tag, not(ChildOf(a))], "f2 k2"],
    ["not of a group of it", ({ a }) => [Tag, not(all(ChildOf(a)))], "f2 k2"],
    ["not of a group with something else", ({ a }) => [Tag, not(all(ChildOf(a), Tag))], "f2 k2"],
    ["not of a group that nobody fulfils", ({ a }) => [Tag, not(all(ChildOf(a), Frozen))], "f1 f2 k1 k2"],
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

    expect(cast.who(...terms(planted))).toBe(expected);
  });

  it("maybe tells each entity apart, also those who share a table", () => {
    const { a } = plantPairs();
    const { nameOf, world } = cast;
    const told: string[] = [];

    each(query(world, Tag, maybe(ChildOf(a))), (is, entity) => told.push(`${nameOf(entity)} ${is}`));

    expect(told.toSorted()).toEqual(["f1 true", "f2 undefined", "k1 true", "k2 undefined"]);
  });

  it("all answer as before when children change parent and storage", () => {
    const { a, b, k1, f1, k2, f2 } = plantPairs();
    const { world, who } = cast;
    const ask = (): string[] => [
      who(Tag, not(ChildOf(a))),
      who(Tag, not(all(ChildOf(a)))),
      who(or(ChildOf(a), ChildOf(b))),
    ];

    add(world, k1, Parent(b));
    add(world, f2, ChildOf(a));
    expect(ask()).toEqual(["k1 k2", "k1 k2", "f1 f2 k1 k2"]);

    add(world, k1, ChildOf(a));
    add(world, f1, Parent(a));
    remove(world, k2, ChildOf(Any));
    expect(ask()).toEqual(["k2", "k2", "f1 f2 k1"]);
  });

  it("alternatives meet children who come later, and whose parents are born later", () => {
    const { a, b } = plantPairs();
    const { world, born, who } = cast;
    const asked = query(world, or(ChildOf(a), ChildOf(b)));
    cast.inTurn(asked);

    born("k3", Parent(b), Frozen);
    born("f3", ChildOf(a), Frozen, Tag);

    expect(cast.inTurn(asked).split(" ").toSorted().join(" ")).toBe("f1 f2 f3 k1 k2 k3");
    expect(who(or(ChildOf(born("c")), ChildOf(a)))).toBe("f1 f3 k1");
  });

  it("children whose rows lie side by side come as one run, whole families at once", () => {
    const { a, b } = plantPairs();
    for (const parent of [a, b]) spawnMany(cast.world, 1000, Parent(parent), Tag, Frozen);
    let [runs, met] = [0, 0];

    eachRun(query(cast.world, ChildOf(a), Frozen), ({ first, end }) => {
      runs++;
      met += end - first;
    });

    expect([runs, met]).toEqual([1, 1000]);
  });
});

describe("or", () => {
  it("hands over the value of the first alternative that holds, row by row where parents are values", () => {
    const { a } = plantPairs();
    const { world, born, nameOf } = cast;
    born("w", Parent(a), Warm);
    born("h", Parent(a), Heavy);
    born("wh", ChildOf(a), Warm, Heavy);
    const told: string[] = [];

    each(query(world, or(Warm, Heavy)), (value, entity) => {
      told.push(`${nameOf(entity)}: ${nameOf(value.of)}`);
    });

    expect(told.toSorted()).toEqual(["h: h", "w: w", "wh: wh"]);
  });

  it("may mix components, pairs, ancestors and given entities in one chain", () => {
    const { a, b } = plantPairs();
    cast.give(a, Warm);
    const chain = or(up(Warm), Likes(a), on(b, Frozen));
    const admirer = cast.born("admirer", Likes(a));

    expect(cast.who(chain)).toBe("admirer f1 k1");
    add(cast.world, b, Frozen);
    expect(cast.who(chain)).toBe("a admirer b f1 f2 k1 k2");
    remove(cast.world, b, Frozen);
    remove(cast.world, admirer, Likes(Any));
    expect(cast.who(chain)).toBe("f1 k1");
  });

  it("of alternatives that both hold visits once", () => {
    const { a, b } = plantPairs();
    cast.born("both", Likes(a), Likes(b));

    expect(cast.who(or(Likes(a), Likes(b), Likes(Any)))).toBe("both");
  });
});

describe("not alone", () => {
  it("starts from everybody, those without anything included", () => {
    plantPairs();

    expect(cast.who(not(Tag))).toBe("a b");
    expect(cast.who(not(Frozen))).toBe("a b f1 f2 k1 k2");
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
    ["what nobody stands for", () => not(singleton(Frozen)), "a b f1 f2 k1 k2"],
  ])("of %s", (_, term, expected) => {
    const planted = plantPairs();
    cast.give(planted.a, Warm);

    expect(cast.who(term(planted))).toBe(expected);
  });
});

describe("maybe", () => {
  it("hands over nothing for who has it not, and leaves nobody out", () => {
    const { a } = plantPairs();
    const { world, nameOf } = cast;
    cast.born("w", Parent(a), Tag, Warm);
    const told: string[] = [];

    each(query(world, Tag, maybe(Warm), maybe(Frozen), maybe(up(Warm))), (own, frozen, above, entity) => {
      told.push(`${nameOf(entity)} ${nameOf(own?.of)} ${frozen} ${nameOf(above?.of)}`);
    });

    expect(told.toSorted()).toEqual([
      "f1 - undefined -",
      "f2 - undefined -",
      "k1 - undefined -",
      "k2 - undefined -",
      "w w undefined -",
    ]);
  });
});

describe("who is disabled", () => {
  it.each<[string, QueryTerm[], string]>([
    ["does not answer", [Tag], "on"],
    ["answers if asked for", [Tag, Disabled], "off"],
    ["answers if maybe is", [Tag, maybe(Disabled)], "off on"],
    ["answers where alternatives name it", [Tag, or(Disabled, Warm)], "off"],
    ["does not answer where it is excluded", [Tag, not(Disabled)], "on"],
    ["does not answer to not alone", [not(Frozen)], "on"],
    ["does not answer to what asks for it of others", [Tag, not(up(Disabled))], "on"],
  ])("%s", (_, terms, expected) => {
    cast.born("on", Tag);
    cast.born("off", Tag, Disabled);

    expect(cast.who(...terms)).toBe(expected);
  });

  it("by itself hides itself alone; by its tree, all below it in both storages", () => {
    const { a, b } = plantPairs();

    add(cast.world, a, Disabled);
    expect(cast.who(Tag)).toBe("f1 f2 k1 k2");

    add(cast.world, b, DisabledTree);
    expect(cast.who(Tag)).toBe("f1 k1");
    expect(cast.who(Tag, maybe(DisabledTree))).toBe("f1 f2 k1 k2");

    remove(cast.world, b, DisabledTree);
    expect(cast.who(Tag)).toBe("f1 f2 k1 k2");
  });
});

describe("a target that dies while a query names it", () => {
  it("may die, and then nobody answers for it, by any operator", () => {
    const { a, b } = plantPairs();
    const { world, born, who } = cast;
    born("fan", Likes(a));
    const named = query(world, Likes(a));

    destroy(world, a);

    expect(cast.inTurn(named)).toBe("");
    expect([who(ChildOf(a)), who(Any(a)), who(Tag, not(ChildOf(a)))]).toEqual(["", "", "f2 k2"]);
    expect(who(or(ChildOf(a), ChildOf(b)))).toBe("f2 k2");
    expect(who(Tag, on(a, Frozen))).toBe("");
    expect(who(Tag, not(on(a, Frozen)))).toBe("f2 k2");
    expect(who(Tag, not(all(ChildOf(a))))).toBe("f2 k2");
  });

  it("is not mistaken for whoever is born with its index", () => {
    const { a } = plantPairs();
    const { world, who } = cast;
    destroy(world, a);
    const heir = bornWithIndexOf(world, a);
    cast.born("orphan", ChildOf(heir));

    expect([who(ChildOf(a)), who(on(a, Tag))]).toEqual(["", ""]);
    expect(who(ChildOf(heir))).toBe("orphan");
  });
});

describe("tables that ran empty", () => {
  it("are not visited, and are again when somebody comes back", () => {
    const { world, born } = cast;
    const one = born("one", Tag, Warm);
    const asked = query(world, Tag);
    let runs = 0;
    const countRuns = (): number => {
      runs = 0;
      eachRun(asked, () => runs++);
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
