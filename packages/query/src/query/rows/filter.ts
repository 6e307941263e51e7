import { type Archetype, archetypesOf, tableAt } from "@treeline/core/internal";
import { endOfTable, tellsRowsApart } from "../../match/pairs.ts";
import { NO, tellAll, YES } from "../../match/tests.ts";
import type { Plan } from "../../term/plan.ts";
import { addSpan, drop, ROWS, type Spans } from "../lists/spans.ts";
import { engine } from "../state/engine.ts";
import type { Query } from "../state/query-state.ts";
import type { Seen } from "../state/sight.ts";

/** Leaves of spans of rows, those from a place on, the rows that pass all tests; they have what the clauses ask for. */
export function filterSpans(query: Query, seen: Seen, spans: Spans, start: number): void {
  const { stride, length } = spans;
  for (let at = start; at < length; at += stride) {
    const { numbers } = spans; // which may have grown
    const shape = archetypesOf(query.world)[numbers[at]!]!;
    filterRows(query, seen, spans, shape, numbers[at + 1]!, numbers[at + 2]!);
  }
  drop(spans, start, length);
}

/** Adds those rows `first .. end` of a shape, all of which have what the clauses ask for, that pass all tests. */
function filterRows(
  query: Query,
  seen: Seen,
  spans: Spans,
  shape: Archetype,
  first: number,
  end: number,
): void {
  const { tests } = query.plan;
  seen.shape = shape;
  seen.index = 0;
  const told = tellAll(tests, shape, seen);
  if (told === NO) return;
  if (told === YES) addSpan(spans, shape, first, end, ROWS);
  else if (query.plan.isWatching) engine.filterNews!(query, seen, spans, shape, first, end);
  else filterEach(query, seen, spans, shape, first, end);
}

/** Can the answer differ between rows of one table? */
export function needRows({ leaves }: Plan, shape: Archetype): boolean {
  for (let at = 0; at < leaves.length; at++) {
    const leaf = leaves[at]!;
    if (leaf.kind === "changed" || leaf.kind === "changed above") return true;
    if (leaf.kind !== "on" && tellsRowsApart(leaf.definition, shape)) return true;
  }
  return false;
}

/** Asks row by row, or once for the rows of each table if the answer is the same for all of them. */
function filterEach(
  { world, plan, cursors }: Query,
  seen: Seen,
  spans: Spans,
  shape: Archetype,
  first: number,
  end: number,
): void {
  const { i32 } = shape.lanes;
  const isByRow = needRows(plan, shape);
  for (let row = first; row < end; ) {
    const index = i32[row]!;
    const next = isByRow ? row + 1 : Math.min(end, endOfTable(cursors, tableAt(world, index)));
    seen.index = index;
    seen.row = row;
    if (tellAll(plan.tests, shape, seen) === YES) addSpan(spans, shape, row, next, ROWS);
    row = next;
  }
}
