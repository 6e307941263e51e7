import { ChildOf, createWorld, spawn, tag } from "@treeline/core";
import { type ArchetypeView, archetypeViewAt, indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { cascade, query, up, variable } from "../../../src/index.ts";
import {
  addPart,
  addSpan,
  countPositions,
  createSpans,
  createSpansFor,
  drop,
  HEAD,
  JOINED,
  ROWS,
  type Spans,
  startSpan,
} from "../../../src/query/lists/spans.ts";
import { Warm } from "../../edges/cast.ts";

const world = createWorld();
const archetypeFor = (name: string): ArchetypeView =>
  archetypeViewAt(world, indexOf(spawn(world, tag(name))));
const [one, other] = [archetypeFor("One"), archetypeFor("Other")];

/** [archetype, from, to, source] of each span. */
function listed({ numbers, length, stride }: Spans): number[][] {
  const found: number[][] = [];
  for (let at = 0; at < length; at += stride) found.push([...numbers.subarray(at, at + HEAD)]);
  return found;
}

describe("spans", () => {
  it("that follow on each other become one", () => {
    const spans = createSpans(HEAD);

    expect([addSpan(spans, one, 0, 3, ROWS), addSpan(spans, one, 3, 5, ROWS)]).toEqual([0, 0]);

    expect(listed(spans)).toEqual([[one.number, 0, 5, ROWS]]);
  });

  it("stay apart with a gap, another archetype or another base", () => {
    const spans = createSpans(HEAD);

    for (const [archetype, from, base] of [
      [one, 0, ROWS],
      [one, 2, ROWS],
      [other, 3, ROWS],
      [other, 4, 7],
    ] as const)
      addSpan(spans, archetype, from, from + 1, base);

    expect(listed(spans).map(([, from]) => from)).toEqual([0, 2, 3, 4]);
  });

  it("stay apart if they are told to, all of them or one", () => {
    const [apart, melting] = [createSpans(HEAD, false), createSpans(HEAD)];

    for (const spans of [apart, melting]) addSpan(spans, one, 0, 1, ROWS);
    addSpan(apart, one, 1, 2, ROWS);
    startSpan(melting, one.number, 1, 2, ROWS);

    expect([listed(apart).length, listed(melting).length]).toEqual([2, 2]);
  });

  it("are kept while the list grows", () => {
    const spans = createSpans(HEAD + 2);
    for (let at = 0; at < 100; at++) {
      const begin = startSpan(spans, one.number, at, at + 1, JOINED);
      spans.numbers[begin + HEAD + 1] = at;
    }

    expect(countPositions(spans)).toBe(100);
    expect([0, 57, 99].map((at) => spans.numbers[at * spans.stride + HEAD + 1])).toEqual([0, 57, 99]);
  });

  it("have parts, which keep all that the span has, and become one where they follow on each other", () => {
    const spans = createSpans(HEAD + 1);
    spans.numbers[addSpan(spans, one, 4, 12, 1) + HEAD] = 7;
    const { length } = spans;

    addPart(spans, 0, 4, 5, length);
    addPart(spans, 0, 5, 7, length);
    addPart(spans, 0, 8, 9, length);
    addPart(spans, 0, 9, 10, spans.length);
    drop(spans, 0, length);

    expect([...spans.numbers.subarray(0, spans.length)]).toEqual(
      [4, 8, 9].flatMap((from, at) => [one.number, from, [7, 9, 10][at], 1, 7]),
    );
  });

  it("of a query have room for its variables, its ancestors and a depth", () => {
    const v = variable();

    expect(createSpansFor(query(world)).stride).toBe(HEAD + 1);
    expect(createSpansFor(query(world, ChildOf(v), up(Warm), cascade(Warm), up(tag("T")))).stride).toBe(
      HEAD + 4,
    );
  });
});
