import { beforeEach, describe, expect, it } from "vitest";
import { addPending, freePending, isPending } from "../../../../src/world/state/lock.ts";
import { setShip, ship, world } from "../../../fixture.ts";
import { indexOf } from "../../../handles.ts";
import { entityAt, isAlive, verify } from "../../../reading.ts";

beforeEach(setShip);

describe("the table of pending spawns", () => {
  it("is one table for all, which has no rows", () => {
    const [one, other] = [addPending(world), addPending(world)];

    expect([isPending(world, one), isPending(world, other), isPending(world, indexOf(ship))]).toEqual([
      true,
      true,
      false,
    ]);
    expect(world.graph.tables.count[world.pendingTable]).toBe(0);
    expect(world.entities.table[one]).toBe(world.entities.table[other]);
  });

  it("loses an entity by destruction: the handle is stale then", () => {
    const index = addPending(world);
    const handle = entityAt(world, index)!;

    freePending(world, index);

    expect([isAlive(world, handle), entityAt(world, index), verify(world)]).toEqual([false, undefined, []]);
  });
});
