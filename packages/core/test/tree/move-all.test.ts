import { describe, expect, it } from "vitest";
import { verify } from "../../src/debug.ts";
import { createWorld } from "../../src/index.ts";
import { drawing, plant } from "../drawn-tree.ts";
import { moveAll } from "../internal.ts";
import { codeOf } from "../reading.ts";

describe("entities that get other parents together", () => {
  it("move to their new parents, or become roots", () => {
    const world = createWorld();
    const planted = plant(world, "ship\n  pilot\n  guest\ndock");
    const { ship, pilot, guest, dock } = planted;

    moveAll(world, [
      [pilot, undefined],
      [guest, dock],
      [ship, dock],
    ]);

    expect(drawing(world, planted)).toBe("pilot\ndock\n  guest\n  ship");
    expect(verify(world)).toEqual([]);
  });

  it("all stay where they are if one of them would become its own descendant", () => {
    const world = createWorld();
    const drawn = "ship\n  deck\n    seat\n  crate";
    const planted = plant(world, drawn);
    const { ship, seat, crate } = planted;

    expect(
      codeOf(() =>
        moveAll(world, [
          [crate, undefined],
          [ship, seat],
        ]),
      ),
    ).toBe("cycle");

    expect(drawing(world, planted)).toBe(drawn);
    expect(verify(world)).toEqual([]);
  });
});
