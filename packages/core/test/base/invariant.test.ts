import { describe, expect, it } from "vitest";
import { invariant } from "../../src/base/error.ts";

describe("invariant", () => {
  it("does nothing, and does not even build the message, while it holds", () => {
    let described = 0;

    invariant(true, () => `story ${++described}`);

    expect(described).toBe(0);
  });

  it("throws internal-error with the message once it is broken", () => {
    expect(() => invariant(false, () => "row 3 outside 0..2")).toThrow("row 3 outside 0..2");
  });
});
