import { describe, expect, it } from "vitest";
import { component, type Definition } from "../../src/index.ts";
import {
  Archetype,
  columnOf,
  erasedIdOf,
  hasDefinition,
  NEEDS_PAIR_VALUES,
} from "../../src/storage/archetype.ts";
import { Damage, Frozen, Likes, Position } from "../definitions.ts";
import { counting, memories } from "./memory/memories.ts";

const [, createMemory] = memories[0]!;

function archetypeFor(...definitions: Definition[]): Archetype {
  const sorted = definitions.toSorted((one, other) => erasedIdOf(one) - erasedIdOf(other));
  return new Archetype(3, sorted, createMemory());
}

describe("an archetype", () => {
  it("has relations as wildcards, before components and tags, in its sorted type (I3)", () => {
    const { erasedType } = archetypeFor(Position, Likes, Frozen);

    expect(erasedType).toEqual([-Likes.id, Position.id, Frozen.id]);
  });

  it("takes no memory before its first row", () => {
    const memory = counting(createMemory());

    const archetype = new Archetype(0, [Position], memory);

    expect([memory.allocations, archetype.lanes.capacity, archetype.founded, archetype.rows]).toEqual([
      0,
      0,
      false,
      0,
    ]);
  });

  it("has a column for each component with values and none for tags and bare pairs", () => {
    const archetype = archetypeFor(Position, Frozen, Likes);

    expect(archetype.lanes.plan.columns.map(({ definition }) => definition)).toEqual([Position]);
  });

  it("has a column for each of its pairs with data, in their order", () => {
    const archetype = archetypeFor(Damage, Damage, Position);

    const occurrences = archetype.lanes.plan.columns.flatMap(({ definition, occurrence }) =>
      definition === Damage ? [occurrence] : [],
    );
    expect(occurrences).toEqual([0, 1]);
    expect(columnOf(archetype, Damage)!.occurrence).toBe(0);
  });

  it("knows whether it has pairs, and whether they carry data", () => {
    const traits = [archetypeFor(Position), archetypeFor(Likes), archetypeFor(Damage)];

    expect(traits.map(({ hasPairs }) => hasPairs)).toEqual([false, true, true]);
    expect(traits.map(({ fixedNeeds }) => (fixedNeeds & NEEDS_PAIR_VALUES) !== 0)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("knows its definitions with hooks", () => {
    const Text = component<string>("Text");
    Text.hooks = {};

    expect(archetypeFor(Position, Text).hooked).toEqual([Text]);
    expect(archetypeFor(Position).hooked).toEqual([]);
  });

  it("returns which definitions it has", () => {
    const archetype = archetypeFor(Position, Likes);

    expect([Position, Likes, Frozen].map((definition) => hasDefinition(archetype, definition))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
