import { describe, expect, it } from "vitest";
import { Disabled } from "../../src/id/builtins.ts";
import { bits, type Definition, tag } from "../../src/index.ts";
import { allRowsOf, type Bits, flip, RowBits, setBits } from "../../src/storage/bits.ts";
import { createDice, seeds } from "../dice.ts";

const Marked = tag("Marked", { storage: bits });
const ROWS = 150;

/** The part of an archetype that bit columns read. */
interface Rows {
  readonly whole: RowBits;
  rows: number;
  bits: Bits | undefined;
  readonly lanes: { capacity: number; readonly i32: Int32Array; readonly tracks: undefined };
  hooked: readonly Definition[];
  fixedNeeds: number;
  needsEpoch: number;
}

function rowsUpTo(rows: number): Rows {
  return {
    whole: new RowBits(),
    rows,
    bits: undefined,
    lanes: { capacity: ROWS, i32: new Int32Array(ROWS), tracks: undefined },
    hooked: [],
    fixedNeeds: 0,
    needsEpoch: -1,
  };
}

function rowsWith(rows: Rows, tag = Disabled): number[] {
  return Array.from({ length: ROWS }, (_, row) => row).filter((row) => rows.bits?.has(tag, row));
}

function range(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, at) => first + at);
}

function runsOf({ bounds, length }: RowBits): number[] {
  return [...bounds.subarray(0, length)];
}

