// How much the heap grows in `FRAMES` frames of each way to iterate (`PARTS`), without a garbage collection.
import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { ChildOf, component, createWorld, type Entity, f32, spawn, type World } from "@treeline/core";
import {
  type Batch,
  bind,
  cascade,
  each,
  eachBatch,
  eachRun,
  query,
  type Run,
  up,
  variable,
} from "@treeline/query";
import { Local, World as Placed, Position, Velocity } from "../../fixtures/components.ts";
import { answer, runElsewhere, taskHere } from "../../measure/elsewhere.ts";
import { medianOf } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

const FRAMES = 10_000;
const BATCHES = 20;
/** For the compiler, and for what queries cache between iterations. */
const WARM_FRAMES = 5_000;
/** Enough memory for the garbage of all frames of a leaky program, so that nothing is collected while we count; in megabytes. */
const YOUNG = 256;
const PARENTS = 100;
const CHILDREN_EACH = 10;
const MOVERS = 1_000;

const Wind = component("Wind", { x: f32 });
const parent = variable("parent");

/** A frame with one part each; the last one has all of them. */
const PARTS = [
  "eachRun",
  "each",
  "cascade",
  "cascade by each",
  "up by each",
  "settable target",
  "all",
] as const;
type Part = (typeof PARTS)[number];

interface Plane {
  x: number;
  y: number;
}

/** The sums of the frames. */
const total = { sum: 0 };

function moveRun(run: Run): void {
  const { x: px } = run.columns(Position);
  const { x: vx } = run.columns(Velocity);
  for (let row = run.first; row < run.end; row++) px[row]! += vx[row]!;
}

function moveRow(position: Plane, velocity: Readonly<Plane>): void {
  position.x += velocity.x;
}

function placeBatch(batch: Batch): void {
  const { rows, parentRows, from, to } = batch;
  const { x: lx } = batch.columns(Local);
  const { x: wx } = batch.columns(Placed);
  if (!batch.hasParents) {
    for (let at = from; at < to; at++) wx[rows[at]!] = lx[rows[at]!]!;
    return;
  }
  const { x: px } = batch.parentColumns(Placed);
  for (let at = from; at < to; at++) wx[rows[at]!] = px[parentRows[at]!]! + lx[rows[at]!]!;
}

function placeRow(local: Readonly<Plane>, world: Plane, above: Readonly<Plane> | undefined): void {
  world.x = above === undefined ? local.x : above.x + local.x;
}

function blowRow(local: Readonly<Plane>, wind: { readonly x: number }): void {
  total.sum += local.x * wind.x;
}

function sumRun(run: Run): void {
  const { x } = run.columns(Placed);
  for (let row = run.first; row < run.end; row++) total.sum += x[row]!;
}

interface Scene {
  readonly world: World;
  readonly parents: readonly Entity[];
}

/** Parents with children below a root with wind, and other entities that move. */
function createScene(): Scene {
  const world = createWorld();
  const root = spawn(world, Local({ x: 1 }), Placed(), Wind({ x: 2 }));
  const parents = Array.from({ length: PARENTS }, () =>
    spawn(world, Local({ x: 2 }), Placed(), ChildOf(root)),
  );
  for (const one of parents) {
    for (let child = 0; child < CHILDREN_EACH; child++)
      spawn(world, Local({ x: child }), Placed(), ChildOf(one));
  }
  for (let at = 0; at < MOVERS; at++) spawn(world, Position({ x: at }), Velocity({ x: 1 }));
  return { world, parents };
}

