import { type Entity, spawn } from "@treeline/core";
import { Is } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { destroy, type QueryTerm } from "../../src/index.ts";
import { textOfEnd, textOfTerm, textOfTerms } from "../../src/term/text.ts";
import { Damage, Frozen, Likes, Position } from "../definitions.ts";
import { Any, asTag, ChildOf, Parent } from "../public/builtins.ts";
import { createWorld, relation } from "../public/define.ts";
import { added, all, changed, maybe, not, or, removed } from "../public/filters.ts";
import { groupBy, orderBy } from "../public/parts.ts";
import { cascade, on, selfOrUp, singleton, up, variable } from "../public/terms.ts";

const DockedTo = relation("DockedTo", { traversable: true });
const parent = variable("parent");

const world = createWorld();
const ship = spawn(world);
const dead = spawn(world);
destroy(world, dead);

describe("terms as text", () => {
  it.each<[text: string, term: QueryTerm]>([
    ["Position", Position],
    ["Frozen", Frozen],
    ["asTag(#1)", asTag(ship)],
    ["Likes(#1)", Likes(ship)],
    ["Likes(dead #2)", Likes(dead)],
    ["Any(#1)", Any(ship)],
    ["Any(Any)", Any(Any)],
    ["Damage(Any)", Damage(Any)],
    ["Parent(#1)", Parent(ship)],
    ["Damage(parent)", Damage(parent)],
    ["parent", parent],
    ["not(asTag(dead #2))", not(asTag(dead))],
    ["maybe(Damage(#1))", maybe(Damage(ship))],
    ["all(Position, Frozen)", all(Position, Frozen)],
    ["not(or(Frozen, all(Position, Likes(Any))))", not(or(Frozen, all(Position, Likes(Any))))],
    ["up(ChildOf(#1))", up(ChildOf(ship))],
    ["up(Position, { relation: DockedTo })", up(Position, { relation: DockedTo })],
    ["selfOrUp(Frozen)", selfOrUp(Frozen)],
    ["cascade(Position)", cascade(Position)],
    ["cascade(Position, { desc: true })", cascade(Position, { desc: true })],
    [
      "cascade(Position, { relation: DockedTo, desc: true })",
      cascade(Position, { relation: DockedTo, desc: true }),
    ],
    ["on(#1, Frozen)", on(ship, Frozen)],
    ["on(parent, up(Position))", on(parent, up(Position))],
    ["singleton(Position)", singleton(Position)],
    ["changed(Position)", changed(Position)],
    ["changed(up(Position))", changed(up(Position))],
    ["added(Frozen)", added(Frozen)],
    ["removed(Position)", removed(Position)],
    ['orderBy(Position, "x")', orderBy(Position, "x")],
    ['orderBy(Position, "x", { desc: true })', orderBy(Position, "x", { desc: true })],
    ["orderBy(Position, a function)", orderBy(Position, (one, other) => one.x - other.x)],
    ["groupBy(ChildOf)", groupBy(ChildOf)],
    ["groupBy(a function)", groupBy(() => 1)],
  ])("are written as users write them: %s", (text, term) => {
    expect(textOfTerms(world, [term])).toBe(text);
  });

  it("are in their order, with commas between", () => {
    expect(textOfTerms(world, [not(Frozen), Position, Likes(Any)])).toBe("not(Frozen), Position, Likes(Any)");
    expect(textOfTerms(world, [])).toBe("");
  });

  it("print living entities with the names of the world", () => {
    const named = createWorld();
    const one = spawn(named);
    const destroyed = spawn(named);
    destroy(named, destroyed);
    named.textOf = (_: unknown, entity: Entity) => (entity === one ? "Ship" : "someone");

    expect(textOfTerms(named, [ChildOf(one), on(one, Frozen), ChildOf(destroyed)])).toBe(
      "ChildOf(Ship), on(Ship, Frozen), ChildOf(dead #2)",
    );
  });

  it("are made of terms and ends, as plans store them", () => {
    expect(textOfTerm(world, { definition: Position, target: 0 })).toBe("Position");
    expect(textOfTerm(world, { definition: Is, target: ship })).toBe("asTag(#1)");
    expect([textOfEnd(world, ship), textOfEnd(world, -1), textOfEnd(world, parent)]).toEqual([
      "#1",
      "Any",
      "parent",
    ]);
  });
});
