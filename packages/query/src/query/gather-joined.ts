import { shapeAt } from "@treeline/core/internal";
import { holderAbove, longestWayUp } from "../match/above.ts";
import { YES } from "../match/tell.ts";
import { isVariable } from "../term/variable.ts";
import { tellAll } from "./filter.ts";
import { noteHolders } from "./note-holders.ts";
import type { Query } from "./query-state.ts";
import type { Seen } from "./sight.ts";
import { solveInto } from "./solve.ts";
import { createSpans, HEAD, JOINED, type Spans, startSpan } from "./spans.ts";
import { currentStretches } from "./stretches.ts";

/**
 * Answers with what the variables stand for in each. What the plan asks besides is asked answer by answer, and ancestors
 * are looked up one by one.
 */
export function gatherJoined(query: Query, seen: Seen, spans: Spans): void {
  const { plan } = query;
  if (plan.tests.length === 0 && plan.traversals.length === 0 && !asksVariables(query)) {
    solveInto(query, seen, spans);
    return;
  }
  if (plan.watched.length > 0) {
    noteHolders(query, currentStretches(query.world, plan.traversals, plan.waysKey));
  }
  const found = createSpans(spans.stride);
  solveInto(query, seen, found);
  const { numbers, length, stride } = found;
  const depths = new Map<number, number>();
  for (let at = 0; at < length; at += stride) {
    for (let place = 0; place < plan.variables.length; place++)
      seen.variables[place] = numbers[at + HEAD + place]!;
    for (let place = 0; place < plan.asides.length; place++) seen.askAgain(place);
    seen.shape = query.world.graph.shapes[numbers[at]!]!;
    for (let row = numbers[at + 1]!; row < numbers[at + 2]!; row++)
      gatherOne(query, seen, spans, row, depths);
  }
  if (plan.cascade !== 0) sortByDepth(query, spans);
}

/** Parents first, or last; equally deep ones stay in their order. */
function sortByDepth({ plan }: Query, spans: Spans): void {
  const { numbers, length, stride } = spans;
  const depthAt = (at: number): number => numbers[at + stride - 1]!;
  const order: number[] = [];
  for (let at = 0; at < length; at += stride) order.push(at);
  order.sort((one, other) => plan.cascade * (depthAt(one) - depthAt(other)) || one - other);
  const sorted = new Int32Array(length);
  order.forEach((at, place) => {
    sorted.set(numbers.subarray(at, at + stride), place * stride);
  });
  numbers.set(sorted);
}

function asksVariables({ plan }: Query): boolean {
  return plan.asides.some(({ source, question }) => isVariable(source) || isVariable(question.target));
}

/** @param depths of entities that were met before. */
function gatherOne(query: Query, seen: Seen, spans: Spans, row: number, depths: Map<number, number>): void {
  const { world, plan } = query;
  const { variables, traversals } = plan;
  seen.index = seen.shape.lanes.i32[row]!;
  seen.row = row;
  const above: number[] = [];
  for (let place = 0; place < traversals.length; place++) {
    const { relation, what } = traversals[place]!;
    const holder = holderAbove(world, seen.index, relation, what);
    above.push(holder);
    seen.holders[place] = holder === 0 ? undefined : shapeAt(world, holder);
    if (holder !== 0) {
      const { tables } = world.graph;
      seen.holderRows[place] = tables.first[world.entities.table[holder]!]! + world.entities.row[holder]!;
    }
  }
  if (tellAll(plan.tests, seen) !== YES) return;
  const at = startSpan(spans, seen.shape.number, row, row + 1, JOINED);
  for (let place = 0; place < variables.length; place++)
    spans.numbers[at + HEAD + place] = seen.variables[place]!;
  for (let place = 0; place < above.length; place++) {
    spans.numbers[at + HEAD + variables.length + place] = above[place]!;
  }
  if (traversals.length === 0) return;
  const { relation } = traversals[0]!;
  spans.numbers[at + spans.stride - 1] = longestWayUp(world, seen.index, relation, depths);
}
