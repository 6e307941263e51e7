import { describe, expect, it } from "vitest";
import { plainMemory } from "../../src/index.ts";
import { createShape, type Shape } from "../../src/storage/shape.ts";
import {
  appendEmpty,
  appendFilled,
  createTables,
  type Tables,
  takeEmpty,
  takeFilled,
  takeTableNumber,
} from "../../src/storage/table.ts";
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

function start(count: number): { tables: Tables; shape: Shape } {
  const tables = createTables();
  for (let at = 0; at < count; at++) takeTableNumber(tables, 0);
  return { tables, shape: createShape(0, [], plainMemory()) };
}

describe("a shape's lists of tables", () => {
  it("keep the order in which tables came", () => {
    const { tables, shape } = start(4);
    for (const table of [3, 1, 2]) appendFilled(tables, shape, table);
    appendEmpty(tables, shape, 4);

    expect([listFrom(tables, shape.firstTable), listFrom(tables, shape.firstEmpty)]).toEqual([
      [3, 1, 2],
      [4],
    ]);
    expect([shape.tables, shape.emptyTables]).toEqual([3, 1]);
  });

  it.each([
    ["first", 1, [2, 3]],
    ["middle", 2, [1, 3]],
    ["last", 3, [1, 2]],
  ])("let the %s table go and keep the others in order", (_, table, left) => {
    const { tables, shape } = start(3);
    for (const one of [1, 2, 3]) appendFilled(tables, shape, one);

    takeFilled(tables, shape, table);

    expect(listFrom(tables, shape.firstTable)).toEqual(left);
    expect(listBackFrom(tables, shape.lastTable)).toEqual(left);
  });

  it("are empty again once their only table is gone", () => {
    const { tables, shape } = start(1);
    appendEmpty(tables, shape, 1);

    takeEmpty(tables, shape, 1);

    expect([shape.firstEmpty, shape.lastEmpty, shape.emptyTables]).toEqual([0, 0, 0]);
  });

  it("are as two plain lists are, whatever comes and goes", () => {
    const { tables, shape } = start(40);
    const filled: number[] = [];
    const empty: number[] = [];
    const free = Array.from({ length: 40 }, (_, at) => at + 1);
    const dice = createDice(23);
    const wrong: number[] = [];

    for (let step = 0; step < 5000; step++) {
      const choice = dice.below(4);
      if (choice === 0 && free.length > 0) {
        const table = free.splice(dice.below(free.length), 1)[0]!;
        appendEmpty(tables, shape, table);
        empty.push(table);
      } else if (choice === 1 && empty.length > 0) {
        const table = empty.splice(dice.below(empty.length), 1)[0]!;
        takeEmpty(tables, shape, table);
        appendFilled(tables, shape, table);
        filled.push(table);
      } else if (choice === 2 && filled.length > 0) {
        const table = filled.splice(dice.below(filled.length), 1)[0]!;
        takeFilled(tables, shape, table);
        appendEmpty(tables, shape, table);
        empty.push(table);
      } else if (choice === 3 && empty.length > 0) {
        const table = empty.splice(dice.below(empty.length), 1)[0]!;
        takeEmpty(tables, shape, table);
        free.push(table);
      }
      const same =
        listFrom(tables, shape.firstTable).join() === filled.join() &&
        listBackFrom(tables, shape.lastTable).join() === filled.join() &&
        listFrom(tables, shape.firstEmpty).join() === empty.join() &&
        listBackFrom(tables, shape.lastEmpty).join() === empty.join();
      if (!same) wrong.push(step);
    }

    expect(wrong).toEqual([]);
    expect([shape.tables, shape.emptyTables]).toEqual([filled.length, empty.length]);
  });
});
