import { add, type Entity, get, isDisabled, remove, spawn } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Query } from "../../src/index.ts";
import {
  count,
  each,
  eachBatch,
  eachLevel,
  eachRun,
  entities,
  first,
  isEmpty,
  monitor,
  query,
  rows,
} from "../../src/index.ts";
import { versionOfBatches } from "../current-batches.ts";
import { ChildOf, Disabled, DisabledTree, Parent } from "../public/builtins.ts";
import { component, relation, withDisabledTree } from "../public/define.ts";
import { f32 } from "../public/fields.ts";
import { added, maybe, not, or, removed } from "../public/filters.ts";
import { bind, group, groupBy, groupsOf, orderBy, page, shard } from "../public/parts.ts";
import { cascade, on, selfOrUp, up, variable } from "../public/terms.ts";
import { createDice, seeds } from "../random/dice.ts";
import { setWorld, world } from "../test-world.ts";
import { indexOf } from "../world-state.ts";

/** Being disabled is a bit of a row: queries leave single rows out, whatever they cache between iterations. */

const Rank = component("Rank", { n: f32 });
const Glow = component("Glow", { n: f32 });
const Likes = relation("Likes", { exclusive: true });

const parent = variable("parent");

beforeEach(setWorld);

afterEach(() => {
  expect(verify(world)).toEqual([]);
});

/** So many entities with ranks 0, 1, 2 ... */
function ranks(amount: number, ...terms: Parameters<typeof spawn>[1][]): Entity[] {
  return Array.from({ length: amount }, (_, n) => spawn(world, Rank({ n }), ...terms));
}

function ranksOf(tested: unknown): number[] {
  return entities(tested as Query).map((one) => get(world, one, Rank)!.n);
}

function upTo(end: number, without: readonly number[] = []): number[] {
  return Array.from({ length: end }, (_, n) => n).filter((n) => !without.includes(n));
}

describe("rows that are disabled", () => {
  it("are left out of the runs of their archetype, and put in again where they were", () => {
    const all = ranks(100);
    const tested = query(world, Rank);
    const runs: [number, number][] = [];
    const inspect = (): unknown => {
      runs.length = 0;
      eachRun(tested, ({ first: from, end }) => void runs.push([from, end]));
      return runs;
    };

    for (const n of [0, 31, 32, 99]) add(world, all[n]!, Disabled);
    expect(inspect()).toEqual([
      [1, 31],
      [33, 99],
    ]);
    for (const n of [31, 99]) remove(world, all[n]!, Disabled);

    expect(inspect()).toEqual([
      [1, 32],
      [33, 100],
    ]);
    expect([ranksOf(tested), count(tested), first(tested)]).toEqual([upTo(100, [0, 32]), 98, all[1]]);
  });

  it("match nothing if all rows are disabled: for each kind of iteration", () => {
    const all = ranks(40);
    const tested = query(world, Rank);
    for (const one of all) add(world, one, Disabled);
    const met: unknown[] = [];

    each(tested, (...what: unknown[]) => void met.push(what));
    eachRun(tested, (run) => void met.push(run));
    for (const row of rows(tested)) met.push(row);

    expect([met, count(tested), isEmpty(tested), first(tested)]).toEqual([[], 0, true, undefined]);
  });

  it.each([
    ["ChildOf", ChildOf],
    ["Parent", Parent],
  ])("are not counted or met among the children of one parent: %s", (_, storage) => {
    const [ship, dock] = [spawn(world), spawn(world)];
    const crew = ranks(70, storage(ship));
    ranks(3, storage(dock));
    for (const n of [5, 6, 64]) add(world, crew[n]!, Disabled);
    const bound = bind(query(world, Rank, ChildOf(parent)), parent, ship);
    const named = query(world, Rank, ChildOf(ship));

    for (const tested of [bound, named]) {
      let met = 0;
      eachRun(tested, (run) => {
        met += run.end - run.first;
      });
      expect([met, count(tested), isEmpty(tested), ranksOf(tested)]).toEqual([
        67,
        67,
        false,
        upTo(70, [5, 6, 64]),
      ]);
    }
    expect(count(query(world, ChildOf(ship), maybe(Disabled)))).toBe(70);
    expect(ranksOf(query(world, Rank, ChildOf(ship), Disabled))).toEqual([5, 6, 64]);
    add(world, ship, DisabledTree);
    expect([count(bound), count(named), isEmpty(bound)]).toEqual([0, 0, true]);
  });

  it("can be matched with any operator, together with other terms", () => {
    const [ship] = [spawn(world)];
    const some = ranks(8);
    for (const n of [1, 2]) add(world, some[n]!, Disabled);
    for (const n of [2, 3]) add(world, some[n]!, Glow);
    add(world, some[4]!, ChildOf(ship));
    const matchingRanks = (...terms: Parameters<typeof query>[1][]): number[] =>
      ranksOf(query(world, Rank, ...terms)).toSorted((one, other) => one - other);

    expect(matchingRanks(Disabled)).toEqual([1, 2]);
    expect(matchingRanks(not(Disabled))).toEqual([0, 3, 4, 5, 6, 7]);
    expect(matchingRanks(maybe(Disabled))).toEqual(upTo(8));
    expect(matchingRanks(or(Disabled, Glow))).toEqual([1, 2, 3]);
    expect(matchingRanks(Disabled, Glow)).toEqual([2]);
    expect(matchingRanks(or(not(Disabled), Glow), not(ChildOf(ship)))).toEqual([0, 2, 3, 5, 6, 7]);
    expect(matchingRanks()).toEqual([0, 3, 4, 5, 6, 7]);
  });

  it("make `maybe` differ row by row by whether they have the tag", () => {
    const all = ranks(3);
    add(world, all[1]!, Disabled);
    const reported: unknown[] = [];

    each(query(world, maybe(Disabled), Rank), (is, { n }) => void reported.push([n, is]));

    expect(reported).toEqual([
      [0, undefined],
      [1, true],
      [2, undefined],
    ]);
  });

  it("that got and lost the tag are changes once, and being below a DisabledTree is not one", () => {
    const ship = spawn(world);
    const all = ranks(3, ChildOf(ship));
    const [got, lost] = [query(world, Rank, added(Disabled)), query(world, Rank, removed(Disabled))];
    const takeReports = (): unknown => [ranksOf(got), ranksOf(lost)];
    const inspect = (): unknown => {
      const found = takeReports();
      each(got, () => {});
      each(lost, () => {});
      return found;
    };
    inspect();

    add(world, all[1]!, Disabled);
    add(world, ship, DisabledTree);
    expect([inspect(), inspect()]).toEqual([
      [[1], []],
      [[], []],
    ]);
    expect(verify(world)).toEqual([]); // while an entity has what is tracked
    add(world, all[1]!, Glow);
    remove(world, ship, DisabledTree);
    expect(inspect()).toEqual([[], []]);
    remove(world, all[1]!, Disabled);
    add(world, all[1]!, ChildOf(spawn(world)));
    expect([inspect(), inspect()]).toEqual([
      [[], [1]],
      [[], []],
    ]);
  });

  it("can be bound to variables, which may require the tag", () => {
    const [x, y] = [spawn(world, Disabled), spawn(world)];
    const [one, other] = [spawn(world, Likes(x)), spawn(world, Likes(y))];

    expect(entities(query(world, Likes(parent), on(parent, Disabled)))).toEqual([one]);
    expect(entities(query(world, Likes(parent)))).toEqual([one, other]);
    add(world, one, Disabled);
    expect(entities(query(world, Likes(parent)))).toEqual([other]);
  });
});

