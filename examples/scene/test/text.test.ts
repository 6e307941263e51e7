import { describe, expect, it } from "vitest";
import { clip, counted, quoted, short, visible, widthOf } from "../src/text/text.ts";

describe("text for terminals", () => {
  it("escapes characters that would break a line or control the terminal", () => {
    expect(visible("a\nb\tc\u0000\u009b\u2028\u202e")).toBe("a\\nb\\tc\\u{0}\\u{9b}\\u{2028}\\u{202e}");
    expect(visible("Räder 車輪 👩‍🚀")).toBe("Räder 車輪 👩‍🚀");
  });

  it("measures the width of characters", () => {
    expect(widthOf("Wheel")).toBe(5);
    expect(widthOf("車輪")).toBe(4);
    expect(widthOf("e\u0301")).toBe(1);
    expect(widthOf("👩‍🚀")).toBe(2);
  });

  it("cuts by width and never inside a character", () => {
    expect(clip("Wheel", 5)).toBe("Wheel");
    expect(clip("Wheels", 5)).toBe("Whee…");
    expect(clip("車輪車輪", 6)).toBe("車輪…");
    expect(clip("車輪車輪", 8)).toBe("車輪車輪");
  });

  it("shortens quoted names", () => {
    expect(quoted("a\nb")).toBe('"a\\nb"');
    expect(quoted("x".repeat(100))).toBe(`"${"x".repeat(59)}…"`);
  });

  it("writes counts and measures in readable form", () => {
    expect(counted(1, "node")).toBe("1 node");
    expect(counted(1397, "node")).toBe("1,397 nodes");
    expect(counted(2, "entity", "entities")).toBe("2 entities");
    expect([0.1 + 0.2, -1e-320 * 0, 1 / 3, 12345678].map(short)).toEqual([
      "0.3",
      "0",
      "0.333333",
      "12345700",
    ]);
  });
});
