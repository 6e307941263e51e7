import { type Entity, get, spawn, spawnMany, type World } from "@treeline/core";
import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import type { Batch } from "../../src/index.ts";
import { collect, count, destroy, each, eachBatch, eachLevel, eachRun, query } from "../../src/index.ts";
import { type BatchLists, type BatchLoop, batchKernel, type ColumnsOf } from "../../src/kernels.ts";
import { codeOf } from "../code-of.ts";
import { Frozen } from "../definitions.ts";
import { ChildOf, Parent } from "../public/builtins.ts";
import { component, createWorld } from "../public/define.ts";
import { f32, f64 } from "../public/fields.ts";
import { changed } from "../public/filters.ts";
import { bind } from "../public/parts.ts";
import { cascade, up, variable } from "../public/terms.ts";
import { ROWS_BEFORE_OWN } from "./counting-kernel.ts";

const Local = component("Local", { x: f64 });
const World3 = component("World3", { x: f64 });
const Light = component("Light", { level: f32 });

interface Notes {
  makes: number;
  rows: number;
}

let world: World;
let notes: Notes;

beforeEach(() => {
  world = createWorld();
  notes = { makes: 0, rows: 0 };
});

/** World = parent's World + Local, and counts. */
function placing(): (batch: Batch) => void {
  return batchKernel(
    { own: [Local, World3], above: [World3] },
    ([{ x: local }, { x: own }], above, { rows, parentRows }, notes) => {
      notes.makes++;
      if (above === undefined) {
        return (from, to) => {
          notes.rows += to - from;
          for (let at = from; at < to; at++) own[rows[at]!] = local[rows[at]!]!;
        };
      }
      const [{ x: parent }] = above;
      return (from, to) => {
        notes.rows += to - from;
        for (let at = from; at < to; at++) own[rows[at]!] = parent[parentRows[at]!]! + local[rows[at]!]!;
      };
    },
    notes,
  );
}

/** A tree of `count` entities, five children each, every third one by value. */
function plant(count: number): Entity[] {
  const all = [spawn(world, Local({ x: 1 }), World3)];
  for (let at = 1; at < count; at++) {
    const parent = all[Math.floor((at - 1) / 5)]!;
    const more = at % 2 === 0 ? [Frozen] : [];
    all.push(spawn(world, Local({ x: 1 }), World3, ...more, at % 3 === 0 ? Parent(parent) : ChildOf(parent)));
  }
  return all;
}

/** Entities that are not as many steps from the root as their numbers say. */
function wrong(all: readonly Entity[]): number[] {
  const depth = (at: number): number => (at === 0 ? 1 : 1 + depth(Math.floor((at - 1) / 5)));
  return all.flatMap((one, at) => (get(world, one, World3)!.x === depth(at) ? [] : [at]));
}

