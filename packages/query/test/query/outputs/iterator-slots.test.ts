import { component, createWorld, f32, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { each, query } from "../../../src/index.ts";
import { takeSlot, viewAt } from "../../../src/query/outputs/bindings.ts";
import { Warm } from "../../definitions.ts";
import { setWorld, world } from "../../test-world.ts";

const Heavy = component("Heavy", { of: f32 });

beforeEach(setWorld);

describe("an iterator slot", () => {
  it("is the first that is free", () => {
    const [one, other] = [takeSlot(world), takeSlot(world)];
    expect([one.number, other.number]).toEqual([0, 1]);

    one.isTaken = false;
    expect(takeSlot(world)).toBe(one);
    expect(takeSlot(world).number).toBe(2);
    expect(takeSlot(createWorld()).number).toBe(0);
  });

  it("is returned by iterations, also by those inside others and those that throw", () => {
    spawn(world, Warm);
    const tested = query(world, Warm);

    each(tested, () => each(tested, () => undefined));
    expect(() =>
      each(tested, () => {
        throw new Error("enough");
      }),
    ).toThrow("enough");

    expect(takeSlot(world).number).toBe(0);
  });
});

describe("a view of an iterator slot", () => {
  it("is one for each component, place, and kind of row it shows", () => {
    const slot = takeSlot(world);
    const view = viewAt(world, slot, Warm, true, 0);

    expect(viewAt(world, slot, Warm, true, 0)).toBe(view);
    const others = [
      viewAt(world, slot, Warm, true, 1),
      viewAt(world, slot, Warm, false, 0),
      viewAt(world, slot, Heavy, true, 0),
      viewAt(world, takeSlot(world), Warm, true, 0),
    ];
    expect(new Set([view, ...others]).size).toBe(5);
  });

  it("can be written if it shows the entity's own row only", () => {
    const slot = takeSlot(world);
    const isWritable = (isOwn: boolean): boolean => {
      const { object } = viewAt(world, slot, Warm, isOwn, 0);
      return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(object), "of")!.set !== undefined;
    };

    expect([isWritable(true), isWritable(false)]).toEqual([true, false]);
  });
});
