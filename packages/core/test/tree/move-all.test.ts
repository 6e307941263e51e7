import { describe, expect, it } from "vitest";
import { verify } from "../../src/debug.ts";
import { ChildOf, createWorld, spawn, targetOf } from "../../src/index.ts";
import { moveAll } from "../internal.ts";
import { codeOf } from "../reading.ts";

describe("entities that get other parents together", () => {
  it("move to their new parents, or become roots", () => {
    const world = createWorld();
    const ship = spawn(world);
    const dock = spawn(world);
    const [pilot, guest] = [spawn(world, ChildOf(ship)), spawn(world, ChildOf(ship))];

    moveAll(world, [
      [pilot, undefined],
      [guest, dock],
      [ship, dock],
    ]);

    expect([pilot, guest, ship].map((one) => targetOf(world, one, ChildOf))).toEqual([undefined, dock, dock]);
    expect(verify(world)).toEqual([]);
  });

  it("all stay where they are if one of them would become its own descendant", () => {
    const world = createWorld();
    const ship = spawn(world);
    const deck = spawn(world, ChildOf(ship));
    const seat = spawn(world, ChildOf(deck));
    const crate = spawn(world, ChildOf(ship));

    expect(
      codeOf(() =>
        moveAll(world, [
          [crate, undefined],
          [ship, seat],
        ]),
      ),
    ).toBe("cycle");

    expect([ship, deck, seat, crate].map((one) => targetOf(world, one, ChildOf))).toEqual([
      undefined,
      ship,
      deck,
      ship,
    ]);
    expect(verify(world)).toEqual([]);
  });
});
