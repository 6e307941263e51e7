import { describe, expect, it } from "vitest";
import { CORPUS } from "./same/corpus.ts";
import { caseOf, expectSame, QUERIES } from "./same/same.ts";
import { TYPED } from "./same/typed.ts";

/** Each callback goes with some of the queries, and every second one while changes are tracked; with `TREELINE_WALKS` with all. */
const PART = process.env.TREELINE_WALKS ? 1 : 18;

describe("a compiled callback does the same as the one that is written", () => {
  const all = [...CORPUS.map((text) => [text, "js"] as const), ...TYPED.map((text) => [text, "ts"] as const)];

  it.each(all.map((one, number) => [...one, number] as const))("%s", (text, language, number) => {
    const one = caseOf(text, false, language);

    const names = QUERIES.filter((_, place) => (place + number) % PART === 0);
    const both = PART === 1 || language === "ts";
    for (const tracks of both ? [false, true] : [number % 2 === 0]) expectSame(one, names, tracks);
  });

  it("has 200 callbacks, most of which are compiled", () => {
    const cases = CORPUS.map((text) => caseOf(text));

    expect(CORPUS.length).toBeGreaterThanOrEqual(200);
    expect(cases.filter(({ isCompiled }) => isCompiled).length).toBeGreaterThan(150);
  });
});
