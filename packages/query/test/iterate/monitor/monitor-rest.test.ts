import { add, defer, type Entity, observe, remove, set, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy, each, query } from "../../../src/index.ts";
import { Frozen, Position } from "../../definitions.ts";
import { born, news, setStage, told, watch, world } from "./watching.ts";

beforeEach(setStage);

describe("the end of the outermost verb or visit", () => {
  it("is when it tells: once for each entity, and only the net change", () => {
    const ship = born("ship", Position);
    const one = born("one");
    const other = born("other");
    watch(Position);

    defer(world, () => {
      add(world, other, Position);
      add(world, one, Position);
      remove(world, other, Position);
      remove(world, ship, Position);
      destroy(world, spawn(world, Position));
      add(world, other, Position);
      add(world, ship, Position);
      expect(told).toEqual([]);
    });

    expect(news()).toEqual(["+other", "+one"]);
  });

  it("comes after all that listeners change", () => {
    observe(world, { added: Position }, ({ entity }) => remove(world, entity, Position));
    watch(Position);
    observe(world, { removed: Position }, ({ entity }) => add(world, entity, Frozen));
    watch(Frozen);

    born("ship", Position);

    expect(news()).toEqual(["+new"]);
    expect(world.deferDepth).toBe(0);
  });

  it("comes after a visit of a query", () => {
    born("one", Position);
    born("other", Position);
    watch(Frozen);

    each(query(world, Position), (_, entity) => {
      add(world, entity, Frozen);
      expect(told).toEqual([]);
    });

    expect(news()).toEqual(["+one", "+other"]);
  });

  it("comes as well if the visit is left by an error", () => {
    const one = born("one");
    watch(Position);

    expect(() =>
      defer(world, () => {
        add(world, one, Position);
        throw new Error("stop");
      }),
    ).toThrow("stop");

    expect(news()).toEqual(["+one"]);
  });

  it("lets sets in a visit be seen at once: a monitor that waits is no change that waits", () => {
    const one = born("one", Position);
    watch(Frozen);
    observe(world, { added: Frozen }, ({ entity }) => {
      set(world, entity, Position, { x: 5 });
      each(query(world, Position), ({ x }) => told.push(`x is ${x}`));
    });

    add(world, one, Frozen);

    expect(news()).toEqual(["x is 5", "+one"]);
  });

  it("sees a recycled index as another entity", () => {
    const one = born("one", Position);
    watch(Position);
    let other: Entity | undefined;

    defer(world, () => {
      destroy(world, one);
      other = spawn(world, Position);
    });

    expect(news()).toEqual(["-one", "+new"]);
    expect(other).not.toBe(one);
  });
});

describe("a monitor that begins inside a visit", () => {
  it("knows who answers then, and hears of what waits", () => {
    born("one", Position);

    defer(world, () => {
      spawn(world, Position);
      watch(Position);
      spawn(world, Position);
    });

    expect(news()).toEqual(["+new", "+new"]);
  });

  it("misses nothing of the change in the midst of which it begins", () => {
    const one = born("one", Position);
    const stop = observe(world, { removed: Position }, () => {
      stop();
      watch(Position);
    });

    remove(world, one, Position);
    expect(news()).toEqual(["-one"]);
    add(world, one, Position);

    expect(news()).toEqual(["+one"]);
  });
});
