import { describe, expect, it } from "vitest";
import { bytesIn } from "../../src/base/growing.ts";
import {
  enterTable,
  giveTableNumber,
  leaveTable,
  reserveInTable,
  Tables,
  takeTableNumber,
} from "../../src/storage/table.ts";
import { createDice, type Dice, seeds } from "../dice.ts";

describe("table numbers", () => {
  it("start at 1, so that 0 can mean none", () => {
    const tables = new Tables();

    expect([takeTableNumber(tables, 0), takeTableNumber(tables, 0)]).toEqual([1, 2]);
  });

  it("come with an empty table that has no list (I14)", () => {
    const tables = new Tables();

    const table = takeTableNumber(tables, 9);

    expect([
      tables.archetype[table],
      tables.first[table],
      tables.count[table],
      tables.capacity[table],
    ]).toEqual([9, 0, 0, 0]);
    expect([tables.pairs[table], tables.lists.end]).toEqual([0, 0]);
  });

  it("are reused after they were freed, as if new", () => {
    const tables = new Tables();
    const [first] = [takeTableNumber(tables, 1), takeTableNumber(tables, 1)] as const;
    tables.pairs[first] = 2;
    for (let index = 1; index <= 7; index++) enterTable(tables, first, index);
    giveTableNumber(tables, first);

    const again = takeTableNumber(tables, 2);

    expect(again).toBe(first);
    expect([tables.archetype[again], tables.count[again], tables.capacity[again]]).toEqual([2, 0, 0]);
    expect([tables.pairs[again], tables.first[again], tables.lists.end]).toEqual([0, 0, 0]);
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

/** Tables with a pair each, and a naive twin of their lists. */
interface Lists {
  readonly tables: Tables;
  /** Table -> entity indexes, in any order. */
  readonly members: Map<number, Set<number>>;
}

function createLists(count: number): Lists {
  const lists: Lists = { tables: new Tables(), members: new Map() };
  for (let made = 0; made < count; made++) addTable(lists);
  return lists;
}

function addTable({ tables, members }: Lists): number {
  const table = takeTableNumber(tables, 0);
  tables.pairs[table] = 1;
  members.set(table, new Set());
  return table;
}

function enter({ tables, members }: Lists, table: number, index: number): void {
  enterTable(tables, table, index);
  members.get(table)!.add(index);
}

function leave({ tables, members }: Lists, table: number, index: number): void {
  leaveTable(tables, table, index);
  members.get(table)!.delete(index);
}

function listOf({ tables }: Lists, table: number): number[] {
  const first = tables.first[table]!;
  return [...tables.lists.pool.subarray(first, first + tables.count[table]!)];
}

/** Compares lists with the twin, and places with lists; no two lists share a place. */
function wrongIn(lists: Lists): string[] {
  const { tables, members } = lists;
  const { pool, placeOf, end } = tables.lists;
  const wrong: string[] = [];
  const owner = new Int32Array(end);
  for (const [table, indexes] of members) {
    const first = tables.first[table]!;
    const room = tables.capacity[table]!;
    if (tables.count[table] !== indexes.size) wrong.push(`t${table} counts ${tables.count[table]}`);
    if (room < indexes.size || first + room > Math.min(end, pool.length))
      wrong.push(`t${table} has no room for its ${indexes.size}`);
    for (let at = first; at < first + room; at++) {
      if (owner[at] !== 0) wrong.push(`t${table} and t${owner[at]} share place ${at}`);
      owner[at] = table;
    }
    for (const index of indexes) {
      if (pool[first + placeOf[index]!] !== index) wrong.push(`e${index} is not at its place`);
    }
    if (new Set(listOf(lists, table)).size !== indexes.size) wrong.push(`t${table} lists one twice`);
  }
  return wrong.slice(0, 5);
}

describe("the list of a table with pairs", () => {
  it("has those that entered, and the last one in the place of one that left", () => {
    const lists = createLists(1);
    for (const index of [4, 9, 7, 5]) enter(lists, 1, index);

    leave(lists, 1, 9);

    expect(listOf(lists, 1)).toEqual([4, 5, 7]);
    expect([4, 5, 7].map((index) => lists.tables.lists.placeOf[index])).toEqual([0, 1, 2]);
  });

  it("keeps its room when the last one leaves, and gives it back with its number", () => {
    const lists = createLists(2);
    for (let index = 1; index <= 5; index++) enter(lists, 1, index);
    enter(lists, 2, 6);
    const { end } = lists.tables.lists;

    for (let index = 1; index <= 5; index++) leave(lists, 1, index);
    expect([lists.tables.count[1], lists.tables.capacity[1]]).toEqual([0, 8]);
    giveTableNumber(lists.tables, 1);
    lists.members.delete(1);
    const again = addTable(lists);
    reserveInTable(lists.tables, again, 8, 32);
    for (let index = 11; index <= 18; index++) enter(lists, again, index);

    expect([lists.tables.capacity[again], lists.tables.lists.end]).toEqual([8, end]);
    expect(wrongIn(lists)).toEqual([]);
  });

  it("moves when it needs more room, with all that are in it", () => {
    const lists = createLists(2);
    for (let index = 1; index <= 100; index++) enter(lists, 1 + (index % 2), index);

    expect([1, 2].map((table) => listOf(lists, table).length)).toEqual([50, 50]);
    expect(wrongIn(lists)).toEqual([]);
  });

  it("has room for so many more once they are reserved, and its places stay", () => {
    const lists = createLists(2);
    for (let index = 1; index <= 3; index++) enter(lists, 1, index);
    enter(lists, 2, 4);

    reserveInTable(lists.tables, 1, 200, 300);
    const { pool, placeOf } = lists.tables.lists;
    const first = lists.tables.first[1];
    for (let index = 5; index < 205; index++) enter(lists, 1, index);

    expect(lists.tables.lists.pool).toBe(pool);
    expect(lists.tables.lists.placeOf).toBe(placeOf);
    expect(lists.tables.first[1]).toBe(first);
    expect(wrongIn(lists)).toEqual([]);
  });

  it("is not made for a table without pairs, whatever is reserved", () => {
    const tables = new Tables();
    const table = takeTableNumber(tables, 0);

    reserveInTable(tables, table, 100, 200);
    enterTable(tables, table, 5);
    leaveTable(tables, table, 5);

    const { pool, placeOf } = tables.lists;
    expect([tables.count[table], tables.capacity[table], pool.length, placeOf.length]).toEqual([0, 0, 0, 0]);
  });

  it("leaves everything as it was when the pool cannot grow", () => {
    const lists = createLists(2);
    for (let index = 1; index <= 4; index++) enter(lists, 1, index);
    enter(lists, 2, 5);
    const { tables } = lists;
    const pool = tables.lists.pool.slice(0, tables.lists.end);
    const refused = (): never => {
      throw new RangeError("no memory");
    };
    Object.defineProperty(pool, "constructor", {
      value: function none(): never {
        return refused();
      },
    });
    tables.lists.pool = pool;
    const before = [...pool];

    expect(() => reserveInTable(tables, 1, 1000, 9)).toThrow("no memory");

    expect([...tables.lists.pool]).toEqual(before);
    expect([tables.capacity[1], tables.count[1]]).toEqual([4, 4]);
    expect(wrongIn(lists)).toEqual([]);
  });

  it.each(seeds(1, 3))("is the same as a plain set, whatever enters and leaves, seed %i", (seed) => {
    const lists = createLists(12);
    const dice: Dice = createDice(seed);
    const free = Array.from({ length: 600 }, (_, at) => at + 1);
    const wrong: string[] = [];

    for (let step = 0; step < 30_000; step++) {
      const table = dice.pick([...lists.members.keys()]);
      const indexes = lists.members.get(table)!;
      const choice = dice.below(100);
      if (choice === 0) {
        free.push(...indexes);
        giveTableNumber(lists.tables, table);
        lists.members.delete(table);
        addTable(lists);
      } else if (choice === 1) reserveInTable(lists.tables, table, dice.below(100), 601);
      else if (dice.chance(Math.floor(step / 3000) % 2 === 0 ? 0.6 : 0.4)) {
        if (free.length > 0) enter(lists, table, free.splice(dice.below(free.length), 1)[0]!);
      } else if (indexes.size > 0) {
        const index = dice.pick([...indexes]);
        leave(lists, table, index);
        free.push(index);
      }
      if (step % 50 === 0 && wrong.length === 0) wrong.push(...wrongIn(lists));
    }

    expect(wrong).toEqual([]);
    expect(lists.tables.lists.end).toBeLessThan(12 * 1024);
  });
});
