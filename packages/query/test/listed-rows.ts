import { defer, type Entity } from "@treeline/core";
import { handleOf } from "@treeline/core/internal";
import type { Query } from "../src/index.ts";
import { createIntervalsFor, HEAD, OWN_LIST, type RowIntervals } from "../src/query/lists/row-intervals.ts";
import { listRows } from "../src/query/rows/list-rows.ts";
import { IterationState } from "../src/query/state/iteration-state.ts";

/** The row intervals that an iteration that begins now would have, with their entities. */
export interface ListedRows {
  readonly intervals: RowIntervals;
  readonly entities: Entity[];
  /** Row intervals as lists of entities. */
  readonly rowsByInterval: Entity[][];
}

export function listedFor(query: Query): ListedRows {
  const { world } = query;
  const intervals = createIntervalsFor(query);
  const state = new IterationState(query);
  defer(world, () => listRows(query, state, intervals));
  const rowsByInterval: Entity[][] = [];
  for (let at = 0; at < intervals.length; at += intervals.stride) {
    const [archetype, from, to, source] = intervals.numbers.subarray(at, at + HEAD) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const { i32 } = world.graph.archetypes[archetype]!.lanes;
    const members: Entity[] = [];
    for (let position = from; position < to; position++) {
      const list = source === OWN_LIST ? state.own : source > 0 ? state.batches!.rowLists.rows : undefined;
      const row = list === undefined ? position : list[position]!;
      members.push(handleOf(world, i32[row]!));
    }
    rowsByInterval.push(members);
  }
  return { intervals, entities: rowsByInterval.flat(), rowsByInterval };
}
