import { describe, expect, it } from "vitest";
import { Any, ChildOf, tag, withPolicy } from "../../src/index.ts";
import { codeOf } from "../reading.ts";

describe("withPolicy", () => {
  it("sets once what happens to entities that have a definition when its entity is destroyed, and returns the definition", () => {
    const Burning = tag("Burning");

    expect(withPolicy(Burning, { onDestroy: "delete" })).toBe(Burning);

    expect(Burning.onDestroy).toBe("delete");
    expect(codeOf(() => withPolicy(Burning, { onDestroy: "delete" }))).toBe("bad-definition");
  });

  it("refuses an unknown policy as bad-definition, and leaves the definition without one", () => {
    const Burning = tag("Burning");

    expect(codeOf(() => withPolicy(Burning, { onDestroy: "explode" as never }))).toBe("bad-definition");

    expect(Burning.onDestroy).toBeUndefined();
  });

  it.each<[string, unknown, unknown]>([
    ["undefined for a definition", undefined, { onDestroy: "remove" }],
    ["an object for a definition", {}, { onDestroy: "remove" }],
    ["a number for a definition", 5, { onDestroy: "remove" }],
    ["a function for a definition", () => 1, { onDestroy: "remove" }],
    ["the wildcard", Any, { onDestroy: "delete" }],
    ["null for a policy", tag("Burning"), null],
    ["undefined for a policy", tag("Burning"), undefined],
    ["a policy without a word", tag("Burning"), {}],
  ])("refuses %s as bad-definition", (_, definition, policy) => {
    expect(codeOf(() => withPolicy(definition as never, policy as never))).toBe("bad-definition");
    expect(Any.onDestroy).toBeUndefined();
  });

  it("refuses to change that of a builtin", () => {
    expect(codeOf(() => withPolicy(ChildOf, { onDestroy: "remove" }))).toBe("bad-definition");
  });
});
