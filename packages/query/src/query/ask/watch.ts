import { clockOf } from "@treeline/core/internal";
import { track } from "../lists/start-track.ts";
import type { Query } from "../state/query-state.ts";

/** From now on the world keeps ticks for what the query asks for, or not any more. */
export function watch({ world, plan }: Query, isAsked: boolean): void {
  for (const leaf of plan.leaves) {
    if (leaf.kind === "changed") track(world, leaf.definition, leaf.track, isAsked);
    else if (leaf.kind === "changed above") track(world, leaf.definition, "changed", isAsked);
  }
}

/**
 * A visit begins to look: what is written from now on is news to the next one, but for what the visit itself writes. A part
 * of a query sees what is new, but only visits of the whole look: else one part would take the news from the others.
 *
 * @returns the tick of what the visit itself writes; 0 if the query does not look.
 */
export function beginLook({ world, plan, part, watch }: Query): number {
  if (!plan.isWatching || part !== undefined) return 0;
  watch.isLooking = true;
  return clockOf(world).now;
}

/** The visit has gathered what it visits: what is written from now on has a later tick. */
export function endLook(query: Query, tick: number): void {
  query.watch.isLooking = false;
  query.looked = tick;
  clockOf(query.world).now++;
}