describe("a bit column", () => {
  it("does not exist until a row has the tag; clearing does not create it", () => {
    const rows = rowsUpTo(10);

    setBits(rows, Disabled, 3, 4, false);
    setBits(rows, Disabled, 0, 10, false);

    expect([rows.bits, rowsWith(rows)]).toEqual([undefined, []]);
  });

  it("is one of several, each with its own bits", () => {
    const rows = rowsUpTo(40);

    setBits(rows, Disabled, 3, 4, true);
    setBits(rows, Marked, 2, 38, true);

    expect([rowsWith(rows), rowsWith(rows, Marked)]).toEqual([[3], range(2, 38)]);
    expect([rows.bits!.count(Disabled), rows.bits!.count(Marked)]).toEqual([1, 36]);
  });

  it.each([
    [0, 1],
    [0, 32],
    [0, 33],
    [31, 33],
    [5, 5],
    [32, 64],
    [1, 150],
    [149, 150],
  ])("is set and cleared from %i to %i, and counts both once", (first, end) => {
    const rows = rowsUpTo(ROWS);

    for (let time = 0; time < 2; time++) setBits(rows, Disabled, first, end, true);
    expect([rowsWith(rows), rows.bits!.count(Disabled)]).toEqual([range(first, end), end - first]);
    for (let time = 0; time < 2; time++) setBits(rows, Disabled, first, end, false);
    expect([rowsWith(rows), rows.bits!.count(Disabled)]).toEqual([[], 0]);
  });

  it("counts what a range adds to it", () => {
    const rows = rowsUpTo(ROWS);
    setBits(rows, Disabled, 40, 41, true);

    setBits(rows, Disabled, 30, 70, true);
    setBits(rows, Disabled, 60, 100, false);

    expect([rowsWith(rows), rows.bits!.count(Disabled)]).toEqual([range(30, 60), 30]);
  });

  it("copies the bit of the last row into a hole, and clears the last row", () => {
    const rows = rowsUpTo(50);
    for (const row of [3, 49, 48]) setBits(rows, Disabled, row, row + 1, true);

    rows.bits!.move(49, 3);
    rows.bits!.move(48, 10);
    rows.bits!.move(47, 10);
    rows.bits!.move(3, 3);

    expect([rowsWith(rows), rows.bits!.count(Disabled)]).toEqual([[], 0]);
  });

  it.each([0, 1, 31, 32, 63, 64, 100])(
    "copies the bit of the last row into hole %i, and changes no other row",
    (hole) => {
      for (const [isLastSet, isHoleSet] of [
        [false, true],
        [true, false],
      ] as const) {
        const rows = rowsUpTo(ROWS);
        setBits(rows, Disabled, 0, ROWS, true);
        setBits(rows, Disabled, ROWS - 1, ROWS, isLastSet);
        setBits(rows, Disabled, hole, hole + 1, isHoleSet);

        rows.bits!.move(ROWS - 1, hole);

        const expected = range(0, ROWS - 1).filter((row) => row !== hole || isLastSet);
        expect(rowsWith(rows)).toEqual(expected);
        expect(rows.bits!.count(Disabled)).toBe(expected.length);
      }
    },
  );

  it("passes a row's tags to a row of another archetype", () => {
    const [rows, others] = [rowsUpTo(10), rowsUpTo(70)];
    setBits(rows, Marked, 4, 5, true);
    setBits(rows, Disabled, 5, 6, true);

    rows.bits!.copyTo(others, 4, 69);

    expect([rowsWith(others, Marked), rowsWith(others), others.bits!.count(Marked)]).toEqual([[69], [], 1]);
  });

  it("has as many words as the columns, from the start and when they get another length", () => {
    const rows = rowsUpTo(ROWS);
    setBits(rows, Disabled, 149, 150, true);
    const lengths = [rows.bits!.columns[0]!.words.length];

    for (const capacity of [400, 160]) {
      rows.lanes.capacity = capacity;
      rows.bits!.resize();
      lengths.push(rows.bits!.columns[0]!.words.length);
    }

    expect(lengths).toEqual([5, 13, 5]);
    expect([rows.bits!.has(Disabled, 149), rows.bits!.has(Disabled, 148)]).toEqual([true, false]);
  });

  it.each(seeds(1, 3))("copies ranges at any offset as a plain list does, seed %i", (seed) => {
    const dice = createDice(seed);
    for (let step = 0; step < 300; step++) {
      const rows = rowsUpTo(ROWS);
      setBits(rows, Disabled, 0, 1, true);
      for (let row = 0; row < ROWS; row++) setBits(rows, Disabled, row, row + 1, dice.chance(0.5));
      const count = 1 + dice.below(70);
      const one = dice.below(ROWS - 2 * count + 1);
      const other = one + count + dice.below(ROWS - one - 2 * count + 1);
      const before = range(0, ROWS).map((row) => rows.bits!.has(Disabled, row));
      const [from, to] = dice.chance(0.5) ? [one, other] : [other, one];

      rows.bits!.clear(to, to + count);
      rows.bits!.copy(from, to, count);

      const expected = before.map((is, row) =>
        row >= to && row < to + count ? before[row - to + from]! : is,
      );
      expect(range(0, ROWS).map((row) => rows.bits!.has(Disabled, row))).toEqual(expected);
      expect(rows.bits!.count(Disabled)).toBe(expected.filter((is) => is).length);
    }
  });

  it.each(seeds(1, 3))("puts rows into another order, seed %i", (seed) => {
    const dice = createDice(seed);
    const rows = rowsUpTo(120);
    for (let row = 0; row < 120; row++) setBits(rows, Disabled, row, row + 1, dice.chance(0.5));
    const order = range(0, 120);
    for (let at = order.length - 1; at > 0; at--) {
      const other = dice.below(at + 1);
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    const before = order.map((row) => rows.bits!.has(Disabled, row));
    const count = rows.bits!.count(Disabled);

    rows.bits!.permute(Int32Array.from(order));

    expect(range(0, 120).map((row) => rows.bits!.has(Disabled, row))).toEqual(before);
    expect([rows.bits!.count(Disabled), rowsWith(rows).length]).toEqual([count, count]);
  });
});

describe("all rows of an archetype", () => {
  it("are one run, or none", () => {
    const rows = rowsUpTo(0);
    const runs = [runsOf(allRowsOf(rows))];

    for (rows.rows of [7, 3, 0, 9]) runs.push(runsOf(allRowsOf(rows)));

    expect(runs).toEqual([[], [0, 7], [0, 3], [], [0, 9]]);
  });

  it("have another edition only when there are more or fewer", () => {
    const rows = rowsUpTo(7);
    const { edition } = allRowsOf(rows);

    expect(allRowsOf(rows).edition).toBe(edition);
    rows.rows = 8;
    expect(allRowsOf(rows).edition).toBeGreaterThan(edition);
  });
});

const CUT = { key: "", required: [], excluded: [Disabled] };
const MARKED = { key: "marked", required: [Marked], excluded: [Disabled] };

describe("the rows that a cut leaves", () => {
  it("are those that have all required tags and no excluded one", () => {
    const rows = rowsUpTo(100);

    setBits(rows, Disabled, 10, 20, true);
    setBits(rows, Marked, 5, 50, true);

    expect(runsOf(rows.bits!.rowsIn(CUT))).toEqual([0, 10, 20, 100]);
    expect(runsOf(rows.bits!.rowsIn(MARKED))).toEqual([5, 10, 20, 50]);
  });

  it("follow rows that are added and removed, and tags that change, between two reads", () => {
    const rows = rowsUpTo(100);
    setBits(rows, Disabled, 10, 20, true);
    rows.bits!.rowsIn(CUT);

    rows.rows = 80;
    expect(runsOf(rows.bits!.rowsIn(CUT))).toEqual([0, 10, 20, 80]);
    setBits(rows, Disabled, 15, 16, false);
    expect(runsOf(rows.bits!.rowsIn(CUT))).toEqual([0, 10, 15, 16, 20, 80]);
    flip(rows.bits!.columns[0]!, 17, false);
    expect(runsOf(rows.bits!.rowsIn(CUT))).toEqual([0, 10, 15, 16, 17, 18, 20, 80]);
    rows.bits!.clear(0, 100);
    expect(rows.bits!.rowsIn(CUT)).toBe(rows.whole);
    expect(runsOf(rows.whole)).toEqual([0, 80]);
  });

  it("stay the same record while nothing that concerns them changes", () => {
    const rows = rowsUpTo(100);
    setBits(rows, Disabled, 10, 20, true);
    const left = rows.bits!.rowsIn(CUT);
    const { edition } = left;

    setBits(rows, Marked, 40, 50, true);

    expect([rows.bits!.rowsIn(CUT), left.edition]).toEqual([left, edition]);
  });

  it("are none where all are excluded, and where none has what is required", () => {
    const rows = rowsUpTo(64);

    setBits(rows, Disabled, 0, 64, true);
    expect(runsOf(rows.bits!.rowsIn(CUT))).toEqual([]);
    setBits(rows, Disabled, 0, 64, false);
    expect(runsOf(rows.bits!.rowsIn(MARKED))).toEqual([]);
    setBits(rows, Marked, 3, 4, true);
    expect(runsOf(rows.bits!.rowsIn(MARKED))).toEqual([3, 4]);
  });
});

describe("one bit", () => {
  it("is set and cleared, and counted", () => {
    const rows = rowsUpTo(ROWS);
    setBits(rows, Marked, 40, 41, true);
    const column = rows.bits!.columns[0]!;

    flip(column, 31, true);
    expect([rowsWith(rows, Marked), column.count]).toEqual([[31, 40], 2]);
    flip(column, 31, false);
    expect([rowsWith(rows, Marked), column.count]).toEqual([[40], 1]);
  });
});
