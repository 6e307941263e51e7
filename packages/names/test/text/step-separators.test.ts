import { describe, expect, it } from "vitest";
import { escapeName } from "../../src/index.ts";
import { hashOfName, mayNeedEscape, readSteps, separatorFrom, stepOf } from "../../src/text/step.ts";
import { createDice, hostileNameFrom, SEPARATORS } from "../dice.ts";

describe.each(SEPARATORS)("between steps is %j:", (separator) => {
  const taken = separatorFrom(separator);
  const escaped = (name: string): string => escapeName(name, { separator });

  it("an escaped name is one step, which has that name", () => {
    const dice = createDice(11);
    for (let round = 0; round < 100; round++) {
      const name = hostileNameFrom(dice, separator);

      expect(readSteps(escaped(name), taken)).toEqual([name]);
      expect(readSteps(separator + escaped(name), taken)).toEqual([name]);
    }
  });

  it("names that are escaped and joined stay apart, whichever is first, last and between", () => {
    const dice = createDice(12);
    for (let round = 0; round < 100; round++) {
      const names = Array.from({ length: 2 + dice.below(3) }, () => hostileNameFrom(dice, separator));
      const path = names.map(escaped).join(separator);

      expect(readSteps(path, taken)).toEqual(names);
      expect(readSteps(separator + path, taken)).toEqual(names);
    }
  });

  it("a backslash is put only where it is needed", () => {
    const dice = createDice(13);
    for (let round = 0; round < 100; round++) {
      const name = hostileNameFrom(dice, separator).slice(0, 50);

      expect(escaped(name)).toBe(naiveStep(name, separator));
    }
  });

  it("a name without special characters is its own step", () => {
    const dice = createDice(14);
    for (let round = 0; round < 100; round++) {
      const name = hostileNameFrom(dice, separator).slice(0, 50);

      if (!mayNeedEscape(name, taken)) expect(stepOf(name, taken)).toBe(name);
    }
  });

  it("a path of separators alone has an empty step", () => {
    for (const count of [1, 2, 3, 4]) {
      expect(() => readSteps(separator.repeat(count), taken)).toThrow("a step is empty");
    }
  });
});

/** Follows the rule literally, character by character: is it part of a separator if the name is between two? */
function naiveStep(name: string, separator: string): string {
  const between = separator + name + separator;
  const end = separator.length + name.length;
  let step = "";
  for (let at = separator.length; at < end; at++) {
    const sign = between.charAt(at);
    let isPart = false;
    for (let first = at - separator.length + 1; first <= at; first++) {
      // The two separators themselves are not tested.
      if (first > 0 && first < end && between.startsWith(separator, first)) isPart = true;
    }
    const isLeading = sign === "#" && at === separator.length;
    step += isPart || isLeading || sign === "\\" ? `\\${sign}` : sign;
  }
  return step;
}

describe("escapeName with a separator", () => {
  it.each([
    [".", "a.b", "a\\.b"],
    [".", "a::b", "a::b"],
    ["/", "/a/", "\\/a\\/"],
    ["->", "a->b", "a\\-\\>b"],
    ["->", "a-b>c", "a-b>c"],
    ["->", "a-", "a-"],
    ["->", ">a", ">a"],
    ["aa", "a", "\\a"],
    ["aa", "ba", "b\\a"],
    ["aba", "ab", "\\a\\b"],
    ["aba", "ba", "\\b\\a"],
    ["aba", "xbax", "xbax"],
    ["aba", "b", "\\b"],
    ["aba", "bb", "bb"],
    ["abXab", "X", "\\X"],
    ["abXab", "Xa", "Xa"],
    ["....", "...", "\\.\\.\\."],
    ["....", "x...x", "x...x"],
    ["🚀", "🚀🚁", "\\\ud83d\\\ude80🚁"],
    ["\ud83d", "🚀", "\\\ud83d\ude80"],
    [" ", "a b", "a\\ b"],
    ["\n", "a\nb", "a\\\nb"],
  ])("%j writes %j as %j", (separator, name, step) => {
    expect(escapeName(name, { separator })).toBe(step);
  });

  it("uses :: if it is undefined", () => {
    expect(escapeName("a::b.c", { separator: undefined })).toBe("a\\:\\:b.c");
    expect(escapeName("a::b.c", {})).toBe("a\\:\\:b.c");
  });

  it("is fast for a long name of separators", () => {
    const name = "ab".repeat(50_000);

    const step = escapeName(name, { separator: "abab" });

    expect(step.length).toBe(200_000);
    expect(readSteps(step, separatorFrom("abab"))).toEqual([name]);
  });
});

describe("steps as readSteps returns them", () => {
  it.each([
    ["#12", [12]],
    ["#0", [0]],
    ["#007", ["#007"]],
    ["#00", ["#00"]],
    ["::#12", [12]],
    ["a::#12::b", ["a", 12, "b"]],
    ["#", ["#"]],
    ["#12x", ["#12x"]],
    ["\\#12", ["#12"]],
    ["#\\12", ["#12"]],
    ["12", ["12"]],
    ["#１２", ["#１２"]],
  ])("%j are %j", (path, steps) => {
    expect(readSteps(path, separatorFrom("::"))).toEqual(steps);
  });
});

describe("the hash of a name", () => {
  it("distinguishes texts of one character", () => {
    const hashes = new Set(
      Array.from({ length: 0x10000 }, (_, code) => hashOfName(String.fromCharCode(code))),
    );

    expect(hashes.size).toBe(0x10000);
  });
});
