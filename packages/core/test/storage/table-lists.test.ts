import { describe, expect, it } from "vitest";
import { plainMemory } from "../../src/index.ts";
import { Archetype } from "../../src/storage/archetype.ts";
import { appendTable, Tables, takeTableNumber, unlinkTable } from "../../src/storage/table.ts";
import { createDice } from "../dice.ts";

function listFrom(tables: Tables, first: number): number[] {
  const list: number[] = [];
  for (let table = first; table !== 0; table = tables.next[table]!) list.push(table);
  return list;
}

function listBackFrom(tables: Tables, last: number): number[] {
  const list: number[] = [];
  for (let table = last; table !== 0; table = tables.previous[table]!) list.push(table);
  return list.reverse();
}

function start(count: number): { tables: Tables; archetype: Archetype } {
  const tables = new Tables();
  for (let at = 0; at < count; at++) takeTableNumber(tables, 0);
  return { tables, archetype: new Archetype(0, [], plainMemory()) };
}

describe("an archetype's lists of tables", () => {
  it("keep the order in which tables came", () => {
    const { tables, archetype } = start(4);
    for (const table of [3, 1, 2]) appendTable(tables, archetype.filled, table);
    appendTable(tables, archetype.empty, 4);

    expect([listFrom(tables, archetype.filled.first), listFrom(tables, archetype.empty.first)]).toEqual([
      [3, 1, 2],
      [4],
    ]);
    expect([archetype.filled.length, archetype.empty.length]).toEqual([3, 1]);
  });

  it.each([
    ["first", 1, [2, 3]],
    ["middle", 2, [1, 3]],
    ["last", 3, [1, 2]],
  ])("remove the %s table and keep the others in order", (_, table, left) => {
    const { tables, archetype } = start(3);
    for (const one of [1, 2, 3]) appendTable(tables, archetype.filled, one);

    unlinkTable(tables, archetype.filled, table);

    expect(listFrom(tables, archetype.filled.first)).toEqual(left);
    expect(listBackFrom(tables, archetype.filled.last)).toEqual(left);
  });

  it("are empty again once their only table is gone", () => {
    const { tables, archetype } = start(1);
    appendTable(tables, archetype.empty, 1);

    unlinkTable(tables, archetype.empty, 1);

    expect([archetype.empty.first, archetype.empty.last, archetype.empty.length]).toEqual([0, 0, 0]);
  });

  it("are the same as two plain lists under random changes", () => {
    const { tables, archetype } = start(40);
    const filled: number[] = [];
    const empty: number[] = [];
    const free = Array.from({ length: 40 }, (_, at) => at + 1);
    const dice = createDice(23);
    const wrong: number[] = [];

    for (let step = 0; step < 5000; step++) {
      const choice = dice.below(4);
      if (choice === 0 && free.length > 0) {
        const table = free.splice(dice.below(free.length), 1)[0]!;
        appendTable(tables, archetype.empty, table);
        empty.push(table);
      } else if (choice === 1 && empty.length > 0) {
        const table = empty.splice(dice.below(empty.length), 1)[0]!;
        unlinkTable(tables, archetype.empty, table);
        appendTable(tables, archetype.filled, table);
        filled.push(table);
      } else if (choice === 2 && filled.length > 0) {
        const table = filled.splice(dice.below(filled.length), 1)[0]!;
        unlinkTable(tables, archetype.filled, table);
        appendTable(tables, archetype.empty, table);
        empty.push(table);
      } else if (choice === 3 && empty.length > 0) {
        const table = empty.splice(dice.below(empty.length), 1)[0]!;
        unlinkTable(tables, archetype.empty, table);
        free.push(table);
      }
      const same =
        listFrom(tables, archetype.filled.first).join() === filled.join() &&
        listBackFrom(tables, archetype.filled.last).join() === filled.join() &&
        listFrom(tables, archetype.empty.first).join() === empty.join() &&
        listBackFrom(tables, archetype.empty.last).join() === empty.join();
      if (!same) wrong.push(step);
    }

    expect(wrong).toEqual([]);
    expect([archetype.filled.length, archetype.empty.length]).toEqual([filled.length, empty.length]);
  });
});
