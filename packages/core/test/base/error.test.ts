import { describe, expect, it } from "vitest";
import { TreelineError } from "../../src/index.ts";

describe("TreelineError", () => {
  it("has a stable code and a message for people", () => {
    const error = new TreelineError("cycle", "a is below b");

    expect(error.code).toBe("cycle");
    expect(error.message).toBe("a is below b");
  });

  it("shows its code as text, beside the message", () => {
    const error = new TreelineError("cycle", "a is below b");

    expect(String(error)).toBe("TreelineError [cycle]: a is below b");
  });

  it("is an error with its own name", () => {
    const error = new TreelineError("dead-entity", "e1");

    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("TreelineError [dead-entity]");
  });
});
