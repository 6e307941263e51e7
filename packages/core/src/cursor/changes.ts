import { JournalCursor, kindOfEntry, numberOfEntry } from "../storage/journal.ts";
import { settleDepths } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";

/**
 * What changed. "table": rows were added, were removed or changed depth, or the table itself was created or dropped. "rows": all
 * rows of a table have new numbers. "target": the target of a pair has a new row or table. "value": an entity whose parent is or
 * was stored as a value has a new row, parent or depth, or was destroyed. "bit": a target got or lost a tag that is stored as
 * bits. "order": the children of an entity were reordered.
 */
export type ChangeKind = "table" | "rows" | "target" | "value" | "bit" | "order";

/** By number in the journal. */
const KINDS: readonly ChangeKind[] = ["table", "rows", "target", "value", "bit", "order"];

/**
 * What moved in a world since this reader last caught up. Entries may repeat, and only name a table or an entity: read its
 * current state. The world keeps a journal while there are readers, so `close` a reader that is no longer needed.
 *
 *   if (changes.lost) readEverything();
 *   else for (changes.begin(); changes.next(); ) read(changes.kind, changes.number);
 *   changes.catchUp();
 */
export class Changes extends JournalCursor {
  kind: ChangeKind = "table";
  /** The number of the table, or the entity index. */
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
