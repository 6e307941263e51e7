import { describe, expect, it } from "vitest";
import { CORPUS } from "./same/corpus.ts";
import { caseOf, expectSame, QUERIES } from "./same/same.ts";

/** Each callback goes with some of the queries, and every second one while changes are tracked; with `TREELINE_WALKS` with all. */
const PART = process.env.TREELINE_WALKS ? 1 : 18;

describe("a compiled callback does the same as the one that is written", () => {
  it.each(CORPUS.map((text, number) => [text, number] as const))("%s", (text, number) => {
    const one = caseOf(text);

    const names = QUERIES.filter((_, place) => (place + number) % PART === 0);
    for (const tracks of PART === 1 ? [false, true] : [number % 2 === 0]) expectSame(one, names, tracks);
  });

  it("has 200 callbacks, most of which are compiled", () => {
    const cases = CORPUS.map((text) => caseOf(text));

    expect(CORPUS.length).toBeGreaterThanOrEqual(200);
    expect(cases.filter(({ isCompiled }) => isCompiled).length).toBeGreaterThan(150);
  });
});
