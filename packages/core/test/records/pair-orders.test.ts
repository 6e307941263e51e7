import { describe, expect, it } from "vitest";
import { forgetPairs, keepOrder, type PairOrders } from "../../src/records/pair-records.ts";

/** Pairs 1 to 9 are of relation 100, 10 to 19 of relation 200. */
const relationOf = Int32Array.from({ length: 20 }, (_, pair) => (pair < 10 ? 100 : 200));

function keep(...order: number[]): PairOrders {
  const orders: PairOrders = new Map();
  keepOrder(orders, relationOf, 7, order);
  return orders;
}

describe("orders of adding", () => {
  it("are not kept where numbers give the same order, relation by relation", () => {
    expect(
      [keep(1, 2, 5), keep(), keep(3), keep(5, 11), keep(11, 5), keep(2, 15, 3, 12)].map((one) => one.size),
    ).toEqual([0, 0, 0, 0, 0, 1]);
    expect([keep(12, 2, 13, 3).size, keep(13, 2, 12, 3).size]).toEqual([0, 1]);
  });

  it("are kept where numbers give another order", () => {
    expect(keep(2, 1).get(7)).toEqual([2, 1]);
  });

  it("are dropped as soon as numbers give the same order again", () => {
    const orders = keep(2, 1);

    keepOrder(orders, relationOf, 7, [1, 2]);

    expect(orders.size).toBe(0);
  });

  it("lose pairs that are lost, and the others stay in order", () => {
    const orders = keep(5, 1, 3);

    forgetPairs(orders, relationOf, 7, [1, 8]);
    expect(orders.get(7)).toEqual([5, 3]);
    forgetPairs(orders, relationOf, 7, [5]);
    expect(orders.size).toBe(0);
  });

  it("of entities without one stay unwritten", () => {
    const orders: PairOrders = new Map();

    forgetPairs(orders, relationOf, 7, [1]);

    expect(orders.size).toBe(0);
  });
});
