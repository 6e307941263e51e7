import { describe, expect, it } from "vitest";
import { pairText, typeText } from "../../src/debug/describe.ts";
import { describe as textOf } from "../../src/debug.ts";
import { Any, ChildOf, createWorld, Parent, release, spawn } from "../../src/index.ts";
import { Frozen, Likes, Position } from "../definitions.ts";
import { indexOf, pairOf, tableOf } from "../handles.ts";

function start() {
  const world = createWorld();
  world.textOf = (_, entity) => ["Ship", "Cockpit"][indexOf(entity) - 1] ?? `#${indexOf(entity)}`;
  const ship = spawn(world);
  return { world, ship, cockpit: spawn(world, ChildOf(ship), Position, Frozen) };
}

describe("describe", () => {
  it("describes an entity by its name, location and depth", () => {
    const { world, cockpit } = start();

    const text = textOf(world, cockpit);

    expect(text).toMatch(/^Cockpit \(#2, generation \d+\) in t2:1 /);
    expect(text).toContain("[(ChildOf, Ship), Position, Frozen]");
    expect(text).toMatch(/row 0, depth 1$/);
  });

  it("leaves a parent stored by value out of the type", () => {
    const { world, ship } = start();

    expect(textOf(world, spawn(world, Parent(ship), Position))).toMatch(
      /^#3 \(#3, generation \d+\) in t3 \[Position\], row 0, depth 1$/,
    );
  });

  it("says of a stale handle that it is stale", () => {
    const { world, cockpit } = start();
    release(world, cockpit);

    expect(textOf(world, cockpit)).toMatch(/^dead #2, generation \d+$/);
  });

  it("describes a definition by its name and kind", () => {
    const { world } = start();

    expect([Position, Frozen, Likes].map((definition) => textOf(world, definition))).toEqual([
      "Position (component)",
      "Frozen (tag)",
      "Likes (relation)",
    ]);
  });

  it("describes both halves of a pair", () => {
    const { world, ship, cockpit } = start();
    release(world, cockpit);

    expect([ChildOf(ship), Likes(Any), Likes(cockpit)].map((pair) => textOf(world, pair))).toEqual([
      "(ChildOf, Ship)",
      "(Likes, Any)",
      "(Likes, dead #2)",
    ]);
  });
});

describe("the text of a type", () => {
  it("has its pairs first, then components and tags", () => {
    const { world, ship, cockpit } = start();
    const parent = pairOf(world, ChildOf, ship);

    expect(typeText(world, tableOf(world, cockpit), parent)).toBe("[(ChildOf, Ship), Position, Frozen]");
  });

  it("has any parent if no entity has it", () => {
    const { world, cockpit } = start();

    expect(typeText(world, tableOf(world, cockpit), 0)).toBe("[(ChildOf, Any), Position, Frozen]");
  });

  it("names a pair by its number too", () => {
    const { world, ship } = start();

    expect(pairText(world, pairOf(world, ChildOf, ship))).toBe("(ChildOf, Ship)");
  });
});
