import { describe, expect, it } from "vitest";
import { release, spawnMany } from "../../../src/index.ts";
import { sortByOrder } from "../../../src/records/entity-index.ts";
import { inSiblingOrder } from "../../../src/world/verb/pack.ts";
import { Position } from "../../definitions.ts";
import { createWorld } from "../../fixture.ts";
import { indexOf, tableOf } from "../../handles.ts";

describe("the order of a pack", () => {
  it("sorts indexes by their order numbers, in place", () => {
    const indexes = Int32Array.of(1, 2, 3, 4);
    const order = Uint32Array.of(0, 7, 2 ** 32 - 1, 1, 5);

    expect(sortByOrder(indexes, order)).toBe(indexes);

    expect([...indexes]).toEqual([3, 4, 1, 2]);
  });

  it("leaves the rows of a table as they are", () => {
    const world = createWorld();
    const children = spawnMany(world, 3, Position);
    release(world, children[0]!);
    const table = tableOf(world, children[1]!);

    const sorted = [...inSiblingOrder(world, table)];

    expect(sorted).toEqual([indexOf(children[1]!), indexOf(children[2]!)]);
    expect(world.entities.row[indexOf(children[2]!)]).toBe(0);
  });
});
