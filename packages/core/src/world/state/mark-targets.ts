// Marks entities that got another target of an exclusive relation, for `changed(ChildOf)` (`markTargets`).
import { CHILD_OF } from "../../id/builtins.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { markRow, RETARGETED } from "../../storage/tracks.ts";
import type { World } from "./world.ts";

/**
 * Marks an entity that got another target of an exclusive relation that is tracked. `arrive` of its archetype has marked it if it
 * had none, or has none any more.
 *
 * @param from the table that it has left, for all relations but ChildOf; 0 after it got another parent.
 */
export function markTargets(world: World, index: number, from: TableNumber): void {
  const { graph, entities } = world;
  const to = entities.table[index]!;
  const { tracks } = graph.archetypes[graph.tables.archetype[to]!]!.lanes;
  if (tracks === undefined) return;
  const { list } = tracks;
  for (let at = 0; at < list.length; at++) {
    const track = list[at]!;
    if (track.kind !== RETARGETED || (track.definition === CHILD_OF) !== (from === 0)) continue;
    if (from === 0 || pairIn(world, from, track.definition) !== pairIn(world, to, track.definition))
      markRow(track, entities.row[index]!, track.clock.now);
  }
}

/** The pair of an exclusive relation in a table's type, or 0. */
function pairIn({ graph }: World, table: TableNumber, relation: number): PairNumber {
  const { tables, records, pairs } = graph;
  const first = tables.nodes[table]!;
  for (let node = first; node < first + tables.pairs[table]!; node++)
    if (pairs.relation[records.nodePair[node]!] === relation) return records.nodePair[node]!;
  return 0;
}
