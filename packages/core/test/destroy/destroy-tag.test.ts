import { describe, expect, it } from "vitest";
import { verify } from "../../src/debug.ts";
import { component, createWorld, f32, get, has, isAlive, spawn } from "../../src/index.ts";
import { destroy } from "../internal.ts";
import { asTag } from "../reading.ts";

const Position = component("Position", { x: f32 });

// These worlds use nothing else, so relations, hooks and observers have installed nothing.
describe("destroying an entity that is a tag of others", () => {
  it("removes the tag from them, and nothing else", () => {
    const world = createWorld();
    const red = spawn(world);
    const round = spawn(world);
    const ball = spawn(world, asTag(round), Position({ x: 3 }), asTag(red));
    const sun = spawn(world, Position({ x: 8 }), asTag(red));

    destroy(world, red);

    expect([ball, sun].map((one) => isAlive(world, one))).toEqual([true, true]);
    expect([has(world, ball, asTag(round)), has(world, sun, asTag(round))]).toEqual([true, false]);
    expect([get(world, ball, Position), get(world, sun, Position)]).toEqual([{ x: 3 }, { x: 8 }]);
    expect(verify(world)).toEqual([]);
  });

  it("removes the last one, too", () => {
    const world = createWorld();
    const red = spawn(world);
    const round = spawn(world);
    const ball = spawn(world, asTag(red), asTag(round));

    destroy(world, red);
    destroy(world, round);

    expect(isAlive(world, ball)).toBe(true);
    expect(verify(world)).toEqual([]);
  });
});
