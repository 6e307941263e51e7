import { describe, expect, it } from "vitest";
import { component } from "../../src/index.ts";
import { refreshRuns } from "../../src/storage/bits.ts";
import { applyLayout, createLayout } from "../../src/storage/slices.ts";
import { createDice } from "../dice.ts";
import { Everything, readRow, rowText, Thing, writeRow } from "./everything.ts";
import {
  addTable,
  append,
  appendMany,
  audit,
  createLedger,
  empty,
  type Ledger,
  packLedger,
  Self,
  take,
} from "./ledger.ts";
import { counting, memories } from "./memory/memories.ts";

const Label = component<number>("Label");

function ledgerWith(create: (typeof memories)[number][1], ...counts: number[]): Ledger {
  const ledger = createLedger(create(), [Self, Label]);
  for (const count of counts) appendMany(ledger, addTable(ledger), count);
  return ledger;
}

describe.each(memories)("packing an archetype on %s memory", (_, create) => {
  it("lays slices out without holes, in the given order", () => {
    const ledger = ledgerWith(create, 3, 5, 2, 7);
    empty(ledger, 2);
    take(ledger, 4, 0);

    packLedger(ledger, [4, 3, 1]);

    expect([4, 3, 1].map((table) => ledger.rows.tables.first[table])).toEqual([0, 6, 8]);
    expect(audit(ledger)).toEqual([]);
  });

  it("makes one run of all rows", () => {
    const ledger = ledgerWith(create, 3, 5, 2, 7);

    packLedger(ledger, [1, 2, 3, 4]);

    const { used, end } = ledger.archetype;
    refreshRuns(used, end);
    expect([...used.bounds.subarray(0, used.length)]).toEqual([0, 17]);
  });

  it("gives each slice exactly the room of its rows", () => {
    const ledger = ledgerWith(create, 3, 5, 2, 7);

    packLedger(ledger, [1, 2, 3, 4]);

    expect([1, 2, 3, 4].map((table) => ledger.rows.tables.capacity[table])).toEqual([3, 5, 2, 7]);
    expect(ledger.archetype.end).toBe(17);
  });

  it("puts rows within a table into the given order, with all their values", () => {
    const ledger = createLedger(create(), [Everything, Thing]);
    const { archetype, rows } = ledger;
    const table = addTable(ledger);
    appendMany(ledger, table, 40);
    const first = rows.tables.first[table]!;
    for (let row = 0; row < 40; row++) writeRow(archetype.lanes, first + row, row + 1);
    const layout = createLayout(archetype);
    for (let row = 39; row >= 0; row--) layout.from[layout.rows++] = first + row;

    applyLayout(archetype, rows.tables, layout);

    const texts = Array.from({ length: 40 }, (__, row) => readRow(archetype.lanes, row));
    expect(texts).toEqual(texts.map((___, row) => rowText(archetype.lanes, 40 - row)));
  });

  it("frees all buffers of an archetype without rows", () => {
    const memory = counting(create());
    const ledger = createLedger(memory);
    appendMany(ledger, addTable(ledger), 10);
    empty(ledger, 1);

    packLedger(ledger, []);

    expect([memory.bytes, ledger.archetype.lanes.capacity, ledger.archetype.end]).toEqual([0, 0, 0]);
  });

  it("leaves room for at most 2.1 times the rows plus 64, whatever was there before", () => {
    const dice = createDice(31);
    const reserved: number[] = [];
    const allowed: number[] = [];
    for (let round = 0; round < 20; round++) {
      const counts = Array.from({ length: 1 + dice.below(200) }, () => 1 + dice.below(60));
      const ledger = ledgerWith(create, ...counts);
      for (let table = 1; table <= counts.length; table++) if (dice.chance(0.7)) empty(ledger, table);

      packLedger(ledger, ledger.members.keys());

      reserved.push(ledger.archetype.lanes.capacity);
      allowed.push(2.1 * ledger.used + 64);
    }

    expect(reserved.filter((rows, at) => rows > allowed[at]!)).toEqual([]);
  });

  it("lets tables grow, shrink and be created afterwards as before", () => {
    const ledger = ledgerWith(create, 3, 5, 2, 7, 1, 40);
    packLedger(ledger, [6, 5, 4, 3, 2, 1]);

    appendMany(ledger, 2, 3);
    append(ledger, 1);
    appendMany(ledger, addTable(ledger), 30);
    for (let count = 0; count < 38; count++) take(ledger, 6, 0);
    empty(ledger, 4);

    expect(audit(ledger)).toEqual([]);
  });
});
