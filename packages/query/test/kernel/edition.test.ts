import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { component, createWorld, f64, Parent, spawn, spawnMany, type World } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { type Batch, eachBatch, eachRun, query, type Run, up } from "../../src/index.ts";
import type { Edition } from "../../src/kernel/kernel.ts";
import { batchKernel, runKernel } from "../../src/kernels.ts";

const Own = component("Own", { x: f64 });
const Above = component("Above", { x: f64 });

const moveRows = runKernel([Own], ([{ x }]) => (first, end) => {
  for (let row = first; row < end; row++) x[row]! += 1;
});
const moveBatches = batchKernel(
  { own: [Own], above: [Above] },
  ([{ x }], above, { rows, parentRows: parents }) =>
    (from, to) => {
      for (let at = from; at < to; at++) x[rows[at]!]! += above![0].x[parents[at]!]!;
    },
);

function iterate(world: World): void {
  eachRun(query(world, Own), moveRows);
  eachBatch(query(world, Own, up(Above)), moveBatches);
}

function createSmall(rows: number): World {
  const world = createWorld();
  spawnMany(world, rows, Own, Parent(spawn(world, Above)));
  return world;
}

describe("editions", () => {
  it("are kept per world, though kernels stay, also those with loops of their own", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const dropped = [10, 1 << 18].map((rows) => {
      const world = createSmall(rows);
      for (let iterations = 0; iterations < 3; iterations++) iterate(world);
      return new WeakRef(world);
    });

    for (let tries = 0; tries < 20 && dropped.some((one) => one.deref() !== undefined); tries++) {
      await new Promise(setImmediate);
      collect();
    }

    expect(dropped.map((one) => one.deref())).toEqual([undefined, undefined]);
  });

  it("do not pile up while columns grow: there is one for each archetype, or pair of archetypes", () => {
    const world = createSmall(10);
    const [tested, below] = [query(world, Own), query(world, Own, up(Above))];
    let run: Run | undefined;
    let batch: Batch | undefined;

    for (let grown = 0; grown < 8; grown++) {
      spawnMany(world, 10 << grown, Above);
      spawnMany(world, 10 << grown, Own);
      eachRun(tested, moveRows);
      eachBatch(below, moveBatches);
    }
    eachRun(tested, (one) => {
      run = one;
    });
    eachBatch(below, (one) => {
      batch = one;
    });

    expect([run!, batch!].map(({ kept }) => countEditions(kept as Edition))).toEqual([1, 1]);
    expect((run!.kept as Edition).version).toBeGreaterThan(3);
  });
});

/** Those of its kernel for the same archetype. */
function countEditions({ kernel, archetype }: Edition): number {
  return kernel.editions.get(archetype)!.length;
}
