import { Any, ChildOf, component, createWorld, f32, spawn, spawnMany, tag, type World } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { count, each, eachRun, maybe, not, or, query, up } from "../../../src/index.ts";
import { Position } from "../../definitions.ts";
import { sizeOf } from "../../size-of.ts";

const Light = component("Light", { level: f32 });

describe("for each table", () => {
  /** How many numbers and objects a world keeps more after queries have been made. */
  function growth(tables: number, make: (world: World) => void): number {
    const world = createWorld();
    const places = spawnMany(world, tables);
    for (const place of places) spawn(world, Position, ChildOf(place));
    each(query(world, Position), () => {});
    const before = sizeOf(world);
    make(world);
    return sizeOf(world) - before;
  }

  const KINDS = Array.from({ length: 100 }, (_, kind) => tag(`Kind${kind}`));

  it("a hundred queries store nothing, among 50,000 tables", () => {
    const make = (world: World): void => {
      for (const kind of KINDS) {
        const placed = query(world, Position, not(kind), maybe(Light), ChildOf(Any), or(Position, kind));
        eachRun(placed, () => {});
        count(placed);
      }
      each(query(world, Position, not(KINDS[0]!)), () => {});
    };

    const grown = growth(50_000, make);

    expect(grown).toBe(growth(5, make));
    expect(grown).toBeGreaterThan(100);
  });

  it("the path to ancestors is stored, once for all queries that use it", () => {
    const make = (world: World): void => each(query(world, Position, up(Light)), () => {});
    const makeMore = (world: World): void => {
      for (const kind of KINDS) each(query(world, Position, not(kind), up(Light)), () => {});
    };

    const [one, many, manyAmongFew] = [growth(5000, make), growth(5000, makeMore), growth(5, makeMore)];

    expect(one).toBeGreaterThan(5000 * 6);
    expect(many - one).toBeLessThanOrEqual(manyAmongFew);
  });
});