describe("what queries cache between iterations", () => {
  it("follows rows in order, in groups, in pages and in shards", () => {
    const [x, y] = [spawn(world), spawn(world)];
    const all = ranks(60);
    for (const [at, one] of all.entries()) add(world, one, Likes(at % 2 ? x : y));
    const [sorted, grouped] = [
      query(world, Rank, orderBy(Rank, "n", { desc: true })),
      query(world, Rank, groupBy(Likes)),
    ];
    const desc = (without: readonly number[]): number[] => upTo(60, without).reverse();

    for (const off of [[], [59, 3], [3], []] as const) {
      for (const one of all) remove(world, one, Disabled);
      for (const n of off) add(world, all[n]!, Disabled);
      expect(ranksOf(sorted)).toEqual(desc(off));
      expect(ranksOf(page(sorted, 1, 3))).toEqual(desc(off).slice(1, 4));
      expect([0, 1, 2].flatMap((at) => ranksOf(shard(sorted, at, 3)))).toEqual(desc(off));
      expect(groupsOf(grouped)).toEqual([x, y]);
      expect(ranksOf(group(grouped, x))).toEqual(upTo(60, off).filter((n) => n % 2 === 1));
    }
    for (let n = 1; n < 60; n += 2) add(world, all[n]!, Disabled);
    expect([groupsOf(grouped), count(group(grouped, x))]).toEqual([[y], 0]);
  });

  it.each([
    ["ChildOf", ChildOf],
    ["Parent", Parent],
  ])("stays as it is in batches, which leave rows out at each iteration: %s", (_, storage) => {
    const top = spawn(world, Glow({ n: 7 }));
    const mids = ranks(3, storage(top));
    const leaves = mids.flatMap((mid) => ranks(20, storage(mid)));
    const tested = query(world, Rank, up(Glow), cascade(Glow));
    const met = (): number => {
      let sum = 0;
      eachBatch(tested, ({ from, to }) => {
        sum += to - from;
      });
      return sum;
    };
    const version = (): number => versionOfBatches(tested);
    expect(met()).toBe(63);
    const before = version();

    for (const n of [0, 1, 25]) add(world, leaves[n]!, Disabled);
    expect([met(), count(tested)]).toEqual([60, 60]);
    const levels: number[] = [];
    eachLevel(tested, (level) => void levels.push(level.count));
    expect(levels).toEqual([3, 57]);
    for (const n of [0, 1]) remove(world, leaves[n]!, Disabled);
    expect(met()).toBe(62);

    expect(version()).toBe(before);
  });

  it("follows at once if a term finds `Disabled` above, without a row that moves", () => {
    const top = spawn(world, Rank({ n: 0 }));
    const mid = spawn(world, Rank({ n: 1 }), ChildOf(top));
    const leaf = spawn(world, Rank({ n: 2 }), Parent(mid));
    const [above, free, self] = [
      query(world, Rank, up(Disabled)),
      query(world, Rank, not(up(Disabled))),
      query(world, Rank, selfOrUp(Disabled), maybe(Disabled)),
    ];
    const inspect = (): unknown => [ranksOf(above), ranksOf(free), ranksOf(self)];
    expect(inspect()).toEqual([[], [0, 1, 2], []]);

    add(world, mid, Disabled);
    expect(inspect()).toEqual([[2], [0], [1, 2]]);
    add(world, top, Disabled);
    expect(inspect()).toEqual([[2], [], [0, 1, 2]]);
    remove(world, mid, Disabled);
    expect(inspect()).toEqual([[1, 2], [], [0, 1, 2]]);
    remove(world, top, Disabled);

    expect([inspect(), isDisabled(world, leaf)]).toEqual([[[], [0, 1, 2], []], false]);
  });

  it.each(seeds(1, 3))(
    "is right under random changes of both kinds, nested and moved about, seed %i",
    (seed) => {
      const dice = createDice(seed);
      const all = ranks(60);
      const parents = new Map<Entity, Entity>();
      const isAbove = (one: Entity, other: Entity | undefined): boolean =>
        other !== undefined && (one === other || isAbove(one, parents.get(other)));
      const tested = [
        query(world, Rank),
        query(world, Rank, cascade(Rank)),
        query(world, Rank, orderBy(Rank, "n")),
        query(world, Rank, not(Glow)),
        query(world, Rank, ChildOf(parent)),
        query(world, Rank, maybe(up(Glow))),
      ];
      const wrong: string[] = [];

      for (let step = 0; step < 400; step++) {
        const [one, other] = [dice.pick(all), dice.pick(all)];
        const act = dice.below(6);
        if (act === 0) add(world, one, dice.pick([Disabled, DisabledTree]));
        else if (act === 1) remove(world, one, dice.pick([Disabled, DisabledTree]));
        else if (act === 2) dice.chance(0.5) ? add(world, one, Glow) : remove(world, one, Glow);
        else if (act === 3 && !isAbove(one, other)) {
          add(world, one, dice.pick([ChildOf, Parent])(other));
          parents.set(one, other);
        } else if (act > 3) {
          const place = dice.below(tested.length);
          const found = entities(tested[place]! as Query).map(indexOf);
          const right = all.filter((entity) => {
            if (isDisabled(world, entity)) return false;
            if (place === 3) return get(world, entity, Glow) === undefined;
            return place !== 4 || parents.has(entity);
          });
          const expected = right.map(indexOf);
          const inOrder = (list: number[]): string => list.toSorted((a, b) => a - b).join(" ");
          if (inOrder(found) !== inOrder(expected)) wrong.push(`step ${step}, query ${place}`);
          if (count(tested[place]! as Query) !== expected.length) wrong.push(`step ${step}, count ${place}`);
        }
      }

      expect(wrong.slice(0, 3)).toEqual([]);
    },
  );
});

describe("what a relation contains that DisabledTree follows", () => {
  it("is left out of queries with its container, and monitored", () => {
    const In = withDisabledTree(relation("In", { traversable: true }));
    const chest = spawn(world);
    ranks(2, In(chest));
    ranks(1);
    const tested = query(world, Rank);
    const notified: string[] = [];
    const stop = monitor(tested, {
      entered: (one) => notified.push(`+${get(world, one, Rank)!.n}`),
      left: (one) => notified.push(`-${get(world, one, Rank)!.n}`),
    });

    add(world, chest, DisabledTree);
    expect([ranksOf(tested), count(tested), notified]).toEqual([[0], 1, ["-0", "-1"]]);
    remove(world, chest, DisabledTree);

    expect([ranksOf(tested).toSorted(), notified]).toEqual([
      [0, 0, 1],
      ["-0", "-1", "+0", "+1"],
    ]);
    stop();
  });
});
