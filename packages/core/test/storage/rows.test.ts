import { describe, expect, it } from "vitest";
import { type Block, plainMemory } from "../../src/index.ts";
import { Archetype } from "../../src/storage/archetype.ts";
import { JournalCursor, kindOfEntry, numberOfEntry, TABLE_CHANGED } from "../../src/storage/journal.ts";
import { appendRow, makeRoomFor, shiftRow, takeRow } from "../../src/storage/rows.ts";
import { createDice } from "../dice.ts";
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
  Self,
  shift,
  take,
} from "./ledger.ts";
import { counting, memories } from "./memory/memories.ts";

describe.each(memories)("rows on %s memory", (_, create) => {
  it("are appended at the end of their table", () => {
    const ledger = ledgerWith(create, 3, 2);

    append(ledger, 1);

    expect(ledger.members.get(1)).toEqual([1, 2, 3, 6]);
    expect(audit(ledger)).toEqual([]);
  });

  it("are appended many at once", () => {
    const ledger = ledgerWith(create, 3, 2);

    appendMany(ledger, 1, 100);

    expect(ledger.rows.tables.count[1]).toBe(103);
    expect(audit(ledger)).toEqual([]);
  });

  it("are removed by moving the last row into the hole, and the moved row is reported", () => {
    const ledger = ledgerWith(create, 4);

    const moved = takeRow(ledger.rows, ledger.archetype, 1, 1);

    expect(moved).toBe(4);
    expect([0, 1, 2].map((row) => ledger.archetype.lanes.i32[ledger.rows.tables.first[1]! + row])).toEqual([
      1, 4, 3,
    ]);
  });

  it("report no moved row when the last row is removed", () => {
    const ledger = ledgerWith(create, 4);

    expect(takeRow(ledger.rows, ledger.archetype, 1, 3)).toBe(0);
  });

  it.each([-1, 4, 100])("are not removed from outside the table, here row %i", (row) => {
    const ledger = ledgerWith(create, 4);

    expect(() => takeRow(ledger.rows, ledger.archetype, 1, row)).toThrow(
      expect.objectContaining({ code: "internal-error" }),
    );
  });

  it("leave a table without slice when the last one goes (I14)", () => {
    const ledger = ledgerWith(create, 1, 2);

    take(ledger, 1, 0);
    empty(ledger, 2);

    const { tables } = ledger.rows;
    expect([tables.capacity[1], tables.first[1], tables.capacity[2], tables.first[2]]).toEqual([
      0, -1, 0, -1,
    ]);
    expect(ledger.archetype.empty.length).toBe(2);
  });

  it("are all removed at once from a dropped table, which is then in no list of its archetype", () => {
    const ledger = ledgerWith(create, 3, 40, 5);

    endTable(ledger, 2);

    expect([ledger.archetype.filled.length, ledger.archetype.empty.length, ledger.archetype.rows]).toEqual([
      2, 0, 8,
    ]);
    expect(audit(ledger)).toEqual([]);
  });

  it("put a table on the list of tables with rows with its first, and remove it with its last", () => {
    const ledger = ledgerWith(create, 0, 0);
    const lists: number[][] = [];
    const inspect = (): number => lists.push([ledger.archetype.filled.first, ledger.archetype.empty.first]);
    inspect();

    append(ledger, 1);
    inspect();
    take(ledger, 1, 0);
    inspect();

    expect(lists).toEqual([
      [0, 1],
      [1, 2],
      [0, 2],
    ]);
  });

  it("release JavaScript values, so that these can be collected", () => {
    const ledger = ledgerWith(create, 5, 3);

    take(ledger, 1, 0);
    endTable(ledger, 2);

    const kept = ledger.archetype.lanes.objects[0]!.filter((value) => value !== undefined);
    expect(kept.toSorted()).toEqual([2, 3, 4, 5]);
  });

  it("free large buffers when an archetype has no row left", () => {
    const memory = counting(create());
    const ledger = createLedger(memory);
    const table = addTable(ledger);
    appendMany(ledger, table, 4096);

    endTable(ledger, table);

    expect([ledger.archetype.lanes.capacity, memory.bytes]).toEqual([0, 0]);
    expect(audit(ledger)).toEqual([]);
  });

  it("free large buffers also when they are removed one by one", () => {
    const memory = counting(create());
    const ledger = createLedger(memory);
    const tables = [addTable(ledger), addTable(ledger)];
    for (const table of tables) appendMany(ledger, table, 2048);

    for (const table of tables) while (ledger.members.get(table)!.length > 0) take(ledger, table, 0);

    expect([ledger.archetype.lanes.capacity, memory.bytes]).toEqual([0, 0]);
  });

  it("keep small buffers, so that an archetype can fill and empty without allocation", () => {
    const memory = counting(create());
    const ledger = createLedger(memory);
    const table = addTable(ledger);
    append(ledger, table);
    const { allocations } = memory;

    for (let round = 0; round < 100; round++) {
      take(ledger, table, 0);
      append(ledger, table);
    }

    expect([memory.allocations, memory.frees]).toEqual([allocations, 0]);
  });

  it("start again at row 0 when an archetype had none left", () => {
    const ledger = ledgerWith(create, 5, 3, 9);
    for (const table of [1, 2, 3]) empty(ledger, table);

    append(ledger, 2);

    expect(ledger.rows.tables.first[2]).toBe(0);
    expect(audit(ledger)).toEqual([]);
  });
});

