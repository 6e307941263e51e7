import { describe, expect, it } from "vitest";
import { Disabled } from "../../src/id/builtins.ts";
import { tag } from "../../src/id/definition.ts";
import { inBits } from "../../src/id/in-bits.ts";
import {
  type Bits,
  clearBits,
  copyBit,
  copyBits,
  countBits,
  countEnabled,
  enabledOf,
  enabledRows,
  growBits,
  hasBit,
  isCut,
  layBits,
  moveBit,
  renewBits,
  setBit,
  setBits,
} from "../../src/storage/bit-column.ts";
import {
  createUsedBits,
  isUsed,
  markRangeUnused,
  markRangeUsed,
  resizeBits,
  type UsedBits,
} from "../../src/storage/used-bits.ts";
import { createDice } from "../dice.ts";

const Marked = inBits(tag("Marked"));
const ROWS = 150;

/** As much of an archetype as bit columns look at. */
interface Rows {
  readonly used: UsedBits;
  end: number;
  rows: number;
  bits: Bits | undefined;
}

/** All rows up to `end` are used. */
function rowsUpTo(end: number): Rows {
  const used = createUsedBits();
  resizeBits(used, ROWS);
  markRangeUsed(used, 0, end);
  return { used, end, rows: end, bits: undefined };
}

function rowsWith(rows: Rows, tag = Disabled): number[] {
  return Array.from({ length: ROWS }, (_, row) => row).filter((row) => hasBit(rows, tag, row));
}

function range(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, at) => first + at);
}

function runsOf({ bounds, length }: UsedBits): number[] {
  return [...bounds.subarray(0, length)];
}

describe("a bit column", () => {
  it("is not there until a row has the tag, and clearing opens none", () => {
    const rows = rowsUpTo(10);

    setBit(rows, Disabled, 3, false);
    setBits(rows, Disabled, 0, 10, false);

    expect([rows.bits, hasBit(rows, Disabled, 3), countBits(rows, Disabled), isCut(rows)]).toEqual([
      undefined,
      false,
      0,
      false,
    ]);
    expect(enabledOf(rows)).toBe(rows.used);
  });

  it("is one of several, each with its own bits", () => {
    const rows = rowsUpTo(40);

    setBit(rows, Disabled, 3, true);
    setBits(rows, Marked, 2, 38, true);

    expect([rowsWith(rows), rowsWith(rows, Marked)]).toEqual([[3], range(2, 38)]);
    expect([countBits(rows, Disabled), countBits(rows, Marked)]).toEqual([1, 36]);
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
    expect([rowsWith(rows), countBits(rows, Disabled)]).toEqual([range(first, end), end - first]);
    for (let time = 0; time < 2; time++) setBits(rows, Disabled, first, end, false);
    expect([rowsWith(rows), countBits(rows, Disabled)]).toEqual([[], 0]);
  });

  it("counts what a range adds to it", () => {
    const rows = rowsUpTo(ROWS);
    setBit(rows, Disabled, 40, true);

    setBits(rows, Disabled, 30, 70, true);
    setBits(rows, Disabled, 60, 100, false);

    expect([rowsWith(rows), countBits(rows, Disabled)]).toEqual([range(30, 60), 30]);
  });

  it("gives a hole what the last row had, in place of what was there, and clears the last row", () => {
    const rows = rowsUpTo(50);
    for (const row of [3, 49, 48]) setBit(rows, Disabled, row, true);

    moveBit(rows.bits!, 49, 3);
    moveBit(rows.bits!, 48, 10);
    moveBit(rows.bits!, 47, 10);
    moveBit(rows.bits!, 3, 3);

    expect([rowsWith(rows), countBits(rows, Disabled)]).toEqual([[], 0]);
  });

  it.each([0, 1, 31, 32, 63, 64, 100])(
    "gives hole %i what the last row had, and touches no other row",
    (hole) => {
      for (const [isLastSet, isHoleSet] of [
        [false, true],
        [true, false],
      ] as const) {
        const rows = rowsUpTo(ROWS);
        setBits(rows, Disabled, 0, ROWS, true);
        setBit(rows, Disabled, ROWS - 1, isLastSet);
        setBit(rows, Disabled, hole, isHoleSet);

        moveBit(rows.bits!, ROWS - 1, hole);

        const expected = range(0, ROWS - 1).filter((row) => row !== hole || isLastSet);
        expect(rowsWith(rows)).toEqual(expected);
        expect(countBits(rows, Disabled)).toBe(expected.length);
      }
    },
  );

  it("hands a row's tags to a row of another archetype", () => {
    const [rows, others] = [rowsUpTo(10), rowsUpTo(70)];
    setBit(rows, Marked, 4, true);
    setBit(rows, Disabled, 5, true);

    copyBit(rows, 4, others, 69);

    expect([rowsWith(others, Marked), rowsWith(others), countBits(others, Marked)]).toEqual([[69], [], 1]);
  });

  it("grows with the used bits, and is as long from the start", () => {
    const rows = rowsUpTo(ROWS);
    setBit(rows, Disabled, 149, true);

    resizeBits(rows.used, 400);
    growBits(rows.bits!, rows.used);
    setBit(rows, Disabled, 399, true);

    expect([hasBit(rows, Disabled, 149), hasBit(rows, Disabled, 399)]).toEqual([true, true]);
    expect(rows.bits!.columns[0]!.words).toHaveLength(rows.used.words.length);
  });

  it.each([1, 2, 3])("copies and lays ranges at any offset as a plain list does, seed %i", (seed) => {
    const dice = createDice(seed);
    for (let step = 0; step < 300; step++) {
      const rows = rowsUpTo(ROWS);
      setBit(rows, Disabled, 0, true);
      for (let row = 0; row < ROWS; row++) setBit(rows, Disabled, row, dice.chance(0.5));
      const count = 1 + dice.below(70);
      const [one, other] = [dice.below(ROWS - count + 1), dice.below(ROWS - count + 1)];
      const before = range(0, ROWS).map((row) => hasBit(rows, Disabled, row));
      const isApart = one + count <= other || other + count <= one;
      let expected = range(0, ROWS).map(
        (row) => row >= other && row < other + count && before[row - other + one]!,
      );
      if (isApart) {
        expected = before.map((is, row) => (row >= other && row < other + count ? expected[row]! : is));
        clearBits(rows.bits!, other, other + count);
        copyBits(rows.bits!, one, other, count);
      } else layBits(rows.bits!, renewBits(rows.bits!, rows.used), one, other, count);

      expect(range(0, ROWS).map((row) => hasBit(rows, Disabled, row))).toEqual(expected);
      if (isApart) expect(countBits(rows, Disabled)).toBe(expected.filter((is) => is).length);
    }
  });
});

