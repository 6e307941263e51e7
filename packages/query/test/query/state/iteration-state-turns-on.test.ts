import { expect, it } from "vitest";
import {
  cascade,
  each,
  eachBatch,
  maybe,
  not,
  type Query,
  type QueryTerm,
  query,
  up,
  variable,
} from "../../../src/index.ts";
import { beginIteration, endIteration } from "../../../src/iterate/iteration.ts";
import type { IterationState } from "../../../src/query/state/iteration-state.ts";
import { turnOn } from "../../../src/query/state/iteration-state.ts";
import { createMixed, type Mixed, stepMixed } from "../../mixed.ts";
import { Frozen, Likes, Local, Mark, Placed } from "../../twin.ts";

/** All that a scene shows, and the very lists that it shows it from. */
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

/** How often the scenes of a question turned on, and how often they had to be turned. */
function turns({ world }: Mixed, terms: readonly QueryTerm[]): [on: number, to: number] {
  const asked = query(world, Mark, ...terms) as Query;
  const visit = beginIteration(asked, false);
  const { intervals, state } = visit;
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
  endIteration(asked, visit, true);
  return counts;
}

/** [who, its parent's, Local above] of all, as rows and as batches. */
function visited({ world }: Mixed, isMarking: boolean): unknown[][] {
  const asked = query(world, Mark, cascade(Mark), maybe(up(Local)));
  const [rows, batches]: unknown[][] = [[], []];
  each(asked, (mark, above, local) => rows!.push([mark.of, above?.of, local?.of]));
  eachBatch(
    asked,
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

it.each([0, 0.5, 1])("batches come to the same as rows, of which %d by value", (loose) => {
  for (const has of [0.03, 0.4]) {
    const mixed = createMixed(11, { loose, has, most: 60 });
    for (let step = 0; step < 120; step++) {
      stepMixed(mixed);
      const [rows, batches] = visited(mixed, step % 3 === 0);

      expect(batches).toEqual(rows);
    }
  }
});

const liked = variable("liked");

it.each<[story: string, loose: number, terms: readonly QueryTerm[]]>([
  ["one way, in types", 0, [cascade(Mark)]],
  ["one way, by value", 1, [cascade(Mark)]],
  ["one way, in both storages", 0.5, [cascade(Mark)]],
  ["two ways", 0.5, [cascade(Mark), maybe(up(Local))]],
  ["two ways, one of which leaves some out", 0.5, [cascade(Mark), up(Mark), not(Frozen)]],
  ["children first", 0.5, [cascade(Mark, { desc: true })]],
])("a scene turns on as if it had been turned to the span, or not at all: %s", (_, loose, terms) => {
  const mixed = createMixed(7, { loose, has: 0.03, most: 60 }); // few archetypes: many spans follow on one of the same
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
});

it("a scene with variables is turned to each span anew", () => {
  const mixed = createMixed(7, { loose: 0.5 });
  for (let step = 0; step < 200; step++) stepMixed(mixed);

  const [on] = turns(mixed, [cascade(Placed), Likes(liked)]);

  expect(on).toBe(0);
});
