import { type Entity, spawn, type Variable } from "@treeline/core";
import { handleOf, slotsOf } from "@treeline/core/internal";
import { type Query, type QueryTerm, query, variable } from "../../../src/index.ts";
import { listJoined, solveInto } from "../../../src/query/joins/solve.ts";
import { createIntervals, HEAD, JOINED, type RowIntervals } from "../../../src/query/lists/row-intervals.ts";
import { filterIntervals } from "../../../src/query/rows/list-rows.ts";
import { IterationState } from "../../../src/query/state/iteration-state.ts";
import { world } from "../../test-world.ts";

/** The row intervals that the solver finds for a query. */
export function solvedIntervals(query: Query): RowIntervals {
  return intervalsBy(query, solveInto);
}

/** Without disabled entities. */
function intervalsBy(
  query: Query,
  listRows: (query: Query, state: IterationState, intervals: RowIntervals) => void,
): RowIntervals {
  const intervals = createIntervals(HEAD + query.plan.variables.length);
  const state = new IterationState(query);
  state.begin(query);
  listRows(query, state, intervals);
  if (listRows === listJoined) filterIntervals(query, state, intervals);
  const { world, plan } = query;
  slotsOf(world).cutRows?.(world, plan, intervals, state);
  return intervals;
}

/**
 * Each match that passes the tests: the entity, and what the variables are bound to, in their order of appearance. In the
 * order of the row intervals.
 */
export function solved(query: Query): Entity[][] {
  const { world } = query;
  const { numbers, length, stride } = intervalsBy(query, listJoined);
  const found: Entity[][] = [];
  for (let at = 0; at < length; at += stride) {
    if (numbers[at + 3] !== JOINED) throw new Error(`source ${numbers[at + 3]}`);
    const { i32 } = world.graph.archetypes[numbers[at]!]!.lanes;
    const variables = query.plan.variables.map((_, place) => handleOf(world, numbers[at + HEAD + place]!));
    for (let row = numbers[at + 1]!; row < numbers[at + 2]!; row++) {
      found.push([handleOf(world, i32[row]!), ...variables]);
    }
  }
  return found;
}

/** In the order of handles, the matched entity first. */
export function inOrder(matches: readonly (readonly Entity[])[]): Entity[][] {
  return matches
    .map((one) => [...one])
    .sort((one, other) => {
      const at = one.findIndex((entity, place) => entity !== other[place]);
      return at < 0 ? 0 : one[at]! - other[at]!;
    });
}

export const a: Variable = variable("a");
export const b: Variable = variable("b");
export const c: Variable = variable("c");

/** All entities that are spawned in the test's world. */
export function spawnHere(...terms: Parameters<typeof spawn>[1][]): Entity {
  return spawn(world, ...terms);
}

/** Each match: the entity, and what the variables are bound to; sorted. */
export function joinedMatches(...terms: QueryTerm[]): Entity[][] {
  return inOrder(solved(query(world, ...terms)));
}

/** What `act` returns, and how many numbers of the list `source[key]` are read meanwhile. */
export function countingReads<Key extends string, Match>(
  source: Record<Key, Int32Array>,
  key: Key,
  act: () => Match,
): [result: Match, reads: number] {
  const list = source[key];
  let reads = 0;
  source[key] = new Proxy(list, {
    get(numbers, place) {
      reads++;
      return numbers[place as unknown as number];
    },
  });
  const result = act();
  source[key] = list;
  return [result, reads];
}
