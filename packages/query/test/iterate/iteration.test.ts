import { type Entity, set, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { count, dispose, each, entities, first, type Query, query } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Warm } from "../definitions.ts";
import { failing } from "../failing.ts";
import { changed } from "../public/filters.ts";
import { groupBy, orderBy } from "../public/parts.ts";
import { setWorld, world } from "../test-world.ts";
import { isIterating } from "../world-state.ts";

beforeEach(setWorld);

describe("an iteration", () => {
  it("locks the world until it ends, and lists the entities that match when it begins", () => {
    spawn(world, Warm);
    const tested = query(world, Warm);
    const counts = [1, 2, 3].map(() => {
      let met = 0;
      each(tested, () => {
        if (met === 0) spawn(world, Warm);
        expect(isIterating(world)).toBe(true);
        met++;
      });
      expect(isIterating(world)).toBe(false);
      return met;
    });

    expect(counts).toEqual([1, 2, 3]);
  });

  it("inside another of the same query has lists of its own", () => {
    const [one, other] = [spawn(world, Warm), spawn(world, Warm)];
    const tested = query(world, Warm);
    const met: [outer: Entity, inner: Entity][] = [];

    each(tested, (_outerWarm, outer) => {
      each(tested, (_innerWarm, inner) => {
        met.push([outer, inner]);
      });
      expect([count(tested), isIterating(world)]).toEqual([2, true]);
    });

    expect(met).toEqual([
      [one, one],
      [one, other],
      [other, one],
      [other, other],
    ]);
  });

  it.each<[name: string, begin: (tested: Query) => unknown]>([
    ["each", (tested) => each(tested, () => undefined)],
    ["first", first],
  ])("that cannot begin locks nothing: %s", (_, begin) => {
    const tested = query(
      world,
      Warm,
      orderBy(Warm, () => {
        throw new Error("no order");
      }),
    ) as Query;
    for (let at = 0; at < 3; at++) spawn(world, Warm);
    const disposed = query(world, Warm) as Query;
    dispose(disposed);

    expect(() => begin(tested)).toThrow("no order");
    expect([codeOf(() => begin(disposed)), codeOf(() => begin(undefined as never))]).toEqual([
      "disposed",
      "bad-query",
    ]);
    expect(isIterating(world)).toBe(false);
  });

  it("reads the changes, and `count` does not", () => {
    const one = spawn(world, Warm);
    const tested = query(world, changed(Warm));
    const read = (): number => entities(tested).length;

    expect([count(tested), count(tested), read(), count(tested)]).toEqual([1, 1, 1, 0]);
    set(world, one, Warm, { of: 1 });
    expect([count(tested), read(), read()]).toEqual([1, 1, 0]);
  });

  it("that could not begin has not read the changes", () => {
    const one = spawn(world, Warm);
    const key = failing(() => 1);
    const tested = query(world, changed(Warm), groupBy(key));
    key.fails = true;

    expect(() => entities(tested)).toThrow(RangeError);

    key.fails = false;
    expect(entities(tested)).toEqual([one]);
  });
});
