// The reader of the journal (`Changes`): entities, rows that filled a gap, bits and orders of children that changed; `lost` means start over.
import { JournalCursor, kindOfEntry, numberOfEntry } from "../storage/journal.ts";
import { settleDepths } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";

/**
 * What changed. "entity": an entity is new or gone, or has another type or parent, or its first row. "filled": its row has filled a gap, and nothing
 * else of it changed; of a target, what concerns its subjects as well. "bit": a target got or lost a tag that is stored as
 * bits. "order": the children of an entity were reordered. "depth": all that have a pair are at another depth.
 */
export type ChangeKind = "entity" | "filled" | "bit" | "order" | "depth";

/** By number in the journal. */
const KINDS: readonly ChangeKind[] = ["entity", "filled", "bit", "order", "depth"];

/**
 * What moved in a world since this reader last caught up. Entries may repeat, and only name an entity: read its
 * current state. The world keeps a journal while there are readers, so `close` a reader that is no longer needed.
 *
 *   if (changes.lost) readEverything();
 *   else for (changes.begin(); changes.next(); ) read(changes.kind, changes.number);
 *   changes.catchUp();
 */
export class Changes extends JournalCursor {
  kind: ChangeKind = "entity";
  /** The index of the entity; for "depth" the pair. */
  number = 0;
  private readonly world: World;
  /** The next entry. */
  private following = 0;

  constructor(world: World) {
    super(world.graph.journal);
    this.world = world;
  }

  /** Corrects all depths. Call it before reading depths: then entities with other depths are among the entries. */
  settleDepths(): void {
    settleDepths(this.world);
  }

  /** Whether nothing moved. */
  get areNone(): boolean {
    return !this.lost && this.at === this.journal.length;
  }

  /** Restarts at the first unread entry. */
  begin(): void {
    this.following = this.at;
  }

  next(): boolean {
    if (this.following >= this.journal.length) return false;
    const entry = this.journal.entries[this.following++]!;
    this.kind = KINDS[kindOfEntry(entry)]!;
    this.number = numberOfEntry(entry);
    return true;
  }
}
