import { TreelineError } from "@treeline/core";
import { shown } from "@treeline/core/internal";
import type { Arrangement } from "./arrangement.ts";
import { requireUsable } from "./query.ts";
import { type Part, type Query, wholeOf } from "./query-state.ts";
import type { Spans } from "./spans.ts";

/**
 * A part of a query: `limit` of its answers, leaving out the first `offset`, in the order of its visits. Every visit takes
 * it. Fewer or none if there are not so many; whom it holds is found out anew at each visit. Pages of unordered queries
 * fit together while nothing moves. A page of a query that asks for changes sees what is new, but does not look: it stays
 * new until the whole is visited.
 *
 * Cost: a visit lists what the whole would visit, and cuts it.
 *
 * @returns a light object, good as long as the query is; it needs no disposing.
 * @throws TreelineError `bad-query` unless both are whole numbers, not below 0; `disposed`.
 *
 * @example
 * const ranked = query(world, Score, orderBy(Score, "points", { desc: true }));
 * each(page(ranked, 0, 10), showLine);
 */
export function page<Q extends Query>(query: Q, offset: number, limit: number): Q {
  requireUsable(query);
  requireCount("page(query, offset, limit)", "offset", offset);
  requireCount("page(query, offset, limit)", "limit", limit);
  return partOf(query, "page", offset, limit, undefined);
}

/**
 * One of `count` parts of about equal size into which a query falls, `index` from 0: for work that is done in several
 * portions, or by several workers. Every visit takes it. Together the parts hold every answer once, in the order of the
 * query's visits, while nothing moves in between. Like pages, they do not look for changes themselves.
 *
 * Cost: a visit lists what the whole would visit, and cuts it.
 *
 * @returns a light object, good as long as the query is; it needs no disposing.
 * @throws TreelineError `bad-query` unless both are whole numbers, `index` not below 0 and below `count`; `disposed`.
 *
 * @example
 * each(shard(thinking, frame % 4, 4), think);
 */
export function shard<Q extends Query>(query: Q, index: number, count: number): Q {
  requireUsable(query);
  requireCount("shard(query, index, count)", "index", index);
  requireCount("shard(query, index, count)", "count", count);
  if (index >= count) {
    throw new TreelineError("bad-query", `shard ${index} of ${count} is none: the index counts from 0`);
  }
  return partOf(query, "shard", index, count, undefined);
}

function requireCount(call: string, name: string, number: number): void {
  if (Number.isInteger(number) && number >= 0) return;
  throw new TreelineError(
    "bad-query",
    `${call} needs a whole number from 0 as ${name}, not ${shown(number)}`,
  );
}

/** A part of a query, or of a part of one. All but the part itself is shared. */
export function partOf<Q extends Query>(
  query: Q,
  kind: Part["kind"],
  first: number,
  second: number,
  key: unknown,
): Q {
  return { ...query, part: { whole: wholeOf(query), of: query.part, kind, first, second, key } };
}

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
