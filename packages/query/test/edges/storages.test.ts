import {
  add,
  bits,
  type ComponentStorage,
  createWorld,
  type Entity,
  get,
  remove,
  set,
  sparse,
  spawn,
  type Tag,
  tag,
  type ValueComponent,
  value,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import {
  $this,
  below,
  count,
  each,
  eachBatch,
  eachLevel,
  eachRun,
  entities,
  first,
  inOrder,
  isEmpty,
  monitor,
  monitorGroups,
  type Query,
  type QueryTerm,
  query,
  rows,
} from "../../src/index.ts";
import { batchKernel, runKernel } from "../../src/kernels.ts";
import { ChildOf, Disabled, DisabledTree, Parent } from "../public/builtins.ts";
import { component, relation } from "../public/define.ts";
import { f32 } from "../public/fields.ts";
import { added, all, changed, maybe, not, or, removed } from "../public/filters.ts";
import { bind, group, groupBy, groupsOf, orderBy, page, shard } from "../public/parts.ts";
import { cascade, on, selfOrUp, up, variable } from "../public/terms.ts";
import { createDice, seeds } from "../random/dice.ts";

/**
 * A definition means the same in every storage: all that a query reads is equal, except the order of rows where none is asked for.
 */

const STORAGES: readonly (readonly [name: string, storage: ComponentStorage])[] = [
  ["bits", bits],
  ["sparse", sparse],
];

const Rank = component("Rank", { n: f32 });
const Armed = tag("Armed");
const Likes = relation("Likes", { exclusive: true });

const one = variable("one");
const other = variable("other");

interface Definitions {
  readonly Selected: Tag;
  readonly Hot: Tag;
  readonly Glow: typeof Rank;
  readonly Label: ValueComponent<string>;
}

/** Components cannot be bits. */
function storedAs(storage: ComponentStorage | undefined): Definitions {
  const options = storage === undefined ? {} : { storage };
  const ofComponents = storage === sparse ? options : {};
  return {
    Selected: tag("Selected", options),
    Hot: tag("Hot", options),
    Glow: component("Glow", { n: f32 }, ofComponents),
    Label: component("Label", value("none"), ofComponents),
  };
}

const InTables = storedAs(undefined);

const COUNT = 100;

/** A world of one history, in which definitions have one storage or the other. `change` makes the same changes in each. */
interface Fixture extends Definitions {
  readonly world: World;
  readonly all: readonly Entity[];
  change(): void;
}

function createFixture(definitions: Definitions, seed: number): Fixture {
  const world = createWorld();
  const dice = createDice(seed);
  const { Selected, Hot, Glow, Label } = definitions;
  const entities: Entity[] = [];
  const any = (): Entity => entities[dice.below(entities.length)]!;
  for (let n = 0; n < COUNT; n++) {
    const terms = [
      Rank({ n }),
      ...(dice.chance(0.5) ? [Glow({ n: 1000 + dice.below(50) })] : []),
      ...(dice.chance(0.3) ? [Label(`label ${n}`)] : []),
      ...(dice.chance(0.2) ? [Armed] : []),
    ];
    if (n > 0 && dice.chance(0.7)) terms.push((dice.chance(0.3) ? Parent : ChildOf)(any()));
    if (n > 0 && dice.chance(0.3)) terms.push(Likes(any()));
    if (dice.chance(0.4)) terms.push(Selected);
    entities.push(spawn(world, ...terms));
  }
  const turn = (what: Tag | typeof Rank, chance: number): void => {
    const entity = any();
    if (dice.chance(chance)) add(world, entity, what as Tag);
    else remove(world, entity, what);
  };
  const change = (): void => {
    for (let left = 25; left > 0; left--) turn(Selected, 0.5);
    for (let left = 15; left > 0; left--) turn(Hot, 0.6);
    for (let left = 5; left > 0; left--) turn(Disabled, 0.4);
    for (let left = 5; left > 0; left--) turn(Armed, 0.5);
    for (let left = 12; left > 0; left--) turn(Glow, 0.5);
    for (let left = 5; left > 0; left--) set(world, any(), Glow, { n: 1000 + dice.below(50) });
    for (let left = 3; left > 0; left--) set(world, any(), Label, `label ${dice.below(9)}`);
    turn(DisabledTree, 0.4);
    const last = entities.length - 1;
    add(world, entities[last]!, ChildOf(entities[dice.below(last)]!));
  };
  change();
  return { ...definitions, world, all: entities, change };
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function rankOf({ world }: Fixture, entity: Entity): number {
  return get(world, entity, Rank)!.n;
}

/** Every match with what it is passed: the fields of a value, the rank of an entity, `true` or `undefined`. */
function matchesOf(fixture: Fixture, tested: Query): string[] {
  const found: string[] = [];
  const text = (one: unknown): string => {
    if (typeof one === "number") return `e${rankOf(fixture, one as Entity)}`;
    return String(typeof one === "object" && one !== null ? (one as { readonly n: number }).n : one);
  };
  each(tested, (...given: unknown[]) => found.push(given.map(text).join(" ")));
  return found;
}

/** All that can be read of a query, in every way of reading. The order counts where the query says one. */
function readAll(fixture: Fixture, tested: Query, isOrdered: boolean): unknown {
  const order = <One extends string | number>(list: One[]): One[] => (isOrdered ? list : list.sort());
  const listed = entities(tested).map((entity) => rankOf(fixture, entity));
  const iterated = Array.from(rows(tested), (row) => rankOf(fixture, (row as unknown[]).at(-1) as Entity));
  const inRuns: number[] = [];
  eachRun(tested, (run) => {
    for (let row = run.first; row < run.end; row++) inRuns.push(rankOf(fixture, run.entityAt(row)));
  });
  const found = first(tested);
  return {
    matches: order(matchesOf(fixture, tested)),
    isFirst: found === undefined ? listed.length === 0 : rankOf(fixture, found) === listed[0],
    listed: order(listed),
    iterated: order(iterated),
    inRuns: order(inRuns),
    count: count(tested),
    isEmpty: isEmpty(tested),
  };
}

const STEPS = 3;

/** Reads the same query of worlds with the same history, one per storage, again and again while they change. */
function expectSame(
  termsOf: (fixture: Fixture) => readonly QueryTerm[],
  read: (fixture: Fixture, tested: Query) => unknown,
): void {
  let found = 0;
  for (const seed of seeds(1, 4)) {
    const createTested = (name: string, definitions: Definitions) => {
      const fixture = createFixture(definitions, seed);
      const tested = query(fixture.world, ...termsOf(fixture)) as Query;
      // As texts, which are compared at once: they are long.
      return { name, fixture, tested, text: () => JSON.stringify(read(fixture, tested)) };
    };
    const inTables = createTested("tables", InTables);
    const others = STORAGES.map(([name, storage]) => createTested(name, storedAs(storage)));
    for (let step = 0; step < STEPS; step++) {
      const expected = inTables.text();
      for (const { name, tested, text } of others) {
        expect(`${name}: ${text()}`).toBe(`${name}: ${expected}`);
        if (!tested.plan.isWatching) expect(`${name}, again: ${text()}`).toBe(`${name}, again: ${expected}`);
      }
      found += expected.length;
      for (const { fixture } of [inTables, ...others]) fixture.change();
    }
    for (const { fixture } of others) expect(verify(fixture.world)).toEqual([]);
  }
  expect(found).toBeGreaterThan(12.5 * STEPS * seeds(1, 4).length);
}

const QUERIES: readonly (readonly [name: string, terms: (fixture: Fixture) => readonly QueryTerm[]])[] = [
  ["required", ({ Selected }) => [Rank, Selected]],
  ["required alone", ({ Selected }) => [Selected]],
  ["required twice", ({ Selected, Hot, Glow }) => [Rank, Hot, Selected, Glow]],
  ["excluded", ({ Selected }) => [Rank, not(Selected)]],
  ["excluded, beside a required one", ({ Selected, Hot }) => [Selected, Rank, not(Hot)]],
  ["excluded, among disabled entities too", ({ Selected }) => [Rank, not(Selected), maybe(Disabled)]],
  ["required with and without", ({ Selected }) => [Rank, Selected, not(Selected)]],
  ["optional", ({ Selected, Glow }) => [Rank, maybe(Selected), maybe(Glow)]],
  ["one of several", ({ Selected, Hot }) => [Rank, or(Selected, Hot)]],
  ["one of several, beside a component", ({ Selected, Glow }) => [Rank, or(Selected, Glow)]],
  ["not one of several", ({ Selected }) => [Rank, not(or(Selected, Armed))]],
  ["not several together", ({ Selected, Hot }) => [Rank, not(all(Selected, Hot))]],
  ["several together", ({ Selected, Hot, Glow }) => [Rank, all(Selected, not(Hot), Glow)]],
  ["above", ({ Selected }) => [Rank, up(Selected)]],
  ["not above", ({ Selected }) => [Rank, not(up(Selected))]],
  ["of the entity or above", ({ Selected, Hot }) => [Rank, selfOrUp(Selected), not(Hot)]],
  ["optional above", ({ Selected }) => [Rank, maybe(up(Selected)), Selected]],
  ["required, beside a value from above", ({ Selected, Glow }) => [Rank, Selected, up(Glow)]],
  [
    "excluded, beside a value from above",
    ({ Selected, Glow }) => [Rank, not(Selected), maybe(selfOrUp(Glow))],
  ],
  ["required below a given entity", ({ Selected, all: [top] }) => [Rank, Selected, ChildOf(top!)]],
  ["excluded below a given entity", ({ Selected, all: [top] }) => [Rank, not(Selected), ChildOf(top!)]],
  ["required with a pair", ({ Selected, all: list }) => [Selected, Likes(list[3]!)]],
  ["excluded with a pair that is", ({ Hot, all: list }) => [Rank, not(Hot), not(ChildOf(list[0]!))]],
  ["required of a variable", ({ Selected }) => [Rank, ChildOf(one), on(one, Selected)]],
  ["required of an entity and its parent", ({ Selected, Hot }) => [Selected, ChildOf(one), on(one, Hot)]],
  [
    "required of siblings",
    ({ Selected }) => [Rank, Selected, Likes(one), on(other, Likes(one)), on(other, Selected)],
  ],
  [
    "excluded by a search",
    ({ Selected }) => [Rank, Selected, not(all(on(other, ChildOf($this)), on(other, Selected)))],
  ],
  ["excluded inside a search", ({ Selected }) => [Rank, not(all(Selected, ChildOf(other), ChildOf($this)))]],
  ["a value", ({ Glow }) => [Rank, Glow]],
  ["a value alone", ({ Glow }) => [Glow]],
  ["a JavaScript value", ({ Label, Glow }) => [Rank, Label, Glow]],
  ["an optional value", ({ Label, Glow }) => [Rank, maybe(Glow), maybe(Label)]],
  ["an optional value, beside a tag", ({ Label, Selected }) => [Selected, maybe(Label), Rank]],
  ["a value or another", ({ Label, Glow }) => [Rank, or(Label, Glow)]],
  ["a value or one from above", ({ Glow }) => [or(Glow, up(Glow)), Rank]],
  ["a value from above", ({ Glow }) => [Rank, up(Glow)]],
  ["a value of the entity or from above", ({ Glow }) => [selfOrUp(Glow), Rank]],
  ["a JavaScript value of the entity or from above", ({ Label }) => [maybe(selfOrUp(Label)), Rank]],
  [
    "an optional value from above",
    ({ Glow, Label }) => [maybe(up(Glow)), maybe(up(Label)), maybe(Glow), Rank],
  ],
  ["a value of a variable", ({ Glow }) => [Rank, ChildOf(one), on(one, Glow)]],
  ["an optional value of a variable", ({ Glow, Label }) => [Label, ChildOf(one), maybe(on(one, Glow))]],
  ["a value of a variable's target", ({ Glow, Selected }) => [Selected, Likes(one), on(one, Glow), one]],
  ["a value of a given entity", ({ Glow, all: list }) => [Rank, maybe(on(list[5]!, Glow))]],
  ["of a given entity", ({ Selected, all: list, Glow }) => [Glow, on(list[5]!, Selected)]],
];

describe("what is stored as bits, and what is sparse, matches as in tables", () => {
  it.each(QUERIES)("if it is %s", (_, termsOf) => {
    expectSame(termsOf, (fixture, tested) => readAll(fixture, tested, false));
  });

  it.each([
    ["parents first", ({ Selected, Glow }: Fixture) => [Rank, Selected, cascade(Glow)]],
    ["parents first, excluded", ({ Selected, Glow }: Fixture) => [Rank, not(Selected), cascade(Glow)]],
    ["children first", ({ Selected, Glow }: Fixture) => [Rank, Selected, cascade(Glow, { desc: true })]],
    [
      "below what has it",
      ({ Selected, Hot, Glow }: Fixture) => [Rank, cascade(Glow), up(Selected), not(Hot)],
    ],
  ])("in batches and levels, %s", (_, termsOf) => {
    expectSame(termsOf, (fixture, tested) => {
      const inBatches: string[] = [];
      const levels: string[] = [];
      const depths: number[] = [];
      eachBatch(tested, (batch) => {
        for (let at = batch.from; at < batch.to; at++) {
          const source = batch.hasParents ? batch.sourceAt(fixture.Glow, at) : undefined;
          const above = source === undefined ? "no" : get(fixture.world, source, fixture.Glow)?.n;
          inBatches.push(`${rankOf(fixture, batch.entityAt(batch.rows[at]!))} below ${above}`);
        }
        depths.push(batch.depth);
      });
      eachLevel(tested, (level) => {
        level.eachBatch((batch) => {
          for (let at = batch.from; at < batch.to; at++)
            levels.push(
              `${rankOf(fixture, batch.entityAt(batch.rows[at]!))} at ${level.depth} of ${level.count}`,
            );
        });
      });
      const isInOrder = depths.every((depth, at) => at === 0 || depth >= depths[at - 1]!);
      return {
        inBatches: inBatches.sort(),
        levels: levels.sort(),
        isInOrder,
        all: readAll(fixture, tested, false),
      };
    });
  });

  it("in kernels of runs and batches", () => {
    const sums = { runs: 0, batches: 0 };
    const inRuns = runKernel(
      [Rank],
      ([{ n }], given) =>
        (from, to) => {
          for (let row = from; row < to; row++) given.runs += n[row]! + 1;
        },
      sums,
    );
    const inBatches = batchKernel(
      { own: [Rank], above: [Rank] },
      ([{ n }], above, { rows, parentRows }, given) =>
        (from, to) => {
          for (let at = from; at < to; at++)
            given.batches +=
              (n[rows[at]!]! + 1) * (above === undefined ? 1 : above[0].n[parentRows[at]!]! + 2);
        },
      sums,
    );
    const read = (_fixture: Fixture, tested: Query): unknown => {
      sums.runs = 0;
      sums.batches = 0;
      eachRun(tested, inRuns);
      if (tested.plan.traversals.length > 0) eachBatch(tested, inBatches);
      return [sums.runs, sums.batches, "a text that is long enough to count for something"];
    };

    expectSame(({ Selected }) => [Rank, Selected], read);
    expectSame(({ Selected, Hot }) => [Rank, not(Selected), not(Hot), cascade(Rank)], read);
  });

  it.each([
    ["a field", ({ Selected }: Fixture) => [Rank, Selected, orderBy(Rank, "n", { desc: true })]],
    ["a field, excluded", ({ Selected }: Fixture) => [Rank, not(Selected), orderBy(Rank, "n")]],
    ["a value", ({ Glow }: Fixture) => [Rank, Glow, orderBy(Glow, "n")]],
    ["a value that some lack", ({ Glow }: Fixture) => [Rank, orderBy(Glow, "n", { desc: true })]],
    ["a comparison of values", ({ Label }: Fixture) => [Rank, maybe(Label), orderBy(Label, byText)]],
    ["a value from above", ({ Glow }: Fixture) => [Rank, orderBy(up(Glow), "n")]],
    ["a value of the entity or from above", ({ Glow }: Fixture) => [Rank, orderBy(selfOrUp(Glow), "n")]],
    ["the order of trees", ({ Selected }: Fixture) => [Rank, Selected, ChildOf(one), inOrder()]],
  ])("in the order of %s", (_, termsOf) => {
    expectSame(termsOf, (fixture, tested) => [
      readAll(fixture, tested, true),
      readAll(fixture, page(tested, 2, 9), true),
      readAll(fixture, shard(tested, 1, 3), true),
    ]);
  });

  it("in groups", () => {
    expectSame(
      ({ Selected, Hot }) => [Rank, Selected, not(Hot), groupBy(ChildOf)],
      (fixture, tested) => {
        const groups = groupsOf<Entity | undefined>(tested).map((key) => [
          key === undefined ? -1 : rankOf(fixture, key),
          readAll(fixture, group(tested, key), false),
        ]);
        return groups.sort(([a], [b]) => (a as number) - (b as number));
      },
    );
  });

  it("of a variable that is bound", () => {
    expectSame(
      ({ Selected }) => [Rank, Selected, ChildOf(one)],
      (fixture, tested) =>
        fixture.all.slice(0, 8).map((parent) => readAll(fixture, bind(tested, one, parent), false)),
    );
  });

  it.each([
    ["added", ({ Selected }: Fixture) => [Rank, added(Selected)]],
    ["removed", ({ Selected }: Fixture) => [Rank, removed(Selected)]],
    ["added, or one like it", ({ Selected, Hot }: Fixture) => [Rank, or(added(Selected), added(Hot))]],
    ["added beside another", ({ Selected, Hot }: Fixture) => [Rank, Hot, added(Selected)]],
    ["there while something changed", ({ Selected }: Fixture) => [Rank, Selected, changed(Rank)]],
    [
      "there while something above changed",
      ({ Selected, Glow }: Fixture) => [Rank, not(Selected), changed(up(Glow))],
    ],
    ["with a value that was written", ({ Glow }: Fixture) => [Rank, changed(Glow)]],
    ["with a value that was written, which it reads", ({ Glow }: Fixture) => [Rank, Glow, changed(Glow)]],
    ["with a value that it got", ({ Glow }: Fixture) => [Rank, added(Glow)]],
    ["with a value that it lost", ({ Glow }: Fixture) => [Rank, removed(Glow)]],
    ["with a value above that was written", ({ Glow }: Fixture) => [Rank, changed(up(Glow))]],
    [
      "with a value of its own or above that was written",
      ({ Glow }: Fixture) => [Rank, changed(selfOrUp(Glow))],
    ],
    ["below a value that was written", ({ Glow }: Fixture) => [Rank, below(changed(Glow))]],
    [
      "with one of two values that were written",
      ({ Glow, Label }: Fixture) => [Rank, or(changed(Glow), changed(Label))],
    ],
    ["added above", ({ Selected }: Fixture) => [Rank, below(added(Selected))]],
  ])("if it was %s since the last read", (_, termsOf) => {
    expectSame(termsOf, (fixture, tested) => matchesOf(fixture, tested).sort());
  });

  it.each(STORAGES)("in monitors, which report the same entities: %s", (_, storage) => {
    for (const termsOf of [QUERIES[0]![1], QUERIES[1]![1], QUERIES[4]![1], QUERIES[8]![1], QUERIES[11]![1]]) {
      const [expected, found] = [InTables, storedAs(storage)].map((definitions) => {
        const fixture = createFixture(definitions, 5);
        const log: string[] = [];
        const tested = query(fixture.world, ...termsOf(fixture));
        monitor(tested, {
          entered: (entity) => log.push(`${rankOf(fixture, entity)} entered`),
          left: (entity) => log.push(`${rankOf(fixture, entity)} left`),
        });
        const grouped = query(fixture.world, ...termsOf(fixture), groupBy(ChildOf));
        monitorGroups<Entity | undefined>(grouped, {
          began: (key) => log.push(`${key && rankOf(fixture, key)} began`),
          ended: (key) => log.push(`${key && rankOf(fixture, key)} ended`),
        });
        // Entities below a DisabledTree are touched in the order of rows, which tags in tables move.
        return Array.from({ length: 5 }, () => {
          log.length = 0;
          fixture.change();
          return [...log].sort();
        });
      });
      expect(found).toEqual(expected);
      expect(found!.flat().length).toBeGreaterThan(20);
    }
  });
});

describe("a query with a tag in bits", () => {
  const { Glow } = InTables;

  it("counts without iterating, and follows flips of the tag", () => {
    const world = createWorld();
    const Selected = tag("Selected", { storage: bits });
    const list = Array.from({ length: 100 }, (_, n) => spawn(world, Rank({ n })));
    const tested = query(world, Rank, Selected);
    const others = query(world, Rank, not(Selected));
    const counts = (): number[] => [count(tested), count(others)];

    expect(counts()).toEqual([0, 100]);
    for (const entity of list.slice(10, 20)) add(world, entity, Selected);
    expect(counts()).toEqual([10, 90]);
    add(world, list[15]!, Disabled);
    expect(counts()).toEqual([9, 90]);
    remove(world, list[10]!, Selected);
    expect(counts()).toEqual([8, 91]);
  });

  it("passes runs that end where the tag does", () => {
    const world = createWorld();
    const Selected = tag("Selected", { storage: bits });
    const list = Array.from({ length: 100 }, (_, n) => spawn(world, Rank({ n })));
    for (const entity of [...list.slice(10, 20), ...list.slice(31, 70)]) add(world, entity, Selected);
    const lengths = (tested: Query): number[] => {
      const found: number[] = [];
      eachRun(tested, ({ first, end }) => found.push(end - first));
      return found;
    };

    expect(lengths(query(world, Rank, Selected))).toEqual([10, 39]);
    expect(lengths(query(world, Rank, not(Selected)))).toEqual([10, 11, 30]);
  });

  /** A parent with children 0, 1, 2 ..., those with an even rank selected. */
  function family(size: number): { world: World; Selected: Tag; list: Entity[] } {
    const world = createWorld();
    const Selected = tag("Selected", { storage: bits });
    const parent = spawn(world, Glow({ n: -1 }));
    const list = Array.from({ length: size }, (_, n) => spawn(world, Rank({ n }), ChildOf(parent)));
    for (const entity of list.filter((_, n) => n % 2 === 0)) add(world, entity, Selected);
    return { world, Selected, list };
  }

  function batchesOf(world: World, tested: Query): number[][] {
    const found: number[][] = [];
    eachBatch(tested, (batch) => {
      const { n } = batch.columns(Rank);
      const above = batch.parentColumns(Glow);
      const positions = Array.from({ length: batch.to - batch.from }, (_, at) => batch.from + at);
      expect(positions.every((at) => above.n[batch.parentRows[at]!] === -1)).toBe(true);
      found.push(positions.map((at) => n[batch.rows[at]!]!));
    });
    expect(verify(world)).toEqual([]);
    return found;
  }

  it("passes no more batches than without the tag, and follows flips between two iterations", () => {
    const { world, Selected, list } = family(10);
    const tested = query(world, Rank, Selected, cascade(Glow));

    expect(batchesOf(world, tested)).toEqual([[0, 2, 4, 6, 8]]);
    add(world, list[3]!, Selected);
    remove(world, list[4]!, Selected);
    expect(batchesOf(world, tested)).toEqual([[0, 2, 3, 6, 8]]);
    add(world, list[0]!, Disabled);
    expect(batchesOf(world, tested)).toEqual([[2, 3, 6, 8]]);
    for (const entity of list) remove(world, entity, Selected);
    expect(batchesOf(world, tested)).toEqual([]);
  });

  it("can be iterated inside of its own iteration, bound to another entity", () => {
    const { world, Selected, list } = family(6);
    const [first, second] = [list[0]!, list[2]!];
    for (const [n, parent] of [first, first, second, second].entries())
      add(world, spawn(world, Rank({ n: 10 + n }), Parent(parent)), Selected);
    const tested = query(world, Rank, Selected, ChildOf(one), up(Glow));
    const found: number[][] = [];
    bind(tested, one, first);

    each(tested, (rank, _, __) => {
      bind(tested, one, second);
      const inner: number[] = [rank.n];
      each(tested, (other) => inner.push(other.n));
      found.push(inner);
    });

    expect(found).toEqual([
      [10, 12, 13],
      [11, 12, 13],
    ]);
  });
});
