import { type Archetype, BLOCK_BITS, trackOf } from "@treeline/core/internal";
import { tellAll, YES } from "../../match/tests.ts";
import type { Test } from "../../term/plan.ts";
import { addSpan, ROWS, type Spans } from "../lists/spans.ts";
import type { Query } from "../state/query-state.ts";
import type { Seen } from "../state/sight.ts";

/**
 * Adds those rows `first .. end` of a shape that pass all tests, some of which ask for changes: blocks of rows of which nothing
 * is news are passed over.
 */
export function filterNews(
  { plan }: Query,
  seen: Seen,
  spans: Spans,
  shape: Archetype,
  first: number,
  end: number,
): void {
  const { tests } = plan;
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
      if (tellAll(tests, shape, seen) === YES) addSpan(spans, shape, row, row + 1, ROWS);
    }
  }
}

/** Ticks of rows that must be news, if a test says so: most rows are told by them alone. */
function ticksAskedFor(tests: readonly Test[], shape: Archetype): Float64Array | undefined {
  for (let at = 0; at < tests.length; at++) {
    const test = tests[at]!;
    if (test.kind === "changed" && test.track !== "removed") {
      return trackOf(shape, test.definition, test.track)?.rows;
    }
  }
  return undefined;
}

/** The first row behind the block of ticks that a row is in. */
function endOfBlock(row: number): number {
  return ((row >> BLOCK_BITS) + 1) << BLOCK_BITS;
}

/** If nothing in the block of a row is news to one of the tests: the row behind the block; else the row. */
function behindOldBlocks(tests: readonly Test[], seen: Seen, shape: Archetype, row: number): number {
  for (let at = 0; at < tests.length; at++) {
    const test = tests[at]!;
    if (test.kind !== "changed") continue;
    const track = trackOf(shape, test.definition, test.track);
    const since = test.track === "removed" ? seen.sinceRemoved : seen.since;
    if (track === undefined || track.blocks[row >> BLOCK_BITS]! <= since) return endOfBlock(row);
  }
  return row;
}
