import { describe, expect, it } from "vitest";
import {
  linkBelow,
  openRecord,
  PairRecords,
  refreshDepths,
  unlinkRecord,
} from "../../src/records/pair-records.ts";
import { createDice, type Dice } from "../dice.ts";

function recordsFor(pairs: number): PairRecords {
  const records = new PairRecords();
  for (let pair = 1; pair <= pairs; pair++) openRecord(records, pair);
  return records;
}

/** @returns the pairs whose depth was reported as changed. */
function refresh(records: PairRecords): number[] {
  const calls: number[] = [];
  refreshDepths(records, (pair) => calls.push(pair));
  return calls;
}

function depthsOf(records: PairRecords, pairs: number): number[] {
  return [...records.depth.subarray(1, pairs + 1)];
}

function below(records: PairRecords, pair: number): number[] {
  const found: number[] = [];
  for (let at = records.firstBelow[pair]!; at !== 0; at = records.beside[at]!) found.push(at);
  return found.toSorted((one, other) => one - other);
}

describe("the tree of pair records", () => {
  it("lists the records below a record", () => {
    const records = recordsFor(4);

    for (const pair of [2, 3, 4]) linkBelow(records, pair, 1);

    expect(below(records, 1)).toEqual([2, 3, 4]);
    expect(records.above[3]).toBe(1);
  });

  it.each([2, 3, 4])("removes record %i and keeps the others", (gone) => {
    const records = recordsFor(4);
    for (const pair of [2, 3, 4]) linkBelow(records, pair, 1);

    unlinkRecord(records, gone);

    expect(below(records, 1)).toEqual([2, 3, 4].filter((pair) => pair !== gone));
    expect(records.above[gone]).toBe(0);
  });

  it("moves a record that is elsewhere, with all records below it", () => {
    const records = recordsFor(4);
    linkBelow(records, 3, 1);
    linkBelow(records, 4, 3);

    linkBelow(records, 3, 2);

    expect([below(records, 1), below(records, 2), below(records, 3)]).toEqual([[], [3], [4]]);
  });
});

describe("depth", () => {
  it("is one more than that of the record above; that of a root record is 1 (I8)", () => {
    const records = recordsFor(3);
    linkBelow(records, 2, 1);
    linkBelow(records, 3, 2);

    refresh(records);

    expect(depthsOf(records, 3)).toEqual([1, 2, 3]);
  });

  it("of a leaf is right at once, as long as no change is pending", () => {
    const records = recordsFor(3);

    linkBelow(records, 2, 1);
    linkBelow(records, 3, 2);

    expect(depthsOf(records, 3)).toEqual([1, 2, 3]);
    expect(records.staleList).toEqual([]);
  });

  it("of everything below follows a record that moves", () => {
    const records = recordsFor(6);
    for (const pair of [2, 3, 4]) linkBelow(records, pair, pair - 1);
    linkBelow(records, 6, 5);
    refresh(records);

    linkBelow(records, 2, 6);
    refresh(records);

    expect(depthsOf(records, 6)).toEqual([1, 3, 4, 5, 1, 2]);
  });

  it("is reported for each pair whose depth has changed, and for no other", () => {
    const records = recordsFor(6);
    for (const pair of [2, 3]) linkBelow(records, pair, 1);
    linkBelow(records, 4, 2);
    refresh(records);

    linkBelow(records, 2, 5);
    const same = refresh(records);
    linkBelow(records, 2, 3);
    const deeper = refresh(records);

    expect(same).toEqual([]);
    expect(deeper.toSorted()).toEqual([2, 4]);
  });

  it("is not reported when nothing was hung", () => {
    const records = recordsFor(2);
    linkBelow(records, 2, 1);
    refresh(records);

    expect(refresh(records)).toEqual([]);
  });

  it("is right below several records that moved, whichever was hung first", () => {
    for (const order of [
      [2, 5, 8],
      [8, 5, 2],
      [5, 8, 2],
    ]) {
      const records = recordsFor(10);
      for (const [pair, above] of [
        [3, 2],
        [6, 5],
        [9, 8],
      ] as const) {
        linkBelow(records, pair, above);
      }
      const target: { readonly [pair: number]: number } = { 2: 1, 5: 3, 8: 6 };

      for (const pair of order) linkBelow(records, pair, target[pair]!);
      refresh(records);

      expect(depthsOf(records, 9)).toEqual([1, 2, 3, 1, 4, 5, 1, 6, 7]);
    }
  });

  it("drops a pending record whose number another pair has meanwhile", () => {
    const records = recordsFor(4);
    linkBelow(records, 3, 2);
    linkBelow(records, 2, 1);
    unlinkRecord(records, 3);
    unlinkRecord(records, 2);
    openRecord(records, 2);
    linkBelow(records, 4, 2);

    refresh(records);

    expect(depthsOf(records, 4)).toEqual([1, 1, expect.any(Number), 2]);
  });
});

