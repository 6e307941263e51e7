import { describe, expect, it } from "vitest";
import type { Wrapped } from "../../src/index.ts";
import { isWrapped } from "../../src/term/operators.ts";
import { Frozen, Warm } from "../definitions.ts";
import { ChildOf } from "../public/builtins.ts";
import { added, all, changed, maybe, not, or, removed } from "../public/filters.ts";
import { on, singleton, variable } from "../public/terms.ts";

const v = variable();

describe("an operator holds its argument, its relation and its direction", () => {
  it.each<[Wrapped, unknown[]]>([
    [not(Frozen), ["not", [Frozen], undefined, false]],
    [maybe(Warm), ["maybe", [Warm], undefined, false]],
    [or(Warm, Frozen), ["or", [Warm, Frozen], undefined, false]],
    [all(Warm, Frozen), ["all", [Warm, Frozen], undefined, false]],
    [on(v, Warm), ["on", [Warm], v, false]],
    [singleton(Warm), ["on", [Warm], Warm, false]],
    [changed(Warm), ["changed", [Warm], undefined, false]],
    [added(Frozen), ["added", [Frozen], undefined, false]],
    [removed(Frozen), ["removed", [Frozen], undefined, false]],
  ])("%#", (term, expected) => {
    expect([term.operator, term.of, term.by, term.isDescending]).toEqual(expected);
  });

  it("and in one form, so that the engine has one kind of object", () => {
    const forms = [not(Frozen), or(Warm, Frozen), on(v, Warm)].map((term) => Object.keys(term).join());

    expect(new Set(forms).size).toBe(1);
  });
});

describe("a wrapped term", () => {
  it("is distinguished from everything else", () => {
    expect(isWrapped(not(Frozen))).toBe(true);
    const others = [Frozen, Warm, ChildOf, v, 5, undefined, null, "not", { operator: "not" }];
    expect(others.filter(isWrapped)).toEqual([]);
  });
});
