import { type Archetype, archetypesOf } from "@treeline/core/internal";
import { copySpan, drop, ROWS, type Spans } from "../lists/spans.ts";
import type { Query } from "../state/query-state.ts";
import type { Seen } from "../state/sight.ts";

/**
 * Leaves rows out of gathered spans that are disabled by a bit, unless the plan names them. What is kept between visits knows
 * nothing of these bits, so a change of one makes nothing stale.
 *
 * Cost: a look at each span; of shapes with such rows a step for each run, or for each position where rows are listed.
 */
export function dropDisabled({ world, plan }: Query, seen: Seen, spans: Spans): void {
  if (plan.namesDisabled) return;
  const shapes = archetypesOf(world);
  const { length, stride } = spans;
  if (!areSomeCut(shapes, spans)) return;
  for (let at = 0; at < length; at += stride) {
    const shape = shapes[spans.numbers[at]!]!;
    if (!isCut(shape)) copySpan(spans, spans.numbers, at, spans.numbers[at + 1]!, spans.numbers[at + 2]!);
    else if (spans.numbers[at + 3]! > ROWS) dropPositions(spans, at, shape, seen.stretches!.positions.rows);
    else dropRows(spans, at, shape);
  }
  drop(spans, 0, length);
}

/** Most spans follow one of the same shape. */
function areSomeCut(shapes: readonly Archetype[], { numbers, length, stride }: Spans): boolean {
  let last = -1;
  for (let at = 0; at < length; at += stride) {
    if (numbers[at] === last) continue;
    last = numbers[at]!;
    if (isCut(shapes[last]!)) return true;
  }
  return false;
}

function isCut({ bits }: Archetype): boolean {
  return bits?.isCut() ?? false;
}

/** Of adjacent rows. */
function dropRows(spans: Spans, at: number, shape: Archetype): void {
  const { bounds, length } = shape.bits!.enabled();
  const first = spans.numbers[at + 1]!;
  const end = spans.numbers[at + 2]!;
  for (let run = runAt(bounds, length, first); run < length && bounds[run]! < end; run += 2)
    copySpan(spans, spans.numbers, at, Math.max(first, bounds[run]!), Math.min(end, bounds[run + 1]!));
}

/** The place of the first run that ends behind a row. */
function runAt(bounds: Int32Array, length: number, row: number): number {
  let low = 0;
  let high = length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bounds[middle * 2 + 1]! > row) high = middle;
    else low = middle + 1;
  }
  return low * 2;
}

/** Of listed rows. */
function dropPositions(spans: Spans, at: number, shape: Archetype, rows: Int32Array): void {
  const bits = shape.bits!;
  const end = spans.numbers[at + 2]!;
  for (let from = spans.numbers[at + 1]!; from < end; from++) {
    if (bits.cutsOut(rows[from]!)) continue;
    let to = from + 1;
    while (to < end && !bits.cutsOut(rows[to]!)) to++;
    copySpan(spans, spans.numbers, at, from, to);
    from = to;
  }
}
