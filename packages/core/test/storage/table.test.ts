import { describe, expect, it } from "vitest";
import { bytesIn } from "../../src/base/growing.ts";
import { giveTableNumber, Tables, takeTableNumber } from "../../src/storage/table.ts";

describe("table numbers", () => {
  it("start at 1, so that 0 can mean none", () => {
    const tables = new Tables();

    expect([takeTableNumber(tables, 0), takeTableNumber(tables, 0)]).toEqual([1, 2]);
  });

  it("come with an empty table that owns no slice (I14)", () => {
    const tables = new Tables();

    const table = takeTableNumber(tables, 9);

    expect([
      tables.archetype[table],
      tables.first[table],
      tables.count[table],
      tables.capacity[table],
    ]).toEqual([9, -1, 0, 0]);
    expect([tables.pairs[table], tables.parentPair[table]]).toEqual([0, 0]);
  });

  it("are reused after they were freed, as if new", () => {
    const tables = new Tables();
    const [first] = [takeTableNumber(tables, 1), takeTableNumber(tables, 1)] as const;
    tables.count[first] = 7;
    tables.capacity[first] = 8;
    tables.pairs[first] = 2;
    tables.parentPair[first] = 3;
    giveTableNumber(tables, first);

    const again = takeTableNumber(tables, 2);

    expect(again).toBe(first);
    expect([tables.archetype[again], tables.count[again], tables.capacity[again]]).toEqual([2, 0, 0]);
    expect([tables.pairs[again], tables.parentPair[again], tables.first[again]]).toEqual([0, 0, -1]);
  });

  it("mark a number that is free", () => {
    const tables = new Tables();
    const table = takeTableNumber(tables, 4);

    giveTableNumber(tables, table);

    expect([tables.archetype[table], tables.alive]).toEqual([-1, 0]);
  });

  it("take no more memory while tables are created and dropped", () => {
    const tables = new Tables();
    for (let count = 0; count < 100; count++) takeTableNumber(tables, 0);
    const bytes = bytesIn(tables);

    for (let round = 0; round < 1000; round++) {
      giveTableNumber(tables, 1 + (round % 100));
      takeTableNumber(tables, 0);
    }

    expect([bytesIn(tables), tables.alive]).toEqual([bytes, 100]);
  });

  it("cost tens of bytes each, not more", () => {
    const tables = new Tables();

    for (let count = 0; count < 100_000; count++) takeTableNumber(tables, 0);

    expect(bytesIn(tables) / 100_000).toBeLessThan(64);
  });
});
