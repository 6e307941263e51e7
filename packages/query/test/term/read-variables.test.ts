import { ChildOf } from "@treeline/core";
import { ANY } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { maybe, not, on, or, variable } from "../../src/index.ts";
import { isVariable, nameOfVariable } from "../../src/term/operators.ts";
import { Damage, Frozen, Includes, Likes, Position } from "../definitions.ts";
import { one, other, read, ship } from "./read-terms.ts";

describe("variables", () => {
  it("are listed in the order in which they appear, each once", () => {
    const { variables } = read(on(other, Frozen), ChildOf(one), Likes(other), one, not(Likes(one)));

    expect(variables).toEqual([other, one]);
  });

  it("bind terms: of which pair, which relation, which target, and the clause that archetypes must match", () => {
    const { joins, clauses } = read(
      Position,
      Likes(one),
      on(one, Damage(other)),
      on(ship, Likes(one)),
      on(other, Frozen),
    );

    expect(clauses.map(({ definition }) => definition)).toEqual([Position, Likes]);
    expect(joins).toEqual([
      { subject: 0, definition: Likes, target: one, clause: 1 },
      { subject: one, definition: Damage, target: other, clause: -1 },
      { subject: ship, definition: Likes, target: one, clause: -1 },
      { subject: other, definition: Frozen, target: 0, clause: -1 },
    ]);
  });

  it("of reflexive relations require nothing of archetypes: every entity has such a pair", () => {
    expect(read(Includes(one))).toMatchObject({ clauses: [], joins: [{ target: one, clause: -1 }] });
  });

  it("may be inside groups and maybe if something else finds them", () => {
    const { variables, joins, tests } = read(
      ChildOf(one),
      not(Likes(one)),
      maybe(Likes(one)),
      or(Frozen, on(one, Frozen)),
    );

    expect([variables, joins.length, tests.length]).toEqual([[one], 1, 2]);
  });

  it("are numbers of their own, below all handles, and have names", () => {
    const [first, second] = [variable("first"), variable()];

    expect([first < ANY, second < ANY, first === second]).toEqual([true, true, false]);
    expect([nameOfVariable(first), nameOfVariable(second)]).toEqual(["first", "variable"]);
  });

  it.each([
    ["the wildcard", ANY],
    ["a handle", ship],
    ["a number below all that were made", -1e9],
    ["a fraction", -2.5],
    ["NaN", Number.NaN],
    ["a text", "-2"],
    ["undefined", undefined],
  ])("are none of these: %s", (_, what) => {
    expect(isVariable(what)).toBe(false);
  });
});
