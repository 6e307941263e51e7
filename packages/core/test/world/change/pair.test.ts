import { beforeEach, describe, expect, it } from "vitest";
import { ChildOf, spawn } from "../../../src/index.ts";
import { ensurePair, followTarget } from "../../../src/world/change/pair.ts";
import { Follows, Likes } from "../../definitions.ts";
import { setWorld, world } from "../../fixture.ts";
import { indexOf, pairOf } from "../../handles.ts";

beforeEach(setWorld);

describe("ensurePair", () => {
  it("creates a pair once", () => {
    const ship = indexOf(spawn(world));

    const pair = ensurePair(world, Likes, ship);

    expect(ensurePair(world, Likes, ship)).toBe(pair);
    expect(ensurePair(world, ChildOf, ship)).not.toBe(pair);
  });

  it("links the record of an acyclic pair below that of its target's own pair (I8)", () => {
    const ship = spawn(world);
    const cockpit = spawn(world, ChildOf(ship));

    const pair = ensurePair(world, ChildOf, indexOf(cockpit));

    expect(world.graph.records.above[pair]).toBe(pairOf(world, ChildOf, ship));
    expect(world.graph.records.depth[pair]).toBe(2);
  });

  it("links records of different relations apart from each other", () => {
    const ship = spawn(world);
    const cockpit = spawn(world, ChildOf(ship), Follows(ship));

    const pair = ensurePair(world, Follows, indexOf(cockpit));

    expect(world.graph.records.above[pair]).toBe(pairOf(world, Follows, ship));
  });

  it("links no record of a relation that may have cycles", () => {
    const ship = spawn(world);
    const cockpit = spawn(world, Likes(ship));

    expect(world.graph.records.above[ensurePair(world, Likes, indexOf(cockpit))]).toBe(0);
  });
});

describe("followTarget", () => {
  it("links the record of an entity below that of its new target", () => {
    const [ship, station] = [spawn(world), spawn(world)];
    const cockpit = spawn(world, ChildOf(ship));
    spawn(world, ChildOf(cockpit));
    const above = ensurePair(world, ChildOf, indexOf(station));

    followTarget(world, ChildOf, indexOf(cockpit), above);

    expect(world.graph.records.above[pairOf(world, ChildOf, cockpit)]).toBe(above);
  });

  it("does nothing for an entity that is not a target", () => {
    const ship = spawn(world);
    const cockpit = spawn(world, ChildOf(ship));

    followTarget(world, ChildOf, indexOf(cockpit), 0);

    expect(pairOf(world, ChildOf, cockpit)).toBe(0);
  });
});
