import { describe, expect, it } from "vitest";
import {
  isUsed,
  markRange,
  markUnused,
  markUsed,
  refreshRuns,
  resizeBits,
  UsedBits,
} from "../../src/storage/bits.ts";
import { createDice } from "../dice.ts";

const ROWS = 300;

function bitsFor(rows: number): UsedBits {
  const bits = new UsedBits();
  resizeBits(bits, rows);
  return bits;
}

function runsOf(bits: UsedBits, end: number): number[] {
  refreshRuns(bits, end);
  return [...bits.bounds.subarray(0, bits.length)];
}

/** Runs read off a plain list, row by row. */
function plainRuns(rows: readonly boolean[]): number[] {
  const bounds: number[] = [];
  for (let row = 0; row <= rows.length; row++) {
    if ((rows[row] ?? false) !== (rows[row - 1] ?? false)) bounds.push(row);
  }
  return bounds;
}

describe("used bits", () => {
  it("are clear at first", () => {
    const bits = bitsFor(100);

    expect(Array.from({ length: 100 }, (_, row) => isUsed(bits, row))).not.toContain(true);
    expect(runsOf(bits, 100)).toEqual([]);
  });

  it.each([0, 1, 31, 32, 33, 63, 64, 99])("are set and cleared one by one, here row %i", (row) => {
    const bits = bitsFor(100);

    markUsed(bits, row);

    expect(isUsed(bits, row)).toBe(true);
    expect(runsOf(bits, 100)).toEqual([row, row + 1]);

    markUnused(bits, row);

    expect(isUsed(bits, row)).toBe(false);
    expect(runsOf(bits, 100)).toEqual([]);
  });

  it.each([
    [0, 1],
    [0, 32],
    [0, 100],
    [5, 31],
    [31, 33],
    [32, 64],
    [33, 95],
    [1, 99],
    [64, 100],
    [50, 50],
  ])("set and clear the range from %i to %i and nothing beside it", (first, end) => {
    const set = bitsFor(100);
    const cleared = bitsFor(100);
    markRange(cleared, 0, 100, true);

    markRange(set, first, end, true);
    markRange(cleared, first, end, false);

    const inside = Array.from({ length: 100 }, (_, row) => row >= first && row < end);
    expect(inside.map((_, row) => isUsed(set, row))).toEqual(inside);
    expect(inside.map((_, row) => isUsed(cleared, row))).toEqual(inside.map((yes) => !yes));
  });

  it("join rows that touch to one run, also from word to word", () => {
    const bits = bitsFor(128);
    markRange(bits, 20, 40, true);
    markRange(bits, 40, 70, true);
    markUsed(bits, 90);

    expect(runsOf(bits, 128)).toEqual([20, 70, 90, 91]);
  });

  it("end a run where the rows end, also at the end of a word", () => {
    const bits = bitsFor(64);
    markRange(bits, 10, 64, true);

    expect(runsOf(bits, 64)).toEqual([10, 64]);
  });

  it("include no rows beyond the requested end", () => {
    const bits = bitsFor(128);
    markRange(bits, 0, 10, true);

    markUsed(bits, 100);

    expect(runsOf(bits, 64)).toEqual([0, 10]);
  });

  it("are read again only after a bit has changed", () => {
    const bits = bitsFor(64);
    markUsed(bits, 3);
    runsOf(bits, 64);

    bits.words[1] = 1;

    expect(runsOf(bits, 64)).toEqual([3, 4]);
    markUsed(bits, 4);
    expect(runsOf(bits, 64)).toEqual([3, 5, 32, 33]);
  });

  it("have room for as many runs as there can be", () => {
    const bits = bitsFor(4096);
    for (let row = 0; row < 4096; row += 2) markUsed(bits, row);

    expect(runsOf(bits, 4096)).toHaveLength(4096);
  });

  it("keep their bits when they are made longer; new ones are clear", () => {
    const bits = bitsFor(40);
    markRange(bits, 10, 40, true);

    resizeBits(bits, 200);

    bits.stale = true;
    expect(runsOf(bits, 200)).toEqual([10, 40]);
  });

  it("are the same as a plain list of booleans under random changes (I13)", () => {
    const bits = bitsFor(ROWS);
    const plain = new Array<boolean>(ROWS).fill(false);
    const dice = createDice(5);
    const wrong: string[] = [];

    for (let step = 0; step < 4000; step++) {
      const one = dice.below(ROWS);
      const other = dice.below(ROWS);
      const first = Math.min(one, other);
      const end = Math.max(one, other);
      const choice = dice.below(8);
      if (choice < 3) {
        markUsed(bits, one);
        plain[one] = true;
      } else if (choice < 6) {
        markUnused(bits, one);
        plain[one] = false;
      } else if (choice === 6) {
        markRange(bits, first, end, true);
        plain.fill(true, first, end);
      } else {
        markRange(bits, first, end, false);
        plain.fill(false, first, end);
      }
      if (runsOf(bits, ROWS).join() !== plainRuns(plain).join()) wrong.push(`step ${step}`);
      if (isUsed(bits, other) !== plain[other]) wrong.push(`row ${other} in step ${step}`);
    }

    expect(wrong).toEqual([]);
  });
});
