import type { Entity } from "@treeline/core";
import { requireUsable } from "../query/build/query.ts";
import { countRows } from "../query/lists/row-intervals.ts";
import { onlyTableOf } from "../query/rows/subjects.ts";
import { matchedArchetypes, type Query } from "../query/state/query-state.ts";
import type { QueryTerm, ResultOf } from "../term/operators.ts";
import { beginIteration, endIteration, type Iteration, iterate, outputsOf } from "./iteration.ts";

/**
 * Who answers, in the order of visits: a fresh list, to be kept while the world changes. With variables an entity comes as
 * often as it answers. It is a look like a visit: a query that asks for changes has seen them then. Cost: what a visit costs
 * before its first row, and one number an answer.
 *
 * @throws TreelineError `disposed` for a disposed query, `bad-query` for what is none.
 *
 * @example
 * for (const crate of entities(lost)) destroy(world, crate);
 */
export function entities(query: Query): Entity[] {
  const found: Entity[] = [];
  iterate(query, false, listEntities, found);
  return found;
}

function listEntities({ intervals, state }: Iteration, found: Entity[]): void {
  for (let at = 0; at < intervals.length; at += intervals.stride) {
    state.turnTo(intervals, at);
    for (let place = state.from; place < state.to; place++) found.push(state.entityAt(place));
  }
}

/**
 * All answers as values: what `each` would hand over, and the entity last, in a fresh list for each, to be kept while the
 * world changes. Values with fields are copies, as `get` gives them; JavaScript values are handed over as they are. It is
 * a look like a visit: a query that asks for changes has seen them then.
 *
 * Cost: an object for each value and a list for each answer, several times what `each` takes; not for hot loops.
 *
 * @throws TreelineError `disposed` for a disposed query, `bad-query` for what is none.
 *
 * @example
 * const saved = collect(query(world, Position)).map(([{ x, y }, entity]) => ({ path: pathOf(world, entity), x, y }));
 */
export function collect<const Terms extends readonly QueryTerm[]>(query: Query<Terms>): ResultOf<Terms>[] {
  const found: unknown[][] = [];
  iterate(query as unknown as Query, false, listRows, found);
  return found as ResultOf<Terms>[];
}

function listRows(iteration: Iteration, found: unknown[][]): void {
  const { intervals, state, tick } = iteration;
  const outputs = outputsOf(iteration);
  for (let at = 0; at < intervals.length; at += intervals.stride) {
    state.turnTo(intervals, at);
    outputs.turnTo(state, tick);
    for (let place = state.from; place < state.to; place++) {
      outputs.turnToRow(state, state.rowAt(place), place);
      const row = outputs.bindings.map((binding) => binding.copy());
      row.push(state.entityAt(place));
      found.push(row);
    }
  }
}

/**
 * The first who answers, in the order of visits. It only peeks: what is news to the query stays news to its next visit.
 *
 * Cost: what a visit costs before its first row. That is little, unless the query names a target, goes up to ancestors
 * after structural changes, orders or groups: then all answers have to be found first.
 *
 * @returns `undefined` if nobody answers.
 * @throws TreelineError `disposed` for a disposed query, `bad-query` for what is none.
 */
export function first(query: Query): Entity | undefined {
  const iteration = beginIteration(query, false);
  const { intervals, state } = iteration;
  if (intervals.length > 0) state.turnTo(intervals, 0);
  const found = intervals.length > 0 ? state.entityAt(state.from) : undefined;
  endIteration(query, iteration, true);
  return found;
}

/**
 * How many answers there are: with variables an entity counts as often as it answers. It only peeks, as `first`.
 *
 * Cost: one step for each archetype that answers, as long as the query asks for nothing but components, tags and any targets;
 * else what a visit costs before its first row.
 *
 * @throws TreelineError `disposed` for a disposed query, `bad-query` for what is none.
 */
export function count(query: Query): number {
  requireUsable(query);
  const { plan, part } = query;
  // Order, groups and `cascade` leave nobody out.
  if (!plan.namesEntity && part === undefined && plan.tests.length === 0 && plan.joins.length === 0) {
    let sum = 0;
    for (const { rows, end, bits } of matchedArchetypes(query))
      sum += plan.namesDisabled ? rows : (bits?.countEnabled(0, end) ?? rows);
    return sum;
  }
  const table = onlyTableOf(query);
  if (table === 0) return 0;
  if (table > 0) return query.cursors.tables.end - query.cursors.tables.first;
  const iteration = beginIteration(query, false);
  const matches = countRows(iteration.intervals);
  endIteration(query, iteration, true);
  return matches;
}

/**
 * Does nobody answer? It only peeks, and costs no more than `count`.
 *
 * @throws TreelineError `disposed` for a disposed query, `bad-query` for what is none.
 */
export function isEmpty(query: Query): boolean {
  return count(query) === 0;
}
