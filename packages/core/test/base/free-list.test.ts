import { describe, expect, it } from "vitest";
import { createFreeList, type FreeList, putFree, takeFree } from "../../src/base/free-list.ts";
import { createDice } from "../dice.ts";

function takeAll(list: FreeList): number[] {
  const taken: number[] = [];
  while (list.size > 0) taken.push(takeFree(list));
  return taken;
}

describe("free list", () => {
  it("gives the oldest number first", () => {
    const list = createFreeList();

    for (const value of [5, 3, 9]) putFree(list, value);

    expect(takeAll(list)).toEqual([5, 3, 9]);
  });

  it("knows how many numbers it holds", () => {
    const list = createFreeList();

    putFree(list, 1);
    putFree(list, 2);
    takeFree(list);

    expect(list.size).toBe(1);
  });

  it("grows when it is full, and keeps the order across the end of the ring", () => {
    const list = createFreeList();
    const room = list.ring.length;
    for (let value = 0; value < room; value++) putFree(list, value);
    for (let count = 0; count < 5; count++) takeFree(list);
    for (let value = room; value < room + 5; value++) putFree(list, value);

    putFree(list, 999);

    expect(list.ring.length).toBeGreaterThan(room);
    expect(takeAll(list)).toEqual([...Array.from({ length: room }, (_, at) => at + 5), 999]);
  });

  it("does not grow while as much is taken as is put in", () => {
    const list = createFreeList();
    const room = list.ring.length;

    for (let value = 0; value < 1000; value++) {
      putFree(list, value);
      if (list.size === room) takeFree(list);
    }

    expect(list.ring.length).toBe(room);
  });

  it("does as a plain queue does, whatever the order of puts and takes", () => {
    const list = createFreeList();
    const queue: number[] = [];
    const dice = createDice(11);
    const taken: number[] = [];
    const expected: number[] = [];

    for (let step = 0; step < 20_000; step++) {
      if (queue.length > 0 && dice.chance(0.48)) {
        taken.push(takeFree(list));
        expected.push(queue.shift()!);
      } else {
        putFree(list, step);
        queue.push(step);
      }
    }

    expect(taken).toEqual(expected);
    expect(takeAll(list)).toEqual(queue);
  });
});
