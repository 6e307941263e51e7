import { describe, expect, it } from "vitest";
import { distinctNames } from "../src/tree/sibling-names.ts";

const own = (...names: (string | undefined)[]) =>
  names.map((name, index) => ({ own: name, fallback: `node_${index}` }));

describe("names of siblings", () => {
  it("stay as they are when they differ", () => {
    expect(distinctNames(own("A", "B", "a"))).toEqual(["A", "B", "a"]);
  });

  it("get a number from the second sibling with the same name on", () => {
    expect(distinctNames(own("A", "B", "A", "A"))).toEqual(["A", "B", "A (2)", "A (3)"]);
  });

  it("never become a name that a sibling has in the file", () => {
    expect(distinctNames(own("A", "A", "A (2)"))).toEqual(["A", "A (3)", "A (2)"]);
    expect(distinctNames(own("A (2)", "A", "A", "A (2)"))).toEqual(["A (2)", "A", "A (3)", "A (2) (2)"]);
  });

  it("are generated for siblings without one, after the others have theirs", () => {
    expect(distinctNames(own(undefined, "B"))).toEqual(["node_0", "B"]);
    expect(distinctNames(own(undefined, "node_0"))).toEqual(["node_0 (2)", "node_0"]);
  });

  it("are found quickly for very many equal names", () => {
    const names = distinctNames(own(...Array.from({ length: 50_000 }, () => "Bolt")));

    expect(new Set(names).size).toBe(50_000);
    expect(names.at(-1)).toBe("Bolt (50000)");
  });
});
