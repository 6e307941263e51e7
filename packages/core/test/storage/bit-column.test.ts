import { describe, expect, it } from "vitest";
import { Disabled } from "../../src/id/builtins.ts";
import { bits, type Definition, tag } from "../../src/index.ts";
import { type Bits, flip, markRange, resizeBits, setBits, UsedBits } from "../../src/storage/bits.ts";
import { createDice, seeds } from "../dice.ts";

const Marked = tag("Marked", { storage: bits });
const ROWS = 150;

/** The part of an archetype that bit columns read. */
interface Rows {
  readonly used: UsedBits;
  end: number;
  rows: number;
  bits: Bits | undefined;
  readonly lanes: { readonly i32: Int32Array; readonly tracks: undefined };
  hooked: readonly Definition[];
  fixedNeeds: number;
  needsEpoch: number;
}

/** All rows up to `end` are used. */
function rowsUpTo(end: number): Rows {
  const used = new UsedBits();
  resizeBits(used, ROWS);
  markRange(used, 0, end, true);
  return {
    used,
    end,
    rows: end,
    bits: undefined,
    lanes: { i32: new Int32Array(ROWS), tracks: undefined },
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

function runsOf({ bounds, length }: UsedBits): number[] {
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

  it("grows with the used bits, and is as long from the start", () => {
    const rows = rowsUpTo(ROWS);
    setBits(rows, Disabled, 149, 150, true);

    resizeBits(rows.used, 400);
    rows.bits!.relocate((copy) => copy(0, 0, ROWS));
    setBits(rows, Disabled, 399, 400, true);

    expect([rows.bits!.has(Disabled, 149), rows.bits!.has(Disabled, 399)]).toEqual([true, true]);
    expect(rows.bits!.columns[0]!.words).toHaveLength(rows.used.words.length);
  });

  it.each(seeds(1, 3))("copies and lays ranges at any offset as a plain list does, seed %i", (seed) => {
    const dice = createDice(seed);
    for (let step = 0; step < 300; step++) {
      const rows = rowsUpTo(ROWS);
      setBits(rows, Disabled, 0, 1, true);
      for (let row = 0; row < ROWS; row++) setBits(rows, Disabled, row, row + 1, dice.chance(0.5));
      const count = 1 + dice.below(70);
      const [one, other] = [dice.below(ROWS - count + 1), dice.below(ROWS - count + 1)];
      const before = range(0, ROWS).map((row) => rows.bits!.has(Disabled, row));
      const isApart = one + count <= other || other + count <= one;
      let expected = range(0, ROWS).map(
        (row) => row >= other && row < other + count && before[row - other + one]!,
      );
      if (isApart) {
        expected = before.map((is, row) => (row >= other && row < other + count ? expected[row]! : is));
        rows.bits!.clear(other, other + count);
        rows.bits!.copy(one, other, count);
      } else rows.bits!.relocate((copy) => copy(one, other, count));

      expect(range(0, ROWS).map((row) => rows.bits!.has(Disabled, row))).toEqual(expected);
      if (isApart) expect(rows.bits!.count(Disabled)).toBe(expected.filter((is) => is).length);
    }
  });
});

const CUT = { key: "", required: [], excluded: [Disabled] };
const MARKED = { key: "marked", required: [Marked], excluded: [Disabled] };

describe("the rows that a cut leaves", () => {
  it("are the used ones that have all required tags and no excluded one", () => {
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

    markRange(rows.used, 80, 100, false);
    rows.rows = 80;
    expect(runsOf(rows.bits!.rowsIn(CUT))).toEqual([0, 10, 20, 80]);
    setBits(rows, Disabled, 15, 16, false);
    expect(runsOf(rows.bits!.rowsIn(CUT))).toEqual([0, 10, 15, 16, 20, 80]);
    flip(rows.bits!.columns[0]!, 17, false);
    expect(runsOf(rows.bits!.rowsIn(CUT))).toEqual([0, 10, 15, 16, 17, 18, 20, 80]);
    rows.bits!.clear(0, 100);
    expect(rows.bits!.rowsIn(CUT)).toBe(rows.used);
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
