import { describe, expect, it } from "vitest";
import { clip, columnsText, quoted, sizeText, timeText, visible } from "../src/text/text.ts";

describe("text for terminals", () => {
  it("escapes characters that would break a line or control the terminal", () => {
    expect(visible("a\nb\tc\u001b[2J\u202e")).toBe("a\\nb\\tc\\u{1b}[2J\\u{202e}");
    expect(quoted("x".repeat(100))).toBe(`"${"x".repeat(79)}…"`);
  });

  it("cuts between characters", () => {
    expect(clip("Wheel", 5)).toBe("Wheel");
    expect(clip("Wheels", 5)).toBe("Whee…");
    expect(clip("🤖🤖🤖", 3)).toBe("🤖🤖🤖");
    expect(clip("🤖🤖🤖", 2)).toBe("🤖…");
  });

  it("writes sizes and times in readable units", () => {
    expect([1, 999, 1_000, 999_949, 999_999, 1_234_567_890, 5e18].map(sizeText)).toEqual([
      "1 byte",
      "999 bytes",
      "1.0 kB",
      "999.9 kB",
      "1.0 MB",
      "1.2 GB",
      "5000.0 PB",
    ]);
    expect([1_234, 12.34, 0.0123, 0.000_123].map(timeText)).toEqual([
      "1.23 s",
      "12.3 ms",
      "12.3 µs",
      "123 ns",
    ]);
  });

  it("makes columns as wide as needed", () => {
    expect(
      columnsText([
        ["a", "10"],
        ["long", "2"],
      ]),
    ).toEqual(["a     10", "long   2"]);
  });
});
