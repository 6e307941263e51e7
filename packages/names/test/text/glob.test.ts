import { describe, expect, it } from "vitest";
import { globTest } from "../../src/text/pattern.ts";
import { unescapedStep } from "../../src/text/step.ts";
import { createDice, type Dice } from "../dice.ts";

const literalOf = (glob: string): string | undefined =>
  globTest(glob) === undefined ? unescapedStep(glob, 0, glob.length) : undefined;
const matches = (glob: string, text: string): boolean =>
  globTest(glob)?.test(text) ?? literalOf(glob) === text;

/** Follows the rules literally, character by character, and tries everything. */
function naive(glob: readonly string[], text: readonly string[]): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return text.length === 0;
  if (first === "*") return naive(rest, text) || (text.length > 0 && naive(glob, text.slice(1)));
  if (text.length === 0) return false;
  if (first === "?") return naive(rest, text.slice(1));
  if (first === "\\") return rest[0] === text[0] && naive(rest.slice(1), text.slice(1));
  return first === text[0] && naive(rest, text.slice(1));
}

const text = (dice: Dice, signs: readonly string[], most: number): string =>
  Array.from({ length: dice.below(most + 1) }, () => dice.pick(signs)).join("");

describe("a glob", () => {
  it.each([
    ["", "", true],
    ["", "a", false],
    ["a", "a", true],
    ["a", "ab", false],
    ["b", "ab", false],
    ["a", "A", false],
    ["*", "", true],
    ["*", "a\nb", true],
    ["?", "", false],
    ["?", "\n", true],
    ["?", "ab", false],
    ["a*", "a", true],
    ["*a", "ba", true],
    ["*a", "ab", false],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["*a*", "bab", true],
    ["a*b*c", "a--b--c", true],
    ["a*b*c", "a--c--b", false],
    ["*ab", "aab", true],
    ["*aab", "aaaab", true],
    ["?*", "", false],
    ["*?", "a", true],
    ["??*", "a", false],
    ["***", "", true],
    ["*.ts", "a.ts.ts", true],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["\\?", "?", true],
    ["\\?", "a", false],
    ["\\\\", "\\", true],
    ["\\a", "a", true],
    ["a\\**", "a*bc", true],
    ["[a]", "a", false],
    ["[a]", "[a]", true],
    ["{a,b}", "a", false],
    ["a.c", "abc", false],
    ["^a$", "a", false],
  ])("%j and the text %j: %s", (glob, name, result) => {
    expect(matches(glob, name)).toBe(result);
  });

  it("matches as trying everything does", () => {
    const dice = createDice(21);
    const wrong: string[][] = [];
    let yes = 0;
    for (let round = 0; round < 4_000; round++) {
      const glob = text(dice, ["*", "?", "a", "a", "b", "🚀", "\\*", "\\?", "\\\\", "\\a"], 7);
      const name = text(dice, ["a", "a", "a", "b", "🚀", "*", "?", "\\"], 7);
      const result = naive([...glob], [...name]);

      if (matches(glob, name) !== result) wrong.push([glob, name]);
      if (result) yes++;
    }
    expect(wrong).toEqual([]);
    expect(yes).toBeGreaterThan(120);
  });

  it("matches when its wildcards replace parts of the text", () => {
    const dice = createDice(22);
    const wrong: string[][] = [];
    for (let round = 0; round < 2_000; round++) {
      const signs = Array.from({ length: 1 + dice.below(12) }, () =>
        dice.pick(["a", "b", "🚀", "é", "*", "\\"]),
      );
      const glob = signs
        .map(
          (sign) =>
            ["*", "?", `*${sign === "*" || sign === "\\" ? `\\${sign}` : sign}`, `\\${sign}`][dice.below(4)],
        )
        .join("");

      if (!matches(glob, signs.join(""))) wrong.push([glob, ...signs]);
    }
    expect(wrong).toEqual([]);
  });
});

describe("a question mark", () => {
  it.each(["🚀", "é", "\u{10ffff}", "\0", "\u2028", "\ud83d", "\ude80"])(
    "matches the one character %j",
    (name) => {
      expect([matches("?", name), matches("??", name)]).toEqual([true, false]);
    },
  );

  it("matches one of several that are shown as one", () => {
    expect([matches("?", "e\u0301"), matches("??", "e\u0301")]).toEqual([false, true]);
    expect([matches("?", "👩‍🚀"), matches("???", "👩‍🚀")]).toEqual([false, true]);
  });

  it("matches halves in the wrong order one by one", () => {
    expect([matches("?", "\ude80\ud83d"), matches("??", "\ude80\ud83d")]).toEqual([false, true]);
    expect([matches("?", "\ud83d\ud83d"), matches("??", "\ud83d\ud83d")]).toEqual([false, true]);
    expect([matches("?", "\ud83da"), matches("??", "\ud83da")]).toEqual([false, true]);
  });

  it("is not half a character behind a star", () => {
    expect(matches("*??", "🚀")).toBe(false);
    expect(matches("?*?", "🚀")).toBe(false);
    expect(matches("a*??", "a🚀")).toBe(false);
    expect(matches("*?🚀", "🚀")).toBe(false);
  });
});

describe("the work of a glob", () => {
  it.each([
    ["*a".repeat(40), 100],
    ["*a".repeat(40), 100_000],
    [`${"a*".repeat(1_000)}b`, 20_000],
    [`${"*?".repeat(500)}b`, 20_000],
    [`${"*".repeat(100_000)}b`, 20_000],
    [`*${"a".repeat(100)}b`, 100_000],
  ])("does not explode, in whatever text of one letter (glob %#)", (glob, length) => {
    const isHopeless = glob.endsWith("b");

    expect(matches(glob, "a".repeat(length))).toBe(!isHopeless);
  });
});

describe("the literal text of a glob", () => {
  it("exists if it has no wildcards", () => {
    expect(literalOf("a\\*b\\\\")).toBe("a*b\\");
    expect(literalOf("a")).toBe("a");
  });

  it("does not exist with a wildcard", () => {
    for (const glob of ["a*", "?", "*", "a?b"]) expect(literalOf(glob)).toBeUndefined();
  });

  it("treats several stars as one", () => {
    expect(globTest("a***b?**")).toEqual(globTest("a*b?*"));
    expect([matches("a*\\*", "ab*"), matches("a*\\*", "ab")]).toEqual([true, false]);
  });
});
