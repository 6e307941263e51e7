// Evaluates a term with variables of its own, by a search from each row (`searchFor`).
import type { ArchetypeView } from "@treeline/core/internal";
import { ANY, handleOf } from "@treeline/core/internal";
import { isLeft, MAYBE, type MatchContext, NO, type Truth, YES } from "../../match/evaluate.ts";
import type { ExistsTest } from "../../term/plan.ts";
import { createIntervalsFor } from "../lists/row-intervals.ts";
import { filterIntervals } from "../rows/list-rows.ts";
import { climb } from "../rows/with-ancestors.ts";
import { IterationState } from "../state/iteration-state.ts";
import { isMatchOf, type Query } from "../state/query-state.ts";
import { solveInto } from "./solve.ts";

// Installed by variables.

/** For one entity: a search for the variables that only the term names. */
export function evaluateExists(
  { holds }: ExistsTest,
  archetype: ArchetypeView,
  context?: MatchContext,
): Truth {
  if (context === undefined || context.index === 0) return MAYBE;
  return holds(context, archetype) ? YES : NO;
}

/**
 * Does a query match the entity of a context, with some entities for its free variables? The others have the entities that they
 * have in the context. @param own the variable of the entity itself.
 */
export function searchFor(inner: Query, own: number): ExistsTest["holds"] {
  const { plan, bound, world } = inner;
  const state = new IterationState(inner);
  const intervals = createIntervalsFor(inner);
  return (context, archetype) => {
    const { index, row } = context as MatchContext;
    if (!isMatchOf(inner, archetype) || !isLeft(plan, archetype, row)) return false;
    for (let place = 0; place < bound.length; place++) {
      const variable = plan.variables[place]!;
      const handle = variable === own ? handleOf(world, index) : (context as MatchContext).targetOf(variable);
      bound[place] = handle === ANY ? 0 : handle;
    }
    intervals.length = 0;
    state.begin(inner);
    solveInto(inner, state, intervals, index);
    if (plan.traversals.length > 0) climb(inner, state, intervals);
    filterIntervals(inner, state, intervals);
    return intervals.length > 0;
  };
}
