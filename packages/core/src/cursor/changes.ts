import { JournalCursor, kindOfEntry, numberOfEntry } from "../storage/journal.ts";
import { settleDepths } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";

/**
 * What an entry is about. "table": rows came, went or have another depth, or the table itself did. "rows": all rows of a table have
 * other numbers. "target": an entity that others point at has another row or table. "value": one whose parent is stored as a
 * value, now or before, has another row, parent or depth, or died. "bit": a target got or lost a tag that is stored as bits.
 */
export type ChangeKind = "table" | "rows" | "target" | "value" | "bit";

/** By number in the journal. */
const KINDS: readonly ChangeKind[] = ["table", "rows", "target", "value", "bit"];

/**
 * What moved in a world since this reader last caught up. Entries repeat, and tell only who is concerned: look at it as it is now.
 * The world keeps a journal while there are readers: who needs it no longer says `close`.
 *
 *   if (changes.lost) lookAtEverything();
 *   else for (changes.begin(); changes.next(); ) look(changes.kind, changes.number);
 *   changes.catchUp();
 */
export class Changes extends JournalCursor {
  kind: ChangeKind = "table";
  /** Of the table or the entity index. */
  number = 0;
  private readonly world: World;
  /** The entry that comes next. */
  private following = 0;

  constructor(world: World) {
    super(world.graph.journal);
    this.world = world;
  }

  /** Sets all depths right. Whoever looks at depths says so first: then those who have others are among the entries. */
  settleDepths(): void {
    settleDepths(this.world);
  }

  /** Nothing moved. */
  get areNone(): boolean {
    return !this.lost && this.at === this.journal.length;
  }

  /** The next entry is the first one. */
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
