import { set, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { changed, dispose, groupBy, orderBy, type Query, query } from "../../src/index.ts";
import { countPositions } from "../../src/query/lists/spans.ts";
import { beginVisit, endVisit, type Visit } from "../../src/visit/visiting.ts";
import { codeOf } from "../code-of.ts";
import { Warm } from "../definitions.ts";
import { setWorld, world } from "../stage.ts";

beforeEach(setWorld);

function beginPeek(asked: Query): Visit {
  return beginVisit(asked, false);
}

describe("a visit", () => {
  it("locks the world until it ends, and lists who is there when it begins", () => {
    spawn(world, Warm);
    const asked = query(world, Warm) as Query;

    const visit = beginVisit(asked);
    spawn(world, Warm);
    expect([world.deferDepth, countPositions(visit.spans)]).toEqual([1, 1]);
    endVisit(asked, visit, true);

    expect(world.deferDepth).toBe(0);
    const next = beginVisit(asked);
    expect([next, countPositions(next.spans)]).toEqual([visit, 2]);
    endVisit(asked, next, true);
  });

  it("inside another of the same query has lists of its own", () => {
    const asked = query(world, Warm) as Query;
    const [outer, inner] = [beginVisit(asked), beginPeek(asked)];

    expect([outer.spans === inner.spans, outer.scene === inner.scene, world.deferDepth]).toEqual([
      false,
      false,
      2,
    ]);

    for (const one of [inner, outer]) endVisit(asked, one, true);
  });

  it.each([beginVisit, beginPeek])("that cannot begin locks nothing", (begin) => {
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
    const met = (begin: typeof beginVisit): number => {
      const visit = begin(asked);
      endVisit(asked, visit, true);
      return countPositions(visit.spans);
    };

    expect([met(beginPeek), met(beginPeek), met(beginVisit), met(beginPeek)]).toEqual([1, 1, 1, 0]);
    set(world, one, Warm, { of: 1 });
    expect([met(beginPeek), met(beginVisit), met(beginVisit)]).toEqual([1, 1, 0]);
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

    expect(() => beginVisit(asked)).toThrow("no key");

    isBroken = false;
    const visit = beginVisit(asked);
    expect(countPositions(visit.spans)).toBe(1);
    endVisit(asked, visit, true);
  });
});
