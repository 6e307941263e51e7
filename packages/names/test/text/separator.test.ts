import { createWorld, spawn } from "@treeline/core";
import { describe, expect, it } from "vitest";
import {
  configureNames,
  ensurePath,
  escapeName,
  escapePattern,
  findAll,
  lookup,
  Name,
  path,
  pathOf,
} from "../../src/index.ts";
import { DEFAULT_SEPARATOR, isSeparatorAt, separatorFrom } from "../../src/text/step.ts";
import { SEPARATORS } from "../dice.ts";
import { codeOf, refusalOf } from "../fleet.ts";

const BAD = ["", "\\", "a\\b", "#", "->#", "*", "?", ":*:", "0", "9", "v1"];

describe("a separator", () => {
  it.each(SEPARATORS)("may be %j", (text) => {
    const { length, first } = separatorFrom(text);

    expect([length, first]).toEqual([text.length, text.charCodeAt(0)]);
  });

  it.each(BAD)("is not %j, which means something else, or nothing", (text) => {
    expect(codeOf(() => separatorFrom(text))).toBe("bad-path");
  });

  it.each([undefined, null, 7, [], {}, /::/])("is a string, and not %j", (text) => {
    expect(codeOf(() => separatorFrom(text))).toBe("bad-path");
  });

  it("that is refused is shown, with some that would do", () => {
    expect(() => separatorFrom("a\n#")).toThrow('"a\\n#" is not a separator');
    expect(() => separatorFrom("#")).toThrow('use "::", ".", "/"');
  });

  it("is :: by default", () => {
    expect(DEFAULT_SEPARATOR.text).toBe("::");
  });

  it("is found where all of its characters are", () => {
    const found = (text: string, separator: string): boolean[] =>
      [...text].map(
        (sign, at) => sign === separator.charAt(0) && isSeparatorAt(text, at, separatorFrom(separator)),
      );

    expect(found("a.b", ".")).toEqual([false, true, false]);
    expect(found(":::a:", "::")).toEqual([true, true, false, false, false]);
    expect(found("ababaab", "aba")).toEqual([true, false, true, false, false, false, false]);
  });
});

describe("a bad separator", () => {
  it.each(BAD)("%j is refused by every function with such an option, and nothing changes", (separator) => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"));

    for (const act of [
      () => configureNames(world, { separator }),
      () => lookup(world, "Ship", { separator }),
      () => lookup(world, ["Ship"], { separator }),
      () => findAll(world, "Ship", { separator }),
      () => ensurePath(world, "Boat", { separator }),
      () => path(world, "Ship", { separator }),
      () => pathOf(world, ship, { separator }),
    ]) {
      expect(refusalOf(world, act).code).toBe("bad-path");
    }
    expect(codeOf(() => escapeName("a", { separator }))).toBe("bad-path");
    expect(codeOf(() => escapePattern("a", { separator }))).toBe("bad-path");
    expect(lookup(world, "Ship")).toBe(ship);
  });

  it("is refused the same way the second time", () => {
    const world = createWorld();

    expect(codeOf(() => lookup(world, "Ship", { separator: "#" }))).toBe("bad-path");
    expect(codeOf(() => lookup(world, "Ship", { separator: "#" }))).toBe("bad-path");
  });
});
