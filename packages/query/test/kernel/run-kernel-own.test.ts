import { ChildOf, createWorld, defer, spawn, spawnMany, type World } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy } from "../../src/cleanup/destroy.ts";
import { ROWS_BEFORE_OWN } from "../../src/kernel/edition.ts";
import { runKernel } from "../../src/kernel/run-kernel.ts";
import { query } from "../../src/query/query.ts";
import { changed } from "../../src/term/operators.ts";
import { count } from "../../src/visit/collect.ts";
import { eachRun } from "../../src/visit/each-run.ts";
import { codeOf } from "../code-of.ts";
import { countingKernel, type Notes, Position, tally } from "./counting.ts";

let world: World;
let notes: Notes;

beforeEach(() => {
  world = createWorld();
  notes = { makes: 0, calls: 0, rows: 0 };
});

describe("a loop of its own", () => {
  it.each([
    [ROWS_BEFORE_OWN - 1, 1],
    [ROWS_BEFORE_OWN, 2],
  ])("after %i rows of one layout the kernel has made %i loops", (rows, makes) => {
    spawnMany(world, rows, Position);
    const asked = query(world, Position);
    const kernel = countingKernel(notes);

    eachRun(asked, kernel);
    const first = { ...notes };
    for (let visits = 0; visits < 3; visits++) eachRun(asked, kernel);

    expect(first).toEqual({ makes, calls: 4, rows }); // a long run begins with three short pieces
    expect(notes.makes).toBe(2);
    expect(tally(world)).toEqual(new Map([[4, rows]]));
  });

  it("goes through all runs of a shape at once, unless the visit declares writes", () => {
    const parents = spawnMany(world, 3);
    [ROWS_BEFORE_OWN / 2, 16, ROWS_BEFORE_OWN / 2].forEach((rows, at) => {
      spawnMany(world, rows, Position, ChildOf(parents[at]!));
    });
    destroy(world, parents[1]!); // a hole between two runs
    const asked = query(world, Position);
    const moved = query(world, changed(Position));
    const kernel = countingKernel(notes);
    eachRun(asked, kernel);
    eachRun(asked, kernel);
    eachRun(moved, () => {});
    notes.calls = 0;

    eachRun(asked, kernel);
    const atOnce = notes.calls;
    eachRun(asked, kernel, { writes: [Position] });

    expect([atOnce, notes.calls - atOnce]).toEqual([2, 3 + 2]); // by itself, a long run begins with short pieces
    expect(count(moved)).toBe(ROWS_BEFORE_OWN);
    expect(tally(world)).toEqual(new Map([[4, ROWS_BEFORE_OWN]]));
  });

  it("is given up when columns grow", () => {
    spawnMany(world, ROWS_BEFORE_OWN, Position);
    const asked = query(world, Position);
    const kernel = countingKernel(notes);
    eachRun(asked, kernel);
    const before = notes.makes;

    spawnMany(world, ROWS_BEFORE_OWN, Position);
    eachRun(asked, kernel);
    eachRun(asked, kernel);

    expect([before, notes.makes]).toEqual([2, 4]);
    expect(tally(world)).toEqual(new Map([3, 2].map((x) => [x, ROWS_BEFORE_OWN])));
  });

  it("throws what it throws out of the visit, and works again afterwards", () => {
    const given = { fails: false, rows: 0 };
    const kernel = runKernel(
      [Position],
      (_, given) => (first, end) => {
        if (given.fails) throw new RangeError("on purpose");
        given.rows += end - first;
      },
      given,
    );
    spawnMany(world, ROWS_BEFORE_OWN, Position);
    const asked = query(world, Position);

    for (const writes of [[Position], []]) {
      given.fails = true;
      expect(() => eachRun(asked, kernel, { writes })).toThrow(new RangeError("on purpose"));
      given.fails = false;
      given.rows = 0;
      eachRun(asked, kernel, { writes });
      expect(given.rows).toBe(ROWS_BEFORE_OWN);
    }
    defer(world, () => spawn(world, Position)); // no visit is open any more
    expect(count(asked)).toBe(ROWS_BEFORE_OWN + 1);
  });

  it("is asked for once more if it was not made", () => {
    const given = { fails: false };
    const kernel = runKernel([Position], (_, { fails }) => (fails ? (undefined as never) : () => {}), given);
    spawnMany(world, ROWS_BEFORE_OWN - 1, Position);
    const asked = query(world, Position);
    eachRun(asked, kernel);
    given.fails = true;

    expect(codeOf(() => eachRun(asked, kernel))).toBe("bad-kernel");
    expect(codeOf(() => eachRun(asked, kernel))).toBe(undefined); // the shared loop stays
  });
});
