import { component, createWorld, f32, get, observe, spawn } from "@treeline/core";
import { changed, dispose, entities, type Query, query } from "@treeline/query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { caseOf } from "./same/same.ts";
import type { Surroundings } from "./same/scene.ts";

const Position = component("Position", { x: f32, y: f32 });
const Velocity = component("Velocity", { x: f32, y: f32 });

let warnings: unknown[][] = [];

beforeEach(() => {
  warnings = [];
  vi.spyOn(console, "warn").mockImplementation((...words) => void warnings.push(words));
});

afterEach(() => void vi.restoreAllMocks());

function worldOfTwo(): ReturnType<typeof createWorld> {
  const world = createWorld();
  spawn(world, Position({ x: 1 }), Velocity({ x: 2 }));
  spawn(world, Position({ x: 5 }), Velocity({ x: 3 }));
  return world;
}

function run(text: string, one: Query, surroundings: object = {}): unknown {
  const made = caseOf(text);
  expect(made.isCompiled).toBe(true);
  return made.compiled(one, surroundings as Surroundings);
}

describe("a compiled callback", () => {
  it("still warns, in development builds, of writes that observers of set are not told", () => {
    const world = worldOfTwo();
    observe(world, { set: Position }, () => {});

    run("(a, b) => { a.x += b.x; }", query(world, Position, Velocity));

    expect(warnings.flat().join()).toContain("a row view has written Position");
  });

  it("still warns of promises, once", () => {
    const world = worldOfTwo();

    run("(a) => log(Promise.resolve(a.x))", query(world, Position), { log: (what: unknown) => what });
    run("(a) => { if (a.x > 0) return log(a.x); }", query(world, Position), { log: async () => 1 });

    expect(warnings.filter(([text]) => String(text).includes("returned a promise"))).toHaveLength(1);
  });

  it("still warns of a promise after a comma", () => {
    const world = worldOfTwo();

    run("(a) => (a.x, log(a.x))", query(world, Position), { log: async () => 1 });

    expect(warnings.flat().join()).toContain("returned a promise");
  });

  it("still warns of a promise that is returned after a comma", () => {
    const world = worldOfTwo();

    run("(a) => { return a.x, log(a.x); }", query(world, Position), { log: async () => 1 });

    expect(warnings.flat().join()).toContain("returned a promise");
  });

  it("is refused for what is no query, and for one that is disposed, as by each", () => {
    const world = worldOfTwo();
    const both = query(world, Position, Velocity);
    dispose(both);

    expect(() => run("(a) => { a.x = 1; }", 5 as never)).toThrow(
      expect.objectContaining({ code: "bad-query" }),
    );
    expect(() => run("(a) => { a.x = 1; }", both)).toThrow(expect.objectContaining({ code: "disposed" }));
  });

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
