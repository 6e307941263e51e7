import { describe, expect, it } from "vitest";
import { diceOf, randomCallback } from "./same/random.ts";
import { caseOf, expectSame, QUERIES } from "./same/same.ts";

const SEEDS = 20 * Number(process.env.TREELINE_WALKS ?? 1);

describe("a random callback does the same, compiled", () => {
  it.each(Array.from({ length: SEEDS }, (_, seed) => seed))("seed %i", (seed) => {
    const roll = diceOf(seed);
    const names = Array.from({ length: 3 }, () => QUERIES[roll(QUERIES.length)]!);

    expectSame(caseOf(randomCallback(seed)), names, seed % 2 === 0);
  });

  it("is nearly always compiled", () => {
    const cases = Array.from({ length: 100 }, (_, seed) => caseOf(randomCallback(seed)));

    expect(cases.filter(({ isCompiled }) => isCompiled).length).toBeGreaterThan(80);
  });
});
