import { set, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { changed, dispose, groupBy, orderBy, type Query, query } from "../../src/index.ts";
import { beginIteration, endIteration, type Iteration } from "../../src/iterate/iteration.ts";
import { countRows } from "../../src/query/lists/row-intervals.ts";
import { codeOf } from "../code-of.ts";
import { Warm } from "../definitions.ts";
import { setWorld, world } from "../test-world.ts";

beforeEach(setWorld);

function beginPeek(tested: Query): Iteration {
  return beginIteration(tested, false);
}

describe("an iteration", () => {
  it("locks the world until it ends, and lists the entities that match when it begins", () => {
    spawn(world, Warm);
    const tested = query(world, Warm) as Query;

    const iteration = beginIteration(tested);
    spawn(world, Warm);
    expect([world.deferDepth, countRows(iteration.intervals)]).toEqual([1, 1]);
    endIteration(tested, iteration, true);

    expect(world.deferDepth).toBe(0);
    const next = beginIteration(tested);
    expect([next, countRows(next.intervals)]).toEqual([iteration, 2]);
    endIteration(tested, next, true);
  });

  it("inside another of the same query has lists of its own", () => {
    const tested = query(world, Warm) as Query;
    const [outer, inner] = [beginIteration(tested), beginPeek(tested)];

    expect([outer.intervals === inner.intervals, outer.state === inner.state, world.deferDepth]).toEqual([
      false,
      false,
      2,
    ]);

    for (const one of [inner, outer]) endIteration(tested, one, true);
  });

  it.each([beginIteration, beginPeek])("that cannot begin locks nothing", (begin) => {
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
    expect(world.deferDepth).toBe(0);
  });

  it("reads the changes, and a peek does not", () => {
    const one = spawn(world, Warm);
    const tested = query(world, changed(Warm)) as Query;
    const met = (begin: typeof beginIteration): number => {
      const iteration = begin(tested);
      endIteration(tested, iteration, true);
      return countRows(iteration.intervals);
    };

    expect([met(beginPeek), met(beginPeek), met(beginIteration), met(beginPeek)]).toEqual([1, 1, 1, 0]);
    set(world, one, Warm, { of: 1 });
    expect([met(beginPeek), met(beginIteration), met(beginIteration)]).toEqual([1, 1, 0]);
  });

  it("that could not begin has not read the changes", () => {
    spawn(world, Warm);
    let isBroken = true;
    const tested = query(
      world,
      changed(Warm),
      groupBy(() => {
        if (isBroken) throw new Error("no key");
        return 1;
      }),
    ) as Query;

    expect(() => beginIteration(tested)).toThrow("no key");

    isBroken = false;
    const iteration = beginIteration(tested);
    expect(countRows(iteration.intervals)).toBe(1);
    endIteration(tested, iteration, true);
  });
});