describe("enabled rows", () => {
  it("are the used ones that no tag cuts out", () => {
    const rows = rowsUpTo(100);

    setBits(rows, Disabled, 10, 20, true);
    setBits(rows, Marked, 40, 50, true);

    expect(runsOf(enabledOf(rows))).toEqual([0, 10, 20, 100]);
    expect([enabledRows(rows), countEnabled(rows, 5, 15), countEnabled(rows, 40, 50)]).toEqual([90, 5, 10]);
    expect([isUsed(enabledOf(rows), 9), isUsed(enabledOf(rows), 10)]).toEqual([true, false]);
  });

  it("follow rows that come and go, and tags that change, between two looks", () => {
    const rows = rowsUpTo(100);
    setBits(rows, Disabled, 10, 20, true);
    enabledOf(rows);

    markRangeUnused(rows.used, 80, 100);
    rows.rows = 80;
    expect(runsOf(enabledOf(rows))).toEqual([0, 10, 20, 80]);
    setBit(rows, Disabled, 15, false);
    expect([runsOf(enabledOf(rows)), enabledRows(rows)]).toEqual([[0, 10, 15, 16, 20, 80], 71]);
    clearBits(rows.bits!, 0, 100);
    expect([enabledOf(rows), enabledRows(rows), countEnabled(rows, 0, 80)]).toEqual([rows.used, 80, 80]);
  });

  it("are none where all are cut out", () => {
    const rows = rowsUpTo(64);

    setBits(rows, Disabled, 0, 64, true);

    expect([runsOf(enabledOf(rows)), enabledRows(rows)]).toEqual([[], 0]);
  });
});