describe("rows and their journal", () => {
  const [, create] = memories[0]!;

  it("record each table whose rows change, while there is a reader", () => {
    const ledger = ledgerWith(create, 1, 1, 1);
    const { journal } = ledger.rows;
    const cursor = new JournalCursor(journal);
    cursor.catchUp();

    append(ledger, 3);
    take(ledger, 1, 0);
    appendMany(ledger, 2, 2);

    const entries = [...journal.entries.subarray(0, journal.length)];
    const changed = entries.filter((entry) => kindOfEntry(entry) === TABLE_CHANGED).map(numberOfEntry);
    expect(changed).toEqual([3, 1, 2]);
  });
});

describe("a dropped table", () => {
  const [, create] = memories[0]!;

  it("passes its number to the next one, which starts empty", () => {
    const ledger = ledgerWith(create, 3, 3);
    endTable(ledger, 1);

    const again = addTable(ledger);

    expect(again).toBe(1);
    expect(appendRow(ledger.rows, ledger.archetype, again, 77)).toBe(0);
  });
});

describe.each(memories)("a row that shifts to another table of the archetype, on %s memory", (_, create) => {
  function tablesOf(...counts: number[]): Ledger {
    const ledger = createLedger(create(), [Self, Label]);
    for (const count of counts) {
      const table = addTable(ledger);
      for (let row = 0; row < count; row++) append(ledger, table);
    }
    return ledger;
  }

  it.each([
    ["the first one: the last one fills its place", 0, [4, 2, 3]],
    ["the last one: no row moves into its place", 3, [1, 2, 3]],
  ])("%s", (_, row, left) => {
    const ledger = tablesOf(4, 2);

    shift(ledger, 1, row, 2);

    expect(ledger.members.get(1)).toEqual(left);
    expect(ledger.members.get(2)).toEqual([5, 6, row + 1]);
    expect(audit(ledger)).toEqual([]);
  });

  it("may be the only one: its table is empty then, and owns no slice (I14)", () => {
    const ledger = tablesOf(1, 1);

    shift(ledger, 1, 0, 2);

    expect(ledger.rows.tables.capacity[1]).toBe(0);
    expect([ledger.archetype.filled.length, ledger.archetype.empty.length]).toEqual([1, 1]);
    expect(audit(ledger)).toEqual([]);
  });

  it("shrinks the slice of a table that most rows have left", () => {
    const ledger = tablesOf(32, 1);

    for (let step = 0; step < 28; step++) shift(ledger, 1, 0, 2);

    expect(ledger.rows.tables.capacity[1]).toBeLessThanOrEqual(8);
    expect(audit(ledger)).toEqual([]);
  });

  it("keeps everything right in a long random run (I1, I2, I13, I14)", () => {
    const ledger = tablesOf(5, 40, 1, 17, 3, 90);
    const tables = [...ledger.members.keys()];
    const dice = createDice(5);
    const wrong: string[] = [];

    for (let step = 0; step < 3_000; step++) {
      const from = dice.pick(tables.filter((table) => ledger.members.get(table)!.length > 0));
      const to = dice.pick(tables.filter((table) => table !== from));
      shift(ledger, from, dice.below(ledger.members.get(from)!.length), to);
      if (step % 10 === 0 && wrong.length === 0) wrong.push(...audit(ledger));
    }

    expect(wrong).toEqual([]);
  });

  it("notifies readers of both tables", () => {
    const ledger = tablesOf(2, 2);
    const { journal } = ledger.rows;
    makeRoomFor(ledger.rows, ledger.archetype, 2, 1);
    const cursor = new JournalCursor(journal);
    cursor.catchUp();

    shiftRow(ledger.rows, ledger.archetype, 1, 0, 2);

    const entries = [...journal.entries.subarray(cursor.at, journal.length)];
    expect(entries.map((entry) => [kindOfEntry(entry), numberOfEntry(entry)])).toEqual([
      [TABLE_CHANGED, 2],
      [TABLE_CHANGED, 1],
    ]);
  });
});

