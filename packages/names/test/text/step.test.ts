import { describe, expect, it } from "vitest";
import { escapeName } from "../../src/index.ts";
import {
  createStep,
  DEFAULT_SEPARATOR,
  hashOfName,
  indexInStep,
  leadOf,
  readStep,
  stepOfIndex,
  unescapedStep,
} from "../../src/text/step.ts";
import { createDice, nameFrom } from "../dice.ts";

const SEPARATOR = DEFAULT_SEPARATOR.text;

/** The names in a path, read step by step. */
function namesIn(path: string): string[] {
  const step = createStep();
  const names: string[] = [];
  let start = leadOf(path, DEFAULT_SEPARATOR);
  for (; ; start = step.end + SEPARATOR.length) {
    readStep(path, start, DEFAULT_SEPARATOR, step);
    names.push(unescapedStep(path, start, step.end));
    if (step.end === path.length) return names;
  }
}

describe("escapeName", () => {
  it.each([
    ["Ship", "Ship"],
    ["a.b c", "a.b c"],
    ["a\\b", "a\\\\b"],
    ["a:b", "a:b"],
    ["a::b", "a\\:\\:b"],
    ["a:::b", "a\\:\\:\\:b"],
    [":", "\\:"],
    ["::", "\\:\\:"],
    [":a", "\\:a"],
    ["a:", "a\\:"],
    ["a\\:b", "a\\\\:b"],
    ["#12", "\\#12"],
    ["#", "\\#"],
    ["a#12", "a#12"],
    ["a:\n", "a:\n"],
    ["🚀 \ud800 '\"", "🚀 \ud800 '\""],
    ["__proto__", "__proto__"],
  ])("writes %j as %j", (name, step) => {
    expect(escapeName(name)).toBe(step);
  });

  it("is undone by reading the step, whatever the name", () => {
    const dice = createDice(1);
    for (let round = 0; round < 1_500; round++) {
      const name = nameFrom(dice);
      expect(namesIn(escapeName(name))).toEqual([name]);
    }
  });

  it("keeps names apart that are joined by the separator", () => {
    const dice = createDice(2);
    for (let round = 0; round < 1_500; round++) {
      const names = Array.from({ length: 1 + dice.below(5) }, () => nameFrom(dice));
      const path = names.map((name) => escapeName(name)).join(SEPARATOR);
      expect(namesIn(path)).toEqual(names);
      expect(namesIn(SEPARATOR + path)).toEqual(names);
    }
  });

  it.each(["", undefined, null, 7, {}, Symbol("a"), Object.create(null)])(
    "refuses what is not a name",
    (name) => {
      expect(() => escapeName(name as string)).toThrow(expect.objectContaining({ code: "bad-name" }));
    },
  );
});

describe("a path", () => {
  it.each([
    ["Ship", ["Ship"]],
    ["Ship::Cockpit::Seat", ["Ship", "Cockpit", "Seat"]],
    ["::Ship::Cockpit", ["Ship", "Cockpit"]],
    ["a:b::c", ["a:b", "c"]],
    [":a", [":a"]],
    ["a:", ["a:"]],
    ["a:::b", ["a", ":b"]],
    ["a\\:::b", ["a:", "b"]],
    ["a\\::b", ["a::b"]],
    ["a\\:\\:b", ["a::b"]],
    ["\\a\\\\", ["a\\"]],
    ["\\\n", ["\n"]],
    ["\\#1", ["#1"]],
  ])("%j has the steps %j", (path, names) => {
    expect(namesIn(path)).toEqual(names);
  });

  it.each([
    ["", "character 0"],
    ["::", "character 2"],
    ["::::a", "character 2"],
    ["a::", "character 3"],
    ["a::::b", "character 3"],
    ["a::b::", "character 6"],
    ["\\", "character 0"],
    ["a\\", "character 1"],
    ["a::b\\", "character 4"],
  ])("%j is refused, and the place is shown: %s", (path, place) => {
    expect(() => namesIn(path)).toThrow(expect.objectContaining({ code: "bad-path" }));
    expect(() => namesIn(path)).toThrow(place);
    expect(() => namesIn(path)).toThrow(JSON.stringify(path));
  });

  it("is shown in part when it is long", () => {
    const long = "x".repeat(1_000);

    expect(() => namesIn(`${long}::::${long}`)).toThrow(
      `path "...${"x".repeat(28)}::::${"x".repeat(28)}...", character 1002`,
    );
  });

  it("is read with the hash that its names have", () => {
    const path = "Ship::Cockpit";
    const step = createStep();

    readStep(path, 6, DEFAULT_SEPARATOR, step);

    expect(step).toEqual({ end: 13, hash: hashOfName("Cockpit"), isSpecial: false });
  });

  it("says which steps need a closer check", () => {
    const step = createStep();
    const isSpecial = (path: string): boolean => {
      readStep(path, 0, DEFAULT_SEPARATOR, step);
      return step.isSpecial;
    };

    expect(["#1", "#", "a\\b", "a::\\b", "a#", "a"].map(isSpecial)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("the step of an entity without a name", () => {
  it("is # and its index", () => {
    expect(stepOfIndex(12)).toBe("#12");
    expect(indexInStep("#12", 0, 3)).toBe(12);
    expect(indexInStep("a::#7::b", 3, 5)).toBe(7);
  });

  it.each(["#", "#a", "#12x", "12", "#-1", "#1.5", "# 1", "#1e3"])("is not %j", (step) => {
    expect(indexInStep(step, 0, step.length)).toBe(-1);
  });
});
