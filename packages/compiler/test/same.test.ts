import { describe, expect, it } from "vitest";
import { CORPUS } from "./same/corpus.ts";
import { caseOf, expectSame, outcomes, QUERIES } from "./same/same.ts";
import { TYPED } from "./same/typed.ts";

/** Each callback goes with one of the queries, and every second one while changes are tracked; in a long run with all. */
const PART = Number(process.env.TREELINE_WALKS ?? 1) > 1 ? 1 : 36;

describe("a compiled callback does the same as the one that is written", () => {
  const cases = CORPUS.map((text) => caseOf(text));
  const all = [...cases, ...TYPED.map((text) => caseOf(text, false, "ts"))];

  it.each(all.map((one, number) => [one.text, one, number] as const))("%s", (_, one, number) => {
    const names = QUERIES.filter((_, place) => (place + number) % PART === 0);
    const both = PART === 1 || number >= cases.length;
    for (const tracks of both ? [false, true] : [number % 2 === 0]) expectSame(one, names, tracks);
  });

  it("but for a few that only development builds refuse", () => {
    const { same, refused } = outcomes;

    expect(refused).toBeLessThanOrEqual(process.env.TREELINE_BUILD === "shipped" ? 0 : same / 10);
  });

  it("has 200 callbacks, most of which are compiled", () => {
    expect(CORPUS.length).toBeGreaterThanOrEqual(200);
    expect(cases.filter(({ isCompiled }) => isCompiled).length).toBeGreaterThan(150);
  });
});
