// Which changes of disabled entities a query has not read (`keepUnread`), and finds them when they are enabled (`findEnabled`).
import { Disabled, DisabledFromAbove, DisabledTree } from "../../id/builtins.ts";
import { type Archetype, hasDefinition } from "../../storage/archetype.ts";
import { ALL, type Cut } from "../../storage/bits.ts";
import { markBlock } from "../../storage/tracks.ts";
import { isPending } from "./lock.ts";
import { archetypeAt, rowAt } from "./values.ts";
import type { ChangesReader, DisabledReadWork, World } from "./world.ts";

const ENABLED: Cut = { key: "", required: [], excluded: [Disabled, DisabledFromAbove] };

function isDisabledRow(archetype: Archetype, row: number): boolean {
  return hasDefinition(archetype, DisabledTree) || archetype.bits?.leaves(ENABLED, row) === false;
}

/**
 * Finds the entities that were disabled at the last read and are not any more, and makes readers look at their rows.
 *
 * @cost the entities that had `DisabledTree` at the last read; if any was disabled or enabled since then, all that were disabled.
 * @returns by index the tick up to which their changes are read; undefined for none.
 */
function findEnabled(world: World, { disabled }: ChangesReader): ReadonlyMap<number, number> | undefined {
  if (disabled === undefined) return undefined;
  const found = new Map<number, number>();
  const { edition, byBit, byTree } = disabled;
  for (const unread of edition === world.graph.tracking.disabledEdition ? [byTree] : [byBit, byTree]) {
    for (const [index, since] of unread) {
      // It was destroyed, and perhaps its index is forgotten.
      if (!world.entities.table[index] || isPending(world, index)) continue;
      const archetype = archetypeAt(world, index);
      const row = rowAt(world, index);
      if (isDisabledRow(archetype, row)) continue;
      found.set(index, since);
      for (const track of archetype.lanes.tracks?.list ?? []) markBlock(track, row);
    }
  }
  return found.size === 0 ? undefined : found;
}

/**
 * Notes which entities are disabled at a read.
 *
 * @cost a look at each archetype, and the entities with `DisabledTree`; if any was disabled or enabled since the last read, the
 *   rows of archetypes with disabled rows.
 * @param lastRead the tick of the read before this one.
 */
function keepUnread({ graph }: World, reader: ChangesReader, lastRead: number): void {
  const { disabled: former } = reader;
  const edition = graph.tracking.disabledEdition;
  const isSame = former?.edition === edition;
  const byBit = isSame ? (former.byBit as Map<number, number>) : new Map<number, number>();
  const byTree = new Map<number, number>();
  for (const archetype of graph.archetypes) {
    const isTop = hasDefinition(archetype, DisabledTree);
    if (archetype.rows === 0 || !(isTop || (!isSame && (archetype.bits?.shareOf(ENABLED) ?? ALL) !== ALL)))
      continue;
    for (let row = 0; row < archetype.rows; row++) {
      if (!isDisabledRow(archetype, row)) continue;
      const index = archetype.lanes.i32[row]!;
      const since = former?.byBit.get(index) ?? former?.byTree.get(index) ?? lastRead;
      (isTop ? byTree : byBit).set(index, since);
    }
  }
  reader.disabled = { edition, byBit, byTree };
}

/** What readers of changes need in worlds where entities were disabled. */
export const disabledReadWork: DisabledReadWork = { findEnabled, keepUnread };
