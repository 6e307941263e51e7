import { describe, expect, it } from "vitest";
import { archetypeWith, tableFor } from "../../src/graph/graph.ts";
import { ChildOf, type Entity, observe, plainMemory, spawn, spawnMany } from "../../src/index.ts";
import { Archetype } from "../../src/storage/archetype.ts";
import { appendTable } from "../../src/storage/table.ts";
import { pairFor } from "../graph/graph-fixture.ts";
import { indexOf, pairOf } from "../handles.ts";
import {
  archetypeFor,
  brokenInvariants,
  DockedTo,
  Frozen,
  force,
  Label,
  Likes,
  Position,
  plantHealthy,
  tableOf,
} from "./healthy.ts";

describe("verify reports I3", () => {
  it("when the pairs of a type are not sorted", () => {
    const { world, crew } = plantHealthy();
    const { tables, records } = world.graph;
    const first = tables.nodes[tableOf(world, crew[0]!)]!;
    const pairs = records.nodePair;
    [pairs[first], pairs[first + 1]] = [pairs[first + 1]!, pairs[first]!];

    expect(brokenInvariants(world)).toContain("I3");
  });

  it("when a type repeats a pair", () => {
    const { world, crew } = plantHealthy();
    const { tables, records } = world.graph;
    const first = tables.nodes[tableOf(world, crew[0]!)]!;
    records.nodePair[first + 1] = records.nodePair[first]!;

    expect(brokenInvariants(world)).toContain("I3");
  });

  it("when two tables share a type", () => {
    const { world, cockpit, seat } = plantHealthy();
    const { tables, records } = world.graph;
    const nodeOf = (entity: Entity): number => tables.nodes[tableOf(world, entity)]!;
    records.nodePair[nodeOf(cockpit)] = records.nodePair[nodeOf(seat)]!;

    expect(brokenInvariants(world)).toContain("I3");
  });

  it("when two archetypes share a type", () => {
    const { world, cockpit } = plantHealthy();
    const { graph } = world;
    graph.archetypes.push(
      new Archetype(graph.archetypes.length, archetypeFor(world, cockpit).definitions, plainMemory()),
    );

    expect(brokenInvariants(world)).toContain("I3");
  });
});

describe("verify reports I4", () => {
  it("when a pair miscounts its tables", () => {
    const { world, cockpit } = plantHealthy();
    world.graph.records.tables[pairOf(world, ChildOf, cockpit)]!++;

    expect(brokenInvariants(world)).toContain("I4");
  });

  it("when a pair does not list a table that has it", () => {
    const { world, cockpit } = plantHealthy();
    const pair = pairOf(world, ChildOf, cockpit);
    const { records } = world.graph;
    records.firstNode[pair] = records.nodeNext[records.firstNode[pair]!]!;

    expect(brokenInvariants(world)).toContain("I4");
  });

  it("when a component does not list an archetype that has it", () => {
    const { world } = plantHealthy();
    world.graph.componentIndex.get(Position.id)!.pop();

    expect(brokenInvariants(world)).toContain("I4");
  });

  it("when a table is wrong about its parent", () => {
    const { world, cockpit } = plantHealthy();
    world.graph.tables.parentPair[tableOf(world, cockpit)] = pairOf(world, ChildOf, cockpit);

    expect(brokenInvariants(world)).toContain("I4");
  });
});

describe("verify reports I6", () => {
  it.each([
    ["parents", ChildOf],
    ["targets of an exclusive relation", DockedTo],
  ])("when a type has two %s", (_, Relation) => {
    const { world, ship, cockpit, seat } = plantHealthy();
    force(world, seat, [Relation, ship], [Relation, cockpit]);

    expect(brokenInvariants(world)).toContain("I6");
  });
});

describe("verify reports I9", () => {
  it("when an edge leads to an archetype that differs by more", () => {
    const { world, ship, crew } = plantHealthy();
    archetypeFor(world, ship).withId[Frozen.id] = archetypeFor(world, crew[0]!);

    expect(brokenInvariants(world)).toContain("I9");
  });

  it("when an edge leads to an archetype that differs by something else", () => {
    const { world } = plantHealthy();
    const { graph } = world;
    graph.root.withId[Frozen.id] = archetypeWith(graph, graph.root, Position);

    expect(brokenInvariants(world)).toContain("I9");
  });

  it("when an edge says that an archetype has something that it does not have", () => {
    const { world } = plantHealthy();
    world.graph.root.withId[Frozen.id] = world.graph.root;

    expect(brokenInvariants(world)).toContain("I9");
  });
});

describe("verify reports I14", () => {
  it("when an archetype has more empty tables than the rule allows", () => {
    const { world } = plantHealthy();
    const { graph } = world;
    const archetype = archetypeWith(graph, graph.root, Likes);

    for (const target of spawnMany(world, 70)) {
      graph.wanted[0] = pairFor(graph, Likes, indexOf(target));
      const table = tableFor(graph, archetype, 1);
      graph.tables.first[table] = -1;
      appendTable(graph.tables, archetype.empty, table);
    }

    expect(brokenInvariants(world)).toContain("I14");
  });
});

describe("verify reports I22", () => {
  it("when an archetype keeps needs that observers have changed", () => {
    const { world, ship } = plantHealthy();
    observe(world, { added: Label }, () => {});
    spawn(world, Label("Other"));

    expect(brokenInvariants(world)).toEqual([]);

    archetypeFor(world, ship).needs = 0;

    expect(brokenInvariants(world)).toContain("I22");
  });

  it("when an observer is added without a new epoch", () => {
    const { world } = plantHealthy();
    spawn(world, Label("Other"));
    const { epoch } = world.events;
    observe(world, { added: Label }, () => {});
    world.events.epoch = epoch;

    expect(brokenInvariants(world)).toContain("I22");
  });
});
