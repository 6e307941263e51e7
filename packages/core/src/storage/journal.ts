// What moved since a reader last caught up (`note`); when it is full, drops half and marks late readers as lost (`dropRead`).
import { grownInt32 } from "../base/growing.ts";
import { JOURNAL_LIMIT } from "../base/limits.ts";

// Kinds of entries: see `ChangeKind` of `cursor/changes.ts`.
export const ENTITY_CHANGED = 0;
export const ROW_FILLED = 1;
export const BIT_TURNED = 2;
export const SIBLINGS_REORDERED = 3;
export const DEPTH_CHANGED = 4;

const KINDS = 8;

/** What moved since readers last caught up; written only while there are readers. Entries may repeat: read the current state. */
export class Journal {
  /** The readers. */
  cursors: JournalReader[] = [];
  reading = false;
  /** number * 8 + kind; only the first `length` are valid. */
  entries: Int32Array<ArrayBuffer> = new Int32Array(0);
  length = 0;
}

/** One that is always lost reads nothing; it is there so that verbs look here: see `markTargets`. */
export interface JournalReader {
  at: number;
  lost: boolean;
}

/** One reader and its position. */
export class JournalCursor implements JournalReader {
  /** The next entry to read; unused while the reader is lost. */
  at = 0;
  /** Entries are missing, or everything moved: the reader must start over. True at first. */
  lost = true;
  protected readonly journal: Journal;

  constructor(journal: Journal) {
    this.journal = journal;
    journal.cursors.push(this);
    journal.reading = true;
  }

  /** Marks all entries as read. Drops the entries once all readers that are not lost have read them. */
  catchUp(): void {
    const { journal } = this;
    this.at = journal.length;
    this.lost = false;
    for (const { at, lost } of journal.cursors) if (!lost && at < journal.length) return;
    startOver(journal);
  }

  close(): void {
    const { journal } = this;
    journal.cursors = journal.cursors.filter((one) => one !== this);
    journal.reading = journal.cursors.length > 0;
  }
}

/** Everything moved: all readers must start over. */
export function noteAll(journal: Journal): void {
  for (const cursor of journal.cursors) cursor.lost = true;
  startOver(journal);
}

function startOver(journal: Journal): void {
  for (const cursor of journal.cursors) cursor.at = 0;
  journal.length = 0;
}

/** Empties half of a full list: readers behind by more than half become lost; what the others have read is dropped. */
function dropRead(journal: Journal): void {
  const { cursors, entries, length } = journal;
  let from = length;
  for (const cursor of cursors) {
    if (length - cursor.at > JOURNAL_LIMIT / 2) cursor.lost = true;
    if (!cursor.lost) from = Math.min(from, cursor.at);
  }
  entries.copyWithin(0, from, length);
  journal.length = length - from;
  for (const cursor of cursors) cursor.at = cursor.lost ? 0 : cursor.at - from;
}

export function note(journal: Journal, kind: number, number: number): void {
  if (!journal.reading) return;
  if (journal.length === JOURNAL_LIMIT) dropRead(journal);
  if (journal.length === journal.entries.length)
    journal.entries = grownInt32(journal.entries, journal.length + 1);
  journal.entries[journal.length++] = number * KINDS + kind;
}

export function kindOfEntry(entry: number): number {
  return entry % KINDS;
}

export function numberOfEntry(entry: number): number {
  return Math.trunc(entry / KINDS);
}
