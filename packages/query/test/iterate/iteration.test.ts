import { set, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { changed, dispose, groupBy, orderBy, type Query, query } from "../../src/index.ts";
import { beginIteration, endIteration, type Iteration } from "../../src/iterate/iteration.ts";
import { countRows } from "../../src/query/lists/row-intervals.ts";
import { codeOf } from "../code-of.ts";
import { Warm } from "../definitions.ts";
import { setWorld, world } from "../stage.ts";

beforeEach(setWorld);

function beginPeek(asked: Query): Iteration {
  return beginIteration(asked, false);
}

describe("a visit", () => {
  it("locks the world until it ends, and lists who is there when it begins", () => {
    spawn(world, Warm);
    const asked = query(world, Warm) as Query;

    const visit = beginIteration(asked);
    spawn(world, Warm);
    expect([world.deferDepth, countRows(visit.intervals)]).toEqual([1, 1]);
    endIteration(asked, visit, true);

    expect(world.deferDepth).toBe(0);
    const next = beginIteration(asked);
    expect([next, countRows(next.intervals)]).toEqual([visit, 2]);
    endIteration(asked, next, true);
  });

  it("inside another of the same query has lists of its own", () => {
    const asked = query(world, Warm) as Query;
    const [outer, inner] = [beginIteration(asked), beginPeek(asked)];

    expect([outer.intervals === inner.intervals, outer.state === inner.state, world.deferDepth]).toEqual([
      false,
      false,
      2,
    ]);

    for (const one of [inner, outer]) endIteration(asked, one, true);
  });

  it.each([beginIteration, beginPeek])("that cannot begin locks nothing", (begin) => {
    const asked = query(
      world,
      Warm,
      orderBy(Warm, () => {
        throw new Error("no order");
      }),
    ) as Query;
    for (let at = 0; at < 3; at++) spawn(world, Warm);
    const disposed = query(world, Warm) as Query;
    dispose(disposed);

    expect(() => begin(asked)).toThrow("no order");
    expect([codeOf(() => begin(disposed)), codeOf(() => begin(undefined as never))]).toEqual([
      "disposed",
      "bad-query",
    ]);
    expect(world.deferDepth).toBe(0);
  });

  it("looks, and a peek does not", () => {
    const one = spawn(world, Warm);
    const asked = query(world, changed(Warm)) as Query;
    const met = (begin: typeof beginIteration): number => {
      const visit = begin(asked);
      endIteration(asked, visit, true);
      return countRows(visit.intervals);
    };

    expect([met(beginPeek), met(beginPeek), met(beginIteration), met(beginPeek)]).toEqual([1, 1, 1, 0]);
    set(world, one, Warm, { of: 1 });
    expect([met(beginPeek), met(beginIteration), met(beginIteration)]).toEqual([1, 1, 0]);
  });

  it("that could not begin has not looked", () => {
    spawn(world, Warm);
    let isBroken = true;
    const asked = query(
      world,
      changed(Warm),
      groupBy(() => {
        if (isBroken) throw new Error("no key");
        return 1;
      }),
    ) as Query;

    expect(() => beginIteration(asked)).toThrow("no key");

    isBroken = false;
    const visit = beginIteration(asked);
    expect(countRows(visit.intervals)).toBe(1);
    endIteration(asked, visit, true);
  });
});
