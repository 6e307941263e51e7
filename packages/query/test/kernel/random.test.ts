import type { Entity, World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, expect, it, vi } from "vitest";
import type { IterationOptions, Query, QueryTerm } from "../../src/index.ts";
import { eachBatch, eachLevel, eachRun, query } from "../../src/index.ts";
import { batchKernel, runKernel } from "../../src/kernels.ts";
import { Any, ChildOf, Parent } from "../public/builtins.ts";
import { maybe, not } from "../public/filters.ts";
import { orderBy, page } from "../public/parts.ts";
import { cascade, selfOrUp, up } from "../public/terms.ts";
import { createMixed, stepMixed } from "../random/mixed-storages.ts";
import { Frozen, Local, Mark, Placed } from "../random/twin.ts";

/** Small worlds would never get loops of their own. */
const { limit } = vi.hoisted(() => ({ limit: { rows: 0 } }));
vi.mock("../../src/kernel/isolate.ts", async (original) => {
  const module = await original<typeof import("../../src/kernel/isolate.ts")>();
  return Object.defineProperty({ ...module }, "ROWS_BEFORE_OWN", { get: () => limit.rows });
});

/** The entities whose rows came, and their parents. */
const reported = { rows: [] as number[] };
/** Kernels are made once, and serve all worlds and queries below. */
const recordRows = runKernel(
  [Mark],
  ([{ of }], { rows }) =>
    (first, end) => {
      for (let row = first; row < end; row++) rows.push(of[row]!);
    },
  reported,
);
const recordBatches = batchKernel(
  { own: [Mark], above: [Mark] },
  ([{ of }], above, { rows, parentRows }, { rows: reported }) => {
    if (above === undefined) {
      return (from, to) => {
        for (let at = from; at < to; at++) reported.push(of[rows[at]!]!, 0);
      };
    }
    const [{ of: sourceOfPair }] = above;
    return (from, to) => {
      for (let at = from; at < to; at++) reported.push(of[rows[at]!]!, sourceOfPair[parentRows[at]!]!);
    };
  },
  reported,
);

beforeEach(() => {
  reported.rows.length = 0;
});

/** What the kernel reports in an iteration. */
function reportedBy(iterate: () => void): number[] {
  reported.rows.length = 0;
  iterate();
  return [...reported.rows];
}

function plainRows(tested: Query): Entity[] {
  const found: Entity[] = [];
  eachRun(tested, (run) => {
    for (let row = run.first; row < run.end; row++) found.push(run.entityAt(row));
  });
  return found;
}

function plainBatches(tested: Query): number[] {
  const found: number[] = [];
  eachBatch(tested, (batch) => {
    const { of } = batch.columns(Mark);
    for (let at = batch.from; at < batch.to; at++) {
      const above = batch.hasParents ? batch.parentColumns(Mark).of[batch.parentRows[at]!]! : 0;
      found.push(of[batch.rows[at]!]!, above);
    }
  });
  return found;
}

function runQueries(world: World, one: Entity): Query[] {
  const lists: QueryTerm[][] = [
    [],
    [not(Frozen)],
    [maybe(Local)],
    [ChildOf(Any)],
    [ChildOf(one)],
    [Parent(Any), Local],
    [up(Placed)],
    [cascade(Local)],
    [orderBy(Mark, "of")],
  ];
  const tested = lists.map((terms) => query(world, Mark, ...terms)) as Query[];
  return [...tested, page(tested[0] as never, 3, 40) as unknown as Query];
}

function batchQueries(world: World): Query[] {
  const lists: QueryTerm[][] = [
    [cascade(Placed)],
    [cascade(Placed, { desc: true })],
    [up(Local)],
    [selfOrUp(Local), not(Frozen)],
    [cascade(Mark), up(Placed)],
    [cascade(Local), maybe(up(Placed)), maybe(Frozen)],
  ];
  return lists.map((terms) => query(world, Mark, ...terms)) as Query[];
}

const STEPS = 20 * Number(process.env.TREELINE_WALKS ?? 1);

const cases = [0, 0.5, 1].flatMap((byValue) =>
  [1, 60, 3000].flatMap((rows) => [1, 2].map((seed) => ({ byValue, rows, seed }))),
);

it.each(cases)(
  "kernels iterate the same rows as plain callbacks: $byValue by value, own loops after $rows rows, seed $seed",
  ({ byValue, rows, seed }) => {
    limit.rows = rows;
    const has = seed === 1 ? 0.4 : 0.03; // many archetypes, or few
    const worlds = [createMixed(seed, { byValue, has }), createMixed(seed + 100, { byValue, has })];
    const marks: IterationOptions = { writes: [Local] };
    for (let step = 0; step < STEPS; step++) {
      const mixed = worlds[step % 2]!;
      stepMixed(mixed);
      if (step % 4 > 1 || mixed.living.length === 0) continue;
      const { world, dice } = mixed;
      const options = dice.chance(0.3) ? marks : undefined;

      for (const tested of runQueries(world, dice.pick(mixed.living))) {
        const expected = plainRows(tested).join();
        expect(reportedBy(() => eachRun(tested, recordRows, options)).join()).toBe(expected);
        expect(reportedBy(() => eachRun(tested, recordRows)).join()).toBe(expected);
      }
      for (const tested of batchQueries(world)) {
        const expected = plainBatches(tested).join();
        expect(reportedBy(() => eachBatch(tested, recordBatches, options)).join()).toBe(expected);
        const byLevel = reportedBy(() => eachLevel(tested, (level) => level.eachBatch(recordBatches)));
        expect(byLevel.join()).toBe(expected);
      }
    }
    for (const { world } of worlds) expect(verify(world)).toEqual([]);
  },
);
