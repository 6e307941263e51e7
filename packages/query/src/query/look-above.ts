import { shapeAt } from "@treeline/core/internal";
import { holderAbove, longestWayUp } from "../match/above.ts";
import type { Query } from "./query-state.ts";
import type { Seen } from "./sight.ts";
import { HEAD, JOINED, type Spans, startSpan } from "./spans.ts";

/**
 * Looks for the holders of one entity along all ways of the plan, without stretches: `seen` knows them from then on.
 *
 * Cost: the ancestors up to the nearest holders; of long ways those not passed before in this visit.
 */
export function lookAbove({ world, plan }: Query, seen: Seen, index: number): void {
  const { graph, entities } = world;
  const { traversals } = plan;
  for (let way = 0; way < traversals.length; way++) {
    const { relation, what } = traversals[way]!;
    const { definition, target } = what;
    const holder = holderAbove(world, index, relation, definition, target, seen.passedAlong(way));
    seen.above[way] = holder;
    seen.holders[way] = holder === 0 ? undefined : shapeAt(world, holder);
    if (holder === 0) continue;
    seen.holderRows[way] = graph.tables.first[entities.table[holder]!]! + entities.row[holder]!;
  }
  if (traversals.length > 0) seen.depth = longestWayUp(world, index, traversals[0]!.relation, seen.depths);
}

/** Adds rows of the shape that is looked at, with what variables stand for, the holders and the depth that `seen` knows. */
export function addJoined({ plan }: Query, seen: Seen, spans: Spans, from: number, to: number): void {
  const at = startSpan(spans, seen.shape.number, from, to, JOINED);
  const { numbers, stride } = spans;
  const { variables, traversals } = plan;
  const ways = at + HEAD + variables.length;
  for (let place = 0; place < variables.length; place++) numbers[at + HEAD + place] = seen.variables[place]!;
  for (let way = 0; way < traversals.length; way++) numbers[ways + way] = seen.above[way]!;
  if (traversals.length > 0) numbers[at + stride - 1] = seen.depth;
}

/** Shallow ones first, or last if children come before parents; equally deep ones stay in their order. */
export function sortByDepth({ plan }: Query, spans: Spans): void {
  const turn = plan.cascade < 0 ? -1 : 1;
  if (!areSorted(spans, turn)) sortSpans(spans, turn);
}

function sortSpans({ numbers, length, stride }: Spans, turn: number): void {
  const depthAt = (at: number): number => numbers[at + stride - 1]!;
  const order: number[] = [];
  for (let at = 0; at < length; at += stride) order.push(at);
  order.sort((one, other) => turn * (depthAt(one) - depthAt(other)) || one - other);
  const sorted = new Int32Array(length);
  order.forEach((at, place) => {
    sorted.set(numbers.subarray(at, at + stride), place * stride);
  });
  numbers.set(sorted);
}

function areSorted({ numbers, length, stride }: Spans, turn: number): boolean {
  for (let last = 2 * stride - 1; last < length; last += stride) {
    if (turn * (numbers[last]! - numbers[last - stride]!) < 0) return false;
  }
  return true;
}
