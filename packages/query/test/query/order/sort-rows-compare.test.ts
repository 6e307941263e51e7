import { add, component, f64, set, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy, entities, groupBy, orderBy, type Query, query } from "../../../src/index.ts";
import { Frozen, MemberOf } from "../../definitions.ts";
import { failing } from "../../failing.ts";
import { setWorld, world } from "../../test-world.ts";
import { isIterating } from "../../world-state.ts";
import { pointsOf, Score, spawnWith, Unit } from "./scores.ts";

const Label = component<string>("Label");
const Depth = component("Depth", { of: f64 });

/** How often `byPoints` was called. */
let calls = 0;

function byPoints(one: { readonly points: number }, other: { readonly points: number }): number {
  calls++;
  return one.points - other.points;
}

beforeEach(() => {
  calls = 0;
});

beforeEach(setWorld);

describe("an ordered query by a comparison", () => {
  it("passes values: those of components without fields themselves, others as copies", () => {
    const [b, c, a] = ["b", "c", "a"].map((text) => spawn(world, Label(text)));
    const without = spawn(world, Unit);
    const [high, low] = spawnWith(world, 9, 3);

    const byText = query(
      world,
      Label,
      orderBy(Label, (one, other) => (one < other ? -1 : 1)),
    );
    const byPoints = query(
      world,
      Unit,
      orderBy(Score, (one, other) => one.points - other.points, { desc: true }),
    );

    expect(entities(byText)).toEqual([a, b, c]);
    expect(entities(byPoints)).toEqual([high, low, without]);
  });

  it("treats what is neither less nor more, NaN too, as equal: the index decides", () => {
    const all = spawnWith(world, 3, 2, 1);

    expect(
      entities(
        query(
          world,
          Score,
          orderBy(Score, () => Number.NaN, { desc: true }),
        ),
      ),
    ).toEqual(all);
  });

  it("compares nothing again while nothing changed, and sorts again after one value changed", () => {
    const all = spawnWith(world, 4, 8, 2, 6, 1, 9);
    const tested = query(world, Score, orderBy(Score, byPoints));
    const counts = [0, 0, 0].map(() => {
      calls = 0;
      entities(tested);
      return calls;
    });
    calls = 0;
    set(world, all[0]!, Score, { points: 7 });

    expect(pointsOf(world, tested)).toEqual([1, 2, 6, 7, 8, 9]);
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts.slice(1)).toEqual([0, 0]);
    expect(calls).toBeGreaterThan(0);
  });

  it("compares nothing again when others came, moved and were destroyed", () => {
    const tested = query(world, Unit, orderBy(Score, byPoints));
    spawnWith(world, 4, 8, 2);
    const others = spawnMany(world, 40, Depth);
    entities(tested);
    calls = 0;

    for (const one of others) add(world, one, Frozen);
    entities(tested);
    for (const one of others) destroy(world, one);
    entities(tested);
    for (const one of spawnMany(world, 3, Depth)) set(world, one, Depth, { of: 2 });
    entities(tested);

    expect(calls).toBe(0);
  });

  it("in groups of targets compares nothing again when others came", () => {
    const teams = spawnMany(world, 2);
    const tested = query(world, Unit, groupBy(MemberOf), orderBy(Score, byPoints));
    for (const [at, one] of spawnWith(world, 4, 8, 2, 6).entries()) add(world, one, MemberOf(teams[at % 2]!));
    const before = pointsOf(world, tested);
    const callsAtFirst = calls;
    calls = 0;

    spawnMany(world, 3, Depth, MemberOf(teams[0]!));
    const after = pointsOf(world, tested);

    expect([before, after]).toEqual([
      [2, 4, 6, 8],
      [2, 4, 6, 8],
    ]);
    expect(callsAtFirst).toBeGreaterThan(0);
    expect(calls).toBe(0);
  });

  it("compares about as often as there are matches when one of many changed", () => {
    const tested = query(world, Score, orderBy(Score, byPoints));
    const all = spawnWith(world, ...Array.from({ length: 1000 }, (_, at) => (at * 7919) % 1000));
    entities(tested);
    calls = 0;

    set(world, all[500]!, Score, { points: 0.5 });
    const points = pointsOf(world, tested);
    const afterChange = calls;
    calls = 0;
    spawnWith(world, 300.5);
    entities(tested);

    expect(points).toEqual([...points].sort((one, other) => one! - other!));
    expect(afterChange).toBeLessThan(2500);
    expect(calls).toBeLessThan(2500);
  });

  it("that throws is called again", () => {
    const compare = failing(byPoints);
    const tested = query(world, Score, orderBy(Score, compare));
    const all = spawnWith(world, 3, 2, 1);
    entities(tested);

    compare.fails = true;
    set(world, all[0]!, Score, { points: 0 });
    expect(() => entities(tested)).toThrow(RangeError);
    expect(() => entities(tested)).toThrow(RangeError);
    expect(isIterating(world)).toBe(false);
    compare.fails = false;

    expect(pointsOf(world, tested)).toEqual([0, 1, 2]);
  });

  it("may iterate the query itself", () => {
    let inner: (number | undefined)[] = [];
    let isInside = false;
    const tested: Query = query(
      world,
      Score,
      orderBy(Score, (one, other) => {
        if (!isInside) {
          isInside = true;
          inner = pointsOf(world, tested);
          isInside = false;
        }
        return one.points - other.points;
      }),
    );
    spawnWith(world, 3, 1, 2, 5, 4);

    expect(pointsOf(world, tested)).toEqual([1, 2, 3, 4, 5]);
    expect(inner).toEqual([1, 2, 3, 4, 5]);
    expect(pointsOf(world, tested)).toEqual([1, 2, 3, 4, 5]);
  });
});
