// Rows whose values were written after a tick, as intervals (`eachWritten`).
import type { Component, World } from "@treeline/core";
import {
  type ArchetypeView,
  archetypesOfDefinition,
  BLOCK_BITS,
  clockOf,
  runsOf,
  trackOf,
} from "@treeline/core/internal";

/**
 * Passes the rows whose values of a component were written after a tick, as intervals `first <= row < end` of an archetype; while
 * `keepTicks` keeps its changes. Disabled entities are among them.
 *
 * @cost a look at each archetype, and at each row of blocks with changes; no order of tables, no terms.
 * @param since what the last call returned; -1 for all rows.
 * @returns the tick up to which has been read. A restore of the world may put the clock back.
 */
export function eachWritten(
  world: World,
  what: Component,
  since: number,
  call: (archetype: ArchetypeView, first: number, end: number) => void,
): number {
  const clock = clockOf(world);
  for (const archetype of archetypesOfDefinition(world, what)) {
    const track = trackOf(archetype, what, "changed");
    if (track === undefined || (track.last <= since && since >= 0)) continue;
    const { rows, blocks } = track;
    const { bounds, length } = runsOf(archetype);
    for (let run = 0; run < length; run += 2) {
      const last = bounds[run + 1]!;
      for (let row = bounds[run]!; row < last; ) {
        if (blocks[row >> BLOCK_BITS]! <= since) row = ((row >> BLOCK_BITS) + 1) << BLOCK_BITS;
        else if (rows[row]! <= since) row++;
        else {
          const first = row;
          do row++;
          while (row < last && rows[row]! > since);
          call(archetype, first, row);
        }
      }
    }
  }
  return clock.now++;
}
