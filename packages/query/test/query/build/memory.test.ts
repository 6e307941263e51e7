import { Any, ChildOf, component, createWorld, f32, spawn, spawnMany, tag, type World } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { count, each, eachRun, maybe, not, or, query, up } from "../../../src/index.ts";
import { Position } from "../../definitions.ts";
import { sizeOf } from "../../size-of.ts";

const Light = component("Light", { level: f32 });

describe("for each table", () => {
  /** How many numbers and objects a world keeps more after questions have been asked. */
  function growth(tables: number, ask: (world: World) => void): number {
    const world = createWorld();
    const places = spawnMany(world, tables);
    for (const place of places) spawn(world, Position, ChildOf(place));
    each(query(world, Position), () => {});
    const before = sizeOf(world);
    ask(world);
    return sizeOf(world) - before;
  }

  const KINDS = Array.from({ length: 100 }, (_, kind) => tag(`Kind${kind}`));

  it("a hundred queries keep nothing, among 50,000 tables", () => {
    const ask = (world: World): void => {
      for (const kind of KINDS) {
        const placed = query(world, Position, not(kind), maybe(Light), ChildOf(Any), or(Position, kind));
        eachRun(placed, () => {});
        count(placed);
      }
      each(query(world, Position, not(KINDS[0]!)), () => {});
    };

    const grown = growth(50_000, ask);

    expect(grown).toBe(growth(5, ask));
    expect(grown).toBeGreaterThan(100);
  });

  it("the way to ancestors is kept, once for all who ask for it", () => {
    const ask = (world: World): void => each(query(world, Position, up(Light)), () => {});
    const askMore = (world: World): void => {
      for (const kind of KINDS) each(query(world, Position, not(kind), up(Light)), () => {});
    };

    const [one, many, manyAmongFew] = [growth(5000, ask), growth(5000, askMore), growth(5, askMore)];

    expect(one).toBeGreaterThan(5000 * 6);
    expect(many - one).toBeLessThanOrEqual(manyAmongFew);
  });
});
