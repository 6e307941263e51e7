import { archetypesOf } from "@treeline/core/internal";
import { tellAll, YES } from "../../match/tests.ts";
import { isVariable } from "../../term/variable.ts";
import { createSpans, HEAD, type Spans } from "../lists/spans.ts";
import { addJoined, lookAbove, sortByDepth } from "../rows/climb.ts";
import { noteCurrentHolders } from "../rows/note-holders.ts";
import type { Query } from "../state/query-state.ts";
import type { Seen } from "../state/sight.ts";
import { solveInto } from "./solve.ts";

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
  noteCurrentHolders(query);
  const found = createSpans(spans.stride);
  solveInto(query, seen, found);
  const { numbers, length, stride } = found;
  for (let at = 0; at < length; at += stride) {
    for (let place = 0; place < plan.variables.length; place++)
      seen.variables[place] = numbers[at + HEAD + place]!;
    for (let place = 0; place < plan.asides.length; place++) seen.askAgain(place);
    seen.shape = archetypesOf(query.world)[numbers[at]!]!;
    for (let row = numbers[at + 1]!; row < numbers[at + 2]!; row++) gatherOne(query, seen, spans, row);
  }
  if (plan.traversals.length > 0) sortByDepth(query, spans);
}

function asksVariables({ plan }: Query): boolean {
  return plan.asides.some(({ source, target }) => isVariable(source) || isVariable(target));
}

function gatherOne(query: Query, seen: Seen, spans: Spans, row: number): void {
  seen.index = seen.shape.lanes.i32[row]!;
  seen.row = row;
  lookAbove(query, seen, seen.index);
  if (tellAll(query.plan.tests, seen.shape, seen) === YES) addJoined(query, seen, spans, row, row + 1);
}
