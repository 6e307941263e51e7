// What of queries and batches is state (`queryState`), and what is made again after a restore (`settleQueries`).
import type { World } from "@treeline/core";
import { clockOf, slotsOf, type UpperState } from "@treeline/core/internal";
import { beginIteration, endIteration } from "../iterate/iteration.ts";
import { allBatches, renumber } from "../query/batches/batches.ts";
import { cacheOf } from "../query/build/query.ts";
import type { Query } from "../query/state/query-state.ts";

type Part = UpperState["parts"][number];

const NOTES = ["version", "round", "steadySince", "disabled", "notes"];
/** Chunks find the one that they used last again. */
const CACHES: readonly string[] = ["lastKey", "lastOpen"];

/**
 * What is state of queries: which changes they have read, and the order in which batches list rows, which depends on all changes so
 * far. All else follows from the world.
 */
export function queryState(world: World): UpperState {
  const parts: Part[] = [];
  const readers = new Set<object>();
  for (const query of cacheOf(world).kept) {
    const { plan, watch } = query;
    if (!plan.isWatching) continue;
    parts.push({ record: query, names: ["lastRead"] }, { record: watch, names: NOTES });
    for (const notes of watch.notes) parts.push({ record: notes });
  }
  for (const batches of allBatches(world).values()) {
    const { rowLists, changes } = batches;
    const names = Object.keys(rowLists.chunks).filter((name) => !CACHES.includes(name));
    parts.push({ record: rowLists }, { record: rowLists.chunks, names });
    readers.add(changes);
  }
  return { parts, readers };
}

/**
 * After the state of a world was restored: queries that were made since have read all changes; sorted matches are sorted again.
 * @param isRestored whether a record was in the snapshot.
 */
export function settleQueries(world: World, isRestored: (record: object) => boolean): void {
  const now = clockOf(world).now++;
  const made = [...cacheOf(world).kept].filter((query) => query.plan.isWatching && !isRestored(query));
  for (const query of made) {
    query.lastRead = now;
    (query.watch as { disabled?: object | undefined }).disabled = undefined;
    // As a first read, which leaves changes of disabled entities unread.
    slotsOf(world).disabledReads?.keepUnread(world, query.watch, 0);
  }
  for (const query of cacheOf(world).kept)
    for (const { ordering } of [query, ...query.inner]) if (ordering !== undefined) ordering.isStale = true;
  for (const batches of allBatches(world).values()) {
    batches.rowLists.chunks.lastKey = -1;
    renumber(batches);
  }
  for (const query of made) if (query.plan.watched.length > 0) readSources(query);
}

/** Reads changes once, so that the present sources of entities are those that a query for changes above has read. */
function readSources(query: Query): void {
  query.watch.version = -1;
  try {
    endIteration(query, beginIteration(query), true);
  } catch {
    // A function of the program has thrown, after the sources were noted. It throws again when the program reads the query.
  }
}
