import { ChildOf, createWorld, type Entity, spawn, spawnMany, tag, type World } from "@treeline/core";
import { dump } from "@treeline/core/debug";
import { indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { isReached, reachFrom } from "../../src/cleanup/reach.ts";
import { Holds, Likes, Owns } from "../twin.ts";

const Frozen = tag("Frozen");

let world: World;
let ship: Entity;

beforeEach(() => {
  world = createWorld();
  ship = spawn(world);
});

/** Handles of everybody in the reached tables, table by table. */
function reachedBy(entity: Entity): number[][] {
  const { tables, length } = reachFrom(world, indexOf(entity));
  const { graph } = world;
  return [...tables.subarray(0, length)].map((table) => {
    const first = graph.tables.first[table]!;
    const { i32 } = graph.shapes[graph.tables.shape[table]!]!.lanes;
    return [...i32.subarray(first, first + graph.tables.count[table]!)];
  });
}

function indexes(...entities: Entity[]): number[] {
  return entities.map(indexOf);
}

describe("reach", () => {
  it("is nothing beside the entity for one that nothing points at", () => {
    expect(reachedBy(ship)).toEqual([]);
  });

  it("is the tables below, level by level", () => {
    const cockpits = spawnMany(world, 2, ChildOf(ship));
    const seat = spawn(world, ChildOf(cockpits[1]!));
    const lamp = spawn(world, ChildOf(seat));

    expect(reachedBy(ship)).toEqual([indexes(...cockpits), indexes(seat), indexes(lamp)]);
  });

  it("holds each table once, also in cycles and diamonds", () => {
    const both = spawn(world, ChildOf(ship), Owns(ship));
    const owner = spawn(world, Owns(both), Owns(ship));

    const found = reachedBy(ship);

    expect(found.flat().toSorted()).toEqual(indexes(both, owner).toSorted());
    expect(found.length).toBe(2);
  });

  it("does not follow relations that remove or refuse, but lists them", () => {
    spawn(world, Likes(ship));
    spawn(world, Holds(ship));

    expect([reachedBy(ship), reachFrom(world, indexOf(ship)).foreign.length]).toEqual([[], 2]);
  });

  it("leaves out tables that are empty", () => {
    const child = spawn(world, ChildOf(ship), Frozen);
    const other = spawn(world, ChildOf(ship));
    reachedBy(ship);

    expect(reachedBy(ship).flat().toSorted()).toEqual(indexes(child, other).toSorted());
    expect(reachedBy(child)).toEqual([]);
  });

  it("starts anew each time: what was reached before is not reached now", () => {
    const station = spawn(world);
    const dock = spawn(world, ChildOf(station));
    spawn(world, ChildOf(ship));
    reachFrom(world, indexOf(station));
    const table = world.entities.table[indexOf(dock)]!;

    const reach = reachFrom(world, indexOf(ship));

    expect([isReached(reach, table), reach.length, reach.targetCount]).toEqual([false, 1, 1]);
  });

  it("changes nothing", () => {
    spawn(world, ChildOf(ship), Likes(ship));
    const before = dump(world);

    reachFrom(world, indexOf(ship));

    expect(dump(world)).toBe(before);
  });
});
