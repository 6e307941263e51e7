import { TreelineError } from "@treeline/core";
import { shown } from "@treeline/core/internal";
import { type Part, type Query, wholeOf } from "../state/query-state.ts";
import { bringOrder } from "./order-terms.ts";
import { requireUsable } from "./query.ts";

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
  bringOrder();
  return { ...query, part: { whole: wholeOf(query), of: query.part, kind, first, second, key } };
}
