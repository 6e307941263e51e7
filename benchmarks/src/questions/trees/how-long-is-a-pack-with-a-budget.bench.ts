// The longest call of `pack(world, { budget: 1 })` on 100,000 fragmented entities (`createFragmented`), against the budget.
import { add, ChildOf, createWorld, type Entity, pack, set, spawn, type World } from "@treeline/core";
import { each, query } from "@treeline/query";
import { Position } from "../../fixtures/components.ts";
import { clock } from "../../measure/clock.ts";
import { medianOf } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, printQuestion, printTable } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const ENTITIES = 100_000;
const PARENTS = 1_000;
/** In milliseconds. */
const BUDGET = 1;
const ROUNDS = fullOrQuick(15, 3);

/** Children in an order that has nothing to do with their parents; every second one has another parent since. */
function createFragmented(): World {
  const world = createWorld();
  const parents = Array.from({ length: PARENTS }, () => spawn(world));
  const parentOf = (at: number): Entity => parents[(at * 7_919) % PARENTS]!;
  for (let at = 0; at < ENTITIES - PARENTS; at++) {
    const child = spawn(world, ChildOf(parentOf(at)));
    set(world, child, Position, { x: at % 1_000, y: 1 });
    if (at % 2 === 0) add(world, child, ChildOf(parentOf(at + 1)));
  }
  return world;
}

function sumOf(world: World): number {
  let sum = 0;
  each(query(world, Position), ({ x, y }) => {
    sum += x * y;
  });
  return sum;
}

/** Packs in calls, as a program does in its frames. @returns the milliseconds of each call. */
function packInCalls(world: World): number[] {
  const times: number[] = [];
  for (let isPacked = false; !isPacked; ) {
    const start = clock.now();
    isPacked = pack(world, { budget: BUDGET, now: clock.now });
    times.push(clock.now() - start);
  }
  return times;
}

const [whole, inCalls] = [createFragmented(), createFragmented()];
proveEqual([
  {
    name: "pack",
    checksum: () => {
      pack(whole);
      return sumOf(whole);
    },
  },
  {
    name: "pack with a budget",
    checksum: () => {
      packInCalls(inCalls);
      return sumOf(inCalls);
    },
  },
]);

/** The longest call of each round: the median tells of the code, the others of the machine as well. */
const longest: number[] = [];
const counts: number[] = [];
const wholes: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const times = packInCalls(createFragmented());
  longest.push(Math.max(...times));
  counts.push(times.length);
  const world = createFragmented();
  const start = clock.now();
  pack(world);
  wholes.push(clock.now() - start);
}
const [worst, best, calls, once] = [
  medianOf(longest),
  Math.min(...longest),
  medianOf(counts),
  medianOf(wholes),
];

printTable(
  "A fragmented world of 100,000 entities below 1,000 parents, packed with a budget of 1 ms a call. Ratios against the budget; in " +
    "CPU time of the process.",
  [
    { row: "all at once", measured: `${once.toFixed(1)} ms`, ratio: once / BUDGET },
    {
      row: `the longest of ${calls} calls`,
      measured: `${worst.toFixed(2)} ms, low ${best.toFixed(2)}`,
      ratio: worst / BUDGET,
      goal: atMost(2, "ms", worst),
    },
  ],
);
