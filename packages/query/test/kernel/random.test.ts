import { Any, ChildOf, type Entity, Parent, type World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, expect, it, vi } from "vitest";
import { eachBatch, eachLevel } from "../../src/iterate/each-batch.ts";
import { eachRun } from "../../src/iterate/each-run.ts";
import type { IterationOptions } from "../../src/iterate/iteration.ts";
import { batchKernel, runKernel } from "../../src/kernel/kernel.ts";
import { maybe, not } from "../../src/query/build/filter-terms.ts";
import { orderBy, page } from "../../src/query/build/order-terms.ts";
import { cascade, selfOrUp, up } from "../../src/query/build/other-entity-terms.ts";
import { query } from "../../src/query/build/query.ts";
import type { Query } from "../../src/query/state/query-state.ts";
import type { QueryTerm } from "../../src/term/operators.ts";
import { createMixed, stepMixed } from "../mixed.ts";
import { Frozen, Local, Mark, Placed } from "../twin.ts";

/** Small worlds would never get loops of their own. */
const { limit } = vi.hoisted(() => ({ limit: { rows: 0 } }));
vi.mock("../../src/kernel/isolate.ts", async (original) => {
  const module = await original<typeof import("../../src/kernel/isolate.ts")>();
  return Object.defineProperty({ ...module }, "ROWS_BEFORE_OWN", { get: () => limit.rows });
});

/** Whose rows came, and under whom. */
const told = { rows: [] as number[] };
/** Kernels are made once, and serve all worlds and queries below. */
const tellRows = runKernel(
  [Mark],
  ([{ of }], { rows }) =>
    (first, end) => {
      for (let row = first; row < end; row++) rows.push(of[row]!);
    },
  told,
);
const tellBatches = batchKernel(
  { own: [Mark], above: [Mark] },
  ([{ of }], above, { rows, parentRows }, { rows: told }) => {
    if (above === undefined) {
      return (from, to) => {
        for (let at = from; at < to; at++) told.push(of[rows[at]!]!, 0);
      };
    }
    const [{ of: sourceOfPair }] = above;
    return (from, to) => {
      for (let at = from; at < to; at++) told.push(of[rows[at]!]!, sourceOfPair[parentRows[at]!]!);
    };
  },
  told,
);

beforeEach(() => {
  told.rows.length = 0;
});

/** What the kernel tells in a visit. */
function toldIn(visit: () => void): number[] {
  told.rows.length = 0;
  visit();
  return [...told.rows];
}

function plainRows(asked: Query): Entity[] {
  const found: Entity[] = [];
  eachRun(asked, (run) => {
    for (let row = run.first; row < run.end; row++) found.push(run.entityAt(row));
  });
  return found;
}

function plainBatches(asked: Query): number[] {
  const found: number[] = [];
  eachBatch(asked, (batch) => {
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
  const asked = lists.map((terms) => query(world, Mark, ...terms)) as Query[];
  return [...asked, page(asked[0] as never, 3, 40) as unknown as Query];
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

const cases = [0, 0.5, 1].flatMap((loose) =>
  [1, 60, 3000].flatMap((rows) => [1, 2].map((seed) => ({ loose, rows, seed }))),
);

it.each(cases)(
  "kernels come to the same rows as plain visitors: $loose by value, own loops after $rows rows, seed $seed",
  ({ loose, rows, seed }) => {
    limit.rows = rows;
    const has = seed === 1 ? 0.4 : 0.03; // many archetypes, or few
    const worlds = [createMixed(seed, { loose, has }), createMixed(seed + 100, { loose, has })];
    const marks: IterationOptions = { writes: [Local] };
    for (let step = 0; step < 100; step++) {
      const mixed = worlds[step % 2]!;
      stepMixed(mixed);
      if (step % 4 > 1 || mixed.living.length === 0) continue;
      const { world, dice } = mixed;
      const options = dice.chance(0.3) ? marks : undefined;

      for (const asked of runQueries(world, dice.pick(mixed.living))) {
        const expected = plainRows(asked);
        expect(toldIn(() => eachRun(asked, tellRows, options))).toEqual(expected);
        expect(toldIn(() => eachRun(asked, tellRows))).toEqual(expected);
      }
      for (const asked of batchQueries(world)) {
        const expected = plainBatches(asked);
        expect(toldIn(() => eachBatch(asked, tellBatches, options))).toEqual(expected);
        expect(toldIn(() => eachLevel(asked, (level) => level.eachBatch(tellBatches)))).toEqual(expected);
      }
    }
    for (const { world } of worlds) expect(verify(world)).toEqual([]);
  },
);
