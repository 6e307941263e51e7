import { ChildOf } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { cascade, not, selfOrUp, up, type Wrapped } from "../../../src/index.ts";
import { engine } from "../../../src/query/state/iteration-state.ts";
import { Docked, Warm } from "../../definitions.ts";

describe("a term about ancestors", () => {
  it.each<[Wrapped, unknown[]]>([
    [up(Warm), ["up", [Warm], undefined, false]],
    [up(Warm, { relation: Docked }), ["up", [Warm], Docked, false]],
    [selfOrUp(Warm, { relation: ChildOf }), ["selfOrUp", [Warm], ChildOf, false]],
    [cascade(Warm), ["cascade", [Warm], undefined, false]],
    [cascade(Warm, { relation: Docked, desc: true }), ["cascade", [Warm], Docked, true]],
  ])("has the term, the relation and the direction: %#", (term, expected) => {
    expect([term.operator, term.of, term.by, term.isDescending]).toEqual(expected);
  });

  it("has the form of all other terms", () => {
    expect(Object.keys(cascade(Warm, { relation: Docked, desc: true }))).toEqual(Object.keys(not(Warm)));
  });

  it.each([() => up(Warm), () => selfOrUp(Warm), () => cascade(Warm)])(
    "adds the functions that find ancestors: %#",
    (make) => {
      engine.listBatched = undefined;
      engine.forgetBatches = undefined;

      make();

      expect([typeof engine.listBatched, typeof engine.forgetBatches]).toEqual(["function", "function"]);
    },
  );
});
