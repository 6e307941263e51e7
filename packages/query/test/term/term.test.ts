import {
  Any,
  ChildOf,
  component,
  createWorld,
  Disabled,
  DisabledTree,
  type Entity,
  entityOf,
  f32,
  Parent,
  relation,
  spawn,
  tag,
} from "@treeline/core";
import { Hidden, Is } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { query } from "../../src/query/query.ts";
import {
  cascade,
  clausesOf,
  keyOf,
  maybe,
  namesDisabled,
  namesTarget,
  not,
  type QueryTerm,
  readsPairs,
} from "../../src/term/term.ts";
import { codeOf } from "../code-of.ts";

const Position = component("Position", { x: f32 });
const Mesh = component<string>("Mesh");
const Marker = component("Marker", {});
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
    [
      "a parent that is stored as a value",
      Parent(ship),
      { operator: "with", definition: Parent, target: ship },
    ],
    ["any pair with a target", Any(ship), { operator: "with", definition: Any, target: ship }],
    ["any pair at all", Any(Any), { operator: "with", definition: Any, target: -1 }],
    ["an entity as a tag", station, { operator: "with", definition: Is, target: station }],
    ["not of an entity", not(station), { operator: "not", definition: Is, target: station }],
    ["not of any pair", not(Any(Any)), { operator: "not", definition: Any, target: -1 }],
    ["a pair with any target", ChildOf(Any), { operator: "with", definition: ChildOf, target: -1 }],
    ["not of a component", not(Position), { operator: "not", definition: Position, target: 0 }],
    ["not of a tag", not(Frozen), { operator: "not", definition: Frozen, target: 0 }],
    ["not of a pair", not(ChildOf(ship)), { operator: "not", definition: ChildOf, target: ship }],
    ["not of a pair with data", not(Damage(ship)), { operator: "not", definition: Damage, target: ship }],
    ["not of any target", not(Likes(Any)), { operator: "not", definition: Likes, target: -1 }],
    ["maybe", maybe(Position), { operator: "maybe", definition: Position, target: 0 }],
    ["maybe of a tag", maybe(Frozen), { operator: "maybe", definition: Frozen, target: 0 }],
    ["maybe of no fields", maybe(Marker), { operator: "maybe", definition: Marker, target: 0 }],
    ["cascade", cascade(Mesh), { operator: "cascade", definition: Mesh, target: 0 }],
  ])("tell operator, definition and target of %s", (_, term, clause) => {
    expect(clausesOf(world, [term])).toEqual([clause]);
  });

  it.each<[story: string, ask: () => QueryTerm, clause: object]>([
    ["a component", () => entityOf(world, Position), { operator: "with", definition: Position, target: 0 }],
    ["a tag, in not", () => not(entityOf(world, Frozen)), { operator: "not", definition: Frozen, target: 0 }],
    ["a relation", () => entityOf(world, Likes), { operator: "with", definition: Likes, target: -1 }],
    [
      "ChildOf, in not",
      () => not(entityOf(world, ChildOf)),
      { operator: "not", definition: ChildOf, target: -1 },
    ],
    [
      "a component, in cascade",
      () => cascade(entityOf(world, Position) as never),
      { operator: "cascade", definition: Position, target: 0 },
    ],
  ])("take an entity that stands for a definition for that: %s", (_, ask, clause) => {
    expect(clausesOf(world, [ask()])).toEqual([clause]);
  });

  it("keep the order of the terms", () => {
    const clauses = clausesOf(world, [not(Frozen), Position, cascade(Position), maybe(Mesh)]);

    expect(clauses.map(({ operator }) => operator)).toEqual(["not", "with", "cascade", "maybe"]);
  });

  it("of no terms are none", () => {
    expect(clausesOf(world, [])).toEqual([]);
  });
});

