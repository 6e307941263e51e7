import { Any, ChildOf, component, createWorld, type Entity, f32, relation, spawn, tag } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { query } from "../../src/query/query.ts";
import { cascade, clausesOf, keyOf, maybe, namesTarget, not, type QueryTerm } from "../../src/term/term.ts";
import { codeOf } from "../code-of.ts";

const Position = component("Position", { x: f32 });
const Mesh = component<string>("Mesh");
const Frozen = tag("Frozen");
const Likes = relation("Likes");
const Damage = relation("Damage", { fields: { amount: f32 } });

const world = createWorld();
const ship = spawn(world);
const station = spawn(world);

describe("clauses", () => {
  it.each<[story: string, term: QueryTerm, clause: object]>([
    ["a component", Position, { operator: "with", definition: Position, target: 0 }],
    ["a component of JavaScript values", Mesh, { operator: "with", definition: Mesh, target: 0 }],
    ["a tag", Frozen, { operator: "with", definition: Frozen, target: 0 }],
    ["a pair", Likes(ship), { operator: "with", definition: Likes, target: ship }],
    ["a pair with data", Damage(ship), { operator: "with", definition: Damage, target: ship }],
    ["a pair with any target", ChildOf(Any), { operator: "with", definition: ChildOf, target: -1 }],
    ["not of a component", not(Position), { operator: "not", definition: Position, target: 0 }],
    ["not of a tag", not(Frozen), { operator: "not", definition: Frozen, target: 0 }],
    ["not of a pair", not(ChildOf(ship)), { operator: "not", definition: ChildOf, target: ship }],
    ["not of a pair with data", not(Damage(ship)), { operator: "not", definition: Damage, target: ship }],
    ["not of any target", not(Likes(Any)), { operator: "not", definition: Likes, target: -1 }],
    ["maybe", maybe(Position), { operator: "maybe", definition: Position, target: 0 }],
    ["cascade", cascade(Mesh), { operator: "cascade", definition: Mesh, target: 0 }],
  ])("tell operator, definition and target of %s", (_, term, clause) => {
    expect(clausesOf([term])).toEqual([clause]);
  });

  it("keep the order of the terms", () => {
    const clauses = clausesOf([not(Frozen), Position, cascade(Position), maybe(Mesh)]);

    expect(clauses.map(({ operator }) => operator)).toEqual(["not", "with", "cascade", "maybe"]);
  });

  it("of no terms are none", () => {
    expect(clausesOf([])).toEqual([]);
  });
});

describe("a query is refused as bad-query", () => {
  it.each<[story: string, terms: readonly unknown[]]>([
    ["a relation without target", [Likes]],
    ["ChildOf without target", [ChildOf]],
    ["not of a relation without target", [not(Likes as never)]],
    ["maybe of a relation without target", [maybe(Likes as never)]],
    ["maybe of a tag", [maybe(Frozen as never)]],
    ["maybe of a pair", [maybe(Likes(ship) as never)]],
    ["maybe of a pair with data", [maybe(Damage(ship) as never)]],
    ["maybe of any target", [maybe(ChildOf(Any) as never)]],
    ["cascade of a tag", [cascade(Frozen as never)]],
    ["cascade of a pair", [cascade(ChildOf(ship) as never)]],
    ["two cascades", [cascade(Position), Position, cascade(Mesh)]],
    ["the same cascade twice", [cascade(Position), cascade(Position)]],
    ["not of not", [not(not(Frozen) as never)]],
    ["maybe of cascade", [maybe(cascade(Position) as never)]],
    ["a number", [5]],
    ["an entity", [ship]],
    ["a text", ["Position"]],
    ["an empty object", [{}]],
    ["a function that is no definition", [() => Position]],
    ["undefined, as a circle of imports gives", [undefined]],
    ["null", [null]],
    ["not of undefined", [not(undefined as never)]],
    ["maybe of undefined", [maybe(undefined as never)]],
    ["cascade of undefined", [cascade(undefined as never)]],
    ["not of null", [not(null as never)]],
    ["undefined after a good term", [Position, undefined]],
  ])("for %s", (_, terms) => {
    expect(codeOf(() => query(world, ...(terms as QueryTerm[])))).toBe("bad-query");
  });

  it.each([
    ["maybe", maybe],
    ["cascade", cascade],
  ])("for %s of a component without fields, which has no values", (_, wrap) => {
    const Marker = component("Marker", {});

    expect(codeOf(() => query(world, wrap(Marker)))).toBe("bad-query");
  });

  it("with the name of the relation that lacks a target", () => {
    expect(() => query(world, Likes as never)).toThrow(/Likes/);
  });
});

describe("a clause names a target", () => {
  it.each<[story: string, term: QueryTerm, expected: boolean]>([
    ["a pair", Likes(ship), true],
    ["not of a pair", not(ChildOf(ship)), true],
    ["a pair of a dead target", ChildOf((ship + 2 ** 24) as Entity), true],
    ["any target", ChildOf(Any), false],
    ["not of any target", not(ChildOf(Any)), false],
    ["a component", Position, false],
    ["a tag", Frozen, false],
    ["maybe", maybe(Position), false],
    ["cascade", cascade(Position), false],
  ])("as it should: %s", (_, term, expected) => {
    const [clause] = clausesOf([term]);

    expect(namesTarget(clause!)).toBe(expected);
  });
});

describe("keys", () => {
  const key = (...terms: QueryTerm[]): string => keyOf(clausesOf(terms));

  it("of equal questions are equal", () => {
    expect(key(Position, not(Frozen), ChildOf(ship))).toBe(key(Position, not(Frozen), ChildOf(ship)));
  });

  it("of different questions differ", () => {
    const questions: QueryTerm[][] = [
      [],
      [Position],
      [Mesh],
      [not(Position)],
      [maybe(Position)],
      [cascade(Position)],
      [Position, Position],
      [Position, Mesh],
      [Mesh, Position],
      [ChildOf(Any)],
      [not(ChildOf(Any))],
      [ChildOf(ship)],
      [ChildOf(station)],
      [Likes(ship)],
      [not(Likes(ship))],
    ];

    const keys = questions.map((terms) => key(...terms));

    expect(new Set(keys).size).toBe(questions.length);
  });

  it("differ for components of one name", () => {
    const Other = component("Position", { x: f32 });

    expect(key(Other)).not.toBe(key(Position));
  });
});
