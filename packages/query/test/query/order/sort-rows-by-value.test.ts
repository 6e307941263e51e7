import { component, createWorld, f64 } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { orderBy } from "../../../src/index.ts";
import { Sorting } from "../../../src/query/lists/ordering.ts";
import { MISSING, sortPlaces } from "../../../src/query/order/sort-rows.ts";
import type { Order } from "../../../src/term/plan.ts";
import { readTerms } from "../../../src/term/read.ts";
import { createDice, seeds } from "../../random/dice.ts";

const Key = component("Key", { of: f64 });
const Item = component<number>("Item");

const byKey = readTerms(createWorld(), [orderBy(Key, "of")]).plan.orders;

/** Rows with these keys, whose entities have the indexes 1, 2 ... */
function sortingOf(keys: readonly number[]): Sorting {
  const sorting = new Sorting(new Int32Array(0), keys.length, 1);
  keys.forEach((key, place) => {
    sorting.keys[0]!.numbers[place] = key;
    sorting.handles[place] = place + 1;
    sorting.order[place] = place;
  });
  return sorting;
}

/** The same by comparing values, with a count of comparisons. */
function counted(values: readonly number[]): {
  sorting: Sorting;
  orders: readonly Order[];
  calls: () => number;
} {
  let calls = 0;
  const compare = (one: number, other: number): number => {
    calls++;
    return one - other;
  };
  const { orders } = readTerms(createWorld(), [orderBy(Item, compare)]).plan;
  const sorting = sortingOf(values);
  sorting.keys[0]!.values.push(...values);
  return { sorting, orders, calls: () => calls };
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

describe("sorting rows", () => {
  it.each<[text: string, keys: number[]]>([
    ["none", []],
    ["one", [5]],
    ["in order", upTo(50)],
    ["reversed", upTo(50).reverse()],
    ["all equal", upTo(50).map(() => 3)],
    ["a saw", upTo(60).map((at) => at % 7)],
    ["an organ pipe", [...upTo(30), ...upTo(30).reverse()]],
    ["two halves changed round", [...upTo(40).map((at) => at + 40), ...upTo(40)]],
    ["one out of place at the end", [...upTo(100), 50]],
    ["one out of place at the beginning", [50, ...upTo(100)]],
  ])("returns the order of a stable sort: %s", (_, keys) => {
    const sorting = sortingOf(keys);

    sortPlaces(sorting, byKey);

    expect(sorting.order).toEqual(
      upTo(keys.length).sort((one, other) => keys[one]! - keys[other]! || one - other),
    );
  });

  it.each(seeds(1, 3))("returns the order of a plain sort, wherever it begins: seed %i", (seed) => {
    const dice = createDice(seed);
    for (let round = 0; round < 60; round++) {
      const count = dice.below(300);
      const sorting = sortingOf(upTo(count).map(() => dice.below(1 + dice.below(100))));
      for (let place = 0; place < count; place++) {
        sorting.ranks[place] = dice.below(3);
        sorting.layers[place] = dice.below(3);
        sorting.keys[0]!.marks[place] = dice.below(2) * MISSING;
        sorting.handles[place] = 1 + dice.below(50);
      }
      for (let at = count - 1; at > 0; at--) {
        const other = dice.below(at + 1);
        const place = sorting.order[at]!;
        sorting.order[at] = sorting.order[other]!;
        sorting.order[other] = place;
      }

      sortPlaces(sorting, byKey);

      const { ranks, layers, keys, handles } = sorting;
      const lists = [ranks, layers, keys[0]!.marks, keys[0]!.numbers, handles];
      const naive = upTo(count).sort((one, other) => {
        for (const list of lists) if (list[one] !== list[other]) return list[one]! - list[other]!;
        return one - other;
      });
      expect(sorting.order).toEqual(naive);
    }
  });

  it("compares once a row if all is in order", () => {
    const { sorting, orders, calls } = counted(upTo(1000));

    sortPlaces(sorting, orders);

    expect(calls()).toBe(999);
  });

  it("compares few more if a few are out of place", () => {
    const values = upTo(10_000);
    for (const at of [17, 4_000, 9_990]) values[at] = 5_000.5 + at / 10_000;
    const { sorting, orders, calls } = counted(values);

    sortPlaces(sorting, orders);

    expect(sorting.order.map((place) => values[place]!)).toEqual(
      values.toSorted((one, other) => one - other),
    );
    expect(calls()).toBeLessThan(40_000);
  });

  it("compares about n log n times in the worst case", () => {
    const dice = createDice(7);
    const { sorting, orders, calls } = counted(upTo(4096).map(() => dice.below(1_000_000)));

    sortPlaces(sorting, orders);

    expect(calls()).toBeLessThan(4096 * 14);
  });

  it("ends with a comparison that contradicts itself, each row listed once", () => {
    const dice = createDice(3);
    const { orders } = readTerms(createWorld(), [orderBy(Item, () => dice.below(3) - 1)]).plan;
    const sorting = sortingOf(upTo(500));

    sortPlaces(sorting, orders);

    expect(sorting.order.toSorted((one, other) => one - other)).toEqual(upTo(500));
  });
});
