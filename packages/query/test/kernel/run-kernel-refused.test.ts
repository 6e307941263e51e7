import { ChildOf, type Component, component, spawn } from "@treeline/core";
import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { cascade, each, eachBatch, eachRun, maybe, query, type Run } from "../../src/index.ts";
import { type ColumnsOf, type RunLoop, runKernel } from "../../src/kernels.ts";
import { codeOf } from "../code-of.ts";
import { Frozen, type Mesh } from "../definitions.ts";
import {
  type Cells,
  countingKernel,
  notes,
  Position,
  setCountingWorld,
  Velocity,
  world,
} from "./counting-kernel.ts";

beforeEach(setCountingWorld);

describe("bad kernels", () => {
  const loop: RunLoop = () => {};

  it.each<[title: string, components: unknown, make: unknown]>([
    ["a component alone", Position, () => loop],
    ["a tag", [Position, Frozen], () => loop],
    ["a relation", [ChildOf], () => loop],
    ["nothing in the list", [Position, undefined], () => loop],
    ["no list", undefined, () => loop],
    ["no function", [Position], loop.name],
    ["nothing to make the loop", [Position], undefined],
  ])("are refused at once: %s", (_, components, make) => {
    expect(codeOf(() => runKernel(components as [], make as () => RunLoop))).toBe("bad-kernel");
  });

  it("are refused in the iteration if they return no loop", () => {
    spawn(world, Position);
    const kernel = runKernel([Position], (() => undefined) as never);

    expect(codeOf(() => eachRun(query(world, Position), kernel))).toBe("bad-kernel");
  });

  const outside = 3;

  it.each<[title: string, make: () => RunLoop]>([
    ["its loop", () => () => void outside],
    [
      "its function",
      () => {
        const factor = outside;
        return () => void factor;
      },
    ],
  ])("are refused in the iteration if %s names something outside", (_, make) => {
    const ship = spawn(world, Position);
    spawn(world, Position, ChildOf(ship));
    const kernel = runKernel([Position], make);
    const iterations = [
      () => eachRun(query(world, Position), kernel),
      () => eachRun(query(world, Position, ChildOf(ship)), kernel),
    ];

    for (const iterate of iterations) {
      expect(iterate).toThrow(
        expect.objectContaining({
          code: "bad-kernel",
          message: expect.stringContaining("outside is not defined in a kernel"),
          cause: expect.any(ReferenceError),
        }),
      );
    }
  });

  it("are refused in the iteration if rows lack a component", () => {
    spawn(world, Position, Velocity);
    spawn(world, Position);
    const kernel = runKernel([Velocity], () => () => {});

    expect(codeOf(() => eachRun(query(world, Position, maybe(Velocity)), kernel))).toBe("bad-query");
    expect(codeOf(() => eachRun(query(world, Position, Velocity), kernel))).toBe(undefined);
  });

  it("are refused by iterations of something else than runs", () => {
    spawn(world, Position);
    const kernel = countingKernel(notes) as never;

    expect(codeOf(() => each(query(world, Position), kernel))).toBe("bad-kernel");
    expect(codeOf(() => eachBatch(query(world, cascade(Position)), kernel))).toBe("bad-kernel");
    expect(notes.makes).toBe(0);
  });

  it("are refused with a run whose iteration is over", () => {
    spawn(world, Position);
    let kept: Run | undefined;
    eachRun(query(world, Position), (run) => {
      kept = run;
    });
    const kernel = countingKernel(notes);

    expect(codeOf(() => kernel(kept!))).toBe("stale-run");
    eachRun(query(world, Position), kernel);
    expect(codeOf(() => kernel(kept!))).toBe("stale-run");
  });
});

describe("the types of a run kernel", () => {
  it("are those of the columns, in the order of the components", () => {
    type Found = ColumnsOf<readonly [typeof Position, typeof Mesh, typeof Cells]>;

    expectTypeOf<Found[0]["x"]>().toEqualTypeOf<Float64Array>();
    expectTypeOf<Found[1]>().toEqualTypeOf<string[]>();
    expectTypeOf<Found[2]["of"]>().toEqualTypeOf<Float32Array>();
    expectTypeOf<Found["length"]>().toEqualTypeOf<3>();
    runKernel([Position, Velocity], (columns) => {
      expectTypeOf(columns).toEqualTypeOf<ColumnsOf<readonly [typeof Position, typeof Velocity]>>();
      return () => {};
    });
  });

  it("leave out value fields, and keep the other fields of their components", () => {
    const Unit = component("Unit", { x: 0, title: "" });
    runKernel([Unit], ([unit]) => {
      expectTypeOf(unit).toEqualTypeOf<{ readonly x: Float64Array }>();
      // @ts-expect-error: kernels go through numbers
      return () => void unit.title;
    });
  });

  it("require the objects that the function receives, and nothing else", () => {
    runKernel([Position], (_, given) => () => expectTypeOf(given).toEqualTypeOf<{ step: number }>(), {
      step: 1,
    });
    runKernel([Position], (_, given) => () => expectTypeOf(given).toEqualTypeOf<undefined>());
    // @ts-expect-error: it wants a number
    runKernel([Position], (_, given: number) => () => void given);
    // @ts-expect-error: a component must be in a list
    expect(codeOf(() => runKernel(Position, () => () => {}))).toBe("bad-kernel");
    // @ts-expect-error: a tag has no columns
    expect(codeOf(() => runKernel([Frozen], () => () => {}))).toBe("bad-kernel");
    expectTypeOf(runKernel([], () => () => {})).toEqualTypeOf<(run: Run) => void>();
    const list: Component[] = [Position];
    expect(codeOf(() => runKernel(list, () => () => {}))).toBe(undefined);
  });
});
