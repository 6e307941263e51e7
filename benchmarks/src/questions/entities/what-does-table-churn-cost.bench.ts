// W11: cycles that create and drop a table (`churn`): isolated, with 50 queries, beside `OTHERS` entities.
import { ChildOf, createWorld, get, Parent, spawn, type World } from "@treeline/core";
import { stats } from "@treeline/core/debug";
import { destroy } from "@treeline/query";
import { Position } from "../../fixtures/components.ts";
import { makeFiftyQueries } from "../../fixtures/fifty-queries.ts";
import type { Storage } from "../../fixtures/storages.ts";
import { interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { keepResults, resultOf } from "../../measure/results.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

/** Cycles in one sample, some tenths of a millisecond. */
const CYCLES = 1_000;
const WARM_CYCLES = 20_000;
const OTHERS = 10_000;

function churn(world: World): void {
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const parent = spawn(world);
    spawn(world, ChildOf(parent), Position({ x: cycle, y: 1 }));
    destroy(world, parent);
  }
}

function churnByParent(world: World): void {
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const parent = spawn(world);
    spawn(world, Parent(parent), Position({ x: cycle, y: 1 }));
    destroy(world, parent);
  }
}

/** The same cycles; adds up what is alive in each of them. */
function churnAndCount(world: World, below: Storage["below"] = ChildOf): number {
  let sum = 0;
  for (let cycle = 0; cycle < WARM_CYCLES; cycle++) {
    const parent = spawn(world);
    const child = spawn(world, below(parent), Position({ x: cycle, y: 1 }));
    sum += get(world, child, Position)!.x + stats(world).entities;
    destroy(world, parent);
    sum += stats(world).entities * 3;
  }
  return sum;
}

/**
 * @param others the number of entities with Position below one parent, in the archetype of the table, which exist all the time.
 */
function createChurned(others: number, queries: 0 | 50): World {
  const world = createWorld();
  if (queries === 50) makeFiftyQueries(world);
  const parent = others > 0 ? spawn(world) : undefined;
  for (let at = 0; at < others && parent !== undefined; at++) spawn(world, ChildOf(parent), Position());
  return world;
}

interface Kept {
  readonly position: { readonly x: number; readonly y: number } | undefined;
  readonly children: Set<Kept>;
}

/** A hand-written program with plain objects: all in one set, children in one of their parent's. */
function churnObjects(all: Set<Kept>): void {
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const parent: Kept = { position: undefined, children: new Set() };
    all.add(parent);
    const child: Kept = { position: { x: cycle, y: 1 }, children: new Set() };
    all.add(child);
    parent.children.add(child);
    for (const deleted of parent.children) all.delete(deleted);
    all.delete(parent);
  }
}

const empty = createChurned(0, 0);
const emptyQueried = createChurned(0, 50);
const beside = createChurned(OTHERS, 0);
const besideQueried = createChurned(OTHERS, 50);
proveEqual(
  [empty, emptyQueried].map((world, at) => ({
    name: `isolated ${at}`,
    checksum: () => churnAndCount(world),
  })),
);
proveEqual(
  [beside, besideQueried].map((world, at) => ({
    name: `beside ${at}`,
    checksum: () => churnAndCount(world),
  })),
);

const all = new Set<Kept>();
const timings = interleave(
  [
    { name: "objects", run: () => churnObjects(all) },
    { name: "isolated", run: () => churn(empty) },
    { name: "isolated, 50 queries", run: () => churn(emptyQueried) },
    { name: "beside others", run: () => churn(beside) },
    { name: "beside others, 50 queries", run: () => churn(besideQueried) },
  ],
  { rounds: fullOrQuick(60, 12) },
);

const [objects, base] = timings;
const rowOf = (row: string, timing: Timing): Row => ({
  row,
  measured: nanosecondsAndLow(timing, CYCLES, "cycle"),
  ratio: ratioOf(timing, base),
});
const rowWithTarget = (limit: number, row: string, timing: Timing): Row => ({
  ...rowOf(row, timing),
  goal: atMost(limit, "ns", (timing.median * 1e6) / CYCLES),
});
printTable(
  "W11: spawn a parent, spawn a child with Position below it, destroy the parent; every cycle creates and drops a " +
    "table. Ratios against no queries.",
  [
    rowOf("plain objects in a Set", objects),
    rowWithTarget(320, "no queries", timings[1]),
    rowWithTarget(350, "50 queries", timings[2]),
    rowOf("beside 10,000 others of the archetype, no queries", timings[3]),
    rowOf("beside 10,000 others of the archetype, 50 queries", timings[4]),
  ],
);

// After those above, so that they have run as in a world without Parent.
const other = createChurned(0, 0);
const own = createChurned(0, 0);
proveEqual([
  { name: "ChildOf", checksum: () => churnAndCount(other) },
  { name: "Parent", checksum: () => churnAndCount(own, Parent) },
]);
const [byChildOf, byParent] = interleave(
  [
    { name: "ChildOf", run: () => churn(other) },
    { name: "Parent", run: () => churnByParent(own) },
  ],
  { rounds: fullOrQuick(60, 12) },
);
printTable("The same by either storage, in separate worlds, without queries. Ratios against ChildOf.", [
  {
    row: "ChildOf",
    measured: nanosecondsAndLow(byChildOf, CYCLES, "cycle"),
    ratio: 1,
    goal: atMost(320, "ns", (byChildOf.median * 1e6) / CYCLES),
  },
  {
    row: "Parent",
    measured: nanosecondsAndLow(byParent, CYCLES, "cycle"),
    ratio: ratioOf(byParent, byChildOf),
    goal: atMost(480, "ns", (byParent.median * 1e6) / CYCLES),
  },
]);
keepResults("churn", {
  churn: [
    resultOf("ChildOf, isolated", timings[1], CYCLES),
    resultOf("ChildOf", byChildOf, CYCLES, 1),
    resultOf("Parent", byParent, CYCLES, ratioOf(byParent, byChildOf)),
  ],
});
