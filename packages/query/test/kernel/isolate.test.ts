import { component, createWorld, f64, get, spawn, spawnMany, type World } from "@treeline/core";
import { transformSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { eachRun, query } from "../../src/index.ts";
import { makerOf, ROWS_BEFORE_OWN } from "../../src/kernel/isolate.ts";
import { canCompile, type RunLoop, runKernel } from "../../src/kernels.ts";

type Make = (numbers: number[], by: number) => () => number[];

const scale = (numbers: number[], by: number) => () => numbers.map((one) => one * by);

/** The result of a function that was compiled from its text. */
function resultOf(make: Make): number[] {
  return make([1, 2, 3], 10)();
}

afterEach(() => vi.unstubAllGlobals());

/** As a content security policy does it. */
function forbidTexts(): void {
  const { prototype } = Function;
  function Forbidden(): never {
    throw new EvalError("Code generation from strings disallowed for this context");
  }
  vi.stubGlobal("Function", Object.defineProperty(Forbidden, "prototype", { value: prototype }));
}

describe("a function made from its text", () => {
  it("behaves the same, each a function of its own", () => {
    const maker = makerOf<Make>(scale);
    const [one, other] = [maker.own(), maker.own()];

    expect([maker.shared, one, other].map(resultOf)).toEqual(Array(3).fill([10, 20, 30]));
    expect(new Set([scale, maker.shared, one, other]).size).toBe(4);
    expect(maker.isIsolated).toBe(true);
  });

  it("sees its parameters and what is global, and is strict", () => {
    const outside = 3;
    const maker = makerOf((value: number) => Math.max(value, typeof outside === "undefined" ? 1 : outside));

    expect([maker.shared(0), maker.own()(2)]).toEqual([1, 2]);
    expect(
      makerOf(function () {
        return this;
      } as (this: unknown) => unknown).shared.call(undefined),
    ).toBe(undefined);
  });

  it("can be compiled in another text, and sees nothing of that", () => {
    const hidden = 5;
    const maker = makerOf(() => typeof hidden);

    const around = maker.own<() => string[]>(
      (text) => `((make) => () => { const hidden = 1; return [typeof hidden, make()]; })(${text})`,
    );

    expect(around()).toEqual(["number", "undefined"]);
  });

  it("may be an arrow, a function, async or not, with comments and line ends", () => {
    const texts = [
      "(numbers, by) => () => numbers.map((one) => one * by)",
      "function (numbers, by) { return () => numbers.map((one) => one * by); }",
      "function named(numbers, by) {\n  return () => numbers.map((one) => one * by); // the end\n}",
      "(numbers, by) => /* ( */ () => numbers.map((one) => one * by) // `${",
      "(numbers, by) => {\r\n  'use strict'; return () => numbers.map((one) => one * by)\r\n}",
    ];

    for (const text of texts) {
      const maker = makerOf(new Function(`return ${text}`)() as Make);
      expect([maker.isIsolated, resultOf(maker.shared), resultOf(maker.own())]).toEqual([
        true,
        [10, 20, 30],
        [10, 20, 30],
      ]);
    }
  });

  it("is used as it is if its text is not an expression", () => {
    const factor = 10;
    const source = {
      method(numbers: number[]) {
        return () => numbers.map((one) => one * factor);
      },
      get got(): Make {
        return Object.getOwnPropertyDescriptor(source, "method")!.value as Make;
      },
    };
    const proxy = new Proxy(scale, {});

    for (const make of [source.method, source.got, scale.bind(undefined), proxy] as Make[]) {
      const maker = makerOf(make);
      expect([maker.isIsolated, maker.shared, maker.own()]).toEqual([false, make, make]);
      expect(resultOf(maker.shared)).toEqual([10, 20, 30]);
    }
  });

  it.each([{ minify: true }, { keepNames: true }, { minify: true, target: "es2018" }])(
    "may have been through a bundler: %o",
    (options) => {
      const source = `make = (numbers, by) => {
        const scaled = (one) => one * by;
        function all() { return numbers.map(scaled); }
        return all;
      };`;
      const { code } = transformSync(`var make; ${source}`, { ...options, minifyIdentifiers: false });
      const make = new Function(`${code}; return make;`)() as Make;

      const maker = makerOf(make);

      expect([maker.isIsolated, resultOf(maker.shared), resultOf(maker.own())]).toEqual([
        true,
        [10, 20, 30],
        [10, 20, 30],
      ]);
    },
  );
});

describe("where texts cannot be compiled", () => {
  const Position = component("Position", { x: f64 });
  let world: World;

  beforeEach(() => {
    world = createWorld();
  });

  it("canCompile returns false", () => {
    const before = canCompile();

    forbidTexts();

    expect([before, canCompile()]).toEqual([true, false]);
  });

  it("functions stay as they are, and see what is around them", () => {
    forbidTexts();
    const maker = makerOf(scale);

    expect([maker.isIsolated, maker.shared, maker.own()]).toEqual([false, scale, scale]);
  });

  it("kernels work all the same, also after many rows", () => {
    forbidTexts();
    let makes = 0;
    const kernel = runKernel([Position], ([{ x }]): RunLoop => {
      makes++;
      return (first, end) => {
        for (let row = first; row < end; row++) x[row]! += 1;
      };
    });
    const [ship] = spawnMany(world, ROWS_BEFORE_OWN, Position);
    const tested = query(world, Position);

    for (let iterations = 0; iterations < 3; iterations++) eachRun(tested, kernel);

    expect(get(world, ship!, Position)).toEqual({ x: 3 });
    expect(makes).toBe(1);
  });

  it("errors of loops are left as they are", () => {
    forbidTexts();
    const kernel = runKernel([Position], () => () => {
      throw new ReferenceError("on purpose");
    });
    spawn(world, Position);

    expect(() => eachRun(query(world, Position), kernel)).toThrow(new ReferenceError("on purpose"));
  });
});
