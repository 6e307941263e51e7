import { describe, expect, it } from "vitest";
import { type Block, bits, plainMemory, tag } from "../../src/index.ts";
import { setBits } from "../../src/storage/bits.ts";
import { JournalCursor, kindOfEntry, numberOfEntry, ROW_FILLED } from "../../src/storage/journal.ts";
import { makeRoomFor, resizeColumns, takeRow } from "../../src/storage/rows.ts";
import {
  append,
  appendMany,
  audit,
  createLedger,
  empty,
  type Ledger,
  ledgerBeside,
  ledgerOf,
  take,
  takeMany,
} from "./ledger.ts";
import { counting, memories } from "./memory/memories.ts";

const [, createMemory] = memories[0]!;

describe.each(memories)("rows on %s memory", (_, create) => {
  it("are appended at the end", () => {
    const ledger = ledgerOf(create, 3);

    append(ledger);

    expect(ledger.members).toEqual([1, 2, 3, 4]);
    expect(audit(ledger)).toEqual([]);
  });

  it("are appended many at once", () => {
    const ledger = ledgerOf(create, 3);

    appendMany(ledger, 100);

    expect(ledger.archetype.rows).toBe(103);
    expect(audit(ledger)).toEqual([]);
  });

  it("are removed by moving the last row into the gap", () => {
    const ledger = ledgerOf(create, 4);

    take(ledger, 1);

    expect([...ledger.archetype.lanes.i32.subarray(0, 3)]).toEqual([1, 4, 3]);
    expect(ledger.records.row[4]).toBe(1);
    expect(audit(ledger)).toEqual([]);
  });

  it("stay where they are when the last one is removed", () => {
    const ledger = ledgerOf(create, 4);

    take(ledger, 3);

    expect([...ledger.archetype.lanes.i32.subarray(0, 3)]).toEqual([1, 2, 3]);
    expect(audit(ledger)).toEqual([]);
  });

  it.each([-1, 4, 100])("are not removed from outside the archetype, here row %i", (row) => {
    const ledger = ledgerOf(create, 4);

    expect(() => takeRow(ledger.rows, ledger.archetype, row)).toThrow(
      expect.objectContaining({ code: "internal-error" }),
    );
  });

  it.each([
    ["the first ones", [0, 1]],
    ["the last ones", [8, 9]],
    ["some, in any order", [7, 2, 9, 0]],
    ["one", [4]],
    ["more than are left", [0, 1, 2, 3, 4, 5, 9]],
    ["all of them", [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
    ["none", []],
  ])("are removed together: %s", (__, rows) => {
    const ledger = ledgerOf(create, 10);

    takeMany(ledger, rows);

    expect(ledger.archetype.rows).toBe(10 - rows.length);
    expect(audit(ledger)).toEqual([]);
  });

  it("release JavaScript values, so that these can be collected", () => {
    const ledger = ledgerOf(create, 8);

    take(ledger, 0);
    takeMany(ledger, [3, 1]);

    const kept = ledger.archetype.lanes.objects[0]!.filter((value) => value !== undefined);
    expect(kept.toSorted()).toEqual(ledger.members.toSorted());
    expect(kept).toHaveLength(5);
  });

  it("free large buffers when an archetype has no row left", () => {
    const memory = counting(create());
    const ledger = createLedger(memory);
    appendMany(ledger, 4096);

    takeMany(
      ledger,
      ledger.members.map((__, row) => row),
    );

    expect([ledger.archetype.lanes.capacity, memory.bytes]).toEqual([0, 0]);
    expect(audit(ledger)).toEqual([]);
  });

  it("free large buffers also when they are removed one by one", () => {
    const memory = counting(create());
    const ledger = createLedger(memory);
    appendMany(ledger, 4096);

    while (ledger.members.length > 0) take(ledger, 0);

    expect([ledger.archetype.lanes.capacity, memory.bytes]).toEqual([0, 0]);
  });

  it("keep small buffers, so that an archetype can fill and empty without allocation", () => {
    const memory = counting(create());
    const ledger = createLedger(memory);
    append(ledger);
    const { allocations } = memory;

    for (let round = 0; round < 100; round++) {
      take(ledger, 0);
      append(ledger);
    }

    expect([memory.allocations, memory.frees]).toEqual([allocations, 0]);
  });

  it("stay where they are when the columns get another length", () => {
    const ledger = ledgerOf(create, 40);

    resizeColumns(ledger.archetype, 400);
    const longer = audit(ledger);
    resizeColumns(ledger.archetype, 48);

    expect(ledger.archetype.lanes.capacity).toBe(48);
    expect([longer, audit(ledger)]).toEqual([[], []]);
  });
});

describe("the bits of rows", () => {
  const Marked = tag("Marked", { storage: bits });

  function markedIn({ archetype, members }: Ledger): number[] {
    return (archetype.bits?.rowsWith(Marked) ?? []).map((row) => members[row]!);
  }

  it("go with the row that fills a gap", () => {
    const ledger = ledgerOf(createMemory, 40);
    for (const row of [3, 38, 39]) setBits(ledger.archetype, Marked, row, row + 1, true);

    take(ledger, 3);
    take(ledger, 0);
    take(ledger, 5);

    expect(markedIn(ledger)).toEqual([39, 40]);
    expect(ledger.archetype.bits!.count(Marked)).toBe(2);
  });

  it("stay with their rows when the columns get longer", () => {
    const ledger = ledgerOf(createMemory, 20);
    for (const row of [3, 19]) setBits(ledger.archetype, Marked, row, row + 1, true);

    appendMany(ledger, 400);
    setBits(ledger.archetype, Marked, 419, 420, true);

    expect(markedIn(ledger)).toEqual([4, 20, 420]);
    expect(ledger.archetype.bits!.columns[0]!.words).toHaveLength(
      Math.ceil(ledger.archetype.lanes.capacity / 32),
    );
  });

  it("are gone with the buffers of an archetype without rows", () => {
    const ledger = createLedger(createMemory());
    appendMany(ledger, 4096);
    setBits(ledger.archetype, Marked, 3, 4, true);

    empty(ledger);

    expect(ledger.archetype.bits).toBeUndefined();
  });
});

describe("room for rows", () => {
  it("is there for so many more rows, without another allocation", () => {
    const memory = counting(createMemory());
    const ledger = createLedger(memory);
    appendMany(ledger, 10);

    makeRoomFor(ledger.rows, ledger.archetype, 500);
    const { allocations } = memory;
    appendMany(ledger, 250);
    for (let count = 0; count < 250; count++) append(ledger);

    expect(memory.allocations).toBe(allocations);
    expect(audit(ledger)).toEqual([]);
  });

  it("grows by half, so that rows that come one by one are copied twice on average", () => {
    const memory = counting(createMemory());
    const ledger = createLedger(memory);

    for (let count = 0; count < 10_000; count++) append(ledger);

    expect(memory.allocations).toBeLessThan(20);
    expect(ledger.archetype.lanes.capacity).toBeLessThan(1.5 * 10_000 + 16);
  });
});

describe("rows and their journal", () => {
  function entriesOf({ rows }: Ledger, change: () => void): number[][] {
    const { journal } = rows;
    const cursor = new JournalCursor(journal);
    cursor.catchUp();
    change();
    return [...journal.entries.subarray(cursor.at, journal.length)].map((entry) => [
      kindOfEntry(entry),
      numberOfEntry(entry),
    ]);
  }

  it("record the entity whose row fills a gap", () => {
    const ledger = ledgerOf(createMemory, 5);

    const entries = entriesOf(ledger, () => {
      append(ledger);
      take(ledger, 1);
      take(ledger, 0);
    });

    expect(entries).toEqual([
      [ROW_FILLED, 6],
      [ROW_FILLED, 5],
    ]);
  });

  it("record nothing when the last row goes", () => {
    const ledger = ledgerOf(createMemory, 3);

    const entries = entriesOf(ledger, () => {
      while (ledger.members.length > 0) take(ledger, ledger.members.length - 1);
    });

    expect(entries).toEqual([]);
  });

  it("record each entity whose row fills one of many gaps, and no other", () => {
    const ledger = ledgerOf(createMemory, 10);

    const entries = entriesOf(ledger, () => takeMany(ledger, [0, 9, 4, 7]));

    expect(entries).toHaveLength(2);
    expect(entries.map(([, index]) => index).toSorted()).toEqual(
      [0, 4].map((row) => ledger.members[row]!).toSorted(),
    );
    expect(entries.every(([kind]) => kind === ROW_FILLED)).toBe(true);
  });
});

describe("the large buffers of an archetype that has lost its last row", () => {
  /** Two archetypes of a world, with so many rows each. */
  function pairOfArchetypes(here: number, there: number): readonly [Ledger, Ledger] {
    const one = createLedger(plainMemory());
    const other = ledgerBeside(one, plainMemory());
    appendMany(one, here);
    appendMany(other, there);
    return [one, other];
  }
  const capacities = (ledgers: readonly Ledger[]): number[] =>
    ledgers.map(({ archetype }) => archetype.lanes.capacity);

  it("stay while other archetypes have as many rows", () => {
    const [here, there] = pairOfArchetypes(5_000, 5_000);
    const capacity = here.archetype.lanes.capacity;

    empty(here);

    expect(here.archetype.lanes.capacity).toBe(capacity);
    expect([audit(here), audit(there)]).toEqual([[], []]);
  });

  it("are freed if others have less than a quarter of as many", () => {
    const [here] = pairOfArchetypes(5_000, 500);

    empty(here);

    expect(here.archetype.lanes.capacity).toBe(0);
  });

  it("stay for one archetype at a time: the one before frees its own", () => {
    const [here, there] = pairOfArchetypes(5_000, 5_000);
    empty(here);
    appendMany(here, 5_000);
    empty(there);
    expect(capacities([here, there])[1]).toBeGreaterThan(0);

    empty(here);

    expect(capacities([here, there])).toEqual([0, 0]);
  });

  it("are freed when those others lose their last rows, though their own buffers are small", () => {
    const [here, there] = pairOfArchetypes(2_000, 900);
    empty(here);
    expect(here.archetype.lanes.capacity).toBeGreaterThan(0);

    empty(there);

    expect(here.archetype.lanes.capacity).toBe(0);
    expect([audit(here), audit(there)]).toEqual([[], []]);
  });

  it("are freed when memory is refused; then the request is repeated", () => {
    const [here, there] = pairOfArchetypes(5_000, 5_000);
    const { allocate } = there.archetype.lanes.memory;
    empty(here);
    const scarce = (bytes: number, moved: () => void): Block => {
      if (here.archetype.lanes.capacity > 0) throw new Error("no room");
      return allocate(bytes, moved);
    };
    Object.assign(there.archetype.lanes.memory, { allocate: scarce });

    appendMany(there, 20_000);

    expect(here.archetype.lanes.capacity).toBe(0);
    expect([audit(here), audit(there)]).toEqual([[], []]);
  });

  it("accept rows again as if new", () => {
    const [here] = pairOfArchetypes(5_000, 5_000);
    empty(here);

    appendMany(here, 3_000);

    expect(audit(here)).toEqual([]);
  });
});