describe("a batch kernel", () => {
  it("is a callback that gets the columns of rows and parents once, and then positions", () => {
    const all = plant(400);
    const kernel = placing();

    eachBatch(query(world, Local, World3, cascade(World3)), kernel);

    expect(wrong(all)).toEqual([]);
    expect(notes.rows).toBe(400);
  });

  it("makes one loop for each pair of archetypes, and none again while nothing changes", () => {
    plant(400);
    const kernel = placing();
    const tested = query(world, Local, World3, cascade(World3));
    eachBatch(tested, kernel);
    const before = notes.makes;

    for (let iterations = 0; iterations < 3; iterations++) eachBatch(tested, kernel);

    expect(before).toBeGreaterThan(4);
    expect(notes.makes).toBe(before);
  });

  it("keeps loops for the lists that a query iterates in turn, few rows and many, until they are longer", () => {
    const [small, large] = [spawn(world, World3({ x: 1 })), spawn(world, World3({ x: 2 }))];
    const one = spawn(world, Local({ x: 1 }), World3, ChildOf(small));
    const many = spawnMany(world, 2000, Local({ x: 1 }), World3, ChildOf(large));
    const host = variable("host");
    const tested = query(world, Local, World3, ChildOf(host), up(World3));
    const kernel = placing();
    const iterate = (hosts: readonly Entity[]): number => {
      for (const target of hosts) eachBatch(bind(tested, host, target), kernel);
      return notes.makes;
    };

    const first = iterate([small, large]);
    const again = iterate([small, large, large, small]);
    spawnMany(world, 20_000, Local({ x: 1 }), World3, ChildOf(large));
    const longer = iterate([small, large, small, large]);

    expect([first, again]).toEqual([2, 2]);
    expect(longer).toBe(4);
    expect([one, many[0]!, many.at(-1)!].map((entity) => get(world, entity, World3)!.x)).toEqual([2, 3, 3]);
  });

  it("works in levels and inside another iteration", () => {
    const all = plant(200);
    const kernel = placing();
    const tested = query(world, Local, World3, cascade(World3));

    eachLevel(tested, (level) => level.eachBatch(kernel));
    expect(wrong(all)).toEqual([]);
    eachBatch(tested, (batch) => {
      kernel(batch);
      if (batch.depth === 0) eachBatch(tested, kernel);
    });

    expect(wrong(all)).toEqual([]);
    expect(notes.rows).toBe(600);
  });

  it("has parents along the first path of a query with several, and rows of a variable's target", () => {
    const ship = spawn(world, Light({ level: 3 }), Local({ x: 1 }), World3({ x: 7 }));
    const pod = spawn(world, Local({ x: 2 }), World3, ChildOf(ship));
    const host = variable("host");
    const kernel = batchKernel({ own: [Local], above: [Light] }, ([{ x }], above, { rows, parentRows }) => {
      const level = above?.[0].level;
      return (from, to) => {
        for (let at = from; at < to; at++)
          x[rows[at]!]! += level === undefined ? 100 : level[parentRows[at]!]!;
      };
    });

    eachBatch(query(world, Local, cascade(Light), up(World3)), kernel);
    expect(get(world, pod, Local)).toEqual({ x: 5 });
    eachBatch(query(world, Local, ChildOf(host), up(Light)), kernel);

    expect(get(world, pod, Local)).toEqual({ x: 8 });
    expect(get(world, ship, Local)).toEqual({ x: 1 });
  });

  it("gets loops of its own when columns of parents grow as when its rows do", () => {
    const root = spawn(world, World3({ x: 1 }));
    const ship = spawn(world, Local({ x: 1 }), World3, Frozen, ChildOf(root));
    const kernel = placing();
    const tested = query(world, Local, World3, up(World3));
    eachBatch(tested, kernel);

    spawnMany(world, 1000, World3);
    eachBatch(tested, kernel);
    const others = spawnMany(world, 1000, Local({ x: 1 }), World3, Frozen, ChildOf(root));
    eachBatch(tested, kernel);

    expect(notes.makes).toBe(3);
    expect([ship, others[0]!, others.at(-1)!].map((one) => get(world, one, World3)!.x)).toEqual([2, 2, 2]);
  });

  it("marks what the iteration declares to write", () => {
    plant(50);
    const moved = query(world, changed(World3));
    const tested = query(world, Local, World3, cascade(World3));
    collect(moved);

    eachBatch(tested, placing());
    const undeclared = count(moved);
    eachBatch(tested, placing(), { writes: [World3] });

    expect([undeclared, count(moved)]).toEqual([0, 50]);
  });
});

