import { grownInt32 } from "../base/growing.ts";
import { JOURNAL_LIMIT } from "../base/limits.ts";

// Kinds of entries: `ChangeKind` of `cursor/changes.ts` says what they tell.
export const TABLE_CHANGED = 0;
export const SLICE_MOVED = 1;
export const TARGET_MOVED = 2;
export const VALUE_PARENT_MOVED = 3;
export const BIT_TURNED = 4;

const KINDS = 8;

/** What moved since readers last looked, written while somebody reads. Readers look at the state as it is: entries may repeat. */
export class Journal {
  /** Readers; while there are none, nothing is written. */
  cursors: JournalCursor[] = [];
  reading = false;
  /** number * 8 + kind; the first `length` count. */
  entries: Int32Array<ArrayBuffer> = new Int32Array(0);
  length = 0;
}

/** One reader, and how far it has read. */
export class JournalCursor {
  /** Means nothing while the reader is lost. */
  at = 0;
  /** Something was not listed, or everything moved: the reader must start anew. So it is at first. */
  lost = true;
  protected readonly journal: Journal;

  constructor(journal: Journal) {
    this.journal = journal;
    journal.cursors.push(this);
    journal.reading = true;
  }

  /** It has seen everything. What all readers have seen is forgotten; who is lost reads none of it. */
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

/** Everything moved: all readers start anew. */
export function noteAll(journal: Journal): void {
  for (const cursor of journal.cursors) cursor.lost = true;
  startOver(journal);
}

function startOver(journal: Journal): void {
  for (const cursor of journal.cursors) cursor.at = 0;
  journal.length = 0;
}

/** Makes room in a full list: who is behind by more than half is lost, what the others have read is dropped. Half is free then. */
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