/** Parents as a plain list; depth by walking up. */
function plainDepth(parents: readonly number[], pair: number): number {
  let depth = 1;
  for (let at = parents[pair]!; at !== 0; at = parents[at]!) depth++;
  return depth;
}

function isAbove(parents: readonly number[], pair: number, other: number): boolean {
  for (let at = other; at !== 0; at = parents[at]!) if (at === pair) return true;
  return false;
}

describe("depth after random links and unlinks", () => {
  it.each([
    [1, 1],
    [2, 3],
    [3, 10],
    [4, 40],
  ])("is the number of steps to the root, seed %i, read every %i steps (I8)", (seed, pace) => {
    const PAIRS = 80;
    const records = recordsFor(PAIRS);
    const parents = new Array<number>(PAIRS + 1).fill(0);
    const dice: Dice = createDice(seed);
    const wrong: string[] = [];

    for (let step = 1; step <= 6000; step++) {
      const pair = 1 + dice.below(PAIRS);
      const above = dice.chance(0.15) ? 0 : 1 + dice.below(PAIRS);
      if (above !== 0 && isAbove(parents, pair, above)) continue;
      linkBelow(records, pair, above);
      parents[pair] = above;
      if (step % pace !== 0) continue;

      const before = depthsOf(records, PAIRS);
      const calls = refresh(records);
      const after = depthsOf(records, PAIRS);
      const plain = after.map((_, at) => plainDepth(parents, at + 1));
      const changed = after.flatMap((depth, at) => (depth === before[at] ? [] : [at + 1]));
      if (after.join() !== plain.join()) wrong.push(`depths in step ${step}`);
      if (calls.toSorted((one, other) => one - other).join() !== changed.join())
        wrong.push(`told in step ${step}`);
    }

    expect(wrong.slice(0, 5)).toEqual([]);
    expect(records.staleList).toEqual([]);
  });
});

describe("a chain of 200,000", () => {
  const LENGTH = 200_000;
  const upward = Array.from({ length: LENGTH - 1 }, (_, at) => LENGTH - at);
  const shuffled = (() => {
    const dice = createDice(9);
    const order = [...upward];
    for (let at = order.length - 1; at > 0; at--) {
      const other = dice.below(at + 1);
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    return order;
  })();

  it.each([
    ["bottom-up", upward],
    ["top-down", upward.toReversed()],
    ["in random order", shuffled],
  ])("built %s sets each depth right in one walk, reported once each at most", (_, order) => {
    const records = recordsFor(LENGTH);
    for (const pair of order) linkBelow(records, pair, pair - 1);

    const calls = refresh(records);

    expect(calls.length).toBeLessThanOrEqual(LENGTH);
    expect(new Set(calls).size).toBe(calls.length);
    expect(records.depth[LENGTH]).toBe(LENGTH);
    expect(depthsOf(records, LENGTH).every((depth, at) => depth === at + 1)).toBe(true);
  });

  it("that moves as a whole is walked once", () => {
    const records = recordsFor(LENGTH + 1);
    for (let pair = 2; pair <= LENGTH; pair++) linkBelow(records, pair, pair - 1);
    refresh(records);

    linkBelow(records, 1, LENGTH + 1);
    const calls = refresh(records);

    expect(calls).toHaveLength(LENGTH);
    expect(records.depth[LENGTH]).toBe(LENGTH + 1);
  });
});