describe("a query is refused as bad-query", () => {
  it.each<[story: string, terms: readonly unknown[]]>([
    ["a relation without target", [Likes]],
    ["ChildOf without target", [ChildOf]],
    ["not of a relation without target", [not(Likes as never)]],
    ["maybe of a relation without target", [maybe(Likes as never)]],
    ["any relation without target", [Any]],
    ["maybe of any pair", [maybe(Any(ship) as never)]],
    ["maybe of an entity as a tag", [maybe(ship as never)]],
    ["maybe of an entity that stands for a relation", [maybe(entityOf(world, Likes) as never)]],
    ["cascade of an entity as a tag", [cascade(ship as never)]],
    ["what core keeps by itself", [Hidden]],
    ["maybe of a pair", [maybe(Likes(ship) as never)]],
    ["maybe of a pair with data", [maybe(Damage(ship) as never)]],
    ["maybe of any target", [maybe(ChildOf(Any) as never)]],
    ["cascade of a tag", [cascade(Frozen as never)]],
    ["cascade of a pair", [cascade(ChildOf(ship) as never)]],
    ["two cascades", [cascade(Position), Position, cascade(Mesh)]],
    ["the same cascade twice", [cascade(Position), cascade(Position)]],
    ["not of not", [not(not(Frozen) as never)]],
    ["maybe of cascade", [maybe(cascade(Position) as never)]],
    ["an object without prototype", [Object.create(null)]],
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

  it("for cascade of a component without fields, which has no values", () => {
    expect(codeOf(() => query(world, cascade(Marker)))).toBe("bad-query");
  });

  it("with the name of the relation that lacks a target", () => {
    expect(() => query(world, Likes as never)).toThrow(/Likes/);
  });
});

describe("a query is refused as dead-entity", () => {
  it.each<[story: string, term: unknown]>([
    ["0", 0],
    ["a negative number", -1],
    ["a fraction", 1.5],
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["not of NaN", not(Number.NaN as Entity)],
    ["a pair with undefined, as parentOf a root gives", ChildOf(undefined as never)],
    ["not of a pair with NaN", not(Likes(Number.NaN as Entity))],
    ["a pair with a negative number", Parent(-1 as Entity)],
    ["any pair with 0", Any(0 as Entity)],
  ])("for what has not the form of a handle: %s", (_, term) => {
    expect(codeOf(() => query(world, term as QueryTerm))).toBe("dead-entity");
  });
});

describe("a clause names a target", () => {
  it.each<[story: string, term: QueryTerm, expected: boolean]>([
    ["a pair", Likes(ship), true],
    ["not of a pair", not(ChildOf(ship)), true],
    ["a pair of a dead target", ChildOf((ship + 2 ** 24) as Entity), true],
    ["any target", ChildOf(Any), false],
    ["not of any target", not(ChildOf(Any)), false],
    ["any pair with a target", Any(ship), true],
    ["an entity as a tag", ship, true],
    ["any pair at all", Any(Any), false],
    ["a component", Position, false],
    ["a tag", Frozen, false],
    ["maybe", maybe(Position), false],
    ["cascade", cascade(Position), false],
  ])("as it should: %s", (_, term, expected) => {
    const [clause] = clausesOf(world, [term]);

    expect(namesTarget(clause!)).toBe(expected);
  });
});

describe("clauses ask for values of pairs", () => {
  it.each<[story: string, term: QueryTerm, expected: boolean]>([
    ["with data and target", Damage(ship), true],
    ["not with any target", Damage(Any), false],
    ["not in not", not(Damage(ship)), false],
    ["not without data", Likes(ship), false],
    ["not of components", Position, false],
  ])("%s", (_, term, expected) => {
    const [clause] = clausesOf(world, [term]);

    expect(readsPairs(clause!)).toBe(expected);
  });
});

describe("clauses name who is disabled", () => {
  it.each<[story: string, terms: QueryTerm[], expected: boolean]>([
    ["by the tag", [Position, Disabled], true],
    ["by the tag of trees", [DisabledTree], true],
    ["by not", [not(Disabled)], true],
    ["by maybe", [Position, maybe(DisabledTree)], true],
    ["not by anything else", [Position, not(Frozen), ChildOf(ship)], false],
    ["not without terms", [], false],
  ])("%s", (_, terms, expected) => {
    expect(namesDisabled(clausesOf(world, terms))).toBe(expected);
  });
});

describe("keys", () => {
  const key = (...terms: QueryTerm[]): string => keyOf(clausesOf(world, terms));

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
      [Parent(ship)],
      [Parent(Any)],
      [Any(ship)],
      [Any(Any)],
      [ship],
      [not(ship)],
      [maybe(Frozen)],
      [Frozen],
    ];

    const keys = questions.map((terms) => key(...terms));

    expect(new Set(keys).size).toBe(questions.length);
  });

  it("differ for components of one name", () => {
    const Other = component("Position", { x: f32 });

    expect(key(Other)).not.toBe(key(Position));
  });
});