describe("the large buffers of an archetype that has lost its last row", () => {
  /** Two archetypes that share their tables' numbers, with so many rows each. */
  function pairOfArchetypes(here: number, there: number): readonly [Ledger, Ledger] {
    const one = createLedger(plainMemory());
    const archetype = new Archetype(1, [Self], plainMemory());
    const rows = { ...one.rows, founded: [one.archetype, archetype] };
    const first = { ...one, rows };
    const other = { ...createLedger(plainMemory()), rows, archetype };
    for (const [ledger, count] of [
      [first, here],
      [other, there],
    ] as const) {
      const table = addTable(ledger);
      if (count > 0) appendMany(ledger, table, count);
    }
    return [first, other];
  }
  const capacities = (ledgers: readonly Ledger[]): number[] =>
    ledgers.map(({ archetype }) => archetype.lanes.capacity);

  it("stay while other archetypes have as many rows", () => {
    const [here, there] = pairOfArchetypes(5_000, 5_000);
    const capacity = here.archetype.lanes.capacity;

    empty(here, 1);

    expect(here.archetype.lanes.capacity).toBe(capacity);
    expect([audit(here), audit(there)]).toEqual([[], []]);
  });

  it("are freed if others have less than a quarter of as many", () => {
    const [here] = pairOfArchetypes(5_000, 500);

    empty(here, 1);

    expect(here.archetype.lanes.capacity).toBe(0);
  });

  it("stay for one archetype at a time: the one before frees its own", () => {
    const [here, there] = pairOfArchetypes(5_000, 5_000);
    empty(here, 1);
    appendMany(here, 1, 5_000);
    empty(there, 2);
    expect(capacities([here, there])[1]).toBeGreaterThan(0);

    empty(here, 1);

    expect(capacities([here, there])).toEqual([0, 0]);
  });

  it("are freed when those others lose their last rows, though their own buffers are small", () => {
    const [here, there] = pairOfArchetypes(2_000, 900);
    empty(here, 1);
    expect(here.archetype.lanes.capacity).toBeGreaterThan(0);

    empty(there, 2);

    expect(here.archetype.lanes.capacity).toBe(0);
    expect([audit(here), audit(there)]).toEqual([[], []]);
  });

  it("are freed when memory is refused; then the request is repeated", () => {
    const [here, there] = pairOfArchetypes(5_000, 5_000);
    const { allocate } = there.archetype.lanes.memory;
    empty(here, 1);
    const scarce = (bytes: number, moved: () => void): Block => {
      if (here.archetype.lanes.capacity > 0) throw new Error("no room");
      return allocate(bytes, moved);
    };
    Object.assign(there.archetype.lanes.memory, { allocate: scarce });

    appendMany(there, 2, 20_000);

    expect(here.archetype.lanes.capacity).toBe(0);
    expect([audit(here), audit(there)]).toEqual([[], []]);
  });

  it("accept rows again as if new", () => {
    const [here] = pairOfArchetypes(5_000, 5_000);
    empty(here, 1);

    appendMany(here, 1, 3_000);

    expect(audit(here)).toEqual([]);
  });
});
