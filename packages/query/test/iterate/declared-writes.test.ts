import { ChildOf, component, type Entity, spawn, spawnMany } from "@treeline/core";
import { archetypeViewAt, clockOf, indexOf, trackOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { cascade, changed, eachBatch, eachRun, entities, query } from "../../src/index.ts";
import { marking, requireWrites } from "../../src/iterate/iteration.ts";
import { ownTick } from "../../src/query/outputs/row-view.ts";
import { codeOf } from "../code-of.ts";
import { Mesh, Tag, Warm } from "../definitions.ts";
import { setWorld, world } from "../test-world.ts";

beforeEach(setWorld);

describe("declared writes", () => {
  it.each([[undefined], [[]]])("are none if there are none: %s", (writes) => {
    expect(requireWrites({ writes: writes as never })).toBeUndefined();
  });

  it("are components that have values, JavaScript values too", () => {
    expect(requireWrites({ writes: [Warm, Mesh] })).toEqual([Warm, Mesh]);
  });

  it.each([Tag, ChildOf, component("Empty", {}), undefined, 5])(
    "are refused otherwise, before anything is iterated",
    (one) => {
      spawn(world, Tag);
      let iterations = 0;

      expect(codeOf(() => eachRun(query(world, Tag), () => iterations++, { writes: [one as never] }))).toBe(
        "bad-query",
      );

      expect([iterations, world.deferDepth]).toEqual([0, 0]);
    },
  );

  it("are refused without an options object", () => {
    expect(codeOf(() => eachRun(query(world, Tag), () => undefined, null as never))).toBe("bad-query");
    expect(world.deferDepth).toBe(0);
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

describe("marking a run", () => {
  it("sets the tick of its rows and of no others", () => {
    query(world, changed(Warm));
    const [one] = spawnMany(world, 10, Warm) as [Entity];
    const archetype = archetypeViewAt(world, indexOf(one));
    const track = trackOf(archetype, Warm, "changed")!;
    const before = [...track.rows.subarray(0, 10)];
    clockOf(world).now += 5;
    const { now } = clockOf(world);

    marking(() => undefined, [Warm], 0)({ archetypeOfRows: () => archetype, first: 2, end: 4 });

    expect([...track.rows.subarray(0, 10)]).toEqual(
      before.map((tick, row) => (row === 2 || row === 3 ? now : tick)),
    );
  });
});

describe("the tick of what an iteration writes itself", () => {
  it("is the one up to which it has read, unless another read came since", () => {
    expect([ownTick(8, 7), ownTick(9, 7), ownTick(8, 0)]).toEqual([7, 9, 8]);
  });
});
