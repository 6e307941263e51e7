import { describe, expect, it } from "vitest";
import { invariant } from "../../src/base/error.ts";

describe("invariant", () => {
  it("says nothing, and does not even ask for the story, while it holds", () => {
    let asked = 0;

    invariant(true, () => `story ${++asked}`);

    expect(asked).toBe(0);
  });

  it("throws internal-error with the story once it is broken", () => {
    expect(() => invariant(false, () => "row 3 outside 0..2")).toThrow("internal-error: row 3 outside 0..2");
  });
});
