/** The journal of a world, which caches of queries read: what it records is behaviour, but not public. */
import type { World } from "../src/index.ts";
import { JournalCursor, kindOfEntry, numberOfEntry } from "../src/storage/journal.ts";

export {
  BIT_TURNED,
  DEPTH_CHANGED,
  ENTITY_CHANGED,
  JournalCursor,
  ROW_FILLED,
  SIBLINGS_REORDERED,
} from "../src/storage/journal.ts";
export { settleDepths } from "../src/world/state/targets.ts";

/** The [kind, number] of each entry that a change adds to the journal, while there is a reader. */
export function journaled(world: World, change: () => unknown): [kind: number, number: number][] {
  const { journal } = world.graph;
  const cursor = new JournalCursor(journal);
  cursor.catchUp();
  change();
  const entries = [...journal.entries.subarray(cursor.at, journal.length)];
  return entries.map((entry) => [kindOfEntry(entry), numberOfEntry(entry)]);
}
