import { describe, expect, it } from "vitest";
import { createHolderShapes, shapeFromEnd, withShape } from "../../../src/query/batches/chunks.ts";

function numberOf(lists: ReturnType<typeof createHolderShapes>, ...shapes: number[]): number {
  return shapes.reduce((before, shape) => withShape(lists, before, shape), 0);
}

describe("a list of holders' shapes", () => {
  it("has the same number as an equal one, and another than all others", () => {
    const lists = createHolderShapes();
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

  it("is read from its end", () => {
    const lists = createHolderShapes();
    for (let shape = 0; shape < 100; shape++) numberOf(lists, shape, shape + 1);

    const number = numberOf(lists, 40, -1, 7);

    expect([0, 1, 2].map((places) => shapeFromEnd(lists, number, places))).toEqual([7, -1, 40]);
  });
});
