// `each` compiled, and as a kernel, against hand-written ones (`MOVES`, `PLACES`): isolated, and after twenty other loops (`OTHERS`).
import { bool, component, f32, f64, i32, spawn, u8, type World } from "@treeline/core";
import { each, eachBatch, eachRun, query } from "@treeline/query";
import { batchKernel, runKernel } from "@treeline/query/kernels";
import { Local, World as Placed, Position, Velocity } from "../../fixtures/components.ts";
import {
  CHILDREN,
  type Crowd,
  checksumOfPositions,
  gather,
  moveByRuns,
  moveHandWritten,
  onlyRunOf,
} from "../../fixtures/crowd.ts";
import * as compiled from "../../fixtures/each/compiled.ts";
import * as compiledToKernels from "../../fixtures/each/kernels.ts";
import * as written from "../../fixtures/each/written.ts";
import { checksumOfGrove, type Grove, placeByBatches, plant } from "../../fixtures/grove.ts";
import { treeOf } from "../../fixtures/trees.ts";
import { answer, runElsewhere, taskHere } from "../../measure/elsewhere.ts";
import { type Contestant, interleave, medianOf, ratioOf, type Timing } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanoseconds, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

/** What the engine learns lasts as long as the process: every case has several processes. */
const PROCESSES = fullOrQuick(5, 1);
const OTHERS = 20;

const KINDS = [
  { a: f32, b: f32 },
  { a: f64, b: f64 },
  { a: i32, b: u8, c: f32 },
  { a: f32, b: i32, isOn: bool },
  { a: u8, b: u8, c: f64, d: f64 },
];

/** Twenty loops over other components, by each and by eachRun, until all are compiled. */
function iterateOthers(world: World): void {
  for (let number = 0; number < OTHERS; number++) {
    const One = component(`One${number}`, KINDS[number % KINDS.length]! as (typeof KINDS)[0]);
    const Other = component(`Other${number}`, { a: f32, b: f64 });
    for (let at = 0; at < 2_000; at++) spawn(world, One({ a: at }), Other({ a: 1, b: 2 }));
    const both = query(world, One, Other);
    for (let round = 0; round < 60; round++) {
      if (number % 2 === 0)
        each(both, (one, other) => {
          one.a += other.a;
          one.b = other.b - one.a;
        });
      else
        each(both, (one, other, entity) => {
          if (entity > 0) one.b += other.b * 2;
        });
      eachRun(both, (run) => {
        const { a } = run.columns(One);
        const { b } = run.columns(Other);
        for (let row = run.first; row < run.end; row++) a[row]! += b[row]!;
      });
    }
  }
}

const moveKernel = runKernel([Position, Velocity], ([{ x, y }, { x: vx, y: vy }]) => (first, end) => {
  for (let row = first; row < end; row++) {
    x[row]! += vx[row]!;
    y[row]! += vy[row]!;
  }
});

const placeKernel = batchKernel(
  { own: [Local, Placed], above: [Placed] },
  ([{ x: lx, y: ly }, { x: wx, y: wy }], above, { rows, parentRows }) => {
    const ax = above?.[0].x;
    const ay = above?.[0].y;
    return (from, to) => {
      for (let at = from; at < to; at++) {
        const row = rows[at]!;
        wx[row] = ax === undefined ? lx[row]! : ax[parentRows[at]!]! + lx[row]!;
        wy[row] = ay === undefined ? ly[row]! : ay[parentRows[at]!]! + ly[row]!;
      }
    };
  },
);

/** Ways to move a crowd; ratios are against the first. */
const MOVES: Readonly<Record<string, (crowd: Crowd) => void>> = {
  "a hand-written eachRun": moveByRuns,
  "each, compiled": ({ moving }) => compiled.move(moving as written.Moving),
  "each, compiled to a kernel": ({ moving }) => compiledToKernels.move(moving as written.Moving),
  "a kernel": ({ moving }) => eachRun(moving, moveKernel),
  each: ({ moving }) => written.move(moving as written.Moving),
};

const PLACES: Readonly<Record<string, (grove: Grove) => void>> = {
  "a hand-written eachBatch": placeByBatches,
  "each, compiled": ({ placing }) => compiled.place(placing as written.Placing),
  "each, compiled to a kernel": ({ placing }) => compiledToKernels.place(placing as written.Placing),
  "a kernel": ({ placing }) => eachBatch(placing, placeKernel),
  each: ({ placing }) => written.place(placing as written.Placing),
};

type Found = Readonly<Record<string, Timing>>;

function timed(contestants: readonly Contestant[]): Found {
  const timings = interleave(contestants, { rounds: fullOrQuick(30, 10) });
  return Object.fromEntries(contestants.map(({ name }, at) => [name, timings[at]!]));
}

function measureHere(what: string, isAlone: boolean): Found {
  if (what === "moves") {
    const crowd = gather(1, "block");
    if (!isAlone) iterateOthers(crowd.world);
    const shared = onlyRunOf(crowd);
    return timed([
      ...Object.entries(MOVES).map(([name, move]) => ({ name, run: () => move(crowd) })),
      { name: "a hand-written loop", run: () => moveHandWritten(shared) },
    ]);
  }
  const grove = plant(treeOf("a"), "in order");
  if (!isAlone) iterateOthers(grove.world);
  return timed(Object.entries(PLACES).map(([name, place]) => ({ name, run: () => place(grove) })));
}

/** In a separate process, so that it does not affect the measured ones. */
function proveHere(): true {
  proveEqual(
    Object.entries(MOVES).map(([name, move]) => ({
      name,
      checksum: () => {
        const crowd = gather(100, "random");
        move(crowd);
        return checksumOfPositions(crowd);
      },
    })),
  );
  proveEqual(
    Object.entries(PLACES).map(([name, place]) => ({
      name,
      checksum: () => {
        const grove = plant(treeOf("a"), "in random order");
        place(grove);
        return checksumOfGrove(grove);
      },
    })),
  );
  return true;
}

/** Limits of ratios, by row; each is against the first row of its table. */
function compare(what: string, words: string, task: string, limits: Readonly<Record<string, number>>): Row[] {
  const found = Array.from(
    { length: PROCESSES },
    () => runElsewhere(import.meta.url, [`${what} ${task}`]) as Found,
  );
  const names = Object.keys(found[0]!);
  const base = names[0]!;
  return names.map((name) => {
    const median = medianOf(found.map((one) => one[name]!.median));
    const ratio = medianOf(found.map((one) => ratioOf(one[name]!, one[base]!)));
    const limit = limits[name];
    return {
      row: `${words}: ${name}`,
      measured: nanoseconds({ ...found[0]![name]!, median }, CHILDREN, "row"),
      ratio,
      ...(limit !== undefined && { goal: atMost(limit, "x", ratio) }),
    };
  });
}

const [what, how] = taskHere()?.split(" ") ?? [];
if (what === "prove") answer(proveHere());
else if (what !== undefined) answer(measureHere(what, how === "isolated"));
else {
  printQuestion(import.meta.url);
  runElsewhere(import.meta.url, ["prove"]);
  const limits = { "each, compiled": 1.1 };
  printTable("`position += velocity` over 100,000 rows. Ratios against eachRun in the same process.", [
    ...compare("moves", "isolated", "isolated", limits),
    ...compare("moves", "after twenty other loops", "after", limits),
  ]);
  printTable(
    "World = parent's world + local, over a 10-ary tree of 100,000 nodes. Ratios against eachBatch in the same process.",
    [
      ...compare("places", "isolated", "isolated", limits),
      ...compare("places", "after twenty other loops", "after", limits),
    ],
  );
}
