import type { World } from "@treeline/core";
import { archetypesOf } from "@treeline/core/internal";
import { addSpan, createSpans, emptied, HEAD, ROWS, type Spans, sortRows } from "../lists/spans.ts";
import type { Query } from "../state/query-state.ts";
import { addTarget } from "./collect.ts";

/** Takes those who have what a clause excludes out of rows, which are in order. */
export function takeOutTarget(query: Query, spans: Spans, place: number): void {
  const others = createSpans(HEAD);
  addTarget(query, others, place);
  sortRows(query.world, others);
  takeOutRows(query.world, spans, others);
}

/** Takes rows out of others; both are in order. */
function takeOutRows(world: World, spans: Spans, others: Spans): void {
  const { stride, length } = spans;
  const shapes = archetypesOf(world);
  let other = 0;
  const numbers = emptied(spans);
  for (let at = 0; at < length; at += stride) {
    const shape = shapes[numbers[at]!]!;
    const to = numbers[at + 2]!;
    let from = numbers[at + 1]!;
    for (; other < others.length; other += others.stride) {
      const place = shapes[others.numbers[other]!]!.place - shape.place;
      if (place > 0 || (place === 0 && others.numbers[other + 1]! >= to)) break;
      if (place < 0) continue;
      if (from < others.numbers[other + 1]!) addSpan(spans, shape, from, others.numbers[other + 1]!, ROWS);
      from = Math.max(from, others.numbers[other + 2]!);
      if (from >= to) break;
    }
    if (from < to) addSpan(spans, shape, from, to, ROWS);
  }
}
