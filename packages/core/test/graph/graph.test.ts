import { describe, expect, it } from "vitest";
import { Graph, shapesWith } from "../../src/graph/graph.ts";
import { plainMemory } from "../../src/index.ts";
import { Damage, Frozen, Likes, Position } from "../definitions.ts";
import { pairsFor, shapeOf, startGraph, tableOf } from "./start.ts";

describe("a new graph", () => {
  it("has the shape of nothing and no table", () => {
    const graph = new Graph(plainMemory(), {});

    expect(graph.shapes).toEqual([graph.root]);
    expect([graph.root.erasedType, graph.root.founded, graph.tables.alive]).toEqual([[], false, 0]);
  });
});

describe("shapesWith", () => {
  it("lists founded shapes in the order of their founding", () => {
    const { graph } = startGraph();
    const both = shapeOf(graph, Position, Frozen);
    const alone = shapeOf(graph, Position);
    shapeOf(graph, Frozen);
    tableOf(graph, alone);
    tableOf(graph, both);

    expect(shapesWith(graph, Position)).toEqual([alone, both]);
    expect(shapesWith(graph, Frozen)).toEqual([both]);
    expect(shapesWith(graph, Likes)).toEqual([]);
  });

  it("lists a shape once, however many pairs with data it has", () => {
    const { graph } = startGraph();
    const shape = shapeOf(graph, Damage, Damage);

    tableOf(graph, shape, ...pairsFor(graph, [Damage, 1], [Damage, 2]));

    expect(shapesWith(graph, Damage)).toEqual([shape]);
  });
});
