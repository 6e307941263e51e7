import { expect, it } from "vitest";
import { each, eachBatch, type Query, type QueryTerm, query } from "../../../src/index.ts";
import { beginIteration, endIteration } from "../../../src/iterate/iteration.ts";
import { type IterationState, turnOn } from "../../../src/query/state/iteration-state.ts";
import { maybe, not } from "../../public/filters.ts";
import { cascade, up, variable } from "../../public/terms.ts";
import { createMixed, type Mixed, stepMixed } from "../../random/mixed-storages.ts";
import { Frozen, Likes, Local, Mark, Placed } from "../../random/twin.ts";

/** Everything in an iteration state, and the very lists from which it comes. */
function shownBy({
  archetype,
  from,
  to,
  rows,
  depth,
  sources,
  sourceRows,
  variables,
}: IterationState): unknown[] {
  return [archetype, from, to, rows, depth, ...sources, ...sourceRows, ...variables];
}

/** How often the iteration states of a query moved on, and how often they had to be set. */
function turns({ world }: Mixed, terms: readonly QueryTerm[]): [on: number, to: number] {
  const tested = query(world, Mark, ...terms) as Query;
  const iteration = beginIteration(tested, false);
  const { intervals, state } = iteration;
  const counts: [number, number] = [0, 0];
  for (let at = intervals.stride; at < intervals.length; at += intervals.stride) {
    state.turnTo(intervals, at - intervals.stride);
    const before = shownBy(state);
    const isOn = turnOn(state, intervals, at);
    const found = shownBy(state);
    counts[isOn ? 0 : 1]++;
    if (isOn) state.turnTo(intervals, at);

    const expected = isOn ? shownBy(state) : before;
    expect(found.every((one, place) => one === expected[place])).toBe(true);
  }
  endIteration(tested, iteration, true);
  return counts;
}

/** [entity, its parent, Local above] of all, as rows and as batches. */
function iterated({ world }: Mixed, isMarking: boolean): unknown[][] {
  const tested = query(world, Mark, cascade(Mark), maybe(up(Local)));
  const [rows, batches]: unknown[][] = [[], []];
  each(tested, (mark, above, local) => rows!.push([mark.of, above?.of, local?.of]));
  eachBatch(
    tested,
    (batch) => {
      const { of } = batch.columns(Mark);
      for (let at = batch.from; at < batch.to; at++) {
        const above = batch.hasParents ? batch.parentColumns(Mark).of[batch.parentRows[at]!] : undefined;
        const isLit = batch.has(Local);
        const local = isLit ? batch.columnsOf(Local, Local).of[batch.rowsOf(Local)[at]!] : undefined;
        batches!.push([of[batch.rows[at]!], above, local]);
      }
    },
    isMarking ? { writes: [Mark] } : {},
  );
  return [rows!, batches!];
}

const STEPS = 60 * Number(process.env.TREELINE_WALKS ?? 1);

it.each([0, 0.5, 1])("batches come to the same as rows, of which %d by value", (byValue) => {
  for (const has of [0.03, 0.4]) {
    const mixed = createMixed(11, { byValue, has, most: 60 });
    for (let step = 0; step < STEPS; step++) {
      stepMixed(mixed);
      const [rows, batches] = iterated(mixed, step % 3 === 0);

      expect(batches).toEqual(rows);
    }
  }
});

const liked = variable("liked");

it.each<[title: string, byValue: number, terms: readonly QueryTerm[]]>([
  ["one path, pairs", 0, [cascade(Mark)]],
  ["one path, by value", 1, [cascade(Mark)]],
  ["one path, in both storages", 0.5, [cascade(Mark)]],
  ["two paths", 0.5, [cascade(Mark), maybe(up(Local))]],
  ["two paths, one of which leaves some out", 0.5, [cascade(Mark), up(Mark), not(Frozen)]],
  ["children first", 0.5, [cascade(Mark, { desc: true })]],
])(
  "an iteration state moves on as if it were set to the interval, or not at all: %s",
  (_, byValue, terms) => {
    const mixed = createMixed(7, { byValue, has: 0.03, most: 60 }); // few archetypes: many intervals follow one of the same
    const all = [0, 0];
    for (let step = 0; step < 200; step++) {
      stepMixed(mixed);
      if (step % 4 !== 0) continue;
      turns(mixed, terms).forEach((count, at) => {
        all[at]! += count;
      });
    }

    expect(all[0]).toBeGreaterThan(10);
    expect(all[1]).toBeGreaterThan(10);
  },
);

it("an iteration state with variables is set to each interval again", () => {
  const mixed = createMixed(7, { byValue: 0.5 });
  for (let step = 0; step < 200; step++) stepMixed(mixed);

  const [on] = turns(mixed, [cascade(Placed), Likes(liked)]);

  expect(on).toBe(0);
});
