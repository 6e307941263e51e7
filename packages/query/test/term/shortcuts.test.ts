import { Any, ChildOf, Parent } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { added, cascade, groupBy, maybe, not, on, or, orderBy, up } from "../../src/index.ts";
import { Frozen, Likes, Near, Owes, Position } from "../definitions.ts";
import { one, other, read, ship } from "./read-terms.ts";

const cases: [
  title: string,
  terms: readonly unknown[],
  targeted: number[],
  direct: number,
  plain: boolean,
][] = [
  ["components and tags", [Position, Frozen], [], -1, true],
  ["what is not there, or may be", [Position, not(Frozen), maybe(Frozen)], [], -1, true],
  ["any target", [Position, ChildOf(Any)], [], -1, true],
  ["a target", [Position, ChildOf(ship)], [1], 1, false],
  ["a target first", [ChildOf(ship), Position, not(Frozen)], [0], 0, false],
  ["a target that is a variable", [Position, Likes(one)], [1], 1, false],
  ["a target with data", [Owes(ship)], [0], 0, false],
  ["two targets", [ChildOf(ship), Likes(ship)], [0, 1], -1, false],
  ["a target and a variable", [ChildOf(one), Likes(ship)], [0, 1], -1, false],
  ["two variables", [ChildOf(one), Likes(other)], [0, 1], -1, false],
  ["a variable twice", [ChildOf(one), Likes(one)], [0, 1], -1, false],
  ["a target that is not there", [Position, not(ChildOf(ship))], [1], -1, false],
  ["a target that may be there", [Position, maybe(ChildOf(ship))], [], -1, false],
  ["a reflexive relation", [Near(ship)], [0], -1, false],
  ["any relation", [Any(ship)], [0], -1, false],
  ["one storage of parents", [Parent(ship)], [0], 0, false],
  ["a target or another", [or(ChildOf(ship), Likes(ship))], [], -1, false],
  ["a target and more", [ChildOf(ship), or(Position, Frozen)], [0], -1, false],
  ["a given entity", [ChildOf(ship), on(ship, Frozen)], [0], -1, false],
  ["ancestors", [ChildOf(ship), up(Position)], [0], -1, false],
  ["ancestors in order", [Position, cascade(Position)], [], -1, false],
  ["changes", [Position, added(Position)], [], -1, false],
  ["an order", [ChildOf(ship), Position, orderBy(Position, "x")], [0], -1, false],
  ["groups", [Position, groupBy(ChildOf)], [], -1, false],
];

describe("a plan has a short path to its matches if it requires", () => {
  it.each(cases)("%s", (_, terms, targeted, direct, plain) => {
    const plan = read(...terms);

    expect([plan.targeted, plan.direct, plan.isPlain]).toEqual([targeted, direct, plain]);
  });
});
