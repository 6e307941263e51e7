import { describe, expect, it } from "vitest";
import {
  extendSlice,
  freeSlice,
  type NumberPool,
  roomOfSlice,
  takeSlice,
} from "../../src/base/number-pool.ts";
import { createDice, seeds } from "../dice.ts";

function createPool(): NumberPool {
  return { pool: new Int32Array(0), free: new Int32Array(32), end: 0 };
}

describe("the room of a slice", () => {
  it("is the next power of two, 2 at least", () => {
    expect([0, 1, 2, 3, 4, 5, 8, 9, 1000].map(roomOfSlice)).toEqual([2, 2, 2, 4, 4, 8, 8, 16, 1024]);
  });
});

describe("slices", () => {
  it("follow one another in the pool", () => {
    const pool = createPool();

    expect([2, 8, 4].map((room) => takeSlice(pool, room))).toEqual([0, 2, 10]);
    expect(pool.end).toBe(14);
    expect(pool.pool.length).toBeGreaterThanOrEqual(14);
  });

  it("are taken again when they are free, the last one first, by those that need just as much", () => {
    const pool = createPool();
    const [one, other] = [takeSlice(pool, 4), takeSlice(pool, 4)];
    takeSlice(pool, 2);

    freeSlice(pool, one, 4);
    freeSlice(pool, other, 4);

    expect([takeSlice(pool, 2), takeSlice(pool, 4), takeSlice(pool, 4), takeSlice(pool, 4)]).toEqual([
      10,
      other,
      one,
      12,
    ]);
  });

  it("make the pool shorter when the last one is freed", () => {
    const pool = createPool();
    takeSlice(pool, 4);
    const last = takeSlice(pool, 8);

    freeSlice(pool, last, 8);

    expect(pool.end).toBe(4);
    expect(takeSlice(pool, 2)).toBe(4);
  });

  it("get longer in place if they are the last one, with the numbers in them", () => {
    const pool = createPool();
    takeSlice(pool, 2);
    const last = takeSlice(pool, 2);
    pool.pool.set([7, 9], last);

    expect(extendSlice(pool, last, 2, 64)).toBe(true);

    expect(pool.end).toBe(66);
    expect([...pool.pool.subarray(last, last + 3)]).toEqual([7, 9, 0]);
  });

  it("do not get longer if others follow", () => {
    const pool = createPool();
    const first = takeSlice(pool, 2);
    takeSlice(pool, 2);

    expect(extendSlice(pool, first, 2, 4)).toBe(false);

    expect(pool.end).toBe(4);
  });

  it("do not get longer if a free one is as long", () => {
    const pool = createPool();
    const long = takeSlice(pool, 16);
    const last = takeSlice(pool, 8);
    freeSlice(pool, long, 16);

    expect(extendSlice(pool, last, 8, 16)).toBe(false);

    expect([pool.end, takeSlice(pool, 16)]).toEqual([24, long]);
  });

  it("of lists that grow and end again and again take no more room", () => {
    const pool = createPool();
    const ends: number[] = [];
    for (let round = 0; round < 6; round++) {
      let [first, room] = [takeSlice(pool, 2), 2];
      for (; room < 1024; room *= 2) {
        if (extendSlice(pool, first, room, room * 2)) continue;
        const next = takeSlice(pool, room * 2);
        freeSlice(pool, first, room);
        first = next;
      }
      const others = [1, 2, 3].map(() => takeSlice(pool, 2));
      freeSlice(pool, first, room);
      for (const other of others) freeSlice(pool, other, 2);
      ends.push(pool.end);
    }

    expect(ends.slice(3)).toEqual([ends[2], ends[2], ends[2]]);
  });

  it.each(seeds(1, 3))("never overlap, keep their numbers, and reuse room, seed %i", (seed) => {
    const pool = createPool();
    const dice = createDice(seed);
    const taken: { first: number; room: number; value: number }[] = [];
    const wrong: string[] = [];
    let used = 0;
    let most = 0;

    for (let step = 1; step <= 20_000; step++) {
      const choice = dice.below(10);
      if (choice < 5 && taken.length < 60) {
        const room = roomOfSlice(1 + dice.below(200));
        taken.push({ first: takeSlice(pool, room), room, value: step });
        used += room;
      } else if (choice < 9 && taken.length > 0) {
        const [gone] = taken.splice(dice.below(taken.length), 1);
        if (!holds(pool, gone!)) wrong.push(`step ${step}: a slice of ${gone!.room} at ${gone!.first}`);
        freeSlice(pool, gone!.first, gone!.room);
        used -= gone!.room;
        continue;
      } else if (taken.length > 0) {
        const one = dice.pick(taken);
        const longer = one.room * 2;
        if (longer > 1024 || !extendSlice(pool, one.first, one.room, longer)) continue;
        used += one.room;
        one.room = longer;
        one.value = step;
      } else continue;
      const last = taken.find(({ value }) => value === step)!;
      pool.pool.fill(step, last.first, last.first + last.room);
      most = Math.max(most, used);
    }

    expect(wrong).toEqual([]);
    expect(taken.filter((one) => !holds(pool, one))).toEqual([]);
    expect(pool.end).toBeLessThan(4 * most);
  });
});

function holds(
  { pool }: NumberPool,
  { first, room, value }: { first: number; room: number; value: number },
): boolean {
  return pool.subarray(first, first + room).every((one) => one === value);
}
