import { entityOf, spawn } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { dispose, type QueryTerm, query } from "../../src/index.ts";
import { keyOfTerms } from "../../src/term/text.ts";
import { Frozen, Likes, Mesh } from "../definitions.ts";
import { Any, asTag, ChildOf, Parent } from "../public/builtins.ts";
import { component, createWorld, relation } from "../public/define.ts";
import { f32 } from "../public/fields.ts";
import { added, all, changed, maybe, not, or, removed } from "../public/filters.ts";
import { groupBy, orderBy } from "../public/parts.ts";
import { cascade, on, selfOrUp, singleton, up, variable } from "../public/terms.ts";

const Position = component("Position", { x: f32, y: f32 });
const DockedTo = relation("DockedTo", { traversable: true });
const Odd = component("Odd", { x: f32, "x down": f32, '"': f32 });
const byX = (one: { x: number }, other: { x: number }): number => one.x - other.x;
const byXAgain = (one: { x: number }, other: { x: number }): number => one.x - other.x;

const world = createWorld();
const ship = spawn(world);
const station = spawn(world);
const one = variable("same name");
const other = variable("same name");

/** New terms at each call. No two lists are equal. */
const termLists: (() => readonly QueryTerm[])[] = [
  () => [],
  () => [Position],
  () => [Mesh],
  () => [not(Position)],
  () => [maybe(Position)],
  () => [cascade(Position)],
  () => [cascade(Position, { desc: true })],
  () => [cascade(Position, { relation: DockedTo })],
  () => [up(Position)],
  () => [up(Position, { relation: DockedTo })],
  () => [selfOrUp(Position)],
  () => [not(up(Position))],
  () => [maybe(up(Position))],
  () => [Position, Position],
  () => [Position, Mesh],
  () => [Mesh, Position],
  () => [or(Position, Mesh)],
  () => [or(Position), Mesh],
  () => [or(Mesh, Position)],
  () => [all(Position, Mesh)],
  () => [or(all(Position), Mesh)],
  () => [or(all(Position, Mesh))],
  () => [not(or(Position, Mesh))],
  () => [not(all(Position, Mesh))],
  () => [not(Position), not(Mesh)],
  () => [ChildOf(Any)],
  () => [not(ChildOf(Any))],
  () => [ChildOf(ship)],
  () => [ChildOf(station)],
  () => [ChildOf(one)],
  () => [ChildOf(other)],
  () => [ChildOf(one), one],
  () => [Likes(ship)],
  () => [not(Likes(ship))],
  () => [Parent(ship)],
  () => [Parent(Any)],
  () => [Any(ship)],
  () => [Any(Any)],
  () => [asTag(ship)],
  () => [asTag(station)],
  () => [not(asTag(ship))],
  () => [Frozen],
  () => [maybe(Frozen)],
  () => [on(ship, Frozen)],
  () => [on(station, Frozen)],
  () => [on(ship, up(Frozen))],
  () => [on(one, Frozen)],
  () => [on(other, Frozen)],
  () => [singleton(Frozen)],
  () => [singleton(Position)],
  () => [changed(Position)],
  () => [changed(up(Position))],
  () => [added(Position)],
  () => [removed(Position)],
  () => [orderBy(Position, "x")],
  () => [orderBy(Position, "y")],
  () => [orderBy(Position, "x", { desc: true })],
  () => [orderBy(Odd, "x")],
  () => [orderBy(Odd, "x", { desc: true })],
  () => [orderBy(Odd, "x down")],
  () => [orderBy(Odd, '"')],
  () => [orderBy(Position, byX)],
  () => [orderBy(Position, byXAgain)],
  () => [groupBy(ChildOf)],
  () => [groupBy(DockedTo)],
  () => [groupBy(byX as never)],
];

describe("keys", () => {
  it("of equal descriptions are equal, however often they are written", () => {
    for (const terms of termLists) expect(keyOfTerms(world, terms())).toBe(keyOfTerms(world, terms()));
  });

  it("of different descriptions differ", () => {
    const keys = termLists.map((terms) => keyOfTerms(world, terms()));
    const twice = keys.filter((key, at) => keys.indexOf(key) !== at);

    expect(twice).toEqual([]);
  });

  it("differ for components of one name", () => {
    const Other = component("Position", { x: f32, y: f32 });

    expect(keyOfTerms(world, [Other])).not.toBe(keyOfTerms(world, [Position]));
  });

  it("are the same for a definition and its component entity", () => {
    const other = createWorld();
    const keys = [
      [asTag(entityOf(other, Position)), Position],
      [not(asTag(entityOf(other, Frozen))), not(Frozen)],
      [or(Mesh, asTag(entityOf(other, Likes))), or(Mesh, Likes(Any))],
    ].map((terms) => terms.map((term) => keyOfTerms(other, [term as QueryTerm])));

    for (const [byEntity, byDefinition] of keys) expect(byEntity).toBe(byDefinition);
  });

  it("make one query of descriptions that name no entity and are not about changes", () => {
    for (const terms of termLists) {
      const [first, second] = [query(world, ...terms()), query(world, ...terms())];
      const isShared = !first.plan.namesEntity && !first.plan.isWatching;

      expect(first === second, first.key).toBe(isShared);
      dispose(first);
      dispose(second);
    }
  });
});
