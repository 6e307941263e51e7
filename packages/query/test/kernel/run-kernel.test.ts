import {
  add,
  array,
  bool,
  ChildOf,
  type Component,
  component,
  createWorld,
  defer,
  f32,
  f64,
  get,
  remove,
  set,
  spawn,
  spawnMany,
  tag,
  type World,
} from "@treeline/core";
import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { destroy } from "../../src/cleanup/destroy.ts";
import { ROWS_BEFORE_OWN } from "../../src/kernel/edition.ts";
import { type ColumnsOf, type RunLoop, runKernel } from "../../src/kernel/run-kernel.ts";
import { cascade } from "../../src/query/ancestor-terms.ts";
import { page } from "../../src/query/part.ts";
import { bind, query } from "../../src/query/query.ts";
import { variable } from "../../src/query/variable-terms.ts";
import { changed, maybe } from "../../src/term/operators.ts";
import { collect, count } from "../../src/visit/collect.ts";
import { each } from "../../src/visit/each.ts";
import { eachRun } from "../../src/visit/each-run.ts";
import { eachStretch } from "../../src/visit/each-stretch.ts";
import type { Run } from "../../src/visit/run.ts";
import { codeOf } from "../code-of.ts";

const Position = component("Position", { x: f64 });
const Velocity = component("Velocity", { x: f32, y: f32 });
const Cells = component("Cells", { of: array(f32, 4), on: bool });
const Mesh = component<string>("Mesh");
const Frozen = tag("Frozen");

/** What a kernel has done: it sees nothing else of the test. */
interface Notes {
  makes: number;
  calls: number;
  rows: number;
}

let world: World;
let notes: Notes;

beforeEach(() => {
  world = createWorld();
  notes = { makes: 0, calls: 0, rows: 0 };
});

/** Adds 1 to each x, and counts. */
function countingKernel(): (run: Run) => void {
  return runKernel(
    [Position],
    ([{ x }], notes) => {
      notes.makes++;
      return (first, end) => {
        notes.calls++;
        notes.rows += end - first;
        for (let row = first; row < end; row++) x[row]! += 1;
      };
    },
    notes,
  );
}

/** How many have each x. */
function tally(): Map<number, number> {
  const found = new Map<number, number>();
  each(query(world, Position), ({ x }) => found.set(x, (found.get(x) ?? 0) + 1));
  return found;
}

