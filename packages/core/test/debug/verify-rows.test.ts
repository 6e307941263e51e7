import { describe, expect, it } from "vitest";
import { ChildOf, release, spawn } from "../../src/index.ts";
import { NO_HOLE } from "../../src/storage/archetype.ts";
import { markUnused, markUsed } from "../../src/storage/bits.ts";
import { archetypeFor, brokenInvariants, Likes, plantHealthy, tableOf } from "./healthy.ts";

describe("verify reports I2", () => {
  it("when two slices overlap", () => {
    const { world, ship, crew } = plantHealthy();
    const { tables } = world.graph;
    const other = spawn(world, ChildOf(ship), Likes(ship));

    tables.first[tableOf(world, other)] = tables.first[tableOf(world, crew[0]!)]! + 1;

    expect(brokenInvariants(world)).toContain("I2");
  });

  it("when a slice ends behind the end", () => {
    const { world, crew } = plantHealthy();
    archetypeFor(world, crew[0]!).end = 2;

    expect(brokenInvariants(world)).toContain("I2");
  });

  it("when the end is behind the columns", () => {
    const { world, cockpit } = plantHealthy();
    const archetype = archetypeFor(world, cockpit);
    archetype.end = archetype.lanes.capacity + 1;

    expect(brokenInvariants(world)).toContain("I2");
  });

  it("when a hole is inside a slice", () => {
    const { world, crew } = plantHealthy();
    const archetype = archetypeFor(world, crew[0]!);
    release(world, crew[3]);
    const free = world.graph.tables.first[tableOf(world, crew[0])]! + 3;

    archetype.holes[0] = free;
    archetype.holeClasses |= 1;
    archetype.lanes.i32[free] = NO_HOLE;

    expect(brokenInvariants(world)).toContain("I2");
  });

  it("when the holes are cyclic", () => {
    const { world, crew } = plantHealthy();
    const archetype = archetypeFor(world, crew[0]);
    release(world, crew[3]);
    const free = archetype.lanes.capacity - 1;

    archetype.holes[0] = free;
    archetype.holeClasses |= 1;
    archetype.lanes.i32[free] = free;

    expect(brokenInvariants(world)).toContain("I2");
  });

  it("when lanes are shorter than the columns", () => {
    const { world, cockpit } = plantHealthy();
    const { lanes } = archetypeFor(world, cockpit);
    lanes.i32 = lanes.i32.subarray(0, lanes.capacity);

    expect(brokenInvariants(world)).toContain("I2");
  });
});

describe("verify reports I13", () => {
  it("when the bit of a used row is clear", () => {
    const { world, cockpit } = plantHealthy();
    markUnused(archetypeFor(world, cockpit).used, world.graph.tables.first[tableOf(world, cockpit)]!);

    expect(brokenInvariants(world)).toContain("I13");
  });

  it("when the bit of a free row is set", () => {
    const { world, cockpit } = plantHealthy();
    const archetype = archetypeFor(world, cockpit);
    markUsed(archetype.used, archetype.lanes.capacity - 1);

    expect(brokenInvariants(world)).toContain("I13");
  });

  it("when an archetype miscounts its rows", () => {
    const { world, cockpit } = plantHealthy();
    archetypeFor(world, cockpit).rows++;

    expect(brokenInvariants(world)).toContain("I13");
  });
});

describe("verify reports I14", () => {
  it("when a table without rows owns a slice", () => {
    const { world } = plantHealthy();
    const { graph } = world;
    const archetype = graph.archetypes.find(({ empty }) => empty.first !== 0)!;
    graph.tables.capacity[archetype.empty.first] = 4;

    expect(brokenInvariants(world)).toContain("I14");
  });
});