describe("a loop of its own for batches", () => {
  it.each([
    [ROWS_BEFORE_OWN - 1, 1],
    [ROWS_BEFORE_OWN, 2],
  ])("is made after %i rows under one archetype: %i loops", (rows, makes) => {
    const root = spawn(world, World3({ x: 3 }));
    const spawned = spawnMany(world, rows, Local({ x: 1 }), World3, Parent(root));
    const tested = query(world, Local, World3, up(World3));
    const kernel = placing();

    eachBatch(tested, kernel);
    const before = { ...notes };
    for (let iterations = 0; iterations < 2; iterations++) eachBatch(tested, kernel);

    expect(before).toEqual({ makes, rows });
    expect(notes).toEqual({ makes: 2, rows: rows * 3 });
    expect([0, 1000, rows - 1].map((at) => get(world, spawned[at]!, World3))).toEqual(
      Array(3).fill({ x: 4 }),
    );
  });

  it("iterates the same rows after holes and reparenting as before", () => {
    const all = plant(3000);
    const tested = query(world, Local, World3, cascade(World3));
    const kernel = placing();
    while (notes.rows < ROWS_BEFORE_OWN * 4) eachBatch(tested, kernel);
    const last = all.splice(2500);
    for (const one of last) destroy(world, one);
    for (let more = 0; more < 200; more++) {
      const parent = all[Math.floor((all.length - 1) / 5)]!;
      all.push(spawn(world, Local({ x: 1 }), World3, more % 2 === 0 ? Parent(parent) : ChildOf(parent)));
    }

    eachBatch(tested, kernel);

    expect(wrong(all)).toEqual([]);
  });

  it("throws its own errors out of the iteration, and works again afterwards", () => {
    const given = { fails: false, rows: 0 };
    const kernel = batchKernel(
      { own: [Local], above: [] },
      (_, __, ___, given) => (from, to) => {
        if (given.fails) throw new RangeError("on purpose");
        given.rows += to - from;
      },
      given,
    );
    const root = spawn(world, Light);
    spawnMany(world, ROWS_BEFORE_OWN, Local, Parent(root));
    const tested = query(world, Local, up(Light));
    eachBatch(tested, kernel);

    given.fails = true;
    expect(() => eachBatch(tested, kernel)).toThrow(new RangeError("on purpose"));
    given.fails = false;
    eachBatch(tested, kernel);

    expect(given.rows).toBe(ROWS_BEFORE_OWN * 2);
    expect(count(tested)).toBe(ROWS_BEFORE_OWN);
  });
});

describe("bad batch kernels", () => {
  const loop: BatchLoop = () => {};

  it.each<[title: string, components: unknown, make: unknown]>([
    ["a list alone", [Local], () => loop],
    ["no lists", undefined, () => loop],
    ["no list of parents' components", { own: [Local] }, () => loop],
    ["no list of rows' components", { above: [Local] }, () => loop],
    ["a tag", { own: [Local], above: [Frozen] }, () => loop],
    ["no function", { own: [Local], above: [] }, {}],
  ])("are refused at once: %s", (_, components, make) => {
    expect(codeOf(() => batchKernel(components as never, make as never))).toBe("bad-kernel");
  });

  it("are refused in the iteration: no loop, something outside, columns that are not there", () => {
    const ship = spawn(world, Local, Light);
    spawn(world, Local, ChildOf(ship));
    const tested = query(world, Local, cascade(Local));
    const codes = [
      batchKernel({ own: [], above: [] }, (() => 3) as never),
      batchKernel({ own: [], above: [] }, () => () => void ship),
      batchKernel({ own: [], above: [] }, () => void ship as never),
      batchKernel({ own: [Light], above: [] }, () => () => {}),
      batchKernel({ own: [], above: [World3] }, () => () => {}),
    ].map((kernel) => codeOf(() => eachBatch(tested, kernel)));

    expect(codes).toEqual(["bad-kernel", "bad-kernel", "bad-kernel", "bad-query", "bad-query"]);
  });

  it("are refused by iterations of something else than batches", () => {
    spawn(world, Local, World3);
    const kernel = placing() as never;

    expect(codeOf(() => each(query(world, Local), kernel))).toBe("bad-kernel");
    expect(codeOf(() => eachRun(query(world, Local), kernel))).toBe("bad-kernel");
    expect(notes.makes).toBe(0);
  });
});

describe("the types of a batch kernel", () => {
  it("are those of the columns of rows, and of parents if there are any", () => {
    batchKernel({ own: [Local, Light], above: [World3] }, (own, above, lists, given) => {
      expectTypeOf(lists).toEqualTypeOf<BatchLists>();
      expectTypeOf(own).toEqualTypeOf<ColumnsOf<readonly [typeof Local, typeof Light]>>();
      expectTypeOf(above).toEqualTypeOf<ColumnsOf<readonly [typeof World3]> | undefined>();
      expectTypeOf(given).toEqualTypeOf<undefined>();
      return () => {};
    });
    const kernel = batchKernel(
      { own: [], above: [] },
      (_, __, ___, given) => () => expectTypeOf(given).toEqualTypeOf<{ step: number }>(),
      { step: 3 },
    );
    // @ts-expect-error: it wants a number
    batchKernel({ own: [], above: [] }, (_, __, ___, given: number) => () => void given);
    // @ts-expect-error: runs are no batches
    expect(() => eachRun(query(world, Local), kernel)).not.toThrow();
    expectTypeOf(kernel).toEqualTypeOf<(batch: Batch) => void>();
  });
});
