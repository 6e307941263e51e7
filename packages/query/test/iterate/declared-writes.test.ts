import { ChildOf, component, type Entity, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { cascade, changed, eachBatch, eachRun, entities, query } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Mesh, Tag, Warm } from "../definitions.ts";
import { setWorld, world } from "../test-world.ts";
import { isIterating } from "../world-state.ts";

beforeEach(setWorld);

describe("declared writes", () => {
  it.each([[undefined], [[]]])("are none if there are none: %s", (writes) => {
    spawn(world, Warm);
    const watched = query(world, changed(Warm));
    entities(watched);

    eachRun(query(world, Warm), () => undefined, { writes: writes as never });

    expect(entities(watched)).toEqual([]);
  });

  it("are components that have values, JavaScript values too", () => {
    const one = spawn(world, Warm, Mesh("ship"));
    const watched = [query(world, changed(Warm)), query(world, changed(Mesh))];
    for (const tested of watched) entities(tested);

    eachRun(query(world, Warm), () => undefined, { writes: [Warm, Mesh] });

    expect(watched.map((tested) => entities(tested))).toEqual([[one], [one]]);
  });

  it.each([Tag, ChildOf, component("Empty", {}), undefined, 5])(
    "are refused otherwise, before anything is iterated",
    (one) => {
      spawn(world, Tag);
      let iterations = 0;

      expect(codeOf(() => eachRun(query(world, Tag), () => iterations++, { writes: [one as never] }))).toBe(
        "bad-query",
      );

      expect([iterations, isIterating(world)]).toEqual([0, false]);
    },
  );

  it("are refused without an options object", () => {
    expect(codeOf(() => eachRun(query(world, Tag), () => undefined, null as never))).toBe("bad-query");
    expect(isIterating(world)).toBe(false);
  });

  it("count for the rows that were iterated, and for components that these have", () => {
    const [one] = spawnMany(world, 70, Warm);
    const other = spawn(world, Warm, Tag);
    const [warm, mesh] = [query(world, changed(Warm)), query(world, changed(Mesh))];
    for (const tested of [warm, mesh]) entities(tested);

    eachRun(query(world, Warm, Tag), () => undefined, { writes: [Warm, Mesh] });

    expect([entities(warm), entities(mesh)]).toEqual([[other], []]);
    expect(one).toBeDefined();
  });

  it("count for the rows of a run, and for no others of its archetype", () => {
    const [ship, station, dock] = spawnMany(world, 3) as [Entity, Entity, Entity];
    const [, written] = [ship, station, dock].map((parent) => spawnMany(world, 2, Warm, ChildOf(parent)));
    const watched = query(world, changed(Warm));
    entities(watched);

    eachRun(query(world, Warm, ChildOf(station)), () => undefined, { writes: [Warm] });

    expect(entities(watched)).toEqual(written);
  });

  it("count for all that was passed before a callback throws, that run included", () => {
    const [a, b] = [spawn(world, Warm), spawn(world, Warm, Tag)];
    const c = spawn(world, Warm, ChildOf(a));
    const watched = query(world, changed(Warm));
    entities(watched);

    expect(() =>
      eachRun(
        query(world, Warm),
        (run) => {
          if (run.entityAt(run.first) === b) throw new Error("enough");
        },
        { writes: [Warm] },
      ),
    ).toThrow("enough");

    expect(entities(watched)).toEqual([a, b]);
    expect(entities(watched)).not.toContain(c);
  });

  it("count for all of long runs and long batches", () => {
    const root = spawn(world);
    const many = spawnMany(world, 5000, Warm, ChildOf(root));
    const watched = query(world, changed(Warm));
    entities(watched);

    eachRun(query(world, Warm), () => undefined, { writes: [Warm] });
    expect(entities(watched)).toEqual(many);
    eachBatch(query(world, Warm, cascade(Warm)), () => undefined, { writes: [Warm] });
    expect(entities(watched)).toEqual(many);
  });
});
