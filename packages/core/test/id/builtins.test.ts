import { describe, expect, it } from "vitest";
import { CHILD_OF, ChildOf } from "../../src/id/builtins.ts";

describe("ChildOf", () => {
  it("allows one parent, no cycle, and lets children die with it", () => {
    expect({ ...ChildOf }).toMatchObject({
      kind: "relation",
      holds: "nothing",
      exclusive: true,
      acyclic: true,
      onTargetDeath: "delete",
    });
  });

  it("is known by its number", () => {
    expect(CHILD_OF).toBe(ChildOf.id);
  });
});
