import {
  Any,
  add,
  type ComponentStorage,
  createWorld,
  type DataRelation,
  type Entity,
  get,
  type Relation,
  remove,
  removeMany,
  sparse,
  spawn,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import {
  $this,
  count,
  destroy,
  each,
  eachRun,
  entities,
  explain,
  first,
  isEmpty,
  monitor,
  type Query,
  type QueryTerm,
  query,
  rows,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { ChildOf, Parent } from "../public/builtins.ts";
import { component, relation } from "../public/define.ts";
import { f32 } from "../public/fields.ts";
import { added, all, changed, maybe, not, or, removed } from "../public/filters.ts";
import { bind, groupBy, groupsOf, orderBy } from "../public/parts.ts";
import { cascade, on, selfOrUp, up, variable } from "../public/terms.ts";
import { createDice, seeds } from "../random/dice.ts";

/** A sparse relation means the same as one in tables: all that a query reads is equal, except the order of rows. */

const Rank = component("Rank", { n: f32 });
const Armed = component("Armed", { n: f32 });
const Fears = relation("Fears");

const one = variable("one");
const other = variable("other");

interface Definitions {
  readonly Likes: Relation;
  readonly DockedTo: Relation;
  readonly Includes: Relation;
  readonly Damage: DataRelation<{ amount: typeof f32 }>;
}

function storedAs(storage?: ComponentStorage): Definitions {
  const options = storage === undefined ? {} : { storage };
  return {
    Likes: relation("Likes", options),
    DockedTo: relation("DockedTo", { exclusive: true, ...options }),
    Includes: relation("Includes", { reflexive: true, ...options }),
    Damage: relation("Damage", { fields: { amount: f32 }, ...options }),
  };
}

const InTables = storedAs();
const Sparse = storedAs(sparse);

const COUNT = 60;

interface Fixture extends Definitions {
  readonly world: World;
  readonly all: readonly Entity[];
  change(): void;
}

/** A world of one history, in which the relations have one storage or the other. */
function createFixture(definitions: Definitions, seed: number): Fixture {
  const world = createWorld();
  const dice = createDice(seed);
  const { Likes, DockedTo, Includes, Damage } = definitions;
  const list: Entity[] = [];
  const any = (): Entity => list[dice.below(list.length)]!;
  const near = (): Entity => list[dice.below(8)]!;
  for (let n = 0; n < COUNT; n++) {
    const terms = [Rank({ n }), ...(dice.chance(0.3) ? [Armed({ n })] : [])];
    if (n > 0 && dice.chance(0.6)) terms.push((dice.chance(0.4) ? Parent : ChildOf)(any()));
    list.push(spawn(world, ...terms));
  }
  const change = (): void => {
    for (let left = 15; left > 0; left--) add(world, any(), Likes(near()), DockedTo(near()));
    for (let left = 8; left > 0; left--) {
      if (dice.chance(0.3)) remove(world, any(), Likes(Any));
      else remove(world, any(), Likes(near()));
    }
    for (let left = 6; left > 0; left--) add(world, any(), Damage(near(), { amount: dice.below(9) }));
    for (let left = 4; left > 0; left--) {
      if (dice.chance(0.5)) remove(world, any(), Any(near()));
      else remove(world, any(), DockedTo(Any));
    }
    for (let left = 3; left > 0; left--) add(world, any(), Includes(near()), Fears(near()));
    if (dice.chance(0.5)) removeMany(world, [any(), any()], Damage(Any));
    add(world, list.at(-1)!, Armed({ n: dice.below(9) }));
  };
  change();
  return { ...definitions, world, all: list, change };
}

function rankOf({ world }: Fixture, entity: Entity): number {
  return get(world, entity, Rank)!.n;
}

function readAll(fixture: Fixture, tested: Query): unknown {
  const text = (given: unknown): string => {
    if (typeof given === "number") return `e${rankOf(fixture, given as Entity)}`;
    if (typeof given !== "object" || given === null) return String(given);
    const { n, amount } = given as { readonly n?: number; readonly amount?: number };
    return `${n ?? amount}`;
  };
  const matches: string[] = [];
  each(tested, (...given: unknown[]) => matches.push(given.map(text).join(" ")));
  const inRuns: number[] = [];
  eachRun(tested, (run) => {
    for (let row = run.first; row < run.end; row++) inRuns.push(rankOf(fixture, run.entityAt(row)));
  });
  const listed = entities(tested).map((entity) => rankOf(fixture, entity));
  const iterated = Array.from(rows(tested), (row) => (row as unknown[]).map(text).join(" "));
  return {
    matches: matches.sort(),
    iterated: iterated.sort(),
    listed: listed.sort(),
    inRuns: inRuns.sort(),
    count: count(tested),
    isEmpty: isEmpty(tested),
    hasFirst: first(tested) !== undefined,
  };
}

const STEPS = 2;

/** Reads the same query of two worlds with the same history, again and again while they change. */
function expectSame(
  termsOf: (fixture: Fixture) => readonly QueryTerm[],
  read: (fixture: Fixture, tested: Query) => unknown = readAll,
): void {
  let found = 0;
  for (const seed of seeds(1, 4)) {
    const inTables = createFixture(InTables, seed);
    const others = createFixture(Sparse, seed);
    const [expected, tested] = [inTables, others].map((fixture) => query(fixture.world, ...termsOf(fixture)));
    for (let step = 0; step < STEPS; step++) {
      const before = JSON.stringify(read(inTables, expected as Query)); // texts are compared at once
      expect(JSON.stringify(read(others, tested as Query))).toBe(before);
      found += before.length;
      inTables.change();
      others.change();
    }
    expect(verify(others.world)).toEqual([]);
  }
  expect(found).toBeGreaterThan(50 * STEPS);
}

describe("a sparse relation matches as one in tables", () => {
  it.each<[string, (fixture: Fixture) => readonly QueryTerm[]]>([
    ["any target", ({ Likes }) => [Rank, Likes(Any)]],
    ["a target", ({ Likes, all: list }) => [Rank, Likes(list[2]!)]],
    ["a target alone", ({ Likes, all: list }) => [Likes(list[2]!)]],
    ["two targets", ({ Likes, all: list }) => [Rank, Likes(list[2]!), Likes(list[3]!)]],
    ["a target, and a parent", ({ Likes, all: list }) => [Likes(list[2]!), ChildOf(list[0]!)]],
    ["no target", ({ Likes }) => [Rank, not(Likes(Any))]],
    ["not a target", ({ Likes, all: list }) => [Rank, not(Likes(list[1]!))]],
    ["a target and not another", ({ Likes, all: list }) => [Likes(list[1]!), not(Likes(list[2]!)), Rank]],
    [
      "a target, maybe",
      ({ Likes, DockedTo, all: list }) => [Rank, maybe(Likes(list[1]!)), maybe(DockedTo(Any))],
    ],
    ["one of several", ({ Likes, DockedTo, all: list }) => [Rank, or(Likes(list[1]!), DockedTo(list[2]!))]],
    ["one of several, beside a component", ({ Likes, all: list }) => [Rank, or(Likes(list[1]!), Armed)]],
    ["not several together", ({ Likes, DockedTo }) => [Rank, not(all(Likes(Any), DockedTo(Any)))]],
    ["any relation with a target", ({ all: list }) => [Rank, Any(list[1]!)]],
    ["no relation with a target", ({ all: list }) => [Rank, not(Any(list[1]!))]],
    ["any pair", () => [Rank, Any(Any)]],
    ["no pair", () => [Rank, not(Any(Any))]],
    ["any pair or a component", () => [Rank, or(Any(Any), Armed)]],
    ["a reflexive pair", ({ Includes, all: list }) => [Rank, Includes(list[1]!)]],
    ["not a reflexive pair", ({ Includes, all: list }) => [Rank, not(Includes(list[1]!))]],
    ["a value of a pair", ({ Damage, all: list }) => [Rank, Damage(list[1]!)]],
    [
      "an optional value of a pair",
      ({ Damage, all: list }) => [Rank, maybe(Damage(list[1]!)), maybe(Damage(list[2]!))],
    ],
    [
      "the value of a pair, or another",
      ({ Damage, all: list }) => [Rank, or(Damage(list[1]!), Damage(list[2]!))],
    ],
    [
      "a value from above",
      ({ Damage, all: list }) => [Rank, maybe(selfOrUp(Damage(list[1]!))), maybe(up(Armed))],
    ],
    ["a pair above", ({ Likes, all: list }) => [Rank, up(Likes(list[1]!))]],
    ["any pair above", ({ all: list }) => [Rank, up(Any(list[1]!))]],
    ["a pair above, in batches", ({ Likes }) => [Rank, cascade(Rank), up(Likes(Any))]],
    ["a pair of a given entity", ({ Likes, all: list }) => [Rank, on(list[9]!, Likes(Any))]],
    ["a variable", ({ Likes }) => [Rank, Likes(one), one]],
    ["a variable with a component", ({ Likes }) => [Rank, Likes(one), on(one, Armed), one]],
    ["a variable of two relations", ({ Likes, DockedTo }) => [Rank, Likes(one), DockedTo(one), one]],
    ["a variable and a target", ({ Likes, DockedTo, all: list }) => [Likes(one), DockedTo(list[1]!), one]],
    ["two variables", ({ Likes, DockedTo }) => [Rank, Likes(one), on(one, DockedTo(other)), one, other]],
    ["a variable's parent", ({ Likes }) => [Rank, Likes(one), on(one, ChildOf(other)), other]],
    [
      "those who like their parent's target",
      ({ DockedTo }) => [Rank, ChildOf(one), on(one, DockedTo(other)), DockedTo(other)],
    ],
    ["a reflexive variable", ({ Includes, Likes }) => [Rank, Likes(one), Includes(one), one]],
    ["a variable from above", ({ DockedTo }) => [Rank, up(DockedTo(one)), one]],
    ["what no entity likes", ({ Likes }) => [Rank, not(all(on(other, Likes($this))))]],
    ["an order by value", ({ Likes }) => [Rank, Likes(Any), orderBy(Rank, "n")]],
  ])("if it is %s", (_, termsOf) => {
    expectSame(termsOf);
  });

  it.each<[string, (fixture: Fixture) => readonly QueryTerm[]]>([
    ["added", ({ DockedTo }) => [Rank, added(DockedTo)]],
    ["removed", ({ DockedTo }) => [Rank, removed(DockedTo)]],
    ["changed", ({ DockedTo }) => [Rank, changed(DockedTo)]],
  ])("if its target was %s", (_, termsOf) => {
    expectSame(termsOf, (fixture, tested) => {
      const found: number[] = [];
      each(tested, (...given: unknown[]) => found.push(rankOf(fixture, given.at(-1) as Entity)));
      return ["a text that is long enough to count for something", found.sort()];
    });
  });

  it("in groups by target", () => {
    expectSame(
      ({ DockedTo }) => [Rank, groupBy(DockedTo)],
      (fixture, tested) => {
        const found = new Map<unknown, number[]>();
        each(tested, (...given: unknown[]) => {
          const entity = given.at(-1) as Entity;
          const target = fixture.all.find((to) =>
            entities(query(fixture.world, fixture.DockedTo(to))).includes(entity),
          );
          const key = target === undefined ? "none" : rankOf(fixture, target);
          found.set(key, [...(found.get(key) ?? []), rankOf(fixture, entity)]);
        });
        const groups = groupsOf(tested).map((to) =>
          to === undefined ? "none" : rankOf(fixture, to as Entity),
        );
        return [groups, [...found].map(([key, list]) => [key, list.sort()])];
      },
    );
  });

  it("for monitors", () => {
    const told = [InTables, Sparse].map((definitions) => {
      const fixture = createFixture(definitions, 3);
      const { world, Likes, all: list } = fixture;
      const notes: string[] = [];
      monitor(query(world, Rank, Likes(list[2]!), not(Any(list[5]!))), {
        entered: (entity) => notes.push(`entered ${rankOf(fixture, entity)}`),
        left: (entity) => notes.push(`left ${rankOf(fixture, entity)}`),
      });
      for (let step = 0; step < 6; step++) fixture.change();
      const ordered = notes.splice(0);
      destroy(world, list[5]!); // its subjects lose their pairs in the order of tables, or of adding
      return [...ordered, ...notes.sort()];
    });
    expect(told[0]!.length).toBeGreaterThan(4);
    expect(told[1]).toEqual(told[0]);
  });
});

describe("a sparse relation in a query", () => {
  it("follows a bound variable", () => {
    const { world, Likes, all: list } = createFixture(Sparse, 1);
    const liked = query(world, Rank, Likes(one));
    for (const target of list.slice(0, 8)) {
      const expected = list.filter((entity) => entities(query(world, Likes(target))).includes(entity));
      expect(new Set(entities(bind(liked, one, target)))).toEqual(new Set(expected));
    }
  });

  it("is found from the few subjects of its target", () => {
    const world = createWorld();
    const { Likes } = Sparse;
    const target = spawn(world);
    for (let n = 0; n < 1000; n++) spawn(world, Rank({ n }), Likes(spawn(world)));
    const fan = spawn(world, Rank({ n: 7 }), Likes(target));
    const liked = query(world, Rank, Likes(target));

    expect(entities(liked)).toEqual([fan]);
    expect(explain(liked)).toContain("1 row by value");
  });

  it("has no columns", () => {
    const { world, Damage, all: list } = createFixture(Sparse, 1);
    const tested = query(world, Rank, Damage(list[1]!));
    const read = (): void => eachRun(tested, (run) => run.columns(Damage(list[1]!)));

    expect(count(tested)).toBeGreaterThan(0);
    expect(codeOf(read)).toBe("bad-query");
  });

  it("is matched by any pair from its first pair in the world on", () => {
    const world = createWorld();
    const [ship, rock] = [spawn(world, Rank({ n: 1 })), spawn(world)];
    const [paired, single] = [query(world, Rank, Any(Any)), query(world, Rank, not(Any(Any)))];
    expect([count(paired), count(single)]).toEqual([0, 1]);
    add(world, ship, Sparse.Likes(rock));
    expect([entities(paired), count(single), entities(query(world, Any(rock)))]).toEqual([[ship], 0, [ship]]);
    remove(world, ship, Sparse.Likes(rock));
    expect([count(paired), count(single)]).toEqual([0, 1]);
  });
});
