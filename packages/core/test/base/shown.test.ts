import { describe, expect, it } from "vitest";
import { shortened, shown } from "../../src/base/error.ts";

describe("a value in a message", () => {
  it.each<[unknown, string]>([
    ["x", 'the text "x"'],
    ["a\nb", 'the text "a\\nb"'],
    ["x".repeat(50), `the text "${"x".repeat(40)}..."`],
    [1.5, "1.5"],
    [Number.NaN, "NaN"],
    [true, "true"],
    [undefined, "undefined"],
    [null, "null"],
    [[1, 2], "a list"],
    [{ x: 1 }, "an object"],
    [Object.create(null), "an object"],
    [() => 1, "a function"],
    [Symbol("s"), "a symbol"],
    [5n, "a bigint"],
  ])("%o is %s", (value, text) => {
    expect(shown(value)).toBe(text);
  });

  it("is never called", () => {
    const trap = {
      toString(): string {
        throw new Error("called");
      },
      valueOf(): number {
        throw new Error("called");
      },
    };

    expect(shown(trap)).toBe("an object");
  });

  it("is cut after forty characters", () => {
    expect(shortened("x".repeat(40))).toBe("x".repeat(40));
    expect(shortened("x".repeat(41))).toBe(`${"x".repeat(40)}...`);
  });
});
