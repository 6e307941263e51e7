import type { Definition } from "@treeline/core";
import { costOfPair, indexIfAlive } from "../../match/pairs.ts";
import { namesTarget, type Test } from "../../term/plan.ts";
import { isVariable } from "../../term/variable.ts";
import { type Spans, sortRows } from "../lists/spans.ts";
import type { Query } from "../state/query-state.ts";
import { isShorter } from "./collect.ts";
import { addSources } from "./sources.ts";

/**
 * Where all who answer are, if one of the tests asks for one of several pairs with targets: those who have one of them. The
 * tests have still to be asked.
 *
 * @returns false, and nothing is listed, if no test does, or shapes are the shorter way.
 */
export function collectEither(query: Query, spans: Spans): boolean {
  const { world, plan } = query;
  const either = plan.tests.find(asksForOneOfPairs);
  if (either === undefined) return false;
  let cost = 0;
  for (const { definition, target } of either.of) {
    const index = indexIfAlive(world, target);
    if (index !== 0) cost += costOfPair(world, query.cursors, definition, index, "never");
  }
  if (isShorter(query, cost, plan.byRow)) return false;
  const { melts } = spans;
  spans.melts = true;
  for (const { definition, target } of either.of) {
    const index = indexIfAlive(world, target);
    if (index !== 0) addSources(query, spans, definition, index, false);
  }
  sortRows(world, spans);
  spans.melts = melts;
  return true;
}

interface Either {
  readonly of: readonly { readonly definition: Definition; readonly target: number }[];
}

function asksForOneOfPairs(test: Test): test is Test & Either {
  if (test.kind !== "any") return false;
  return test.of.every((one) => one.kind === "has" && namesTarget(one) && !isVariable(one.target));
}
