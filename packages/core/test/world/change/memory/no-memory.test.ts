import { describe, expect, it } from "vitest";
import {
  add,
  clone,
  defer,
  type Memory,
  observe,
  pack,
  plainMemory,
  TreelineError,
} from "../../../../src/index.ts";
import { ChildOf, Frozen, Likes, MarriedTo, Position } from "../../../definitions.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../../fixture.ts";
import { codeOf, get, isAlive, stats, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";

/** A memory that allocates a given number of further blocks. */
function scarce(): Memory & { blocks: number } {
  const plain = plainMemory();
  const memory = {
    ...plain,
    blocks: Number.POSITIVE_INFINITY,
    allocate: (bytes: number, moved: () => void) => {
      if (--memory.blocks < 0) throw new TreelineError("capacity", "no more blocks");
      return plain.allocate(bytes, moved);
    },
  };
  return memory;
}

describe("when memory runs out during several spawns", () => {
  describe.each([
    ["", (_: World, act: () => unknown) => act()],
    [" that is deferred", (world: World, act: () => unknown) => defer(world, act)],
  ])("", (when, inTurn) => {
    it.each([0, 1, 2, 3, 4])(`a deep clone${when} leaves nothing behind, %i blocks later`, (blocks) => {
      const memory = scarce();
      const world = createWorld({ memory });
      const ship = spawn(world, Frozen);
      for (let count = 0; count < 5; count++) spawn(world, Position, ChildOf(ship));
      const seat = spawn(world, Frozen, Position, ChildOf(ship));
      add(world, ship, Likes(seat));
      memory.blocks = blocks;

      let before = 0;
      let code: string | undefined;
      while (code === undefined) {
        before = world.entities.alive;
        code = codeOf(() => inTurn(world, () => clone(world, ship, { deep: true })));
      }

      expect([code, world.entities.alive]).toEqual(["capacity", before]);
      expect(verify(world)).toEqual([]);
    });
  });

  it("spawnMany, seen by an observer, leaves no entity alive", () => {
    const memory = scarce();
    const world = createWorld({ memory });
    observe(world, { added: Position }, () => undefined);
    memory.blocks = 0; // room for all is made at once

    expect(codeOf(() => spawnMany(world, 10_000, Position))).toBe("capacity");

    expect(world.entities.alive).toBe(0);
    expect(verify(world)).toEqual([]);
  });

  it.each([0, 1])("a symmetric pair leaves neither side of it behind, %i blocks later", (blocks) => {
    const memory = scarce();
    const world = createWorld({ memory });
    const other = spawn(world, Frozen, Position({ x: 3 }));
    const pairs = stats(world).pairs;
    memory.blocks = blocks;

    expect(codeOf(() => spawn(world, Position, MarriedTo(other)))).toBe("capacity");

    expect([stats(world).pairs, stats(world).entities]).toEqual([pairs, 1]);
    expect(verify(world)).toEqual([]);
  });
});

describe("when memory runs out during a pack", () => {
  it.each([0, 1, 2])("archetypes are packed or as they were, %i blocks later", (blocks) => {
    const memory = scarce();
    const world = createWorld({ memory });
    const ships = spawnMany(world, 6);
    const crew = ships.flatMap((ship, at) =>
      [1, 2, 3].map((x) =>
        spawn(world, Position({ x: at * 10 + x }), ChildOf(ship), ...(x > 1 ? [Frozen] : [])),
      ),
    );
    destroy(world, ...ships.filter((_, at) => at % 2 === 0)); // no archetype is in order then
    const alive = crew.filter((one) => isAlive(world, one));
    const xOf = (one: Entity): number => get(world, one, Position)!.x;
    const before = alive.map(xOf);
    memory.blocks = blocks;

    expect(codeOf(() => pack(world))).toBe("capacity");

    expect(alive.map(xOf)).toEqual(before);
    expect(verify(world)).toEqual([]);
    memory.blocks = Number.POSITIVE_INFINITY;
    pack(world);
    expect(alive.map(xOf)).toEqual(before);
    expect(verify(world)).toEqual([]);
  });
});
