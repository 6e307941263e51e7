// `entities`, `collect`, `first`, `count`, `isEmpty`; counts by archetype where archetypes decide.
import type { Entity } from "@treeline/core";
import { NO, YES } from "../match/evaluate.ts";
import { requireUsable } from "../query/build/query.ts";
import { countRows } from "../query/lists/row-intervals.ts";
import { READ_ONLY } from "../query/outputs/bindings.ts";
import { matchedArchetypes, type Query, type QueryOf } from "../query/state/query-state.ts";
import type { RowOfPassed } from "../term/operators.ts";
import { beginIteration, endIteration, type Iteration, iterate, outputsOf } from "./iteration.ts";

/**
 * Returns the entities that match, in iteration order, as a fresh list that you may keep while the world changes. With variables
 * an entity is listed once per match. Like an iteration, it counts as a read of the changes that the query names.
 *
 * @cost what an iteration costs before its first row, and one number per match.
 * @throws TreelineError `disposed` for a disposed query; `bad-query` for anything that is not a query.
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
 * Returns all matches as values: what `each` passes, and the entity last, in a fresh list per match that you may keep while the
 * world changes. Values with fields are copies, as `get` returns them; JavaScript values are passed as they are. Like an
 * iteration, it counts as a read of the changes that the query names.
 *
 * @cost an object for each value and a list for each match, several times the cost of `each`; not for hot loops.
 * @throws TreelineError `disposed` for a disposed query; `bad-query` for anything that is not a query.
 *
 * @example
 * const saved = collect(query(world, Position)).map(([{ x, y }, entity]) => ({ path: pathOf(world, entity), x, y }));
 */
export function collect<Passed extends unknown[]>(query: QueryOf<Passed>): RowOfPassed<Passed>[] {
  const found: unknown[][] = [];
  iterate(query as unknown as Query, false, listRows, found);
  return found as RowOfPassed<Passed>[];
}

function listRows(iteration: Iteration, found: unknown[][]): void {
  const { intervals, state } = iteration;
  const outputs = outputsOf(iteration);
  for (let at = 0; at < intervals.length; at += intervals.stride) {
    state.turnTo(intervals, at);
    outputs.turnTo(state, READ_ONLY);
    for (let place = state.from; place < state.to; place++) {
      outputs.turnToRow(state, state.rowAt(place), place);
      const row = outputs.bindings.map((binding) => binding.copy());
      row.push(state.entityAt(place));
      found.push(row);
    }
  }
}

/**
 * Returns the first entity that matches, in iteration order. It reads without marking: unread changes stay unread for the next
 * iteration.
 *
 * @cost what an iteration costs before its first row. That is little, unless the query names a target, goes up to ancestors after
 *   structural changes, orders or groups: then all matches must be found first.
 * @returns `undefined` if no entity matches.
 * @throws TreelineError `disposed` for a disposed query; `bad-query` for anything that is not a query.
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
 * Counts the matches; with variables an entity counts once per match. It reads without marking, as `first` does.
 *
 * @cost one step for each matching archetype, if the query requires nothing but components, tags and wildcard targets; otherwise
 *   what an iteration costs before its first row.
 * @throws TreelineError `disposed` for a disposed query; `bad-query` for anything that is not a query.
 */
export function count(query: Query): number {
  requireUsable(query);
  const { plan, part } = query;
  // Order, groups and `cascade` exclude no entity.
  if (!plan.namesEntity && part === undefined && plan.tests.length === 0 && plan.joins.length === 0) {
    let sum = 0;
    for (const archetype of matchedArchetypes(query)) {
      const share = archetype.bits?.shareOf(plan.cut) ?? plan.cut.bare;
      if (share === YES) sum += archetype.rows;
      else if (share !== NO) sum += archetype.bits!.countIn(plan.cut);
    }
    return sum;
  }
  const iteration = beginIteration(query, false);
  const matches = countRows(iteration.intervals);
  endIteration(query, iteration, true);
  return matches;
}

/**
 * Returns whether no entity matches. It reads without marking, and costs no more than `count`.
 *
 * @cost as `count`.
 * @throws TreelineError `disposed` for a disposed query; `bad-query` for anything that is not a query.
 */
export function isEmpty(query: Query): boolean {
  return count(query) === 0;
}
