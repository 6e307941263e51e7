import { component, createWorld, f32, get, spawn } from "@treeline/core";
import { changed, entities, type Query, query } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { caseOf } from "./same/same.ts";
import type { Surroundings } from "./same/scene.ts";

const Position = component("Position", { x: f32, y: f32 });
const Velocity = component("Velocity", { x: f32, y: f32 });

function worldOfTwo(): ReturnType<typeof createWorld> {
  const world = createWorld();
  spawn(world, Position({ x: 1 }), Velocity({ x: 2 }));
  spawn(world, Position({ x: 5 }), Velocity({ x: 3 }));
  return world;
}

function run(text: string, one: Query, surroundings: object = {}): void {
  caseOf(text).compiled(one, surroundings as Surroundings);
}

describe("a compiled callback", () => {
  it("may be called for other queries, and inside itself", () => {
    const world = worldOfTwo();
    const positions = query(world, Position);
    const made = caseOf("(a) => { a.y += 1; if (total++ < 1) log(); }");
    const inner = caseOf("(a) => { a.x += 10; }");

    made.compiled(positions, {
      log: () => inner.compiled(query(world, Velocity), {} as Surroundings),
    } as unknown as Surroundings);

    const [first] = entities(positions);
    expect(get(world, first!, Position)).toEqual({ x: 1, y: 1 });
    expect(get(world, first!, Velocity)).toEqual({ x: 12, y: 0 });
  });

  it("marks what it writes after a query for changes was made in the middle of the iteration", () => {
    const world = worldOfTwo();
    let moved: Query | undefined;
    const watch = (): void => {
      moved ??= query(world, changed(Position));
      entities(moved);
    };

    run("(a) => { log(); a.x += 1; }", query(world, Position), { log: watch });

    expect(entities(moved!)).toHaveLength(1);
  });

  it("keeps its query from seeing its own writes", () => {
    const world = worldOfTwo();
    const moved = query(world, Position, changed(Position));
    entities(moved);

    run("(a) => { a.x += 1; }", query(world, Position));
    run("(a) => { a.x += 1; }", moved);

    expect(entities(moved)).toEqual([]);
    expect(entities(query(world, Position)).map((one) => get(world, one, Position)!.x)).toEqual([3, 7]);
  });
});
