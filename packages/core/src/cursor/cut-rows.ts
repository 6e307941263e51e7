// Leaves rows out by their bits, such as disabled ones, after an iteration has listed its rows (`cutRows`).
import type { Intervals } from "../storage/cut-intervals.ts";
import type { CutPlan, CutState, World } from "../world/state/world.ts";

/**
 * Removes rows that a cut leaves out from listed intervals.
 *
 * @cost a read of each interval, up to the first archetype with bits; then, if any bits have changed, a step for each run, or for
 *   each position where rows are listed.
 */
export function cutRows(
  { graph }: World,
  { cut, isSorted }: CutPlan,
  intervals: Intervals,
  state: CutState,
): void {
  const { archetypes } = graph;
  const { batches } = state;
  for (let at = 0; at < intervals.length; at += intervals.stride) {
    const { bits } = archetypes[intervals.numbers[at]!]!;
    if (bits === undefined) continue;
    const copies = batches && !isSorted;
    const cuts = bits.cutIntervals(cut, archetypes, intervals, batches, copies, state.cuts);
    if (cuts) {
      state.cuts = cuts;
      if (copies) state.lists = cuts;
    }
    return;
  }
  if (cut.required.length > 0) intervals.length = 0;
}
