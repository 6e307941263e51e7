import { describe, expect, it } from "vitest";
import { INDEX_MASK, LAST_GENERATION } from "../../src/base/limits.ts";
import { generationOf, handleOf, indexOf } from "../../src/id/entity.ts";

describe("a handle", () => {
  it("is generation * 2^24 + index", () => {
    expect(handleOf(5, 3)).toBe(3 * 2 ** 24 + 5);
  });

  it.each([
    [1, 1],
    [1, LAST_GENERATION],
    [INDEX_MASK, 1],
    [INDEX_MASK, LAST_GENERATION],
    [2 ** 23, 2 ** 28 + 1],
    [12_345_678, 87_654_321],
  ])("returns index %i and generation %i", (index, generation) => {
    const handle = handleOf(index, generation);

    expect([indexOf(handle), generationOf(handle)]).toEqual([index, generation]);
  });

  it("goes up to 2^53 - 1, so that every handle is an exact number", () => {
    expect(handleOf(INDEX_MASK, LAST_GENERATION)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("distinguishes two generations of an index", () => {
    expect(handleOf(7, 2)).not.toBe(handleOf(7, 3));
  });

  it.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MIN_SAFE_INTEGER])(
    "returns an index that can be looked up even for %d, which is not a handle",
    (number) => {
      const index = indexOf(number);

      expect(Number.isInteger(index) && index >= 0 && index <= INDEX_MASK).toBe(true);
    },
  );
});
