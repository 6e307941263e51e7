import { ChildOf, createWorld, Parent, spawn } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import type { RowLists } from "../../../src/query/batches/chunks.ts";
import { currentBatches } from "../../current-batches.ts";
import { along, Docked, Needs, Place, Size } from "../../random/path-world.ts";

describe("for batches along several paths, verify", () => {
  it.each<[title: string, spoil: (rowLists: RowLists) => void]>([
    ["a row of a source along the last path is wrong", ({ sourceRows }) => sourceRows[2]![0]!++],
    ["the archetypes of sources are others", ({ chunks }) => chunks.source[chunks.order[0]!]!--],
    ["a depth is wrong", ({ chunks }) => chunks.depth[chunks.order[chunks.alive - 1]!]!++],
    ["a row is of another entity", ({ indexes, chunks }) => indexes[chunks.start[chunks.order[0]!]!]!++],
    ["a row is missing", ({ chunks }) => chunks.rows[chunks.order[0]!]!--],
    ["chunks are out of order", ({ chunks: { order, alive } }) => order.subarray(0, alive).reverse()],
  ])("reports when %s (I12)", (_, spoil) => {
    const world = createWorld();
    const top = spawn(world, Size, Place);
    const ship = spawn(world, Docked(top), Needs(top), ChildOf(top));
    spawn(world, Docked(ship), Needs(top), Parent(ship), Size);
    spawn(world, Needs(top), Size);
    const list = [along(world, ChildOf, Size), along(world, Docked, Place), along(world, Needs, Size)];
    const { rowLists } = currentBatches(world, list);
    const before = verify(world);

    spoil(rowLists);

    expect([before, verify(world).some((text) => text.startsWith("I12"))]).toEqual([[], true]);
  });
});
