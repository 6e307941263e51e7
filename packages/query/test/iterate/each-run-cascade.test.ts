import { add, ChildOf, type Entity, pack, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { cascade, eachRun, not, query } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { place } from "../random/cascades.ts";
import { seeds } from "../random/dice.ts";
import { childrenIn, createTwin, Frozen, Harms, Local, Mark, Placed, step } from "../random/twin.ts";
import { setWorld, world } from "../test-world.ts";

beforeEach(setWorld);

describe("runs under cascade", () => {
  it("come parents first (I12)", () => {
    const [buoy, station] = [place(world, undefined, Placed), place(world, undefined, Placed)];
    const cockpit = place(world, station, Placed);
    add(world, station, ChildOf(buoy));
    const received: Entity[] = [];

    eachRun(query(world, Placed, cascade(Placed)), (run) => {
      for (let row = run.first; row < run.end; row++) received.push(run.entityAt(row));
    });

    expect(received).toEqual([buoy, station, cockpit]);
  });

  it("hold adjacent rows of one depth together, after a pack even all of an archetype", () => {
    const roots = Array.from({ length: 100 }, () => place(world, undefined, Placed));
    for (const root of roots) for (const child of [place(world, root, Placed)]) place(world, child, Placed);
    const lengths: number[] = [];
    pack(world);

    eachRun(query(world, Placed, cascade(Placed)), ({ first, end }) => {
      lengths.push(end - first);
    });

    expect(lengths).toEqual([100, 100, 100]);
  });

  it("return columns and entities of their rows", () => {
    const root = place(world, undefined, Placed);
    place(world, root, Local);
    place(world, place(world, root, Placed, Local));
    const wrong: Entity[] = [];
    let rows = 0;

    eachRun(query(world, Mark, cascade(Placed)), (run) => {
      const { of } = run.columns(Mark);
      for (let row = run.first; row < run.end; row++, rows++) {
        if (of[row] !== run.entityAt(row)) wrong.push(run.entityAt(row));
      }
    });

    expect([wrong, rows]).toEqual([[], 4]);
  });

  it("return the values of a pair with data, wherever its column is in the table", () => {
    const [first, second, third] = spawnMany(world, 3) as [Entity, Entity, Entity];
    const [one, other] = [place(world, undefined, Placed), place(world, undefined, Placed)];
    spawn(world, ChildOf(one), Harms(first, { by: 1 }), Harms(second, { by: 2 }));
    spawn(world, ChildOf(other), Harms(second, { by: 20 }), Harms(third, { by: 30 }));
    const received: number[] = [];

    eachRun(query(world, Harms(second), cascade(Placed)), (run) => {
      const { by } = run.columns(Harms(second));
      for (let row = run.first; row < run.end; row++) received.push(by[row]!);
    });

    expect(received).toEqual([2, 20]);
  });

  it("are stale outside the iteration", () => {
    place(world, place(world, undefined, Placed), Placed);
    const kept: (() => unknown)[] = [];

    eachRun(query(world, Placed, cascade(Placed)), (run) => {
      kept.push(() => run.columns(Placed));
    });

    expect(kept.map(codeOf)).toEqual(["stale-run", "stale-run"]);
  });

  it.each(seeds(1, 2))(
    "match exactly the entities that match, parents first, in a random world, seed %i",
    (seed) => {
      const twin = createTwin(seed, { most: 80 });
      const { world, living } = twin;
      const tested = query(world, Mark, not(Frozen), cascade(Local));
      const wrong: string[] = [];

      for (let at = 0; at < 300; at++) {
        step(twin);
        step(twin);
        const before = new Set<Entity>();
        eachRun(tested, (run) => {
          const { of } = run.columns(Mark);
          for (let row = run.first; row < run.end; row++) {
            const entity = run.entityAt(row);
            if (of[row] !== entity || before.has(entity)) wrong.push(`${at}: row of ${entity}`);
            if (childrenIn(twin, entity).some((child) => before.has(child))) wrong.push(`${at}: order`);
            before.add(entity);
          }
        });
        const expected = [...living].filter(([, { has }]) => !has.has(Frozen)).length;
        if (before.size !== expected) wrong.push(`${at}: ${before.size} of ${expected}`);
      }

      expect(wrong.slice(0, 5)).toEqual([]);
    },
  );
});
