import { beforeEach, describe, expect, it } from "vitest";
import { add, type Entity, isAlive, release, spawnMany } from "../../src/index.ts";
import { ChildOf, Frozen, Owns } from "../definitions.ts";
import { dock, setShipAndDock, ship, spawn, world } from "../fixture.ts";
import { verify } from "../reading.ts";
import { destroy } from "../world/destroy.ts";

beforeEach(setShipAndDock);

function messageOf(entity: Entity): string {
  try {
    add(world, entity, Frozen);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("not refused");
}

describe("the message about an entity that is not alive", () => {
  it("says that it was destroyed", () => {
    destroy(world, ship);

    expect(messageOf(ship)).toMatch(/\(#1, generation \d+\) is not alive: it was destroyed; check isAlive/);
  });

  it("says so of a released entity", () => {
    release(world, ship);

    expect(messageOf(ship)).toMatch(/it was destroyed/);
  });

  it("says so of all that was destroyed with another entity", () => {
    const child = spawn(world, ChildOf(ship));
    const below = spawn(world, ChildOf(child));
    const owner = spawn(world, Owns(below));

    destroy(world, ship);

    expect([child, below, owner].filter((one) => isAlive(world, one))).toEqual([]);
    for (const one of [child, below, owner]) expect(messageOf(one)).toMatch(/it was destroyed/);
  });

  it("is short for entities that were destroyed long before", () => {
    destroy(world, ship);
    for (const one of spawnMany(world, 1000)) destroy(world, one);

    expect(messageOf(ship)).toMatch(/^#1, generation \d+, is not alive; check isAlive/);
  });

  it("is about the old entity if its index is used again", () => {
    destroy(world, ship);
    spawn(world);
    destroy(world, dock);

    expect(messageOf(ship)).toMatch(/#1, .* it was destroyed/);
    expect(verify(world)).toEqual([]);
  });
});
