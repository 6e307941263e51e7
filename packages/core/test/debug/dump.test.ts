import { describe, expect, it } from "vitest";
import { dump } from "../../src/debug.ts";
import { ChildOf, createWorld, Parent, release, spawn, spawnMany, type World } from "../../src/index.ts";
import { moveTo } from "../../src/internal.ts";
import { Likes, Position } from "../definitions.ts";
import { indexOf } from "../handles.ts";

describe("dump", () => {
  it("has a line for each type: number, type, rows, entities, depth", () => {
    const world = createWorld();
    const ship = spawn(world, Position);
    spawnMany(world, 2, ChildOf(ship), Position);

    const lines = dump(world).split("\n");

    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^t1 {4}\[Position\] +1 row +#1$/);
    expect(lines[1]).toMatch(/^t2:1 {2}\[\(ChildOf, #1\), Position\] +2 rows +#2, #3 +depth 1$/);
  });

  it("has lines in the order of archetypes, then of tables, then of parents, the first one first", () => {
    const world = createWorld();
    const [ship, dock] = spawnMany(world, 2);
    spawn(world, ChildOf(dock!), Position);
    const cockpit = spawn(world, ChildOf(ship!));
    spawn(world, ChildOf(ship!), Position);
    spawn(world, ChildOf(dock!), Position);
    spawn(world, ChildOf(cockpit), Likes(ship!));
    spawn(world, ChildOf(dock!), Likes(ship!));

    expect(linesOf(world)).toEqual([
      "t1 [] 2 rows #1, #2",
      "t3:1 [(ChildOf, #1)] 1 row #4 depth 1",
      "t2:1 [(ChildOf, #1), Position] 1 row #5 depth 1",
      "t2:2 [(ChildOf, #2), Position] 2 rows #3, #6 depth 1",
      "t4:2 [(ChildOf, #2), (Likes, #1)] 1 row #8 depth 1",
      "t4:4 [(ChildOf, #4), (Likes, #1)] 1 row #7 depth 2",
    ]);
  });

  it("has children in sibling order, and other entities in the order of rows", () => {
    const world = createWorld();
    const [ship, dock] = spawnMany(world, 2, Position);
    const [one, two, three] = spawnMany(world, 3, ChildOf(ship!));
    moveTo(world, three!, ship!, 0);
    moveTo(world, one!, ship!);
    moveTo(world, one!, ship!, 2);
    release(world, dock!);
    spawnMany(world, 2, Position);

    expect(linesOf(world)).toEqual([
      "t1 [Position] 3 rows #1, #6, #7",
      `t2:1 [(ChildOf, #1)] 3 rows ${[three, two, one].map((child) => `#${indexOf(child!)}`).join(", ")} depth 1`,
    ]);
  });

  it("has one line for children of all parents that are stored by value", () => {
    const world = createWorld();
    for (const parent of spawnMany(world, 2)) spawn(world, Parent(parent), Position);

    expect(linesOf(world)).toEqual(["t1 [] 2 rows #1, #2", "t2 [Position] 2 rows #3, #4 depth 1"]);
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
    release(world, spawn(world, ChildOf(spawn(world)), Position));
    expect(linesOf(world)).toEqual([
      "t2 [] 1 row #2",
      "t1 [Position] 0 rows",
      "t3 [(ChildOf, Any), Position] 0 rows",
    ]);
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

/** The lines of a world with one space between their parts. */
function linesOf(world: World): string[] {
  return dump(world)
    .split("\n")
    .map((line) => line.replace(/ +/g, " "));
}
