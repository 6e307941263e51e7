import { describe, expect, it } from "vitest";
import { type Entity, pack, spawn, spawnMany } from "../../../src/index.ts";
import { sortByOrder } from "../../../src/records/entity-index.ts";
import { ChildOf, Position } from "../../definitions.ts";
import { createWorld } from "../../fixture.ts";
import { indexOf } from "../../handles.ts";
import { moveTo } from "../../internal.ts";
import { subjectsOf } from "../../reading.ts";

describe("the order of a pack", () => {
  it("sorts indexes by their order numbers, in place", () => {
    const indexes = Int32Array.of(1, 2, 3, 4);
    const order = Uint32Array.of(0, 7, 2 ** 32 - 1, 1, 5);

    expect(sortByOrder(indexes, order)).toBe(indexes);

    expect([...indexes]).toEqual([3, 4, 1, 2]);
  });

  it("is that of places, whatever the order of rows", () => {
    const world = createWorld();
    const ship = spawn(world);
    const [a, b, c] = spawnMany(world, 3, Position, ChildOf(ship)) as [Entity, Entity, Entity];
    moveTo(world, c, ship, 0);
    const rows = [a, b, c].map((one) => world.entities.row[indexOf(one)]!);

    pack(world);

    expect(rows).toEqual([0, 1, 2]);
    expect([c, a, b].map((one) => world.entities.row[indexOf(one)])).toEqual([0, 1, 2]);
    expect(subjectsOf(world, ship, ChildOf)).toEqual([c, a, b]);
  });
});
