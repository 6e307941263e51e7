import { describe, expect, it } from "vitest";
import { JOURNAL_LIMIT } from "../../src/base/limits.ts";
import {
  catchUp,
  closeCursor,
  createJournal,
  type Journal,
  type JournalCursor,
  kindOfEntry,
  note,
  noteAll,
  numberOfEntry,
  openCursor,
  SLICE_MOVED,
  TABLE_CHANGED,
  TARGET_MOVED,
} from "../../src/storage/journal.ts";

/** What a reader finds since it last caught up: [kind, number] each. */
function readOn(journal: Journal, cursor: JournalCursor): [kind: number, number: number][] {
  const found = [...journal.entries.subarray(cursor.at, journal.length)];
  catchUp(journal, cursor);
  return found.map((entry) => [kindOfEntry(entry), numberOfEntry(entry)]);
}

describe("journal", () => {
  it("writes nothing while nobody reads", () => {
    const journal = createJournal();

    note(journal, TABLE_CHANGED, 4);

    expect([journal.length, journal.reading]).toEqual([0, false]);
  });

  it("lets a new reader start anew", () => {
    const journal = createJournal();

    const cursor = openCursor(journal);

    expect(cursor.lost).toBe(true);
    expect(journal.reading).toBe(true);
  });

  it("shows a reader what was noted since it caught up", () => {
    const journal = createJournal();
    const cursor = openCursor(journal);
    note(journal, TABLE_CHANGED, 1);
    catchUp(journal, cursor);

    note(journal, TABLE_CHANGED, 4);
    note(journal, SLICE_MOVED, 5);
    note(journal, TARGET_MOVED, 16_777_215);

    expect(cursor.lost).toBe(false);
    expect(readOn(journal, cursor)).toEqual([
      [TABLE_CHANGED, 4],
      [SLICE_MOVED, 5],
      [TARGET_MOVED, 16_777_215],
    ]);
  });

  it("lets each reader read at its own pace", () => {
    const journal = createJournal();
    const [quick, slow] = [openCursor(journal), openCursor(journal)];
    catchUp(journal, quick);
    catchUp(journal, slow);
    note(journal, TABLE_CHANGED, 1);
    readOn(journal, quick);
    note(journal, TABLE_CHANGED, 2);

    expect(readOn(journal, quick)).toEqual([[TABLE_CHANGED, 2]]);
    expect(readOn(journal, slow)).toEqual([
      [TABLE_CHANGED, 1],
      [TABLE_CHANGED, 2],
    ]);
  });

  it("tells all readers to start anew once everything has moved", () => {
    const journal = createJournal();
    const cursors = [openCursor(journal), openCursor(journal)];
    for (const cursor of cursors) catchUp(journal, cursor);

    noteAll(journal);

    expect(cursors.map(({ lost }) => lost)).toEqual([true, true]);
  });

  it("is never longer than its limit; who has not read all has lost something, who has goes on", () => {
    const journal = createJournal();
    const [quick, slow] = [openCursor(journal), openCursor(journal)];
    catchUp(journal, quick);
    catchUp(journal, slow);
    for (let count = 0; count < JOURNAL_LIMIT; count++) note(journal, TABLE_CHANGED, 1);
    catchUp(journal, quick);

    note(journal, TABLE_CHANGED, 2);

    expect(journal.length).toBeLessThanOrEqual(JOURNAL_LIMIT);
    expect([quick.lost, slow.lost]).toEqual([false, true]);
    expect(readOn(journal, quick)).toEqual([[TABLE_CHANGED, 2]]);
  });

  it("stops writing when the last reader is gone", () => {
    const journal = createJournal();
    const [one, other] = [openCursor(journal), openCursor(journal)];

    closeCursor(journal, one);
    expect(journal.reading).toBe(true);
    closeCursor(journal, other);

    expect(journal.reading).toBe(false);
  });
});
