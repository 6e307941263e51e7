// Which queries are views (`viewQuery`), and what is unread for them after a restore (`viewWork`).
import type { World } from "@treeline/core";
import {
  ANY,
  type ArchetypeView,
  allArchetypes,
  disabledReadWork,
  handleOf,
  runsOf,
  sizesOf,
  slotsOf,
  type Track,
  trackOf,
  worldState,
} from "@treeline/core/internal";
import { archetypeHas, hasAt } from "../match/pairs.ts";
import { requireUsable } from "../query/build/query.ts";
import type { Query } from "../query/state/query-state.ts";
import { refuse } from "../term/read.ts";

type Tracked = Query["plan"]["tracked"][number];

/** What core keeps for a query: by entity index, the tick up to which changes of entities are read that are left out of others. */
interface Unread {
  readonly edition: number;
  readonly byBit: ReadonlyMap<number, number>;
  readonly byTree: ReadonlyMap<number, number>;
}

/** Everything is unread after this tick. */
const NEVER = -1;

const viewsIn = /* @__PURE__ */ worldState(() => new Set<Query>());

/** Installed by `viewQuery`. */
export const viewWork: { keep: typeof keepViews | undefined } = { keep: undefined };

/**
 * Makes a query for changes a view, whose reads a restore does not put back.
 * @throws TreelineError `bad-query`, `disposed`.
 */
export function viewQuery(query: Query): void {
  requireUsable(query);
  const { world, plan } = query;
  if (!plan.isWatching || plan.tracked.some(({ kind }) => kind !== "changed"))
    refuse(
      "a view matches changed values, and nothing else that changes; use monitor for what comes and goes",
    );
  slotsOf(world).disabledReads ??= disabledReadWork;
  viewWork.keep = keepViews;
  const views = viewsIn(world);
  for (const one of views) if (one.users === 0) views.delete(one);
  views.add(query);
}

/**
 * Notes, before a restore, what views have read, and which rows were not written after the tick of the snapshot.
 * @returns a function that makes all others unread, after the restore.
 */
function keepViews(world: World, tick: number): () => void {
  const kept = [...viewsIn(world)].map((query) => {
    const { plan, lastRead } = query;
    // Changes of others than the entity itself, and of disabled entities, are not noted by entity: all is unread.
    const isByEntity =
      !plan.namesDisabled &&
      plan.leaves.every(({ kind }) => kind === "changed" || !kind.startsWith("changed"));
    const same = isByEntity ? plan.tracked.map((tracked) => sameSince(world, tracked, tick)) : undefined;
    return { query, lastRead, unread: unreadOf(query), same };
  });
  return () => {
    for (const { query, lastRead, unread, same } of kept) {
      query.lastRead = same === undefined ? NEVER : lastRead;
      const byTree = new Map(unread?.byTree);
      for (const [at, tracked] of query.plan.tracked.entries())
        if (same !== undefined) findWritten(world, tracked, same[at]!, byTree);
      Object.assign(query.watch, { disabled: { edition: NEVER, byBit: unread?.byBit ?? new Map(), byTree } });
    }
  };
}

function unreadOf({ watch }: Query): Unread | undefined {
  return watch.disabled;
}

/** By entity index, the handles of entities that have a definition and have had the same value since a tick. */
function sameSince(world: World, tracked: Tracked, tick: number): Float64Array {
  const handles = new Float64Array(sizesOf(world).entities);
  eachRow(world, tracked, (index, row, ticks) => {
    if (ticks === undefined || ticks.rows[row]! <= tick) handles[index] = handleOf(world, index);
  });
  return handles;
}

/** Adds all others to those that are unread. */
function findWritten(world: World, tracked: Tracked, same: Float64Array, unread: Map<number, number>): void {
  const { definition, kind } = tracked;
  eachRow(world, tracked, (index, row, ticks, archetype) => {
    if (same[index] === handleOf(world, index)) return;
    unread.set(index, NEVER);
    if (ticks !== undefined) return;
    // Without ticks nothing has changed: these rows get those of rows that were never written.
    archetype.lanes.tracks!.mark(definition, kind, row, row + 1);
    trackOf(archetype, definition, kind)!.rows[row] = 0;
  });
}

function eachRow(
  world: World,
  { definition, kind }: Tracked,
  call: (index: number, row: number, ticks: Track | undefined, archetype: ArchetypeView) => void,
): void {
  for (const archetype of allArchetypes(world)) {
    const isInType = archetypeHas(archetype, definition);
    if (archetype.rows === 0 || (!isInType && definition.storage === "table")) continue;
    const { bounds, length } = runsOf(archetype);
    for (let at = 0; at < length; at += 2) {
      for (let row = bounds[at]!; row < bounds[at + 1]!; row++) {
        const index = archetype.lanes.i32[row]!;
        if (isInType || hasAt(world, index, definition, ANY))
          call(index, row, trackOf(archetype, definition, kind), archetype);
      }
    }
  }
}
