import { describe, expect, it } from "vitest";
import { groupBy, not, orderBy, type Wrapped } from "../../../src/index.ts";
import { engine } from "../../../src/query/state/iteration-state.ts";
import { codeOf } from "../../code-of.ts";
import { Docked, Warm } from "../../definitions.ts";

const keyOf = (): number => 1;

describe("a term about order or groups", () => {
  it.each<[Wrapped, unknown[]]>([
    [orderBy(Warm, "of"), ["orderBy", [Warm], "of", false]],
    [orderBy(Warm, "of", { desc: true }), ["orderBy", [Warm], "of", true]],
    [groupBy(Docked), ["groupBy", [], Docked, false]],
    [groupBy(keyOf), ["groupBy", [], keyOf, false]],
  ])("says by what, and in which direction: %#", (term, expected) => {
    expect([term.operator, term.of, term.by, term.isDescending]).toEqual(expected);
  });

  it("has the form of all other terms", () => {
    for (const term of [orderBy(Warm, "of"), groupBy(keyOf)])
      expect(Object.keys(term)).toEqual(Object.keys(not(Warm)));
  });

  it.each([() => orderBy(Warm, "of"), () => groupBy(keyOf)])(
    "adds the functions that sort matches: %#",
    (make) => {
      engine.sortRows = undefined;
      engine.stopOrdering = undefined;

      make();

      expect([typeof engine.sortRows, typeof engine.stopOrdering]).toEqual(["function", "function"]);
    },
  );
});

describe("groups", () => {
  it.each([undefined, null, 5, "Docked", {}])("need a relation or a function, not %s", (by) => {
    expect(codeOf(() => groupBy(by as never))).toBe("bad-query");
  });
});
