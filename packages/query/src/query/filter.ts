import { Any, ChildOf, Parent } from "@treeline/core";
import { BLOCK_BITS, REMOVED, type Shape, type TrackKind, trackOf } from "@treeline/core/internal";
import { MAYBE, NO, tell, YES } from "../match/tell.ts";
import type { Test } from "../term/plan.ts";
import type { Query } from "./query-state.ts";
import type { Seen } from "./sight.ts";
import { addSpan, ROWS, type Spans } from "./spans.ts";

/** Adds those rows of `first .. end` of a shape, all of which have what the clauses ask for, that pass all tests. */
export function filterRows(
  query: Query,
  seen: Seen,
  spans: Spans,
  shape: Shape,
  first: number,
  end: number,
): void {
  const { tests } = query.plan;
  if (tests.length === 0) {
    addSpan(spans, shape, first, end, ROWS);
    return;
  }
  seen.shape = shape;
  seen.index = 0;
  const told = tellAll(tests, seen);
  if (told === NO) return;
  if (told === YES) addSpan(spans, shape, first, end, ROWS);
  else if (needRows(tests, shape)) filterByRow(query, seen, spans, shape, first, end);
  else filterByTable(query, seen, spans, shape, first, end);
}

/** All tests together. */
export function tellAll(tests: readonly Test[], seen: Seen): typeof NO | typeof YES | typeof MAYBE {
  let told: typeof NO | typeof YES | typeof MAYBE = YES;
  for (let at = 0; at < tests.length; at++) {
    const one = tell(tests[at]!, seen.shape, seen);
    if (one === NO) return NO;
    if (one === MAYBE) told = MAYBE;
  }
  return told;
}

function needRows(tests: readonly Test[], shape: Shape): boolean {
  for (let at = 0; at < tests.length; at++) if (needsRows(tests[at]!, shape)) return true;
  return false;
}

/** Can the answer differ between rows of one table? */
export function needsRows(test: Test, shape: Shape): boolean {
  if (test.kind === "changed") return true;
  if (test.kind === "has" && test.definition.storage === "bits") return true;
  if (test.kind === "has" || test.kind === "above") {
    const { definition } = test;
    return (
      definition.reflexive ||
      (shape.isLoose && (definition === ChildOf || definition === Parent || definition === Any))
    );
  }
  for (let at = 0; at < test.of.length; at++) if (needsRows(test.of[at]!, shape)) return true;
  return false;
}

function filterByTable(
  { world, plan }: Query,
  seen: Seen,
  spans: Spans,
  shape: Shape,
  first: number,
  end: number,
): void {
  const { entities, graph } = world;
  const { tables } = graph;
  for (let row = first; row < end; ) {
    const index = shape.lanes.i32[row]!;
    const table = entities.table[index]!;
    const next = Math.min(end, tables.first[table]! + tables.count[table]!);
    seen.index = index;
    seen.row = row;
    if (tellAll(plan.tests, seen) === YES) addSpan(spans, shape, row, next, ROWS);
    row = next;
  }
}

function filterByRow(query: Query, seen: Seen, spans: Spans, shape: Shape, first: number, end: number): void {
  const { tests } = query.plan;
  const { i32 } = shape.lanes;
  for (let row = first; row < end; ) {
    const skipped = behindOldBlocks(tests, seen, shape, row);
    if (skipped > row) {
      row = skipped;
      continue;
    }
    const stop = Math.min(end, endOfBlock(row));
    const ticks = ticksAskedFor(tests, shape);
    for (; row < stop; row++) {
      if (ticks !== undefined && ticks[row]! <= seen.since) continue;
      seen.index = i32[row]!;
      seen.row = row;
      if (tellAll(tests, seen) === YES) addSpan(spans, shape, row, row + 1, ROWS);
    }
  }
}

/** Ticks of rows that must be news, if a test says so: most rows are told by them alone. */
function ticksAskedFor(tests: readonly Test[], shape: Shape): Float64Array | undefined {
  for (let at = 0; at < tests.length; at++) {
    const test = tests[at]!;
    if (test.kind === "changed" && test.place < 0 && test.track !== REMOVED) {
      return trackOf(shape, test.definition, test.track as TrackKind)?.rows;
    }
  }
  return undefined;
}

/** The first row behind the block of ticks that a row is in. */
function endOfBlock(row: number): number {
  return ((row >> BLOCK_BITS) + 1) << BLOCK_BITS;
}

/** If nothing in the block of a row is news to one of the tests: the row behind the block; else the row. */
function behindOldBlocks(tests: readonly Test[], seen: Seen, shape: Shape, row: number): number {
  for (let at = 0; at < tests.length; at++) {
    const test = tests[at]!;
    if (test.kind !== "changed" || test.place >= 0) continue;
    const track = trackOf(shape, test.definition, test.track as TrackKind);
    const since = test.track === REMOVED ? seen.sinceRemoved : seen.since;
    if (track === undefined || track.blocks[row >> BLOCK_BITS]! <= since) return endOfBlock(row);
  }
  return row;
}
