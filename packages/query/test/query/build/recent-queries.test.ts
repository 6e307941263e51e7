import { Any, ChildOf, createWorld, spawn, tag } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { maybe, not, or, type Query, type QueryTerm, up, variable } from "../../../src/index.ts";
import { createQuery, recall, remember } from "../../../src/query/build/query.ts";
import { readTerms } from "../../../src/term/read.ts";
import { Damage, Frozen, Likes } from "../../definitions.ts";
import { asTag } from "../../public/builtins.ts";

const Heavy = tag("Heavy");
const world = createWorld();
const [a, b] = [spawn(world), spawn(world)];

function recalled(recent: Query[], ...terms: QueryTerm[]): Query {
  const query = createQuery(world, readTerms(world, terms));
  remember(recent, query);
  return query;
}

describe("a recent query description", () => {
  it("is found by one that differs only in its targets", () => {
    const recent: Query[] = [];
    const query = recalled(recent, Frozen, ChildOf(a), Likes(a));

    expect(recall(recent, [Frozen, ChildOf(b), Likes(a)])?.plan).toBe(query.plan);
    expect(recall(recent, [Frozen, ChildOf(a), Likes(b)])?.plan).toBe(query.plan);
  });

  it.each<[string, QueryTerm[]]>([
    ["other definitions", [Heavy, ChildOf(b)]],
    ["another relation", [Frozen, Likes(b)]],
    ["another order", [ChildOf(b), Frozen]],
    ["more terms", [Frozen, ChildOf(b), Heavy]],
    ["fewer terms", [Frozen]],
    ["any target", [Frozen, ChildOf(Any)]],
    ["a variable", [Frozen, ChildOf(variable())]],
    ["an operator", [Frozen, not(ChildOf(b))]],
    ["an entity as a tag", [Frozen, asTag(b)]],
    ["no term at all", [Frozen, undefined as never]],
  ])("is not found by one with %s", (_, terms) => {
    const recent: Query[] = [];
    recalled(recent, Frozen, ChildOf(a));

    expect(recall(recent, terms)).toBeUndefined();
  });

  it.each<[string, QueryTerm[]]>([
    ["operators", [not(ChildOf(a))]],
    ["maybe", [maybe(ChildOf(a))]],
    ["alternatives", [or(ChildOf(a))]],
    ["ancestors", [ChildOf(a), up(Frozen)]],
    ["variables", [ChildOf(variable())]],
    ["values of pairs, which are those of the target", [Damage(a)]],
  ])("is not kept if it has %s", (_, terms) => {
    const recent: Query[] = [];
    recalled(recent, ...terms);

    expect(recent).toEqual([]);
  });

  it("is forgotten after four others", () => {
    const recent: Query[] = [];
    const tags = ["1", "2", "3", "4", "5"].map((name) => tag(name));
    for (const one of tags) recalled(recent, one, ChildOf(a));

    expect(tags.map((one) => recall(recent, [one, ChildOf(b)]) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
  });
});
