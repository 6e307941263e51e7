import { describe, expect, it } from "vitest";
import { escapePattern, type Pattern } from "../../src/index.ts";
import { matchesStep, type PatternStep, readPattern } from "../../src/text/pattern.ts";
import { createStep, DEFAULT_SEPARATOR, separatorFrom } from "../../src/text/step.ts";
import { createDice, hostileNameFrom, SEPARATORS } from "../dice.ts";
import { codeOf } from "../fleet.ts";

const read = (pattern: Pattern, separator = DEFAULT_SEPARATOR): PatternStep[] =>
  readPattern(pattern, 0, separator, createStep());
const kinds = (pattern: Pattern): string[] => read(pattern).map(({ kind }) => kind);

describe("a pattern as text", () => {
  it.each([
    ["Ship", ["name"]],
    ["Ship::*", ["name", "any"]],
    ["**::Gun?", ["deep", "glob"]],
    ["*::**::*", ["any", "deep", "any"]],
    ["***", ["glob"]],
    ["a**", ["glob"]],
    ["**a::b", ["glob", "name"]],
    ["?", ["glob"]],
    ["#12::#", ["index", "name"]],
    ["#12*", ["glob"]],
    ["#12?::#12x", ["glob", "name"]],
    ["\\*::\\*\\*::\\?", ["name", "name", "name"]],
    ["*\\*", ["glob"]],
    ["a\\::b", ["name"]],
    ["a\\:\\:*", ["glob"]],
    ["\\#12", ["name"]],
  ])("%j has steps of the kinds %j", (pattern, expected) => {
    expect(kinds(pattern)).toEqual(expected);
  });

  it("has the names without their escapes", () => {
    expect(read("a\\:\\:b::\\*\\\\::\\#1")).toEqual([
      { kind: "name", name: "a::b" },
      { kind: "name", name: "*\\" },
      { kind: "name", name: "#1" },
    ]);
  });

  it.each(["", "::", "a::", "a::::b", "*::", "::**", "a\\", "*\\", "**::\\"])("%j is refused", (pattern) => {
    expect(codeOf(() => read(pattern))).toBe("bad-path");
  });

  it.each([undefined, null, 7, {}, /a/, new Set(["a"])])("is a string or a list, not %s", (pattern) => {
    expect(codeOf(() => read(pattern as Pattern))).toBe("bad-path");
  });
});

describe("a pattern as list", () => {
  it("has a step for each of its items, separators or not", () => {
    expect(read(["a::b", "*", "**", "a?"]).map(({ kind }) => kind)).toEqual(["name", "any", "deep", "glob"]);
    expect(read(["a::b", "::"])).toEqual([
      { kind: "name", name: "a::b" },
      { kind: "name", name: "::" },
    ]);
  });

  it("has backslashes that make the next character literal", () => {
    expect(read(["\\*", "\\#12", "a\\\\"])).toEqual([
      { kind: "name", name: "*" },
      { kind: "name", name: "#12" },
      { kind: "name", name: "a\\" },
    ]);
  });

  it.each([
    [[""], "step 0 (from 0) of the pattern is empty"],
    [["a", ""], "step 1"],
    [["a", 7], "neither text nor RegExp but 7"],
    [["a", null], "null"],
    [[undefined], "undefined"],
    [["a\\"], "cut off after a backslash"],
    [["\\"], "cut off"],
    [["\\\\\\"], "cut off"],
    [["a", "*\\"], "step 1"],
  ])("%j is refused: %s", (pattern, why) => {
    expect(codeOf(() => read(pattern as string[]))).toBe("bad-path");
    expect(() => read(pattern as string[])).toThrow(why);
  });

  it.each(["\\\\", "a\\\\\\\\", "\\\n", "\\a"])("accepts %j, whose backslashes are complete", (step) => {
    expect(read([step])).toHaveLength(1);
  });

  it("checks a long row of backslashes at once", () => {
    expect(read(["\\".repeat(100_000)])).toHaveLength(1);
    expect(codeOf(() => read(["a\\".repeat(50_000)]))).toBe("bad-path");
  });
});

describe("a regular expression in a pattern", () => {
  it.each(["", "g", "y", "gy", "i", "giy", "u", "su", "m"])(
    "with the flags %j results the same again",
    (flags) => {
      const [step] = read([new RegExp("n 1", flags)]);

      const results = Array.from({ length: 4 }, () => matchesStep(step!, 1, "Gun 1"));

      expect(results).toEqual([true, true, true, true]);
    },
  );

  it("keeps the flags without state", () => {
    const [blind, exact] = read([/^gun/giy, /^gun/y]);

    expect([matchesStep(blind!, 1, "GUN"), matchesStep(exact!, 1, "GUN")]).toEqual([true, false]);
  });

  it("is left as it was given, with its lastIndex", () => {
    const mine = /a/g;
    mine.lastIndex = 5;

    const [step] = read([mine]);
    matchesStep(step!, 1, "aaa");

    expect([mine.lastIndex, mine.flags]).toEqual([5, "g"]);
  });

  it("matches no entity without a name", () => {
    const [step] = read([/.*/]);

    expect([matchesStep(step!, 1, undefined), matchesStep(step!, 1, "a")]).toEqual([false, true]);
  });
});

describe("a step", () => {
  it("* alone matches any entity; a glob matches entities with names", () => {
    const [any, glob] = read("*::**a*");

    expect([matchesStep(any!, 1, undefined), matchesStep(any!, 1, "x")]).toEqual([true, true]);
    expect([matchesStep(glob!, 1, undefined), matchesStep(glob!, 1, "bab")]).toEqual([false, true]);
  });

  it("#12 matches the entity with that index, whatever the name", () => {
    const [step] = read("#12");

    expect([
      matchesStep(step!, 12, undefined),
      matchesStep(step!, 12, "a"),
      matchesStep(step!, 13, "#12"),
    ]).toEqual([true, true, false]);
  });

  it("that is a name matches the entities with that name, and no others", () => {
    const [step] = read("Gun");

    expect(["Gun", "gun", "Gun ", undefined].map((name) => matchesStep(step!, 1, name))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("escapePattern", () => {
  it.each([
    ["Gun", "Gun"],
    ["Gun?", "Gun\\?"],
    ["*", "\\*"],
    ["**", "\\*\\*"],
    ["a::*", "a\\:\\:\\*"],
    ["#12", "\\#12"],
    ["\\*", "\\\\\\*"],
  ])("writes %j as %j", (name, step) => {
    expect(escapePattern(name)).toBe(step);
  });

  it.each(SEPARATORS)("is undone by reading, with %j between steps", (separator) => {
    const dice = createDice(23);
    const taken = separatorFrom(separator);
    for (let round = 0; round < 100; round++) {
      const names = Array.from({ length: 1 + dice.below(3) }, () => hostileNameFrom(dice, separator));
      const steps = names.map((name) => escapePattern(name, { separator }));

      const meant = names.map((name) => ({ kind: "name", name }));
      expect(read(steps.join(separator), taken)).toEqual(meant);
      expect(read(steps, taken)).toEqual(meant);
    }
  });

  it("may be next to wildcards", () => {
    const [step] = read(`*${escapePattern("a*b")}?`);

    expect(step!.kind).toBe("glob");
    expect([matchesStep(step!, 1, "xa*bx"), matchesStep(step!, 1, "xaxbx")]).toEqual([true, false]);
  });

  it.each(["", undefined, null, 7, {}])("refuses %j, which is not a name", (name) => {
    expect(codeOf(() => escapePattern(name as string))).toBe("bad-name");
  });
});
