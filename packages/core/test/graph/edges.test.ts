import { describe, expect, it } from "vitest";
import { movePlan, shapeWith, shapeWithout } from "../../src/graph/graph.ts";
import { component, f32, relation, tag } from "../../src/index.ts";
import { columnOf } from "../../src/storage/shape.ts";
import { shapeOf, startGraph } from "./start.ts";

const Position = component("Position", { x: f32, y: f32 });
const Velocity = component("Velocity", { x: f32 });
const Frozen = tag("Frozen");
const Likes = relation("Likes");
const Damage = relation("Damage", { fields: { amount: f32 } });

describe("the shape with one more", () => {
  it("is the same, in whatever order things are added (L3)", () => {
    const { graph } = startGraph();

    expect(shapeOf(graph, Frozen, Likes, Position)).toBe(shapeOf(graph, Likes, Position, Frozen));
  });

  it("has its type sorted, relations first (L3)", () => {
    const { graph } = startGraph();

    const { erasedType } = shapeOf(graph, Frozen, Position, Damage, Likes);

    expect(erasedType).toEqual(erasedType.toSorted((one, other) => one - other));
    expect(erasedType).toEqual([-Damage.id, -Likes.id, Position.id, Frozen.id]);
  });

  it("is the shape itself if it is there already", () => {
    const { graph } = startGraph();
    const shape = shapeOf(graph, Position);

    expect(shapeWith(graph, shape, Position)).toBe(shape);
  });

  it("has a relation without data once, whatever the number of its pairs", () => {
    const { graph } = startGraph();
    const shape = shapeOf(graph, Likes);

    expect(shapeWith(graph, shape, Likes)).toBe(shape);
  });

  it("has a relation with data once for each of its pairs", () => {
    const { graph } = startGraph();

    const shape = shapeOf(graph, Damage, Damage, Damage);

    expect(shape.erasedType).toEqual([-Damage.id, -Damage.id, -Damage.id]);
    expect(shape.lanes.plan.columns).toHaveLength(3);
  });

  it("is remembered, and differs from it by exactly that one (L9)", () => {
    const { graph } = startGraph();
    const shape = shapeOf(graph, Position);
    const larger = shapeWith(graph, shape, Frozen);

    expect(shape.withId[Frozen.id]).toBe(larger);
    expect(larger.erasedType).toEqual([...shape.erasedType, Frozen.id]);
  });
});

describe("the shape with one fewer", () => {
  it("is the one that it was before", () => {
    const { graph } = startGraph();
    const shape = shapeOf(graph, Position, Likes);

    expect(shapeWithout(graph, shapeWith(graph, shape, Frozen), Frozen)).toBe(shape);
  });

  it("is the shape itself if it is not there", () => {
    const { graph } = startGraph();
    const shape = shapeOf(graph, Position);

    expect(shapeWithout(graph, shape, Frozen)).toBe(shape);
  });

  it("has one occurrence fewer of a relation with data", () => {
    const { graph } = startGraph();
    const three = shapeOf(graph, Damage, Damage, Damage);

    expect(shapeWithout(graph, three, Damage)).toBe(shapeOf(graph, Damage, Damage));
  });

  it("is the root at last", () => {
    const { graph } = startGraph();

    expect(shapeWithout(graph, shapeOf(graph, Position), Position)).toBe(graph.root);
  });
});

describe("new shapes", () => {
  it("are numbered in the order of need, and not founded yet", () => {
    const { graph } = startGraph();

    const shapes = [shapeOf(graph, Position), shapeOf(graph, Position, Frozen)];

    expect(shapes.map(({ number }) => graph.shapes[number])).toEqual(shapes);
    expect(shapes.map(({ founded }) => founded)).toEqual([false, false]);
  });
});

describe("the plan of a move", () => {
  it("is made once for two shapes", () => {
    const { graph } = startGraph();
    const from = shapeOf(graph, Position);
    const to = shapeOf(graph, Position, Velocity);

    expect(movePlan(from, to)).toBe(movePlan(from, to));
    expect(movePlan(to, from)).not.toBe(movePlan(from, to));
  });

  it("joins columns of the same component and leaves pairs with data out", () => {
    const { graph } = startGraph();
    const from = shapeOf(graph, Position, Damage);
    const to = shapeOf(graph, Position, Velocity, Damage);

    const { four, clears } = movePlan(from, to);

    const lanesOf = (shape: typeof from): number[] =>
      columnOf(shape, Position)!.fields.map(({ lane }) => lane);
    const [x, y] = lanesOf(from);
    const [toX, toY] = lanesOf(to);
    expect([...four]).toEqual([x, toX, y, toY]);
    expect(clears).toBe(true);
  });
});
