import { describe, expect, it } from "vitest";
import { archetypeWith, tableFor } from "../../src/graph/graph.ts";
import { ChildOf, observe, Parent, plainMemory, spawn, spawnMany } from "../../src/index.ts";
import { Archetype } from "../../src/storage/archetype.ts";
import { appendTable, unlinkTable } from "../../src/storage/table.ts";
import { moveEntity } from "../../src/world/change/move-entity.ts";
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
    const [one, other] = [cockpit, seat].map(
      (target) => tables.nodes[tableOf(world, spawn(world, Likes(target)))]!,
    );
    records.nodePair[one!] = records.nodePair[other!]!;

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
    const { world, ship } = plantHealthy();
    world.graph.records.tables[pairOf(world, Likes, ship)]!++;

    expect(brokenInvariants(world)).toContain("I4");
  });

  it("when a pair does not list a table that has it", () => {
    const { world, ship } = plantHealthy();
    const pair = pairOf(world, Likes, ship);
    const { records } = world.graph;
    records.firstNode[pair] = records.nodeNext[records.firstNode[pair]!]!;

    expect(brokenInvariants(world)).toContain("I4");
  });

  it("when a component does not list an archetype that has it", () => {
    const { world } = plantHealthy();
    world.graph.componentIndex.get(Position.id)!.pop();

    expect(brokenInvariants(world)).toContain("I4");
  });

  it("when a table has the pair of a parent", () => {
    const { world, cockpit, ship } = plantHealthy();
    const { tables, records } = world.graph;
    const node = tables.nodes[tableOf(world, spawn(world, ChildOf(cockpit), DockedTo(ship)))]!;
    records.nodePair[node] = pairOf(world, ChildOf, cockpit);

    expect(brokenInvariants(world)).toContain("I4");
  });

  it("when an archetype without pairs does not know its table, or one with pairs has a plain one", () => {
    const [one, other] = [plantHealthy(), plantHealthy()];
    archetypeFor(one.world, one.cockpit).plainTable = 0;
    archetypeFor(other.world, other.crew[0]).plainTable = tableOf(other.world, other.crew[0]);

    expect([one, other].map(({ world }) => brokenInvariants(world))).toEqual([["I4"], ["I4"]]);
  });

  it("when tables that are found by their hash are miscounted, or not in their bucket", () => {
    const [one, other] = [plantHealthy(), plantHealthy()];
    one.world.graph.hashed++;
    other.world.graph.buckets.fill(0);

    expect([one, other].map(({ world }) => brokenInvariants(world))).toEqual([["I4"], ["I4"]]);
  });

  it("when a table is in no list of its archetype", () => {
    const { world, crew } = plantHealthy();
    const { filled } = archetypeFor(world, crew[0]);
    const table = tableOf(world, spawn(world, ChildOf(crew[0]), Likes(crew[1])));
    unlinkTable(world.graph.tables, filled, table);

    expect(brokenInvariants(world)).toContain("I4");
  });
});

describe("verify reports I6", () => {
  it("when a type has two targets of an exclusive relation", () => {
    const { world, ship, cockpit, seat } = plantHealthy();
    force(world, seat, [DockedTo, ship], [DockedTo, cockpit]);

    expect(brokenInvariants(world)).toContain("I6");
  });

  it("when an entity stores its parent in both ways", () => {
    const { world, cockpit } = plantHealthy();
    const { graph } = world;
    const both = archetypeWith(graph, archetypeWith(graph, graph.root, ChildOf), Parent);
    moveEntity(world, indexOf(cockpit), tableFor(graph, both, 0));

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
