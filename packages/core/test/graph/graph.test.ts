import { describe, expect, it } from "vitest";
import { archetypesWith, Graph } from "../../src/graph/graph.ts";
import { plainMemory } from "../../src/index.ts";
import { EntityIndex } from "../../src/records/entity-index.ts";
import { Damage, Frozen, Likes, Position } from "../definitions.ts";
import { archetypeFor, pairsFor, startGraph, tableOf } from "./graph-fixture.ts";

describe("a new graph", () => {
  it("has the archetype of no definitions and no table", () => {
    const graph = new Graph(plainMemory(), {}, new EntityIndex(1));

    expect(graph.archetypes).toEqual([graph.root]);
    expect([graph.root.erasedType, graph.root.founded, graph.tables.alive]).toEqual([[], false, 0]);
  });
});

describe("archetypesWith", () => {
  it("lists founded archetypes in the order of their founding", () => {
    const { graph } = startGraph();
    const both = archetypeFor(graph, Position, Frozen);
    const alone = archetypeFor(graph, Position);
    archetypeFor(graph, Frozen);
    tableOf(graph, alone);
    tableOf(graph, both);

    expect(archetypesWith(graph, Position)).toEqual([alone, both]);
    expect(archetypesWith(graph, Frozen)).toEqual([both]);
    expect(archetypesWith(graph, Likes)).toEqual([]);
  });

  it("lists an archetype once, however many pairs with data it has", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, Damage, Damage);

    tableOf(graph, archetype, ...pairsFor(graph, [Damage, 1], [Damage, 2]));

    expect(archetypesWith(graph, Damage)).toEqual([archetype]);
  });
});
