import { describe, expect, it } from "vitest";
import { law } from "../../src/base/error.ts";

describe("law", () => {
  it("says nothing, and does not even ask for the story, while it holds", () => {
    let asked = 0;

    law(true, () => `story ${++asked}`);

    expect(asked).toBe(0);
  });

  it("throws broken-law with the story once it is broken", () => {
    expect(() => law(false, () => "row 3 outside 0..2")).toThrow("broken-law: row 3 outside 0..2");
  });
});
