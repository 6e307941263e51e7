import { type Entity, spawn, type Variable } from "@treeline/core";
import { handleOf } from "@treeline/core/internal";
import { type Query, type QueryTerm, query, variable } from "../../../src/index.ts";
import { listJoined, solveInto } from "../../../src/query/joins/solve.ts";
import { createIntervals, HEAD, JOINED, type RowIntervals } from "../../../src/query/lists/row-intervals.ts";
import { dropDisabled, filterIntervals } from "../../../src/query/rows/list-rows.ts";
import { IterationState } from "../../../src/query/state/iteration-state.ts";
import { world } from "../../stage.ts";

/** The spans that the solver finds for a query. */
export function spansOf(query: Query): RowIntervals {
  return spansBy(query, solveInto);
}

/** Without those who are disabled. */
function spansBy(
  query: Query,
  listRows: (query: Query, seen: IterationState, intervals: RowIntervals) => void,
): RowIntervals {
  const intervals = createIntervals(HEAD + query.plan.variables.length);
  const seen = new IterationState(query);
  seen.begin(query);
  listRows(query, seen, intervals);
  if (listRows === listJoined) filterIntervals(query, seen, intervals);
  dropDisabled(query, seen, intervals);
  return intervals;
}

/**
 * Each answer that passes the tests: who is visited, and what the variables stand for, in their order of appearance. In the
 * order of the spans.
 */
export function solved(query: Query): Entity[][] {
  const { world } = query;
  const { numbers, length, stride } = spansBy(query, listJoined);
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

/** In the order of handles, who is visited first. */
export function inOrder(answers: readonly (readonly Entity[])[]): Entity[][] {
  return answers
    .map((one) => [...one])
    .sort((one, other) => {
      const at = one.findIndex((entity, place) => entity !== other[place]);
      return at < 0 ? 0 : one[at]! - other[at]!;
    });
}

export const a: Variable = variable("a");
export const b: Variable = variable("b");
export const c: Variable = variable("c");

/** Whoever is spawned in the world of the stage. */
export function born(...terms: Parameters<typeof spawn>[1][]): Entity {
  return spawn(world, ...terms);
}

/** Each answer: who is visited, and what the variables stand for; sorted. */
export function answersTo(...terms: QueryTerm[]): Entity[][] {
  return inOrder(solved(query(world, ...terms)));
}

/** What `act` answers, and how many numbers of the list `holder[key]` are read meanwhile. */
export function countingReads<Key extends string, Match>(
  source: Record<Key, Int32Array>,
  key: Key,
  act: () => Match,
): [answer: Match, reads: number] {
  const list = source[key];
  let reads = 0;
  source[key] = new Proxy(list, {
    get(numbers, place) {
      reads++;
      return numbers[place as unknown as number];
    },
  });
  const answer = act();
  source[key] = list;
  return [answer, reads];
}
