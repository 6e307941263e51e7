import { describe, expect, it } from "vitest";
import { TreelineError } from "../../src/index.ts";

describe("TreelineError", () => {
  it("carries a stable code beside a message for people", () => {
    const error = new TreelineError("cycle", "a lies below b");

    expect(error.code).toBe("cycle");
    expect(error.message).toBe("cycle: a lies below b");
  });

  it("is an error with a name of its own", () => {
    const error = new TreelineError("dead-entity", "e1");

    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("TreelineError");
  });
});
