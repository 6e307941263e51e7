import { type Entity, spawn, spawnMany, type World } from "@treeline/core";
import { describe, expect, it } from "vitest";
import type { Filter, Query, QueryTerm } from "../../../src/index.ts";
import { each, eachBatch, eachLevel, entities, query } from "../../../src/index.ts";
import { ROWS } from "../../../src/query/lists/row-intervals.ts";
import { Owes, Tag, Warm } from "../../definitions.ts";
import { listedFor } from "../../listed-rows.ts";
import { matchesByRun } from "../../matches.ts";
import { ChildOf, Parent } from "../../public/builtins.ts";
import { createWorld, relation } from "../../public/define.ts";
import { changed, maybe, not, or } from "../../public/filters.ts";
import { bind } from "../../public/parts.ts";
import { cascade, on, selfOrUp, up, variable } from "../../public/terms.ts";
import { createDice, seeds } from "../../random/dice.ts";
import { listsChanges } from "../../world-state.ts";

const MemberOf = relation("MemberOf", { exclusive: true, traversable: true });
const Needs = relation("Needs", { traversable: true });

interface MixedTree {
  readonly world: World;
  readonly all: readonly Entity[];
}

/** A tree of 60 in both storages, with pairs of other relations across, and as many others as are wanted. */
function plantMixedTree(seed: number, others: number): MixedTree {
  const { below, chance } = createDice(seed);
  const world = createWorld();
  const all: Entity[] = [spawn(world, Warm({ of: 1 }))];
  for (let at = 1; at < 60; at++) {
    const pick = (): Entity => all[Math.max(0, at - 1 - below(12))]!;
    const terms = [(chance(0.4) ? Parent : ChildOf)(pick())] as Parameters<typeof spawn>[1][];
    if (chance(0.3)) terms.push(Warm({ of: at }));
    if (chance(0.5)) terms.push(Tag);
    if (chance(0.4)) terms.push(MemberOf(pick()));
    if (chance(0.4)) terms.push(Needs(pick()));
    if (chance(0.2)) terms.push(Owes(pick(), { coins: at }));
    all.push(spawn(world, ...(terms as [])));
  }
  spawnMany(world, others, Tag);
  return { world, all };
}

/** The entities that match, with everything that is passed. */
function passedBy({ world, all }: MixedTree, terms: readonly QueryTerm[]): string[] {
  const found: string[] = [];
  const tested = query(world, ...(terms as [QueryTerm])) as unknown as Query;
  each(tested as never, (...row: unknown[]) => {
    const rank = all.indexOf(row.pop() as Entity);
    const values = row.map((one) => {
      if (typeof one === "number") return all.indexOf(one as Entity);
      const { of, coins } = (one ?? {}) as { of?: number; coins?: number };
      return of ?? coins ?? one;
    });
    found.push(`${rank} ${values}`);
  });
  return found.toSorted();
}

