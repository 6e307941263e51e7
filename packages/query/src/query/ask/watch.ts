import { CHANGED, clockOf } from "@treeline/core/internal";
import { startTrack, stopTrack } from "../lists/start-track.ts";
import type { Query } from "../state/query-state.ts";

/** From now on the world keeps ticks for what the query asks for. */
export function startWatching(query: Query): void {
  eachChange(query, startTrack);
}

export function stopWatching(query: Query): void {
  eachChange(query, stopTrack);
}

function eachChange({ world, plan }: Query, call: typeof startTrack): void {
  for (const leaf of plan.leaves) {
    if (leaf.kind === "changed") call(world, leaf.definition, leaf.track);
    else if (leaf.kind === "changed above") call(world, leaf.definition, CHANGED);
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
