import type { Arrangement } from "../lists/arrangement.ts";
import type { Spans } from "../lists/spans.ts";
import type { Part } from "../state/query-state.ts";

/** Positions `from .. to` of answers in the order of a visit. */
export interface Range {
  from: number;
  to: number;
}

/**
 * @param count answers of the whole.
 * @param arrangement where groups begin; undefined if there are none, or if only those of one group were gathered.
 */
export function rangeOf(part: Part, count: number, arrangement: Arrangement | undefined): Range {
  const range = part.of === undefined ? { from: 0, to: count } : rangeOf(part.of, count, arrangement);
  const { from, to } = range;
  const { kind, first, second } = part;
  if (kind === "page") {
    range.from = Math.min(to, from + first);
    range.to = Math.min(to, range.from + second);
  } else if (kind === "shard") {
    range.from = from + Math.floor(((to - from) * first) / second);
    range.to = from + Math.floor(((to - from) * (first + 1)) / second);
  } else if (arrangement !== undefined) {
    const number = arrangement.numbers.get(part.key);
    range.from = number === undefined ? to : Math.max(from, arrangement.starts[number]!);
    range.to = number === undefined ? to : Math.min(to, arrangement.starts[number + 1]!);
    // A group that lies beside a page has nobody in it.
    range.from = Math.min(range.from, to);
    range.to = Math.max(range.from, range.to);
  }
  return range;
}

/** Leaves the spans of a range of positions. */
export function cutSpans(spans: Spans, { from, to }: Range): void {
  const { numbers, length, stride } = spans;
  let position = 0;
  let end = 0;
  for (let at = 0; at < length && position < to; at += stride) {
    const first = numbers[at + 1]!;
    const last = numbers[at + 2]!;
    const leaveOut = Math.max(0, from - position);
    const keep = Math.min(last - first, to - position);
    position += last - first;
    if (leaveOut >= keep) continue;
    for (let more = 0; more < stride; more++) numbers[end + more] = numbers[at + more]!;
    numbers[end + 1] = first + leaveOut;
    numbers[end + 2] = first + keep;
    end += stride;
  }
  spans.length = end;
}
