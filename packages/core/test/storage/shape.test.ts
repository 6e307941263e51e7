import { describe, expect, it } from "vitest";
import { component, type Definition } from "../../src/index.ts";
import { columnOf, erasedIdOf, hasDefinition, NEEDS_PAIR_VALUES, Shape } from "../../src/storage/shape.ts";
import { Damage, Frozen, Likes, Position } from "../definitions.ts";
import { counting, memories } from "./memory/memories.ts";

const [, createMemory] = memories[0]!;

function shapeOf(...definitions: Definition[]): Shape {
  const sorted = definitions.toSorted((one, other) => erasedIdOf(one) - erasedIdOf(other));
  return new Shape(3, sorted, createMemory());
}

describe("a shape", () => {
  it("has relations as wildcards, before components and tags, in its sorted type (L3)", () => {
    const { erasedType } = shapeOf(Position, Likes, Frozen);

    expect(erasedType).toEqual([-Likes.id, Position.id, Frozen.id]);
  });

  it("takes no memory before its first row", () => {
    const memory = counting(createMemory());

    const shape = new Shape(0, [Position], memory);

    expect([memory.allocations, shape.lanes.capacity, shape.founded, shape.end]).toEqual([0, 0, false, 0]);
  });

  it("has a column for each component with values and none for tags and bare pairs", () => {
    const shape = shapeOf(Position, Frozen, Likes);

    expect(shape.lanes.plan.columns.map(({ definition }) => definition)).toEqual([Position]);
    expect(shape.lanes.plan.columns.map(({ definition }) => definition)).toEqual([Position]);
  });

  it("has a column for each of its pairs with data, in their order", () => {
    const shape = shapeOf(Damage, Damage, Position);

    const occurrences = shape.lanes.plan.columns.flatMap(({ definition, occurrence }) =>
      definition === Damage ? [occurrence] : [],
    );
    expect(occurrences).toEqual([0, 1]);
    expect(columnOf(shape, Damage)!.occurrence).toBe(0);
  });

  it("knows whether it has pairs, and whether they carry data", () => {
    const traits = [shapeOf(Position), shapeOf(Likes), shapeOf(Damage)];

    expect(traits.map(({ hasPairs }) => hasPairs)).toEqual([false, true, true]);
    expect(traits.map(({ fixedNeeds }) => (fixedNeeds & NEEDS_PAIR_VALUES) !== 0)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("knows its definitions with hooks", () => {
    const Told = component<string>("Told");
    Told.hooks = {};

    expect(shapeOf(Position, Told).hooked).toEqual([Told]);
    expect(shapeOf(Position).hooked).toEqual([]);
  });

  it("answers which definitions it has", () => {
    const shape = shapeOf(Position, Likes);

    expect([Position, Likes, Frozen].map((definition) => hasDefinition(shape, definition))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
