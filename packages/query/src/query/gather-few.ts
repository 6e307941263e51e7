import { loosePairOf, type Shape } from "@treeline/core/internal";
import { NO, YES } from "../match/tell.ts";
import { tellAll } from "./filter.ts";
import { addJoined, lookAbove, sortByDepth } from "./look-above.ts";
import type { Query } from "./query-state.ts";
import { dropFirst } from "./sift.ts";
import type { Seen } from "./sight.ts";
import { countPositions, endOfLast, extendSpan, type Spans } from "./spans.ts";

/** A world of so many times as many entities costs more to file than their ancestors cost to look for. */
const SHARE = 16;

/** Are rows so few, against the world, that their ancestors are better looked for without stretches? */
export function areFew({ world, plan }: Query, spans: Spans): boolean {
  // What changed above is known of stretches only.
  return plan.watched.length === 0 && countPositions(spans) * SHARE <= world.entities.alive;
}

/**
 * Puts rows with their ancestors, by depth, in the place of rows: as stretches would tell them, but looked for from where
 * the rows are. All variables are set.
 *
 * Cost: for each table, or for the children of one parent stored as a value that lie side by side, the ancestors up to the
 * nearest holders; a step for each row if a test has to be asked of each.
 */
export function gatherFew(query: Query, seen: Seen, spans: Spans): void {
  const { stride, length } = spans;
  const { shapes } = query.world.graph;
  for (let at = 0; at < length; at += stride) {
    const { numbers } = spans; // which may have grown
    const end = numbers[at + 2]!;
    seen.shape = shapes[numbers[at]!]!;
    for (let row = numbers[at + 1]!; row < end; ) {
      const next = endOfAlike(query, seen.shape, row, end);
      gatherAlike(query, seen, spans, row, next);
      row = next;
    }
  }
  dropFirst(spans, length);
  seen.holders.fill(undefined);
  sortByDepth(query, spans);
}

/** Where the rows end that share the table of a row, and their parent: all have the same ancestors. */
function endOfAlike({ world }: Query, { lanes, isLoose }: Shape, row: number, end: number): number {
  const { entities, graph } = world;
  const { i32 } = lanes;
  const table = entities.table[i32[row]!]!;
  const stop = Math.min(end, graph.tables.first[table]! + graph.tables.count[table]!);
  if (!isLoose) return stop;
  const pair = loosePairOf(graph.links, i32[row]!);
  let next = row + 1;
  while (next < stop && loosePairOf(graph.links, i32[next]!) === pair) next++;
  return next;
}

/** Adds those rows `first .. end` that pass the tests; all have the same ancestors. */
function gatherAlike(query: Query, seen: Seen, spans: Spans, first: number, end: number): void {
  const { tests } = query.plan;
  const { i32 } = seen.shape.lanes;
  lookAbove(query, seen, i32[first]!);
  seen.index = 0;
  const told = tellAll(tests, seen);
  if (told === NO) return;
  if (told === YES) {
    addJoined(query, seen, spans, first, end);
    return;
  }
  let last = -1; // the row before, if it was added
  for (let row = first; row < end; row++) {
    seen.index = i32[row]!;
    seen.row = row;
    if (tellAll(tests, seen) !== YES) continue;
    if (last === row - 1 && endOfLast(spans) === row) extendSpan(spans);
    else addJoined(query, seen, spans, row, row + 1);
    last = row;
  }
}
