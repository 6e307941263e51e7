import { describe, expect, it } from "vitest";
import { archetypeWith, archetypeWithout, movePlan } from "../../src/graph/graph.ts";
import { component, f32, relation, tag } from "../../src/index.ts";
import { columnOf } from "../../src/storage/archetype.ts";
import { archetypeFor, startGraph } from "./graph-fixture.ts";

const Position = component("Position", { x: f32, y: f32 });
const Velocity = component("Velocity", { x: f32 });
const Frozen = tag("Frozen");
const Likes = relation("Likes");
const Damage = relation("Damage", { fields: { amount: f32 } });

describe("the archetype with one more definition", () => {
  it("is the same for every order of additions (I3)", () => {
    const { graph } = startGraph();

    expect(archetypeFor(graph, Frozen, Likes, Position)).toBe(archetypeFor(graph, Likes, Position, Frozen));
  });

  it("has its type sorted, relations first (I3)", () => {
    const { graph } = startGraph();

    const { erasedType } = archetypeFor(graph, Frozen, Position, Damage, Likes);

    expect(erasedType).toEqual(erasedType.toSorted((one, other) => one - other));
    expect(erasedType).toEqual([-Damage.id, -Likes.id, Position.id, Frozen.id]);
  });

  it("is the archetype itself if it already has the definition", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, Position);

    expect(archetypeWith(graph, archetype, Position)).toBe(archetype);
  });

  it("has a relation without data once, whatever the number of its pairs", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, Likes);

    expect(archetypeWith(graph, archetype, Likes)).toBe(archetype);
  });

  it("has a relation with data once for each of its pairs", () => {
    const { graph } = startGraph();

    const archetype = archetypeFor(graph, Damage, Damage, Damage);

    expect(archetype.erasedType).toEqual([-Damage.id, -Damage.id, -Damage.id]);
    expect(archetype.lanes.plan.columns).toHaveLength(3);
  });

  it("is cached, and differs by exactly that one (I9)", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, Position);
    const larger = archetypeWith(graph, archetype, Frozen);

    expect(archetype.withId[Frozen.id]).toBe(larger);
    expect(larger.erasedType).toEqual([...archetype.erasedType, Frozen.id]);
  });
});

describe("the archetype with one definition fewer", () => {
  it("is the one that it was before", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, Position, Likes);

    expect(archetypeWithout(graph, archetypeWith(graph, archetype, Frozen), Frozen)).toBe(archetype);
  });

  it("is the archetype itself if it does not have the definition", () => {
    const { graph } = startGraph();
    const archetype = archetypeFor(graph, Position);

    expect(archetypeWithout(graph, archetype, Frozen)).toBe(archetype);
  });

  it("has one occurrence fewer of a relation with data", () => {
    const { graph } = startGraph();
    const three = archetypeFor(graph, Damage, Damage, Damage);

    expect(archetypeWithout(graph, three, Damage)).toBe(archetypeFor(graph, Damage, Damage));
  });

  it("is the root in the end", () => {
    const { graph } = startGraph();

    expect(archetypeWithout(graph, archetypeFor(graph, Position), Position)).toBe(graph.root);
  });
});

describe("new archetypes", () => {
  it("are numbered in the order of creation, and not founded yet", () => {
    const { graph } = startGraph();

    const archetypes = [archetypeFor(graph, Position), archetypeFor(graph, Position, Frozen)];

    expect(archetypes.map(({ number }) => graph.archetypes[number])).toEqual(archetypes);
    expect(archetypes.map(({ founded }) => founded)).toEqual([false, false]);
  });
});

describe("the plan of a move", () => {
  it("is made once for two archetypes", () => {
    const { graph } = startGraph();
    const from = archetypeFor(graph, Position);
    const to = archetypeFor(graph, Position, Velocity);

    expect(movePlan(from, to)).toBe(movePlan(from, to));
    expect(movePlan(to, from)).not.toBe(movePlan(from, to));
  });

  it("joins columns of the same component and leaves out pairs with data", () => {
    const { graph } = startGraph();
    const from = archetypeFor(graph, Position, Damage);
    const to = archetypeFor(graph, Position, Velocity, Damage);

    const { four, clears } = movePlan(from, to);

    const lanesOf = (archetype: typeof from): number[] =>
      columnOf(archetype, Position)!.fields.map(({ lane }) => lane);
    const [x, y] = lanesOf(from);
    const [toX, toY] = lanesOf(to);
    expect([...four]).toEqual([x, toX, y, toY]);
    expect(clears).toBe(true);
  });
});
