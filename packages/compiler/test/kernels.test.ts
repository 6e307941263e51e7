import { component, createWorld, f32, get, spawn } from "@treeline/core";
import { entities, query } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { compile } from "../src/module/compile.ts";
import { CORPUS } from "./same/corpus.ts";
import { caseOf, expectSame, QUERIES } from "./same/same.ts";
import type { Surroundings } from "./same/scene.ts";

const KERNELS = CORPUS.map((text) => caseOf(text, true)).filter(({ isKernel }) => isKernel);
const PART = Number(process.env.TREELINE_WALKS ?? 1) > 1 ? 1 : 36;
/** Every second one, unless all queries are gone through. */
const TESTED = KERNELS.filter((_, number) => PART === 1 || number % 2 === 0);

describe("a callback that is compiled to a kernel does the same", () => {
  it.each(TESTED.map((one, number) => [one.text, one, number] as const))("%s", (_, one, number) => {
    expectSame(
      one,
      QUERIES.filter((_, place) => (place + number) % PART === 0),
      number % 2 === 0,
    );
  });

  it("also when its loop was compiled for the columns, after some 262,000 rows", () => {
    const world = createWorld();
    const Position = component("Position", { x: f32, y: f32 });
    const Velocity = component("Velocity", { x: f32, y: f32 });
    for (let n = 0; n < 3000; n++) spawn(world, Position({ x: n }), Velocity({ x: n % 7, y: 1 }));
    const one = caseOf("(a, b) => { a.x += b.x * dt; a.y = b.y + a.x; }", true);
    const expected = entities(query(world, Position)).map((_, n) => ({ x: n, y: 0 }));

    for (let round = 0; round < 120; round++) {
      one.compiled(query(world, Position, Velocity), { dt: 0.5 } as unknown as Surroundings);
      for (const [n, value] of expected.entries()) {
        value.x = Math.fround(value.x + (n % 7) * 0.5);
        value.y = Math.fround(1 + value.x);
      }
    }

    expect(entities(query(world, Position)).map((each) => get(world, each, Position))).toEqual(expected);
  });
});

describe("a callback becomes a kernel", () => {
  const isKernel = (
    callback: string,
    around = (call: string) => `export const run = (query, dt) => { ${call} };`,
  ): boolean =>
    compile(`import { each } from "@treeline/query";\n${around(`each(query, ${callback});`)}`, "run.ts", {
      kernels: true,
    }).code.includes("-kernels");

  it("only if it is asked for", () => {
    const code =
      'import { each } from "@treeline/query";\nexport const run = (query) => { each(query, (a) => { a.x = 1; }); };';

    expect(compile(code, "run.ts").code).not.toContain("-kernels");
    expect(compile(code, "run.ts", { kernels: true }).code).toContain("@treeline/query/compiled-kernels");
  });

  it("if it only names what does not change", () => {
    expect(isKernel("(a, b) => { a.x += b.x * dt + Math.PI; }")).toBe(true);
    expect(
      isKernel(
        "(a) => { a.x = STEP; }",
        (call) => `const STEP = 2; export const run = (query) => { ${call} };`,
      ),
    ).toBe(true);
    expect(
      isKernel(
        "(a) => { a.x = step; }",
        (call) => `let step = 2; step = 3; export const run = (query) => { ${call} };`,
      ),
    ).toBe(false);
    expect(
      isKernel(
        "(a) => { a.x = later; }",
        (call) => `export const run = (query) => { ${call} }; const later = 2;`,
      ),
    ).toBe(false);
  });

  it("not if it calls something, or makes or changes something outside", () => {
    expect(isKernel("(a) => { a.x = f(); }")).toBe(false);
    expect(isKernel("(a) => { dt += a.x; }")).toBe(false);
    expect(isKernel("(a) => { const f = () => 1; a.x = 1; }")).toBe(false);
    expect(isKernel("(a) => { a.x = this.step; }")).toBe(false);
  });
});
