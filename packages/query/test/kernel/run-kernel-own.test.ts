import { Disabled, defer, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { changed, count, eachRun, query } from "../../src/index.ts";
import { runKernel } from "../../src/kernels.ts";
import { codeOf } from "../code-of.ts";
import {
  countingKernel,
  notes,
  Position,
  ROWS_BEFORE_OWN,
  setCountingWorld,
  tally,
  world,
} from "./counting-kernel.ts";

beforeEach(setCountingWorld);

describe("a loop of its own", () => {
  it.each([
    [ROWS_BEFORE_OWN - 1, 1],
    [ROWS_BEFORE_OWN, 2],
  ])("after %i rows of one layout the kernel has made %i loops", (rows, makes) => {
    spawnMany(world, rows, Position);
    const tested = query(world, Position);
    const kernel = countingKernel(notes);

    eachRun(tested, kernel);
    const first = { ...notes };
    for (let iterations = 0; iterations < 3; iterations++) eachRun(tested, kernel);

    // A long run is split into parts of 4,096 rows.
    expect(first).toEqual({ makes, calls: Math.ceil(rows / 4_096), rows });
    expect(notes.makes).toBe(2);
    expect(tally(world)).toEqual(new Map([[4, rows]]));
  });

  /** So many runs of so many rows, with as many disabled rows after each. */
  function spawnRuns(runs: number, rows: number): void {
    for (let at = 0; at < runs; at++) {
      spawnMany(world, rows, Position);
      spawnMany(world, rows, Position, Disabled);
    }
  }

  it.each([
    ["short", 64, 128],
    ["long", 4, 4_096],
  ])("goes through all %s runs of an archetype at once", (_, runs, rows) => {
    spawnRuns(runs, rows);
    const tested = query(world, Position);
    const kernel = countingKernel(notes);
    const iterations = Math.ceil(ROWS_BEFORE_OWN / (runs * rows));
    for (let at = 0; at < iterations; at++) eachRun(tested, kernel);
    const takeAll = vi.spyOn(kernel as unknown as { takeAll: () => void }, "takeAll");
    notes.calls = 0;

    eachRun(tested, kernel);

    expect(takeAll.mock.results.map(({ value }) => value)).toEqual([true]);
    expect(notes.calls).toBe(runs);
    expect(tally(world)).toEqual(new Map([[iterations + 1, runs * rows]]));
  });

  it("iterates runs one by one if the iteration declares writes", () => {
    spawnRuns(64, 128);
    const tested = query(world, Position);
    const moved = query(world, changed(Position));
    const kernel = countingKernel(notes);
    for (let rows = 0; rows < ROWS_BEFORE_OWN; rows += 64 * 128) eachRun(tested, kernel);
    eachRun(moved, () => {});
    const takeAll = vi.spyOn(kernel as unknown as { takeAll: () => void }, "takeAll");
    notes.calls = 0;

    eachRun(tested, kernel, { writes: [Position] });

    expect([takeAll.mock.calls.length, notes.calls]).toEqual([0, 64]);
    expect(count(moved)).toBe(64 * 128);
  });

  it("is dropped when columns grow", () => {
    spawnMany(world, ROWS_BEFORE_OWN, Position);
    const tested = query(world, Position);
    const kernel = countingKernel(notes);
    eachRun(tested, kernel);
    const before = notes.makes;

    spawnMany(world, ROWS_BEFORE_OWN, Position);
    eachRun(tested, kernel);
    eachRun(tested, kernel);

    expect([before, notes.makes]).toEqual([2, 4]);
    expect(tally(world)).toEqual(new Map([3, 2].map((x) => [x, ROWS_BEFORE_OWN])));
  });

  it("throws its own errors out of the iteration, and works again afterwards", () => {
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
    const tested = query(world, Position);

    for (const writes of [[Position], []]) {
      given.fails = true;
      expect(() => eachRun(tested, kernel, { writes })).toThrow(new RangeError("on purpose"));
      given.fails = false;
      given.rows = 0;
      eachRun(tested, kernel, { writes });
      expect(given.rows).toBe(ROWS_BEFORE_OWN);
    }
    defer(world, () => spawn(world, Position)); // no iteration is open any more
    expect(count(tested)).toBe(ROWS_BEFORE_OWN + 1);
  });

  it("is requested once more if it was not made", () => {
    const given = { fails: false };
    const kernel = runKernel([Position], (_, { fails }) => (fails ? (undefined as never) : () => {}), given);
    spawnMany(world, ROWS_BEFORE_OWN - 1, Position);
    const tested = query(world, Position);
    eachRun(tested, kernel);
    given.fails = true;

    expect(codeOf(() => eachRun(tested, kernel))).toBe("bad-kernel");
    expect(codeOf(() => eachRun(tested, kernel))).toBe(undefined); // the shared loop stays
  });
});
