import { ChildOf, createWorld, spawn, tag } from "@treeline/core";
import { type ArchetypeView, archetypeViewAt, indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { cascade, query, up, variable } from "../../../src/index.ts";
import {
  addInterval,
  addPart,
  countRows,
  createIntervals,
  createIntervalsFor,
  drop,
  HEAD,
  JOINED,
  ROWS,
  type RowIntervals,
  startInterval,
} from "../../../src/query/lists/row-intervals.ts";
import { Warm } from "../../edges/named-world.ts";

const world = createWorld();
const archetypeFor = (name: string): ArchetypeView =>
  archetypeViewAt(world, indexOf(spawn(world, tag(name))));
const [one, other] = [archetypeFor("One"), archetypeFor("Other")];

/** [archetype, from, to, source] of each row interval. */
function listed({ numbers, length, stride }: RowIntervals): number[][] {
  const found: number[][] = [];
  for (let at = 0; at < length; at += stride) found.push([...numbers.subarray(at, at + HEAD)]);
  return found;
}

describe("row intervals", () => {
  it("that are adjacent become one", () => {
    const intervals = createIntervals(HEAD);

    expect([addInterval(intervals, one, 0, 3, ROWS), addInterval(intervals, one, 3, 5, ROWS)]).toEqual([
      0, 0,
    ]);

    expect(listed(intervals)).toEqual([[one.number, 0, 5, ROWS]]);
  });

  it("stay separate with a gap, another archetype or another base", () => {
    const intervals = createIntervals(HEAD);

    for (const [archetype, from, base] of [
      [one, 0, ROWS],
      [one, 2, ROWS],
      [other, 3, ROWS],
      [other, 4, 7],
    ] as const)
      addInterval(intervals, archetype, from, from + 1, base);

    expect(listed(intervals).map(([, from]) => from)).toEqual([0, 2, 3, 4]);
  });

  it("stay separate if they are required to, all of them or one", () => {
    const [apart, melting] = [createIntervals(HEAD, false), createIntervals(HEAD)];

    for (const intervals of [apart, melting]) addInterval(intervals, one, 0, 1, ROWS);
    addInterval(apart, one, 1, 2, ROWS);
    startInterval(melting, one.number, 1, 2, ROWS);

    expect([listed(apart).length, listed(melting).length]).toEqual([2, 2]);
  });

  it("are kept while the list grows", () => {
    const intervals = createIntervals(HEAD + 2);
    for (let at = 0; at < 100; at++) {
      const begin = startInterval(intervals, one.number, at, at + 1, JOINED);
      intervals.numbers[begin + HEAD + 1] = at;
    }

    expect(countRows(intervals)).toBe(100);
    expect([0, 57, 99].map((at) => intervals.numbers[at * intervals.stride + HEAD + 1])).toEqual([0, 57, 99]);
  });

  it("have parts, which keep everything of the interval, and become one where they are adjacent", () => {
    const intervals = createIntervals(HEAD + 1);
    intervals.numbers[addInterval(intervals, one, 4, 12, 1) + HEAD] = 7;
    const { length } = intervals;

    addPart(intervals, 0, 4, 5, length);
    addPart(intervals, 0, 5, 7, length);
    addPart(intervals, 0, 8, 9, length);
    addPart(intervals, 0, 9, 10, intervals.length);
    drop(intervals, 0, length);

    expect([...intervals.numbers.subarray(0, intervals.length)]).toEqual(
      [4, 8, 9].flatMap((from, at) => [one.number, from, [7, 9, 10][at], 1, 7]),
    );
  });

  it("of a query have room for its variables, its ancestors and a depth", () => {
    const v = variable();

    expect(createIntervalsFor(query(world)).stride).toBe(HEAD + 1);
    expect(createIntervalsFor(query(world, ChildOf(v), up(Warm), cascade(Warm), up(tag("T")))).stride).toBe(
      HEAD + 4,
    );
  });
});
