import { add, defer, type Entity, observe, remove, set, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy, each, query } from "../../../src/index.ts";
import { Frozen, Position } from "../../definitions.ts";
import { isIterating } from "../../world-state.ts";
import { reported, setWatchedWorld, spawnNamed, takeReports, watch, world } from "./watched-world.ts";

beforeEach(setWatchedWorld);

describe("the end of the outermost verb or iteration", () => {
  it("is when it reports: once for each entity, and only the net change", () => {
    const ship = spawnNamed("ship", Position);
    const one = spawnNamed("one");
    const other = spawnNamed("other");
    watch(Position);

    defer(world, () => {
      add(world, other, Position);
      add(world, one, Position);
      remove(world, other, Position);
      remove(world, ship, Position);
      destroy(world, spawn(world, Position));
      add(world, other, Position);
      add(world, ship, Position);
      expect(reported).toEqual([]);
    });

    expect(takeReports()).toEqual(["+other", "+one"]);
  });

  it("comes after all that observers change", () => {
    observe(world, { added: Position }, ({ entity }) => remove(world, entity, Position));
    watch(Position);
    observe(world, { removed: Position }, ({ entity }) => add(world, entity, Frozen));
    watch(Frozen);

    spawnNamed("ship", Position);

    expect(takeReports()).toEqual(["+new"]);
    expect(isIterating(world)).toBe(false);
  });

  it("comes after an iteration of a query", () => {
    spawnNamed("one", Position);
    spawnNamed("other", Position);
    watch(Frozen);

    each(query(world, Position), (_, entity) => {
      add(world, entity, Frozen);
      expect(reported).toEqual([]);
    });

    expect(takeReports()).toEqual(["+one", "+other"]);
  });

  it("comes as well if the iteration is left by an error", () => {
    const one = spawnNamed("one");
    watch(Position);

    expect(() =>
      defer(world, () => {
        add(world, one, Position);
        throw new Error("stop");
      }),
    ).toThrow("stop");

    expect(takeReports()).toEqual(["+one"]);
  });

  it("lets sets in an iteration take effect at once: waiting monitors are not deferred commands", () => {
    const one = spawnNamed("one", Position);
    watch(Frozen);
    observe(world, { added: Frozen }, ({ entity }) => {
      set(world, entity, Position, { x: 5 });
      each(query(world, Position), ({ x }) => reported.push(`x is ${x}`));
    });

    add(world, one, Frozen);

    expect(takeReports()).toEqual(["x is 5", "+one"]);
  });

  it("treats a recycled index as another entity", () => {
    const one = spawnNamed("one", Position);
    watch(Position);
    let other: Entity | undefined;

    defer(world, () => {
      destroy(world, one);
      other = spawn(world, Position);
    });

    expect(takeReports()).toEqual(["-one", "+new"]);
    expect(other).not.toBe(one);
  });
});

describe("a monitor that begins inside an iteration", () => {
  it("knows the entities that match then, and is notified of deferred changes", () => {
    spawnNamed("one", Position);

    defer(world, () => {
      spawn(world, Position);
      watch(Position);
      spawn(world, Position);
    });

    expect(takeReports()).toEqual(["+new", "+new"]);
  });

  it("misses nothing of the change during which it begins", () => {
    const one = spawnNamed("one", Position);
    const stop = observe(world, { removed: Position }, () => {
      stop();
      watch(Position);
    });

    remove(world, one, Position);
    expect(takeReports()).toEqual(["-one"]);
    add(world, one, Position);

    expect(takeReports()).toEqual(["+one"]);
  });
});