function frameOf(part: Part, { world, parents }: Scene): () => void {
  const moving = query(world, Position, Velocity);
  const placing = query(world, Local, Placed, cascade(Placed));
  const blown = query(world, Local, up(Wind));
  const childrenOf = query(world, Placed, ChildOf(parent));
  const frames: Record<Exclude<Part, "all">, () => void> = {
    eachRun: () => eachRun(moving, moveRun),
    each: () => each(moving, moveRow),
    cascade: () => eachBatch(placing, placeBatch),
    "cascade by each": () => each(placing, placeRow),
    "up by each": () => each(blown, blowRow),
    "settable target": () => {
      for (let at = 0; at < parents.length; at++) eachRun(bind(childrenOf, parent, parents[at]!), sumRun);
    },
  };
  if (part !== "all") return frames[part];
  const all = Object.values(frames);
  return () => {
    for (let at = 0; at < all.length; at++) all[at]!();
  };
}

interface Found {
  /** Bytes a frame: the median of all batches, so that what the compiler allocates once does not count. */
  readonly bytes: number;
  readonly mean: number;
  /** Collections during the count; there must be none. */
  readonly collections: number;
}

type Collection = PerformanceEntry & { readonly detail: { readonly kind: number } };

/** In a separate process, with a young generation that is large enough. */
async function count(part: Part): Promise<Found> {
  if (globalThis.gc === undefined) throw new Error("needs --expose-gc");
  const frame = frameOf(part, createScene());
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Collection[]) {
      if (entry.detail.kind !== constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
    }
  });
  for (let warm = 0; warm < WARM_FRAMES; warm++) frame();
  globalThis.gc();
  await setTimeout(50); // until concurrent compilations are done
  observer.observe({ entryTypes: ["gc"] });
  const marks = new Float64Array(BATCHES + 1);
  marks[0] = process.memoryUsage().heapUsed;
  for (let batch = 0; batch < BATCHES; batch++) {
    for (let at = 0; at < FRAMES / BATCHES; at++) frame();
    marks[batch + 1] = process.memoryUsage().heapUsed;
  }
  await setTimeout(20);
  observer.disconnect();
  const batches = Array.from(
    { length: BATCHES },
    (_, at) => (marks[at + 1]! - marks[at]!) / (FRAMES / BATCHES),
  );
  return { bytes: medianOf(batches), mean: (marks[BATCHES]! - marks[0]) / FRAMES, collections };
}

/** Compares one frame of everything with the expected sums. */
function prove(): void {
  const scene = createScene();
  total.sum = 0;
  frameOf("all", scene)();
  eachRun(query(scene.world, Position, Velocity), (run) => {
    const { x } = run.columns(Position);
    for (let row = run.first; row < run.end; row++) total.sum += x[row]!;
  });
  const digits = 45; // 0 to 9
  const moved = (MOVERS * (MOVERS - 1)) / 2 + 2 * MOVERS;
  const placed = PARENTS * (CHILDREN_EACH * 3 + digits);
  const blown = PARENTS * (2 + digits) * 2;
  proveEqual([
    { name: "expected", checksum: () => moved + placed + blown },
    { name: "a frame", checksum: () => total.sum },
  ]);
}

const task = taskHere();
if (task !== undefined) {
  answer(await count(PARTS[Number(task)]!));
} else {
  printQuestion(import.meta.url);
  prove();
  const rows = PARTS.map((part, at): Row => {
    const found = Array.from({ length: fullOrQuick(3, 1) }, () => {
      return runElsewhere(
        import.meta.url,
        [String(at)],
        ["--expose-gc", `--min-semi-space-size=${YOUNG}`, `--max-semi-space-size=${YOUNG}`],
      ) as Found;
    });
    if (found.some(({ collections }) => collections > 0))
      throw new Error(`${part}: garbage was collected during the count`);
    const bytes = medianOf(found.map((one) => one.bytes));
    return {
      row: part,
      measured: `${bytes.toFixed(2)} bytes a frame, mean ${medianOf(found.map((one) => one.mean)).toFixed(2)}`,
      goal: atMost(1, "byte", bytes),
    };
  });
  printTable(
    `Heap growth in ${FRAMES.toLocaleString("en")} frames without a garbage collection; each row in a separate process. A frame ` +
      "iterates 1,000 rows that move, a tree of 1,101, the rows below a root with wind, and the children of 100 parents one by one.",
    rows,
  );
}
