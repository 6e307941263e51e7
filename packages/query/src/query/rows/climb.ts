import {
  type Archetype,
  archetypeAt,
  archetypesOf,
  pairsOf,
  rowAt,
  sizesOf,
  tableAt,
} from "@treeline/core/internal";
import { createWay, holderAbove, longestWayUp, type Way } from "../../match/ancestors.ts";
import { endOfTable } from "../../match/pairs.ts";
import { NO, tellAll, YES } from "../../match/tests.ts";
import type { Traversal } from "../../term/plan.ts";
import {
  countPositions,
  emptied,
  endOfLast,
  extendSpan,
  HEAD,
  JOINED,
  type Spans,
  sortSpans,
  startSpan,
} from "../lists/spans.ts";
import type { Query } from "../state/query-state.ts";
import type { Seen } from "../state/sight.ts";

/** A world of so many times as many entities costs more to file than their ancestors cost to look for. */
const SHARE = 16;

/** Are rows so few, against the world, that their ancestors are better looked for without stretches? */
export function areFew({ world, plan }: Query, spans: Spans): boolean {
  // What changed above is known of stretches only.
  return plan.watched.length === 0 && countPositions(spans) * SHARE <= sizesOf(world).alive;
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
  const shapes = archetypesOf(query.world);
  const numbers = emptied(spans);
  for (let at = 0; at < length; at += stride) {
    const end = numbers[at + 2]!;
    seen.shape = shapes[numbers[at]!]!;
    for (let row = numbers[at + 1]!; row < end; ) {
      const next = endOfAlike(query, seen.shape, row, end);
      gatherAlike(query, seen, spans, row, next);
      row = next;
    }
  }
  seen.holders.fill(undefined);
  sortByDepth(query, spans);
}

/** Where the rows end that share the table of a row, and their parent: all have the same ancestors. */
function endOfAlike(
  { world, cursors }: Query,
  { lanes, isLoose }: Archetype,
  row: number,
  end: number,
): number {
  const { i32 } = lanes;
  const stop = Math.min(end, endOfTable(cursors, tableAt(world, i32[row]!)));
  if (!isLoose) return stop;
  const pairs = pairsOf(world);
  const pair = pairs.valueAt(i32[row]!);
  let next = row + 1;
  while (next < stop && pairs.valueAt(i32[next]!) === pair) next++;
  return next;
}

/** Adds those rows `first .. end` that pass the tests; all have the same ancestors. */
function gatherAlike(query: Query, seen: Seen, spans: Spans, first: number, end: number): void {
  const { tests } = query.plan;
  const { i32 } = seen.shape.lanes;
  lookAbove(query, seen, i32[first]!);
  seen.index = 0;
  const told = tellAll(tests, seen.shape, seen);
  if (told === NO) return;
  if (told === YES) {
    addJoined(query, seen, spans, first, end);
    return;
  }
  let last = -1; // the row before, if it was added
  for (let row = first; row < end; row++) {
    seen.index = i32[row]!;
    seen.row = row;
    if (tellAll(tests, seen.shape, seen) !== YES) continue;
    if (last === row - 1 && endOfLast(spans) === row) extendSpan(spans);
    else addJoined(query, seen, spans, row, row + 1);
    last = row;
  }
}

/**
 * Looks for the holders of one entity along all ways of the plan, without stretches: `seen` knows them from then on.
 *
 * Cost: the ancestors up to the nearest holders; of long ways those not passed before in this visit.
 */
export function lookAbove({ world, plan }: Query, seen: Seen, index: number): void {
  const { traversals } = plan;
  for (let way = 0; way < traversals.length; way++) {
    const holder = holderAbove(world, index, wayAt(seen, traversals, way));
    seen.above[way] = holder;
    seen.holders[way] = holder === 0 ? undefined : archetypeAt(world, holder);
    if (holder === 0) continue;
    seen.holderRows[way] = rowAt(world, holder);
  }
  if (traversals.length > 0) seen.depth = longestWayUp(world, index, traversals[0]!.relation, seen.depths);
}

/** A way of the plan, with what this visit passed on long ways up. */
function wayAt({ world, ways }: Seen, traversals: readonly Traversal[], place: number): Way {
  let way = ways[place];
  if (way === undefined) {
    way = createWay(world, traversals[place]!);
    ways[place] = way;
  }
  return way;
}

/** Adds rows of the shape that is looked at, with what variables stand for, the holders and the depth that `seen` knows. */
export function addJoined({ plan }: Query, seen: Seen, spans: Spans, from: number, to: number): void {
  const at = startSpan(spans, seen.shape.number, from, to, JOINED);
  const { numbers, stride } = spans;
  const { variables, traversals } = plan;
  const ways = at + HEAD + variables.length;
  for (let place = 0; place < variables.length; place++) numbers[at + HEAD + place] = seen.variables[place]!;
  for (let way = 0; way < traversals.length; way++) numbers[ways + way] = seen.above[way]!;
  if (traversals.length > 0) numbers[at + stride - 1] = seen.depth;
}

/** Shallow ones first, or last if children come before parents; equally deep ones stay in their order. */
export function sortByDepth({ world, plan }: Query, spans: Spans): void {
  sortSpans(world, spans, plan.cascade < 0 ? -1 : 1);
}