/** By batch: depth and rows, with the source. */
function batched({ world, all }: MixedTree, terms: readonly QueryTerm[]): string[] {
  const found: string[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const isDown = terms.some((term) => (term as { desc?: boolean }).desc === true);
  eachBatch(query(world, ...(terms as [QueryTerm])) as unknown as Query, (batch) => {
    const turn = isDown ? -batch.depth : batch.depth;
    if (turn < last) throw new Error(`a batch of depth ${batch.depth} comes too late`);
    last = turn;
    for (let at = batch.from; at < batch.to; at++) {
      const source = batch.hasParents ? all.indexOf(batch.sourceAt(Warm, at)!) : "-";
      found.push(`${all.indexOf(batch.entityAt(batch.rows[at]!))} at ${batch.depth} below ${source}`);
    }
  });
  return found.toSorted();
}

describe("a few rows with a target in a large world", () => {
  it("need no filing", () => {
    const { world, all } = plantMixedTree(1, 2000);
    const { intervals, entities: found } = listedFor(query(world, ChildOf(all[0]!), up(Warm)) as Query);

    expect(found.length).toBeGreaterThan(0);
    for (let at = 0; at < intervals.length; at += intervals.stride)
      expect(intervals.numbers[at + 3]).toBeLessThan(ROWS);
    expect(listsChanges(world)).toBe(false);
  });

  it("are filed where they are many, and where changes above are required", () => {
    const small = plantMixedTree(1, 0);
    spawnMany(small.world, 20, ChildOf(small.all[0]!));
    const large = plantMixedTree(1, 2000);
    entities(query(small.world, ChildOf(small.all[0]!), up(Warm)));
    const changes = query(large.world, ChildOf(large.all[0]!), changed(up(Warm)));

    expect(listsChanges(small.world)).toBe(true);
    expect(entities(changes)).toHaveLength(
      entities(query(large.world, ChildOf(large.all[0]!), up(Warm))).length,
    );
    expect(listsChanges(large.world)).toBe(true);
  });

  it("come as one interval where they have the same table and the same ancestors", () => {
    const { world } = plantMixedTree(1, 2000);
    const [ship, other] = [spawn(world, Warm), spawn(world, Warm)];
    const seats = [...spawnMany(world, 5, ChildOf(ship))];
    const byValue = [...spawnMany(world, 4, Parent(ship))];
    spawnMany(world, 3, Parent(other));

    expect(matchesByRun(query(world, ChildOf(ship), up(Warm)) as Query)).toEqual([byValue, seats]);
  });

  it.each(seeds(1, 4))("match as filed rows do, seed %i", (seed) => {
    const large = plantMixedTree(seed, 2000);
    const { all } = large;
    const termLists: ((one: Entity) => [Filter, ...QueryTerm[]])[] = [
      (one) => [ChildOf(one), up(Warm)],
      (one) => [ChildOf(one), cascade(Warm)],
      (one) => [Parent(one), cascade(Warm, { desc: true })],
      (one) => [MemberOf(one), cascade(Warm)],
      (one) => [MemberOf(one), selfOrUp(Warm), Tag],
      (one) => [MemberOf(one), up(Warm, { relation: MemberOf })],
      (one) => [Needs(one), cascade(Warm, { relation: Needs }), maybe(up(Warm))],
      (one) => [Needs(one), not(MemberOf(all[1]!)), or(up(Tag), Warm), cascade(Warm)],
      (one) => [Owes(one), cascade(Warm)],
      (one) => [ChildOf(one), maybe(Tag), or(ChildOf(all[0]!), Tag), cascade(Warm)],
      (one) => [MemberOf(one), on(one, selfOrUp(Warm)), cascade(Warm)],
    ];
    let count = 0;
    for (const termsFor of termLists) {
      for (const one of all) {
        const [target, ...others] = termsFor(one);
        const found = passedBy(large, [target, ...others]);
        // An alternative is a test: what it names is not looked up.
        expect(found.join("\n")).toBe(passedBy(large, [or(target), ...others]).join("\n"));
        if (others.some((term) => (term as { operator?: string }).operator === "cascade")) {
          const expected = batched(large, [or(target), ...others]);
          expect(batched(large, [target, ...others]).join("\n")).toBe(expected.join("\n"));
        }
        count += found.length;
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  it("match with variables that are set, and with free ones beside the target", () => {
    const [rank, where] = [variable("who"), variable("where")];
    const large = plantMixedTree(5, 2000);
    const { world, all } = large;
    const set = query(world, ChildOf(rank), cascade(Warm), rank);
    let count = 0;
    for (const one of all) {
      const found: string[] = [];
      each(bind(set, rank, one), (warm, target, entity) => {
        expect(target).toBe(one);
        found.push(`${all.indexOf(entity)} ${warm?.of}`);
      });
      expect(found.toSorted()).toEqual(passedBy(large, [or(ChildOf(one)), cascade(Warm)]));
      const free = passedBy(large, [ChildOf(where), MemberOf(one), up(Warm), where]);
      expect(free).toEqual(passedBy(large, [ChildOf(where), or(MemberOf(one)), up(Warm), where]));
      count += found.length + free.length;
    }
    expect(count).toBeGreaterThan(60);
  });

  it("come level by level", () => {
    const { world, all } = plantMixedTree(2, 2000);
    const depths: number[] = [];
    const tested = query(world, MemberOf(all[3]!), cascade(Warm));
    const more = all.slice(4).filter((_, at) => at % 3 === 0);
    for (const one of more) spawn(world, ChildOf(one), MemberOf(all[3]!));
    eachLevel(tested as unknown as Query, (level) => depths.push(level.depth));

    expect(depths.length).toBeGreaterThan(3);
    expect(depths).toEqual([...new Set(depths)].toSorted((one, other) => one - other));
  });
});
