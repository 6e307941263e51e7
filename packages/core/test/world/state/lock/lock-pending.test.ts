import { beforeEach, describe, expect, it } from "vitest";
import { bits, ChildOf, createWorld, defer, has, pack, parentOf, spawn, tag } from "../../../../src/index.ts";
import { destroy } from "../../../../src/internal.ts";
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

  it("has none of the tags in bits of entities without components", () => {
    const Lit = tag("LitWhilePending", { storage: bits });
    const own = createWorld();
    spawn(own, Lit);

    defer(own, () => {
      const pending = spawn(own);
      expect([has(own, pending, Lit), verify(own)]).toEqual([false, []]);
    });
  });

  it("is in no family, whatever had its index before", () => {
    const own = createWorld();
    const parent = spawn(own);
    for (let at = 0; at < 5; at++) spawn(own, ChildOf(parent));
    destroy(own, parent);
    pack(own);

    defer(own, () => {
      const pending = Array.from({ length: 6 }, () => spawn(own));
      expect([pending.map((one) => parentOf(own, one)), verify(own)]).toEqual([Array(6).fill(undefined), []]);
    });
  });

  it("loses an entity by destruction: the handle is stale then", () => {
    const index = addPending(world);
    const handle = entityAt(world, index)!;

    freePending(world, index);

    expect([isAlive(world, handle), entityAt(world, index), verify(world)]).toEqual([false, undefined, []]);
  });
});
