import { add, ChildOf, createWorld, get, remove, set, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { bind, changed, collect, count, destroy, eachRun, page, query, variable } from "../../src/index.ts";
import { runKernel } from "../../src/kernels.ts";
import { Frozen, Mesh } from "../definitions.ts";
import {
  Cells,
  countingKernel,
  notes,
  Position,
  setCountingWorld,
  tally,
  Velocity,
  world,
} from "./counting-kernel.ts";

beforeEach(setCountingWorld);

describe("a run kernel", () => {
  it("is a callback that gets the columns of its components once, and then rows", () => {
    const ship = spawn(world, Position({ x: 5 }), Velocity({ x: 2 }));
    spawn(world, Position({ x: 1 }), Velocity({ x: 3 }), Frozen);
    const move = runKernel([Position, Velocity], ([{ x }, { x: vx }]) => (first, end) => {
      for (let row = first; row < end; row++) x[row]! += vx[row]!;
    });

    eachRun(query(world, Position, Velocity), move);
    eachRun(query(world, Position, Velocity), move);

    expect(get(world, ship, Position)).toEqual({ x: 9 });
    expect(tally(world)).toEqual(new Map([9, 7].map((x) => [x, 1])));
  });

  it("has lists of values and array fields, too", () => {
    const ship = spawn(world, Mesh("hull"), Cells({ of: [1, 2, 3, 4], on: true }));
    const mark = runKernel([Mesh, Cells], ([meshes, { of, on }]) => (first, end) => {
      for (let row = first; row < end; row++) {
        if (on[row] === 1) meshes[row] += `/${of[row * 4 + 3]}`;
      }
    });

    eachRun(query(world, Mesh, Cells), mark);

    expect(get(world, ship, Mesh)).toBe("hull/4");
  });

  it("follows what changes in the object that it was given", () => {
    spawn(world, Position({ x: 1 }));
    const clock = { step: 2 };
    const move = runKernel(
      [Position],
      ([{ x }], clock) =>
        (first, end) => {
          const { step } = clock;
          for (let row = first; row < end; row++) x[row]! += step;
        },
      clock,
    );

    eachRun(query(world, Position), move);
    clock.step = 10;
    eachRun(query(world, Position), move);

    expect(tally(world)).toEqual(new Map([[13, 1]]));
  });

  it("makes a loop for each archetype, and a new one when columns have grown", () => {
    const kernel = countingKernel(notes);
    spawn(world, Position);
    spawn(world, Position, Frozen);
    const tested = query(world, Position);
    for (let iterations = 0; iterations < 3; iterations++) eachRun(tested, kernel);
    const before = notes.makes;

    spawnMany(world, 1000, Position);
    for (let iterations = 0; iterations < 3; iterations++) eachRun(tested, kernel);

    expect([before, notes.makes]).toEqual([2, 3]);
    expect(tally(world)).toEqual(new Map([6, 3].map((x, at) => [x, [2, 1000][at]!])));
  });

  it("keeps the same loops beside other kernels, in other queries and in other worlds", () => {
    const [one, other] = [countingKernel(notes), countingKernel(notes)];
    const worlds = [world, createWorld()];
    const tested = worlds.flatMap((each) => {
      spawn(each, Position);
      spawn(each, Position, Frozen);
      return [query(each, Position), query(each, Position, Frozen)];
    });

    for (let iterations = 0; iterations < 3; iterations++) {
      for (const each of tested) {
        eachRun(each, one);
        eachRun(each, other);
      }
    }

    expect(notes.makes).toBe(2 * 2 * 2); // for two kernels in two worlds: two archetypes, which both queries share
    expect(tally(world)).toEqual(new Map([6, 12].map((x) => [x, 1])));
  });

  it("may be called by a callback, and iterate inside its own iteration", () => {
    const given = { inside: (): void => {}, rows: 0 };
    const kernel = runKernel(
      [Position],
      (_, given) => (first, end) => {
        given.rows += end - first;
        given.inside();
      },
      given,
    );
    spawnMany(world, 3, Position);
    spawnMany(world, 2, Position, Frozen);
    const [tested, frozen] = [query(world, Position), query(world, Position, Frozen)];
    given.inside = () => {
      given.inside = () => {};
      eachRun(tested, kernel);
      eachRun(frozen, kernel);
    };

    eachRun(tested, (run) => kernel(run));

    expect(given.rows).toBe(5 + 5 + 2);
  });

  it("sees structural changes after its iteration only", () => {
    const given = { act: (): void => {} };
    const kernel = runKernel(
      [Position],
      (_, { act }) =>
        () =>
          act(),
      given,
    );
    const ship = spawn(world, Position);
    given.act = () => {
      spawn(world, Position);
      destroy(world, ship);
      expect(get(world, ship, Position)).toEqual({ x: 0 });
    };

    eachRun(query(world, Position), kernel);

    expect(count(query(world, Position))).toBe(1);
  });

  it("works with parts, targets and set variables", () => {
    const kernel = countingKernel(notes);
    const parents = spawnMany(world, 3);
    for (const parent of parents) spawnMany(world, 4, Position, ChildOf(parent));
    const above = variable("above");
    const tested = query(world, Position, ChildOf(above));

    eachRun(page(query(world, Position), 2, 5), kernel);
    eachRun(query(world, Position, ChildOf(parents[1]!)), kernel);
    for (const parent of [parents[2]!, parents[0]!]) eachRun(bind(tested, above, parent), kernel);

    expect(notes.rows).toBe(5 + 4 + 4 + 4);
    expect([tally(world).get(1), tally(world).get(2)]).toEqual([7, 5]); // the page came twice
  });

  it("iterates nothing if no entity matches", () => {
    const kernel = countingKernel(notes);
    const ship = spawn(world, Position);
    remove(world, ship, Position);

    eachRun(query(world, Position), kernel);

    expect(notes).toEqual({ makes: 0, calls: 0, rows: 0 });
  });

  it("marks what the iteration declares to write", () => {
    spawnMany(world, 3, Position);
    const tested = query(world, Position);
    const moved = query(world, changed(Position));
    const kernel = countingKernel(notes);
    collect(moved);

    eachRun(tested, kernel);
    const undeclared = count(moved);
    eachRun(tested, kernel, { writes: [Position] });

    expect([undeclared, count(moved)]).toEqual([0, 3]);
  });
});

it("a component of another layout than before is found again after it was removed and put back", () => {
  const kernel = countingKernel(notes);
  const ship = spawn(world, Velocity, Position({ x: 1 }));
  const tested = query(world, Position);
  eachRun(tested, kernel);
  remove(world, ship, Velocity);
  eachRun(tested, kernel);
  add(world, ship, Velocity);
  set(world, ship, Position, { x: 10 });
  eachRun(tested, kernel);

  expect(get(world, ship, Position)).toEqual({ x: 11 });
});
