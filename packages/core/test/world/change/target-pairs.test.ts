import { beforeEach, describe, expect, it } from "vitest";
import { archetypeWith } from "../../../src/graph/graph.ts";
import { ChildOf, spawn, spawnMany, type World } from "../../../src/index.ts";
import { collectValues } from "../../../src/world/change/collect.ts";
import { unwantPair, wantPair, wantPairsOf } from "../../../src/world/change/goal.ts";
import { newPlan } from "../../../src/world/change/spawn-plans.ts";
import {
  definitionOfTerm,
  targetOfTerm,
  valueOfTerm,
  wantPairsOfTerms,
} from "../../../src/world/change/terms.ts";
import { Damage, Frozen, Likes, Position } from "../../definitions.ts";
import { setWorld, world } from "../../fixture.ts";
import { pairOf, tableOf } from "../../handles.ts";
import { codeOf } from "../../reading.ts";

function wanted(world: World, count: number): number[] {
  return [...world.graph.wanted.subarray(0, count)];
}

beforeEach(setWorld);

describe("the required pairs", () => {
  it("are sorted, whatever the order in which they are required (I3)", () => {
    const count = [5, 2, 9, 7].reduce((so, pair) => wantPair(world, pair, so), 0);

    expect(wanted(world, count)).toEqual([2, 5, 7, 9]);
  });

  it("are required once each (I3)", () => {
    const count = [5, 2, 5, 2, 5].reduce((so, pair) => wantPair(world, pair, so), 0);

    expect(wanted(world, count)).toEqual([2, 5]);
  });

  it("may outgrow their array", () => {
    const many = Array.from({ length: 500 }, (_, at) => 500 - at);

    const count = many.reduce((so, pair) => wantPair(world, pair, so), 0);

    expect(wanted(world, count)).toEqual(many.toReversed());
  });

  it("lose one that is no longer required, and nothing else", () => {
    const count = [2, 5, 7].reduce((so, pair) => wantPair(world, pair, so), 0);

    expect(wanted(world, unwantPair(world, 6, count))).toEqual([2, 5, 7]);
    expect(wanted(world, unwantPair(world, 5, count))).toEqual([2, 7]);
  });

  it("start with those of a table, without that of the parent", () => {
    const [ship, friend] = spawnMany(world, 2) as [never, never];
    const one = spawn(world, ChildOf(ship), Likes(friend), Likes(ship), Position);

    const count = wantPairsOf(world, tableOf(world, one));

    expect(wanted(world, count)).toEqual([pairOf(world, Likes, friend), pairOf(world, Likes, ship)]);
    expect(wantPairsOf(world, tableOf(world, ship))).toBe(0);
  });

  it("of terms are those of the pairs among them, without that of the parent", () => {
    const [ship, friend] = spawnMany(world, 2) as [never, never];

    expect(wantPairsOfTerms(world, [Position, ChildOf(ship), Likes(friend), Frozen, Damage(ship)])).toBe(2);
    expect(wantPairsOfTerms(world, [Position])).toBe(0);
  });
});

describe("a term", () => {
  it("has a definition, a target and a value, in whatever form it is given", () => {
    const ship = spawn(world);
    const terms = [Position, Position({ x: 1 }), Damage(ship, { amount: 2 })];

    expect(terms.map(definitionOfTerm)).toEqual([Position, Position, Damage]);
    expect(terms.map(targetOfTerm)).toEqual([0, 0, ship]);
    expect(terms.map(valueOfTerm)).toEqual([undefined, { x: 1 }, { amount: 2 }]);
  });

  it("that is valid is not refused", () => {
    const ship = spawn(world);

    const codes = [Position, Frozen, Position({}), Likes(ship)].map((term) =>
      codeOf(() => collectValues(world, [term])),
    );

    expect(codes).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe("the archetype of terms", () => {
  it("is that of all their definitions, in whatever order", () => {
    const ship = spawn(world);
    const { graph } = world;

    const archetype = newPlan(world, [Position, ChildOf(ship), Frozen]).archetype;

    expect(archetype).toBe(newPlan(world, [Frozen, Position({ x: 1 }), ChildOf(ship)]).archetype);
    expect(archetype).toBe(
      archetypeWith(graph, archetypeWith(graph, archetypeWith(graph, graph.root, ChildOf), Frozen), Position),
    );
  });
});
