import { describe, expect, it } from "vitest";
import { JournalCursor, kindOfEntry, numberOfEntry, SLICE_MOVED } from "../../src/storage/journal.ts";
import { growSlice, roomFor } from "../../src/storage/slices.ts";
import {
  addTable,
  append,
  appendMany,
  audit,
  createLedger,
  empty,
  endTable,
  Label,
  type Ledger,
  ledgerWith,
  packLedger,
  Self,
  take,
} from "./ledger.ts";
import { counting, memories } from "./memory/memories.ts";

/** [first, capacity] of a table's slice. */
function sliceOf({ rows }: Ledger, table: number): [first: number, capacity: number] {
  return [rows.tables.first[table]!, rows.tables.capacity[table]!];
}

describe("roomFor", () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 4],
    [5, 8],
    [1024, 1024],
    [1025, 2048],
    [2 ** 24 + 1, 2 ** 25],
  ])("gives %i rows a slice of %i", (rows, room) => {
    expect(roomFor(rows)).toBe(room);
  });
});

describe.each(memories)("slices on %s memory", (_, create) => {
  it("take the next power of two whenever they are full", () => {
    const ledger = ledgerWith(create, 0);
    const capacities: number[] = [];

    for (let count = 0; count < 9; count++) {
      append(ledger, 1);
      capacities.push(sliceOf(ledger, 1)[1]);
    }

    expect(capacities).toEqual([1, 2, 4, 4, 8, 8, 8, 8, 16]);
  });

  it("grow where they are if they are the last, so that no row moves", () => {
    const ledger = ledgerWith(create, 1, 1);
    const [first] = sliceOf(ledger, 2);

    appendMany(ledger, 2, 7);

    expect(sliceOf(ledger, 2)).toEqual([first, 8]);
    expect(audit(ledger)).toEqual([]);
  });

  it("move to the end if they are not, with all their rows", () => {
    const ledger = ledgerWith(create, 2, 1);

    append(ledger, 1);

    expect(sliceOf(ledger, 1)).toEqual([3, 4]);
    expect(audit(ledger)).toEqual([]);
  });

  it("go into a hole that another one has left", () => {
    const ledger = ledgerWith(create, 4, 4, 4);
    const [hole] = sliceOf(ledger, 2);
    endTable(ledger, 2);
    const { end } = ledger.archetype;

    const table = addTable(ledger);
    appendMany(ledger, table, 3);

    expect(sliceOf(ledger, table)).toEqual([hole, 4]);
    expect(ledger.archetype.end).toBe(end);
  });

  it("share a hole that is larger than they need", () => {
    const ledger = ledgerWith(create, 4, 8, 4);
    const [hole] = sliceOf(ledger, 2);
    endTable(ledger, 2);

    const tables = [1, 2, 3].map(() => addTable(ledger));
    for (const table of tables) appendMany(ledger, table, 2);

    expect(tables.map((table) => sliceOf(ledger, table)[0]).toSorted()).toEqual([hole, hole + 2, hole + 4]);
    expect(audit(ledger)).toEqual([]);
  });

  it("return room to the end when the last one is dropped", () => {
    const ledger = ledgerWith(create, 4, 8);

    endTable(ledger, 2);

    expect(ledger.archetype.end).toBe(4);
  });

  it("free their upper part once they are used to a quarter", () => {
    const ledger = ledgerWith(create, 64, 1);

    while (ledger.members.get(1)!.length > 16) take(ledger, 1, 0);

    expect(sliceOf(ledger, 1)).toEqual([0, 32]);
    expect(audit(ledger)).toEqual([]);
  });

  it("do not grow again with the next row after they have shrunk", () => {
    const ledger = ledgerWith(create, 64, 1);
    while (ledger.members.get(1)!.length > 16) take(ledger, 1, 0);
    const slice = sliceOf(ledger, 1);

    for (let count = 0; count < 16; count++) append(ledger, 1);

    expect(sliceOf(ledger, 1)).toEqual(slice);
  });

  it("are laid side by side within the same buffers when most of these are holes", () => {
    const memory = counting(create());
    const ledger = createLedger(memory, [Self, Label]);
    const tables = Array.from({ length: 512 }, () => addTable(ledger));
    for (const table of tables) appendMany(ledger, table, 4);
    for (const table of tables) if (table % 8 !== 0) endTable(ledger, table);
    const { allocations } = memory;

    const large = addTable(ledger);
    appendMany(ledger, large, 512);
    appendMany(ledger, large, 512);

    expect(memory.allocations).toBe(allocations);
    expect(audit(ledger)).toEqual([]);
  });

  it("keep every row when holes are closed between slices that a pack had made as small as their rows", () => {
    const ledger = createLedger(create(), [Self, Label]);
    const tables = Array.from({ length: 1000 }, () => addTable(ledger));
    for (const table of tables) appendMany(ledger, table, 3);
    packLedger(ledger, tables);
    for (const table of tables) if (table > 100 && table < 1000) endTable(ledger, table);

    for (let count = 0; count < 30; count++) appendMany(ledger, addTable(ledger), 64);

    expect(audit(ledger)).toEqual([]);
  });

  it("find room for old and new when a packed table grows by one row, and most of the rest has gone", () => {
    const ledger = createLedger(create(), [Self, Label]);
    const tables = [1000, 600, 1].map((count) => {
      const table = addTable(ledger);
      appendMany(ledger, table, count);
      return table;
    });
    packLedger(ledger, tables);
    endTable(ledger, tables[1]!);

    append(ledger, tables[0]!);

    expect(audit(ledger)).toEqual([]);
    expect(ledger.worstExcess).toBeLessThanOrEqual(4096);
  });

  it("find room when a packed slice of any size grows to the next power of two beside any neighbours", () => {
    const wrong: string[] = [];
    for (let count = 1; count <= 40; count++) {
      for (const neighbour of [1, 3, count, 2 * count]) {
        const ledger = createLedger(create(), [Self, Label]);
        const tables = [count, neighbour, 1].map((rows) => {
          const table = addTable(ledger);
          appendMany(ledger, table, rows);
          return table;
        });
        packLedger(ledger, tables);
        endTable(ledger, tables[1]!);

        append(ledger, tables[0]!);

        wrong.push(...audit(ledger).map((text) => `${count} beside ${neighbour}: ${text}`));
      }
    }

    expect(wrong).toEqual([]);
  });

  it("are as many rows as a table of 33,554,432 needs, and more are refused as capacity", () => {
    const ledger = ledgerWith(create, 3);
    const { archetype, rows } = ledger;

    expect(() => growSlice(archetype, rows.tables, rows.journal, 1, 2 ** 25 + 1)).toThrow(
      expect.objectContaining({ code: "capacity" }),
    );

    expect(audit(ledger)).toEqual([]);
  });

  it("grow their columns by a half at least, so that growing stays cheap", () => {
    const memory = counting(create());
    const ledger = createLedger(memory);
    const table = addTable(ledger);

    for (let count = 0; count < 100_000; count++) append(ledger, table);

    expect(memory.allocations).toBeLessThan(30);
  });
});

describe("slices and their journal", () => {
  const [, create] = memories[0]!;

  it("record a slice that has moved", () => {
    const ledger = ledgerWith(create, 2, 1);
    const { journal } = ledger.rows;
    new JournalCursor(journal).catchUp();

    append(ledger, 1);

    const entries = [...journal.entries.subarray(0, journal.length)];
    expect(entries.filter((entry) => kindOfEntry(entry) === SLICE_MOVED).map(numberOfEntry)).toEqual([1]);
  });

  it("make readers start over once holes have been closed", () => {
    const ledger = createLedger(create());
    const tables = Array.from({ length: 512 }, () => addTable(ledger));
    for (const table of tables) appendMany(ledger, table, 4);
    for (const table of tables) if (table % 8 !== 0) empty(ledger, table);
    const { journal } = ledger.rows;
    const cursor = new JournalCursor(journal);
    cursor.catchUp();

    appendMany(ledger, 1, 1024);

    expect(cursor.lost).toBe(true);
  });
});
