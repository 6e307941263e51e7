import { describe, expect, it } from "vitest";
import { ownCopy, quoted, requireName, shortened } from "../../src/text/text.ts";

describe("a legal name", () => {
  it("is any string that is not empty", () => {
    for (const name of ["a", " ", "\0", "::", "#1", "\ud800", "x".repeat(100_000)]) {
      expect(() => requireName(name)).not.toThrow();
    }
    expect(() => requireName("")).toThrow('a name is a string that is not empty, not the text ""');
    expect(() => requireName(7)).toThrow("not 7");
    expect(() => requireName(null)).toThrow("not null");
  });
});

describe("a long text", () => {
  it("is shortened in the middle", () => {
    expect(shortened("x".repeat(60))).toBe("x".repeat(60));
    expect(shortened(`${"a".repeat(50)}${"b".repeat(50)}`)).toBe(`${"a".repeat(30)}...${"b".repeat(30)}`);
    expect(quoted('a\n"')).toBe('"a\\n\\""');
  });
});

describe("a separate copy", () => {
  it("is the same text, whatever its characters and its length", () => {
    for (const text of ["", "a", "a longer text with é, 🚀 and \ud800", "x".repeat(10_001)]) {
      expect(ownCopy(text)).toBe(text);
    }
  });
});
