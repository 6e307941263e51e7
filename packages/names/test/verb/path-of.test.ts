import { ChildOf, createWorld, type Entity, release, spawn } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { lookup, Name, pathOf } from "../../src/index.ts";

describe("pathOf", () => {
  it("joins the names from the root by ::", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"));
    const cockpit = spawn(world, Name("Cockpit"), ChildOf(ship));
    const seat = spawn(world, Name("Seat"), ChildOf(cockpit));

    expect([ship, cockpit, seat].map((entity) => pathOf(world, entity))).toEqual([
      "Ship",
      "Ship::Cockpit",
      "Ship::Cockpit::Seat",
    ]);
  });

  it("escapes special characters", () => {
    const world = createWorld();
    const first = spawn(world, Name("a::b"));
    const second = spawn(world, Name("#1"), ChildOf(first));

    expect(pathOf(world, second)).toBe("a\\:\\:b::\\#1");
  });

  it("writes # and the index for a step without a name", () => {
    const world = createWorld();
    const root = spawn(world);
    const ship = spawn(world, Name("Ship"), ChildOf(root));
    const hold = spawn(world, ChildOf(ship));

    expect(pathOf(world, hold)).toBe(`#${indexOf(root)}::Ship::#${indexOf(hold)}`);
  });

  it("works in a world without names", () => {
    const world = createWorld();
    const root = spawn(world);

    expect(pathOf(world, root)).toBe(`#${indexOf(root)}`);
  });

  it("refuses entities that are not alive, entities of other worlds and values that are not entities", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"));
    release(world, ship);

    for (const handle of [ship, spawn(createWorld()), 0 as Entity, undefined as unknown as Entity]) {
      expect(() => pathOf(world, handle)).toThrow(expect.objectContaining({ code: "dead-entity" }));
    }
  });

  it("works on a chain of 20,000, and lookup reads it back", () => {
    const world = createWorld();
    let last = spawn(world, Name("n0"));
    for (let depth = 1; depth < 20_000; depth++) last = spawn(world, Name(`n${depth}`), ChildOf(last));

    const path = pathOf(world, last);

    expect(path.split("::").length).toBe(20_000);
    expect(lookup(world, path)).toBe(last);
  });
});
