import { describe, expect, it } from "vitest";
import { bytesIn } from "../../src/base/growing.ts";
import { Graph, pairOfRelation } from "../../src/graph/graph.ts";
import { plainMemory } from "../../src/index.ts";
import { EntityIndex } from "../../src/records/entity-index.ts";
import {
  fileTable,
  linkBelow,
  openRecord,
  PairRecords,
  unfileTable,
  unlinkRecord,
} from "../../src/records/pair-records.ts";
import { Tables, takeTableNumber } from "../../src/storage/table.ts";
import { createDice } from "../dice.ts";

function start(pairs: number, tables = 0): { records: PairRecords; tables: Tables } {
  const records = new PairRecords();
  for (let pair = 1; pair <= pairs; pair++) openRecord(records, pair);
  const numbers = new Tables();
  for (let count = 0; count < tables; count++) takeTableNumber(numbers, 0);
  return { records, tables: numbers };
}

function file(records: PairRecords, tables: Tables, table: number, ...pairs: number[]): void {
  fileTable(records, tables, table, Int32Array.from([...pairs, 99]), pairs.length);
}

function tablesOf(records: PairRecords, pair: number): number[] {
  const found: number[] = [];
  for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
    found.push(records.nodeTable[node]!);
  }
  return found;
}

function pairsOf(records: PairRecords, tables: Tables, table: number): number[] {
  const first = tables.nodes[table]!;
  return [...records.nodePair.subarray(first, first + tables.pairs[table]!)];
}

describe("the record of a new pair", () => {
  it("lists no table and is outside the tree, below a root", () => {
    const { records } = start(1);

    expect(tablesOf(records, 1)).toEqual([]);
    expect([records.tables[1], records.depth[1], records.above[1], records.firstBelow[1]]).toEqual([
      0, 1, 0, 0,
    ]);
  });

  it("has nothing of the pair that had its number before", () => {
    const { records, tables } = start(3, 1);
    file(records, tables, 1, 2);
    unfileTable(records, tables, 1);
    linkBelow(records, 2, 3);
    records.depth[2] = 9;
    unlinkRecord(records, 2);

    openRecord(records, 2);

    expect([records.depth[2], records.isStale[2], records.above[2], records.firstNode[2]]).toEqual([
      1, 0, 0, 0,
    ]);
  });
});

describe("a table", () => {
  it("is listed by each of its pairs (I4)", () => {
    const { records, tables } = start(3, 2);

    file(records, tables, 1, 1, 3);
    file(records, tables, 2, 3);

    expect([1, 2, 3].map((pair) => tablesOf(records, pair).toSorted())).toEqual([[1], [], [1, 2]]);
    expect([...records.tables.subarray(1, 4)]).toEqual([1, 0, 2]);
  });

  it("stores its pairs side by side, sorted (I3)", () => {
    const { records, tables } = start(9, 2);
    file(records, tables, 1, 5);
    file(records, tables, 2, 2, 5, 7);

    expect(pairsOf(records, tables, 2)).toEqual([2, 5, 7]);
  });

  it.each([
    ["first", 3],
    ["middle", 2],
    ["last", 1],
  ])("that is %s in a pair's list is removed without disturbing the others", (_, gone) => {
    const { records, tables } = start(1, 3);
    for (const table of [1, 2, 3]) file(records, tables, table, 1);

    unfileTable(records, tables, gone);

    expect(tablesOf(records, 1).toSorted()).toEqual([1, 2, 3].filter((table) => table !== gone));
    expect(records.tables[1]).toBe(2);
  });

  it("finds its first pair of a relation", () => {
    const graph = new Graph(plainMemory(), {}, new EntityIndex(1));
    const { records, tables, pairs } = Object.assign(graph, start(5, 2));
    pairs.relation = Int32Array.from([0, 70, 80, 80, 70, 90]);
    file(records, tables, 1, 2, 3, 4);

    const found = [70, 80, 90].map((relation) => pairOfRelation(graph, 1, relation));

    expect(found).toEqual([4, 2, 0]);
    expect(pairOfRelation(graph, 2, 70)).toBe(0);
  });

  it("leaves its nodes to the next one with as many pairs", () => {
    const { records, tables } = start(10, 3);
    file(records, tables, 1, 1, 2);
    file(records, tables, 2, 3);
    const { nodes } = records;
    unfileTable(records, tables, 1);
    unfileTable(records, tables, 2);

    file(records, tables, 3, 4, 9);
    file(records, tables, 1, 5);

    expect(records.nodes).toBe(nodes);
    expect([pairsOf(records, tables, 3), pairsOf(records, tables, 1)]).toEqual([[4, 9], [5]]);
  });

  it("is listed as in a plain map, whatever is added and removed", () => {
    const { records, tables } = start(20, 60);
    const twin = new Map<number, number[]>();
    const dice = createDice(13);
    const choose = (): number[] => {
      const pairs = Array.from({ length: 20 }, (_, at) => at + 1).filter(() => dice.chance(0.15));
      return pairs.length > 0 ? pairs : [1 + dice.below(20)];
    };

    for (let step = 0; step < 5000; step++) {
      const table = 1 + dice.below(60);
      if (twin.has(table)) {
        unfileTable(records, tables, table);
        twin.delete(table);
      } else {
        const pairs = choose();
        file(records, tables, table, ...pairs);
        twin.set(table, pairs);
      }
    }

    for (let pair = 1; pair <= 20; pair++) {
      const expected = [...twin].flatMap(([table, pairs]) => (pairs.includes(pair) ? [table] : []));
      expect(tablesOf(records, pair).toSorted()).toEqual(expected.toSorted());
      expect(records.tables[pair]).toBe(expected.length);
    }
    for (const [table, pairs] of twin) expect(pairsOf(records, tables, table)).toEqual(pairs);
  });

  it("takes no more memory while tables are created and dropped", () => {
    const { records, tables } = start(8, 1);
    file(records, tables, 1, 1, 2, 3);
    unfileTable(records, tables, 1);
    const bytes = bytesIn(records);

    for (let round = 0; round < 10_000; round++) {
      file(records, tables, 1, 2, 5, 8);
      unfileTable(records, tables, 1);
    }

    expect(bytesIn(records)).toBe(bytes);
  });
});
