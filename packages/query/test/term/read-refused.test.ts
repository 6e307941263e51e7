import type { Entity } from "@treeline/core";
import { DisabledFromAbove } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { type QueryTerm, query } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Damage, Frozen, Likes, Marker, Mesh, Needs, Position, SoldIn } from "../definitions.ts";
import { Any, asTag, ChildOf, Parent } from "../public/builtins.ts";
import { component, relation } from "../public/define.ts";
import { array, entity, f32 } from "../public/fields.ts";
import { added, all, changed, maybe, not, or, removed } from "../public/filters.ts";
import { groupBy, orderBy } from "../public/parts.ts";
import { cascade, on, selfOrUp, singleton, up } from "../public/terms.ts";
import { one, ship, station, world } from "./read-terms.ts";

const Kit = component("Kit", { at: entity, cells: array(f32, 2), x: f32 });
const DockedTo = relation("DockedTo", { traversable: true });

describe("a query is refused as bad-query", () => {
  it.each<[title: string, terms: readonly unknown[], gist: RegExp]>([
    ["a relation without target", [Likes], /Likes needs a target/],
    ["ChildOf without target", [ChildOf], /ChildOf needs a target/],
    ["any relation without target", [Any], /Any needs a target/],
    ["not of a relation without target", [not(Likes as never)], /Likes needs a target/],
    ["maybe of a relation without target", [maybe(Likes as never)], /Likes needs a target/],
    ["up to a relation without target", [up(Likes as never)], /Likes needs a target/],
    ["on of a relation without target", [on(ship, Likes as never)], /Likes needs a target/],
    ["what core keeps by itself", [DisabledFromAbove], /is not a component, tag or pair/],
    ["an object without prototype", [Object.create(null)], /an object is not a component/],
    ["a text", ["Position"], /is not a component/],
    ["an empty object", [{}], /an object is not a component/],
    ["a function that is not a definition", [() => Position], /a function is not a component/],
    ["undefined, the result of cyclic imports", [undefined], /undefined is not a component.*cyclic/],
    ["null", [null], /null is not a component/],
    ["not of undefined", [not(undefined as never)], /undefined is not a component/],
    ["maybe of null", [maybe(null as never)], /null is not a component/],
    ["cascade of undefined", [cascade(undefined as never)], /undefined is not a component/],
    ["up to undefined", [up(undefined as never)], /undefined is not a component/],
    ["singleton of undefined", [singleton(undefined as never)], /undefined is not a component/],
    ["changed of undefined", [changed(undefined as never)], /undefined is not a component/],
    ["orderBy of undefined", [orderBy(undefined as never, "x" as never)], /undefined is not a component/],
    ["an alternative that is null", [or(Position, null as never)], /null is not a component/],
    [
      "a part of a group that is undefined",
      [all(Position, undefined as never)],
      /undefined is not a component/,
    ],
    ["undefined after a good term", [Position, undefined], /undefined is not a component/],
    ["up to an operator", [up(not(Frozen) as never)], /not\(\.\.\.\) cannot be inside/],
    ["changed of a group", [changed(or(Position, Mesh) as never)], /or\(\.\.\.\) cannot be inside/],
    ["a value", [Position({ x: 1 }) as never], /cannot compare values/],
    ["a value in not", [not(Position({ x: 1 }) as never)], /cannot compare values/],
    ["any relation to a variable", [Any(one as never)], /Any\(variable\)/],
    ["a variable that nothing finds", [one], /needs a term that finds it/],
    ["a variable in not alone", [Position, not(ChildOf(one))], /needs a term that finds it/],
    ["a variable in maybe alone", [maybe(Damage(one))], /needs a term that finds it/],
    ["a variable in a group alone", [or(Frozen, on(one, Frozen))], /needs a term that finds it/],
    ["a variable in up on an entity alone", [on(one, up(Frozen))], /needs a term that finds it/],
    ["a variable inside not", [ChildOf(one), not(one as never)], /a variable is an entity/],
    ["a variable inside or", [ChildOf(one), or(Frozen, one as never)], /a variable is an entity/],
    ["a variable inside all", [ChildOf(one), all(one as never)], /a variable is an entity/],
    ["maybe of a variable", [ChildOf(one), maybe(one as never)], /maybe accepts a component, a tag/],
    ["maybe of cascade", [maybe(cascade(Position) as never)], /maybe accepts a component, a tag/],
    ["maybe of not", [maybe(not(Position) as never)], /maybe accepts a component, a tag/],
    ["maybe of a group", [maybe(or(Position, Mesh) as never)], /maybe accepts a component, a tag/],
    ["maybe of changes", [maybe(changed(Position) as never)], /maybe accepts a component, a tag/],
    ["no alternatives", [or(...([] as never as [typeof Frozen]))], /or needs/],
    ["a group of nothing inside not", [not(all(...([] as never as [typeof Frozen])))], /all needs terms/],
    ["maybe inside not", [not(maybe(Position) as never)], /maybe cannot be inside not, or, all/],
    ["cascade inside or", [or(Frozen, cascade(Position) as never)], /cascade cannot be inside/],
    ["orderBy inside all", [all(orderBy(Position, "x") as never)], /orderBy cannot be inside/],
    ["groupBy inside not", [not(groupBy(SoldIn) as never)], /groupBy cannot be inside/],
    ["changed of a tag", [changed(Frozen as never)], /changed\(Frozen\) needs a component that has values/],
    ["changed without fields", [changed(Marker)], /changed\(Marker\) needs a component that has values/],
    ["changed of a pair", [changed(Damage(ship) as never)], /changed\(Damage\) needs a component/],
    ["changed of a tag above", [changed(up(Frozen))], /changed\(Frozen\) needs a component/],
    ["added of a pair", [added(Likes(ship) as never)], /added\(Likes\) needs a component or tag/],
    [
      "removed of an entity as a tag",
      [removed(asTag(ship) as never)],
      /removed\(Is\) needs a component or tag/,
    ],
    ["added of ancestors", [added(up(Position) as never)], /use changed\(up/],
    ["removed of ancestors", [removed(cascade(Position) as never)], /use changed\(up/],
    ["up along Parent", [up(Position, { relation: Parent })], /ChildOf covers both storages/],
    ["cascade along Parent", [cascade(Position, { relation: Parent })], /ChildOf covers both storages/],
    ["a list of terms", [[Position, Likes] as never], /spread it: query\(world, \.\.\.terms\)/],
    ["up along what is not traversable", [up(Position, { relation: Likes })], /Likes cannot be followed/],
    ["up along any relation", [up(Position, { relation: Any })], /Any cannot be followed/],
    ["up along a tag", [up(Position, { relation: Frozen as never })], /Frozen cannot be followed/],
    ["on, up along a text", [on(ship, up(Position, { relation: "x" as never }))], /cannot be followed/],
    [
      "up to a pair with a variable in or",
      [ChildOf(one), or(up(Likes(one)), Frozen)],
      /up accepts no variables/,
    ],
    ["selfOrUp to one", [ChildOf(one), or(selfOrUp(Likes(one)), Frozen)], /selfOrUp accepts no variables/],
    ["cascade of a tag", [cascade(Frozen as never)], /cascade\(Frozen\) needs a component that has values/],
    ["cascade of a pair", [cascade(ChildOf(ship) as never)], /cascade\(ChildOf\) needs a component/],
    ["cascade of an entity as a tag", [cascade(asTag(ship) as never)], /needs a component that has values/],
    ["cascade without fields", [cascade(Marker)], /cascade\(Marker\) needs a component that has values/],
    [
      "cascades along two relations",
      [cascade(Position), cascade(Mesh, { relation: DockedTo })],
      /one relation in one direction/,
    ],
    [
      "cascades in two directions",
      [cascade(Position), cascade(Mesh, { desc: true })],
      /one relation in one direction/,
    ],
    ["on of not", [on(ship, not(Frozen) as never)], /on accepts a plain term, up or selfOrUp/],
    ["on of a group", [on(ship, or(Frozen, Mesh) as never)], /on accepts a plain term, up or selfOrUp/],
    ["on of on", [on(ship, on(station, Frozen) as never)], /on accepts a plain term, up or selfOrUp/],
    [
      "singleton of a pair",
      [{ ...singleton(Position), of: [Likes(ship)] }],
      /singleton accepts a component or tag/,
    ],
    [
      "the order of a cascade",
      [orderBy(cascade(Position) as never, "x" as never)],
      /cascade\(\.\.\.\) cannot be inside this operator/,
    ],
    ["the order of an unknown field above", [orderBy(up(Position), "z" as never)], /"z"\) needs the name/],
    ["the order of a tag", [orderBy(Frozen as never, "x" as never)], /orderBy needs a component/],
    ["the order of pairs", [orderBy(Damage(ship), "amount")], /orderBy needs a component/],
    ["the order of what has no fields", [orderBy(Marker, (() => 0) as never)], /orderBy needs a component/],
    ["the order of an unknown field", [orderBy(Position, "z" as never)], /"z"\) needs the name of a field/],
    ["the order of a list", [orderBy(Kit, "cells" as never)], /needs the name of a field/],
    ["the order of an entity field", [orderBy(Kit, "at" as never)], /needs the name of a field/],
    ["the order of a value by field", [orderBy(Mesh, "length" as never)], /needs the name of a field/],
    ["an order by nothing", [orderBy(Position, undefined as never)], /undefined\) needs the name of a field/],
    ["two groupings", [groupBy(SoldIn), groupBy(ChildOf)], /one groupBy/],
    ["groups by what is not exclusive", [groupBy(Likes)], /groupBy\(Likes\) needs an exclusive relation/],
    [
      "groups by a component",
      [groupBy(Position as never)],
      /groupBy\(Position\) needs an exclusive relation/,
    ],
    ["groups by any relation", [groupBy(Any)], /groupBy\(Any\) needs an exclusive relation/],
  ])("for %s", (_, terms, gist) => {
    const make = (): unknown => query(world, ...(terms as QueryTerm[]));

    expect(codeOf(make)).toBe("bad-query");
    expect(make).toThrow(gist);
  });

  it.each([
    ["a text", "team"],
    ["undefined", undefined],
    ["a pair", ChildOf(ship)],
  ])("for groups by what is neither relation nor function, at once: %s", (_, by) => {
    expect(codeOf(() => groupBy(by as never))).toBe("bad-query");
  });

  it("and not for what may be combined", () => {
    const fine: (readonly QueryTerm[])[] = [
      [cascade(Position), Position, cascade(Mesh)],
      [cascade(Position), cascade(Position)],
      [cascade(Position, { relation: Needs })],
      [not(not(Frozen))],
      [maybe(Likes(ship)), maybe(Damage(ship)), maybe(ChildOf(Any)), maybe(Any(ship)), maybe(asTag(ship))],
      [orderBy(Mesh, (a, b) => a.localeCompare(b)), groupBy(ChildOf)],
      [up(Likes(ship)), up(asTag(ship)), up(ChildOf(Any))],
    ];

    expect(fine.map((terms) => codeOf(() => query(world, ...terms)))).toEqual(fine.map(() => undefined));
  });
});

