import { component, createWorld, f32, observe, spawn } from "@treeline/core";
import { dispose, type Query, query } from "@treeline/query";
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
});