describe("a run kernel", () => {
  it("is a visitor that gets the columns of its components once, and then rows", () => {
    const ship = spawn(world, Position({ x: 5 }), Velocity({ x: 2 }));
    spawn(world, Position({ x: 1 }), Velocity({ x: 3 }), Frozen);
    const move = runKernel([Position, Velocity], ([{ x }, { x: vx }]) => (first, end) => {
      for (let row = first; row < end; row++) x[row]! += vx[row]!;
    });

    eachRun(query(world, Position, Velocity), move);
    eachRun(query(world, Position, Velocity), move);

    expect(get(world, ship, Position)).toEqual({ x: 9 });
    expect(tally()).toEqual(new Map([9, 7].map((x) => [x, 1])));
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

    expect(tally()).toEqual(new Map([[13, 1]]));
  });

  it("makes a loop for each shape, and a new one when columns have grown", () => {
    const kernel = countingKernel();
    spawn(world, Position);
    spawn(world, Position, Frozen);
    const asked = query(world, Position);
    for (let visits = 0; visits < 3; visits++) eachRun(asked, kernel);
    const before = notes.makes;

    spawnMany(world, 1000, Position);
    for (let visits = 0; visits < 3; visits++) eachRun(asked, kernel);

    expect([before, notes.makes]).toEqual([2, 3]);
    expect(tally()).toEqual(new Map([6, 3].map((x, at) => [x, [2, 1000][at]!])));
  });

  it("goes on with the same loops beside other kernels, in other queries and in other worlds", () => {
    const [one, other] = [countingKernel(), countingKernel()];
    const worlds = [world, createWorld()];
    const asked = worlds.flatMap((each) => {
      spawn(each, Position);
      spawn(each, Position, Frozen);
      return [query(each, Position), query(each, Position, Frozen)];
    });

    for (let visits = 0; visits < 3; visits++) {
      for (const each of asked) {
        eachRun(each, one);
        eachRun(each, other);
      }
    }

    expect(notes.makes).toBe(2 * 2 * 3); // for two kernels in two worlds: two shapes of one query, one of the other
    expect(tally()).toEqual(new Map([6, 12].map((x) => [x, 1])));
  });

  it("may be called by a visitor, and visit inside its own visit", () => {
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
    const [asked, frozen] = [query(world, Position), query(world, Position, Frozen)];
    given.inside = () => {
      given.inside = () => {};
      eachRun(asked, kernel);
      eachRun(frozen, kernel);
    };

    eachRun(asked, (run) => kernel(run));

    expect(given.rows).toBe(5 + 5 + 2);
  });

  it("sees structural changes after its visit only", () => {
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

  it("gets along with parts, targets and set variables", () => {
    const kernel = countingKernel();
    const parents = spawnMany(world, 3);
    for (const parent of parents) spawnMany(world, 4, Position, ChildOf(parent));
    const above = variable("above");
    const asked = query(world, Position, ChildOf(above));

    eachRun(page(query(world, Position), 2, 5), kernel);
    eachRun(query(world, Position, ChildOf(parents[1]!)), kernel);
    for (const parent of [parents[2]!, parents[0]!]) eachRun(bind(asked, above, parent), kernel);

    expect(notes.rows).toBe(5 + 4 + 4 + 4);
    expect([tally().get(1), tally().get(2)]).toEqual([7, 5]); // the page came twice
  });

  it("visits nobody where nobody answers", () => {
    const kernel = countingKernel();
    const ship = spawn(world, Position);
    remove(world, ship, Position);

    eachRun(query(world, Position), kernel);

    expect(notes).toEqual({ makes: 0, calls: 0, rows: 0 });
  });

  it("marks what the visit declares to write", () => {
    spawnMany(world, 3, Position);
    const asked = query(world, Position);
    const moved = query(world, changed(Position));
    const kernel = countingKernel();
    collect(moved);

    eachRun(asked, kernel);
    const undeclared = count(moved);
    eachRun(asked, kernel, { writes: [Position] });

    expect([undeclared, count(moved)]).toEqual([0, 3]);
  });
});

describe("a loop of its own", () => {
  it.each([
    [ROWS_BEFORE_OWN - 1, 1],
    [ROWS_BEFORE_OWN, 2],
  ])("after %i rows of one layout the kernel has made %i loops", (rows, makes) => {
    spawnMany(world, rows, Position);
    const asked = query(world, Position);
    const kernel = countingKernel();

    eachRun(asked, kernel);
    const first = { ...notes };
    for (let visits = 0; visits < 3; visits++) eachRun(asked, kernel);

    expect(first).toEqual({ makes, calls: 4, rows }); // a long run begins with three short pieces
    expect(notes.makes).toBe(2);
    expect(tally()).toEqual(new Map([[4, rows]]));
  });

  it("goes through all runs of a shape at once, unless the visit declares writes", () => {
    const parents = spawnMany(world, 3);
    [ROWS_BEFORE_OWN / 2, 16, ROWS_BEFORE_OWN / 2].forEach((rows, at) => {
      spawnMany(world, rows, Position, ChildOf(parents[at]!));
    });
    destroy(world, parents[1]!); // a hole between two runs
    const asked = query(world, Position);
    const moved = query(world, changed(Position));
    const kernel = countingKernel();
    eachRun(asked, kernel);
    eachRun(asked, kernel);
    collect(moved);
    notes.calls = 0;

    eachRun(asked, kernel);
    const atOnce = notes.calls;
    eachRun(asked, kernel, { writes: [Position] });

    expect([atOnce, notes.calls - atOnce]).toEqual([2, 3 + 2]); // by itself, a long run begins with short pieces
    expect(count(moved)).toBe(ROWS_BEFORE_OWN);
    expect(tally()).toEqual(new Map([[4, ROWS_BEFORE_OWN]]));
  });

  it("is given up when columns grow", () => {
    spawnMany(world, ROWS_BEFORE_OWN, Position);
    const asked = query(world, Position);
    const kernel = countingKernel();
    eachRun(asked, kernel);
    const before = notes.makes;

    spawnMany(world, ROWS_BEFORE_OWN, Position);
    eachRun(asked, kernel);
    eachRun(asked, kernel);

    expect([before, notes.makes]).toEqual([2, 4]);
    expect(tally()).toEqual(new Map([3, 2].map((x) => [x, ROWS_BEFORE_OWN])));
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

describe("bad kernels", () => {
  const loop: RunLoop = () => {};

  it.each<[story: string, components: unknown, make: unknown]>([
    ["a component alone", Position, () => loop],
    ["a tag", [Position, Frozen], () => loop],
    ["a relation", [ChildOf], () => loop],
    ["nothing in the list", [Position, undefined], () => loop],
    ["no list", undefined, () => loop],
    ["no function", [Position], loop.name],
    ["nothing to make the loop", [Position], undefined],
  ])("are refused at once: %s", (_, components, make) => {
    expect(codeOf(() => runKernel(components as [], make as () => RunLoop))).toBe("bad-kernel");
  });

  it("are refused in the visit if they return no loop", () => {
    spawn(world, Position);
    const kernel = runKernel([Position], (() => undefined) as never);

    expect(codeOf(() => eachRun(query(world, Position), kernel))).toBe("bad-kernel");
  });

  const outside = 3;

  it.each<[story: string, make: () => RunLoop]>([
    ["its loop", () => () => void outside],
    [
      "its function",
      () => {
        const factor = outside;
        return () => void factor;
      },
    ],
  ])("are refused in the visit if %s names something outside", (_, make) => {
    const ship = spawn(world, Position);
    spawn(world, Position, ChildOf(ship));
    const kernel = runKernel([Position], make);
    const visits = [
      () => eachRun(query(world, Position), kernel),
      () => eachRun(query(world, Position, ChildOf(ship)), kernel),
    ];

    for (const visit of visits) {
      expect(visit).toThrow(
        expect.objectContaining({
          code: "bad-kernel",
          message: expect.stringContaining("outside is not defined in a kernel"),
          cause: expect.any(ReferenceError),
        }),
      );
    }
  });

  it("are refused in the visit if rows lack a component", () => {
    spawn(world, Position, Velocity);
    spawn(world, Position);
    const kernel = runKernel([Velocity], () => () => {});

    expect(codeOf(() => eachRun(query(world, Position, maybe(Velocity)), kernel))).toBe("bad-query");
    expect(codeOf(() => eachRun(query(world, Position, Velocity), kernel))).toBe(undefined);
  });

  it("are refused by visits of something else than runs", () => {
    spawn(world, Position);
    const kernel = countingKernel() as never;

    expect(codeOf(() => each(query(world, Position), kernel))).toBe("bad-kernel");
    expect(codeOf(() => eachStretch(query(world, cascade(Position)), kernel))).toBe("bad-kernel");
    expect(notes.makes).toBe(0);
  });

  it("are refused with a run whose visit is over", () => {
    spawn(world, Position);
    let kept: Run | undefined;
    eachRun(query(world, Position), (run) => {
      kept = run;
    });
    const kernel = countingKernel();

    expect(codeOf(() => kernel(kept!))).toBe("stale-run");
    eachRun(query(world, Position), kernel);
    expect(codeOf(() => kernel(kept!))).toBe("stale-run");
  });
});

describe("the types of a run kernel", () => {
  it("are those of the columns, in the order of the components", () => {
    type Found = ColumnsOf<readonly [typeof Position, typeof Mesh, typeof Cells]>;

    expectTypeOf<Found[0]["x"]>().toEqualTypeOf<Float64Array>();
    expectTypeOf<Found[1]>().toEqualTypeOf<string[]>();
    expectTypeOf<Found[2]["of"]>().toEqualTypeOf<Float32Array>();
    expectTypeOf<Found["length"]>().toEqualTypeOf<3>();
    runKernel([Position, Velocity], (columns) => {
      expectTypeOf(columns).toEqualTypeOf<ColumnsOf<readonly [typeof Position, typeof Velocity]>>();
      return () => {};
    });
  });

  it("ask for what the function wants to be given, and for nothing else", () => {
    runKernel([Position], (_, given) => () => expectTypeOf(given).toEqualTypeOf<{ step: number }>(), {
      step: 1,
    });
    runKernel([Position], (_, given) => () => expectTypeOf(given).toEqualTypeOf<undefined>());
    // @ts-expect-error: it wants a number
    runKernel([Position], (_, given: number) => () => void given);
    // @ts-expect-error: a component stands in a list
    expect(codeOf(() => runKernel(Position, () => () => {}))).toBe("bad-kernel");
    // @ts-expect-error: a tag has no columns
    expect(codeOf(() => runKernel([Frozen], () => () => {}))).toBe("bad-kernel");
    expectTypeOf(runKernel([], () => () => {})).toEqualTypeOf<(run: Run) => void>();
    const list: Component[] = [Position];
    expect(codeOf(() => runKernel(list, () => () => {}))).toBe(undefined);
  });
});

it("a component of another layout than before is found again after it was taken off and put back", () => {
  const kernel = countingKernel();
  const ship = spawn(world, Velocity, Position({ x: 1 }));
  const asked = query(world, Position);
  eachRun(asked, kernel);
  remove(world, ship, Velocity);
  eachRun(asked, kernel);
  add(world, ship, Velocity);
  set(world, ship, Position, { x: 10 });
  eachRun(asked, kernel);

  expect(get(world, ship, Position)).toEqual({ x: 11 });
});