describe("a query is refused as dead-entity", () => {
  it.each<[title: string, term: unknown]>([
    ["0 as a tag", asTag(0 as Entity)],
    ["the wildcard's number as a tag", asTag(-1 as Entity)],
    ["a negative number as a tag", asTag(-1e9 as Entity)],
    ["a fraction as a tag", asTag(1.5 as Entity)],
    ["infinity as a tag", asTag(Number.POSITIVE_INFINITY as Entity)],
    ["undefined as a tag", asTag(undefined as never)],
    ["not of NaN as a tag", not(asTag(Number.NaN as Entity))],
    ["a pair with undefined, which parentOf returns for a root", ChildOf(undefined as never)],
    ["not of a pair with NaN", not(Likes(Number.NaN as Entity))],
    ["a pair with a negative number", Parent(-1 as Entity)],
    ["any pair with 0", Any(0 as Entity)],
    ["a pair in a group", or(Frozen, Likes(0 as Entity))],
    ["a pair above", up(Likes(undefined as never))],
    ["on of undefined", on(undefined as never, Frozen)],
    ["on of 0", not(on(0 as Entity, Frozen))],
    ["a pair on an entity", on(ship, Likes(Number.NaN as Entity))],
  ])("for what has not the form of a handle: %s", (_, term) => {
    expect(codeOf(() => query(world, term as QueryTerm))).toBe("dead-entity");
  });
});
