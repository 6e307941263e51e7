import { describe, expect, it } from "vitest";
import { HolderShapes, withShape } from "../../../src/query/batches/chunks.ts";

function numberOf(lists: HolderShapes, ...shapes: number[]): number {
  return shapes.reduce((before, shape) => withShape(lists, before, shape), 0);
}

describe("a list of holders' shapes", () => {
  it("has the same number as an equal one, and another than all others", () => {
    const lists = new HolderShapes();
    const all = [
      [1, 2, 3],
      [3, 2, 1],
      [1, 2, -1],
      [-1, 2, 3],
      [0, 0, 0],
      [-1, -1, -1],
      [2 ** 21, 0, 2 ** 21],
    ];

    const first = all.map((shapes) => numberOf(lists, ...shapes));

    expect(new Set(first).size).toBe(all.length);
    expect(all.map((shapes) => numberOf(lists, ...shapes))).toEqual(first);
  });

  it("is read by its number", () => {
    const lists = new HolderShapes();
    for (let shape = 0; shape < 100; shape++) numberOf(lists, shape, shape + 1);

    const number = numberOf(lists, 40, -1, 7);

    expect(lists.lists[number]).toEqual([40, -1, 7]);
  });
});
