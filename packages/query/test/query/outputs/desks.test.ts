import { component, createWorld, f32, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { each, query } from "../../../src/index.ts";
import { takeDesk, viewAt } from "../../../src/query/outputs/bindings.ts";
import { Warm } from "../../definitions.ts";
import { setWorld, world } from "../../stage.ts";

const Heavy = component("Heavy", { of: f32 });

beforeEach(setWorld);

describe("a desk", () => {
  it("is the first that is free", () => {
    const [one, other] = [takeDesk(world), takeDesk(world)];
    expect([one.number, other.number]).toEqual([0, 1]);

    one.isTaken = false;
    expect(takeDesk(world)).toBe(one);
    expect(takeDesk(world).number).toBe(2);
    expect(takeDesk(createWorld()).number).toBe(0);
  });

  it("is given back by visits, also by those inside others and those that throw", () => {
    spawn(world, Warm);
    const asked = query(world, Warm);

    each(asked, () => each(asked, () => undefined));
    expect(() =>
      each(asked, () => {
        throw new Error("enough");
      }),
    ).toThrow("enough");

    expect(takeDesk(world).number).toBe(0);
  });
});

describe("a view at a desk", () => {
  it("is one for each component, place, and kind of row it shows", () => {
    const desk = takeDesk(world);
    const view = viewAt(world, desk, Warm, true, 0);

    expect(viewAt(world, desk, Warm, true, 0)).toBe(view);
    const others = [
      viewAt(world, desk, Warm, true, 1),
      viewAt(world, desk, Warm, false, 0),
      viewAt(world, desk, Heavy, true, 0),
      viewAt(world, takeDesk(world), Warm, true, 0),
    ];
    expect(new Set([view, ...others]).size).toBe(5);
  });

  it("can be written if it shows the entity's own row only", () => {
    const desk = takeDesk(world);
    const isWritable = (isOwn: boolean): boolean => {
      const { given } = viewAt(world, desk, Warm, isOwn, 0);
      return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(given), "of")!.set !== undefined;
    };

    expect([isWritable(true), isWritable(false)]).toEqual([true, false]);
  });
});
