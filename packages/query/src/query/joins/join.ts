import { archetypesOf } from "@treeline/core/internal";
import { hasAt, indexIfAlive } from "../../match/pairs.ts";
import { tellAll, YES } from "../../match/tests.ts";
import type { Bond } from "../../term/plan.ts";
import { isVariable } from "../../term/variable.ts";
import { createSpans, HEAD, type Spans } from "../lists/spans.ts";
import { addJoined, lookAbove, sortByDepth } from "../rows/climb.ts";
import { noteCurrentHolders } from "../rows/note-holders.ts";
import { boundTo, type Query } from "../state/query-state.ts";
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

/** With all variables set: does what is asked of others than those who are visited hold? */
export function bondsHold(query: Query): boolean {
  const { world, plan, bound } = query;
  for (let at = 0; at < bound.length; at++) if (indexIfAlive(world, bound[at]!) === 0) return false;
  for (let at = 0; at < plan.bonds.length; at++) {
    const bond = plan.bonds[at]!;
    if (bond.source !== 0 && !holds(query, bond)) return false;
  }
  return true;
}

/** Asks the one entity that is meant. */
function holds(query: Query, { source, definition, target }: Bond): boolean {
  const { world } = query;
  const from = isVariable(source) ? boundTo(query, source) : source;
  const to = isVariable(target) ? boundTo(query, target) : target;
  const index = indexIfAlive(world, from);
  return index !== 0 && hasAt(world, index, definition, to);
}
