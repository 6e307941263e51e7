import { describe, expect, it } from "vitest";
import { JOURNAL_LIMIT } from "../../src/base/limits.ts";
import {
  BIT_TURNED,
  ENTITY_CHANGED,
  Journal,
  JournalCursor,
  kindOfEntry,
  note,
  noteAll,
  numberOfEntry,
  ROW_FILLED,
} from "../../src/storage/journal.ts";

/** The entries since a reader last caught up: [kind, number] each. */
function readOn(journal: Journal, cursor: JournalCursor): [kind: number, number: number][] {
  const found = [...journal.entries.subarray(cursor.at, journal.length)];
  cursor.catchUp();
  return found.map((entry) => [kindOfEntry(entry), numberOfEntry(entry)]);
}

describe("journal", () => {
  it("writes nothing while there is no reader", () => {
    const journal = new Journal();

    note(journal, ENTITY_CHANGED, 4);

    expect([journal.length, journal.reading]).toEqual([0, false]);
  });

  it("makes a new reader start over", () => {
    const journal = new Journal();

    const cursor = new JournalCursor(journal);

    expect(cursor.lost).toBe(true);
    expect(journal.reading).toBe(true);
  });

  it("shows a reader the entries since it caught up", () => {
    const journal = new Journal();
    const cursor = new JournalCursor(journal);
    note(journal, ENTITY_CHANGED, 1);
    cursor.catchUp();

    note(journal, ENTITY_CHANGED, 4);
    note(journal, ROW_FILLED, 5);
    note(journal, BIT_TURNED, 16_777_215);

    expect(cursor.lost).toBe(false);
    expect(readOn(journal, cursor)).toEqual([
      [ENTITY_CHANGED, 4],
      [ROW_FILLED, 5],
      [BIT_TURNED, 16_777_215],
    ]);
  });

  it("lets each reader read at its own pace", () => {
    const journal = new Journal();
    const [quick, slow] = [new JournalCursor(journal), new JournalCursor(journal)];
    quick.catchUp();
    slow.catchUp();
    note(journal, ENTITY_CHANGED, 1);
    readOn(journal, quick);
    note(journal, ENTITY_CHANGED, 2);

    expect(readOn(journal, quick)).toEqual([[ENTITY_CHANGED, 2]]);
    expect(readOn(journal, slow)).toEqual([
      [ENTITY_CHANGED, 1],
      [ENTITY_CHANGED, 2],
    ]);
  });

  it("makes all readers start over once everything has moved", () => {
    const journal = new Journal();
    const cursors = [new JournalCursor(journal), new JournalCursor(journal)];
    for (const cursor of cursors) cursor.catchUp();

    noteAll(journal);

    expect(cursors.map(({ lost }) => lost)).toEqual([true, true]);
  });

  it("is never longer than its limit; a reader that has not read all has lost something, the others continue", () => {
    const journal = new Journal();
    const [quick, slow] = [new JournalCursor(journal), new JournalCursor(journal)];
    quick.catchUp();
    slow.catchUp();
    for (let count = 0; count < JOURNAL_LIMIT; count++) note(journal, ENTITY_CHANGED, 1);
    quick.catchUp();

    note(journal, ENTITY_CHANGED, 2);

    expect(journal.length).toBeLessThanOrEqual(JOURNAL_LIMIT);
    expect([quick.lost, slow.lost]).toEqual([false, true]);
    expect(readOn(journal, quick)).toEqual([[ENTITY_CHANGED, 2]]);
  });

  it("loses only a reader that no longer reads: all others read each entry once and in order", () => {
    const journal = new Journal();
    const idle = new JournalCursor(journal);
    const paces = [1, 777, 5_000, JOURNAL_LIMIT / 2];
    const active = paces.map(() => new JournalCursor(journal));
    for (const cursor of [idle, ...active]) cursor.catchUp();
    const next = paces.map(() => 1);
    let timesLost = 0;
    let wrong = 0;
    let longest = 0;

    for (let number = 1; number <= 300_000; number++) {
      const wasLost = idle.lost;
      note(journal, ENTITY_CHANGED, number);
      if (idle.lost !== wasLost) timesLost++;
      longest = Math.max(longest, journal.length);
      active.forEach((cursor, reader) => {
        if (number % paces[reader]! !== 0) return;
        if (cursor.lost) wrong++;
        for (let at = cursor.at; at < journal.length; at++) {
          if (numberOfEntry(journal.entries[at]!) !== next[reader]!++) wrong++;
        }
        cursor.catchUp();
      });
    }

    expect([wrong, idle.lost, timesLost]).toEqual([0, true, 1]);
    expect(next.map((number, reader) => number - 1 + (300_000 % paces[reader]!))).toEqual(
      paces.map(() => 300_000),
    );
    expect(longest).toBe(JOURNAL_LIMIT);
  });

  it("drops entries that every reader that is not lost has read", () => {
    const journal = new Journal();
    const [reader, lost] = [new JournalCursor(journal), new JournalCursor(journal)];
    reader.catchUp();
    for (let number = 1; number <= 10; number++) note(journal, ENTITY_CHANGED, number);

    expect(readOn(journal, reader)).toHaveLength(10);

    expect([journal.length, lost.lost]).toEqual([0, true]);
  });

  it("lets a lost reader that has started over read on with the others", () => {
    const journal = new Journal();
    const [quick, slow] = [new JournalCursor(journal), new JournalCursor(journal)];
    for (const cursor of [quick, slow]) cursor.catchUp();
    for (let number = 1; number <= JOURNAL_LIMIT + 5; number++) {
      note(journal, ENTITY_CHANGED, number);
      if (number === JOURNAL_LIMIT - 3) quick.catchUp();
    }
    const wasLost = slow.lost;

    slow.catchUp();
    note(journal, ROW_FILLED, 7);

    expect([wasLost, quick.lost, slow.lost]).toEqual([true, false, false]);
    expect(readOn(journal, slow)).toEqual([[ROW_FILLED, 7]]);
    expect(readOn(journal, quick).map(([, number]) => number)).toEqual([
      ...Array.from({ length: 8 }, (_, at) => JOURNAL_LIMIT - 2 + at),
      7,
    ]);
  });

  it("stops writing when the last reader is closed", () => {
    const journal = new Journal();
    const [one, other] = [new JournalCursor(journal), new JournalCursor(journal)];

    one.close();
    expect(journal.reading).toBe(true);
    other.close();

    expect(journal.reading).toBe(false);
  });
});
