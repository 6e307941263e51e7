import { describe, expect, it } from "vitest";
import { dump } from "../../src/debug.ts";
import { ChildOf, createWorld, release, spawn, spawnMany } from "../../src/index.ts";
import { Position } from "../definitions.ts";

describe("dump", () => {
  it("has a line for each table: type, rows, entities, depth", () => {
    const world = createWorld();
    const ship = spawn(world, Position);
    spawnMany(world, 2, ChildOf(ship), Position);

    const lines = dump(world).split("\n");

    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^t1 {2}\[Position\] +1 row +#1$/);
    expect(lines[1]).toMatch(/^t2 {2}\[\(ChildOf, #1\), Position\] +2 rows +#2, #3 +depth 1$/);
  });

  it("has room for the lines of a large world", () => {
    const world = createWorld();
    for (let at = 0; at < 130_000; at++) spawn(world, ChildOf(spawn(world)));

    expect(dump(world).split("\n")).toHaveLength(130_001);
  });

  it("shows tables without rows, so that leftover tables are visible", () => {
    const world = createWorld();
    release(world, spawn(world, Position));

    expect(dump(world)).toMatch(/^t1 {2}\[Position\] +0 rows$/);
  });

  it("shows the first entities of a large table only", () => {
    const world = createWorld();
    spawnMany(world, 100, Position);

    expect(dump(world)).toMatch(/100 rows {2}#1, #2, .*, \.\.\.$/);
    expect(dump(world)).not.toContain("#50");
  });

  it("is empty for an empty world", () => {
    expect(dump(createWorld())).toBe("");
  });

  it("is the same for the same calls in the same order", () => {
    const drawings = [1, 2].map(() => {
      const world = createWorld();
      const parents = spawnMany(world, 10);
      parents.forEach((parent, at) => {
        spawn(world, ChildOf(parent), ...(at % 2 === 0 ? [Position] : []));
      });
      return dump(world);
    });

    expect(drawings[0]).toBe(drawings[1]);
  });
});
