/** The side of the measured process. */
import { fullOrQuick, isQuick } from "../../measure/settings.ts";
import { FIELD } from "../contestants/field.ts";
import { WEIGHED } from "../contestants/weighed.ts";
import type { Equipment, Growing, Held, Layout } from "./holdings.ts";

/** The only task of a process. Plain data: it travels between processes. */
export type Task = { readonly contestant: string } & (
  | { readonly kind: "settle"; readonly layout: Layout }
  | { readonly kind: "equip"; readonly equipment: Equipment }
  | { readonly kind: "named"; readonly names: number; readonly isNamed: boolean }
  | { readonly kind: "cycle"; readonly cycles: number; readonly cyclesARun: number }
  | { readonly kind: "grow"; readonly entities: number }
);

/** Growth in bytes. */
export interface Weight {
  /** Heap, and array buffers outside it. */
  readonly held: number;
  /** Memory that the process has of the system, if available. */
  readonly rss?: number;
}

/** Milliseconds of single calls. */
export interface Stalls {
  readonly worst: number;
  /** Number of the entity whose spawn it was, from 0. */
  readonly worstAt: number;
  /** 99.99 % of the calls took less. */
  readonly high: number;
  readonly mean: number;
}

export interface Growth {
  readonly firstCycles: number;
  readonly first: Weight;
  /** Fewer than in the task if they took too long. */
  readonly lastCycles: number;
  readonly last: Weight;
}

export type Finding =
  | { readonly kind: "cannot" }
  /** `count`: the number of entities, for comparison. */
  | { readonly kind: "weighed"; readonly weight: Weight; readonly count: number }
  | { readonly kind: "cycled"; readonly growth: Growth; readonly count: number }
  | { readonly kind: "timed"; readonly stalls: Stalls; readonly count: number };

/** Duration of the cycles, in milliseconds: less than the time limit. */
const TIME_LIMIT: number = fullOrQuick(50_000, 1_500);

const CANNOT: Finding = { kind: "cannot" };

/** Measures the memory of a host, after collecting garbage. */
type Scales = () => Promise<Weight>;

/** The global object of an isolated page; there is no type for it. */
type Page = { readonly measureUserAgentSpecificMemory?: () => Promise<{ readonly bytes: number }> };

function scalesHere(): Scales | undefined {
  const { gc, process: node } = globalThis as Partial<typeof globalThis>;
  const page = performance as Page;
  if (gc === undefined) return undefined;
  if (node?.memoryUsage !== undefined) return () => weighProcess(gc, node);
  return page.measureUserAgentSpecificMemory === undefined ? undefined : () => weighPage(gc, page);
}

function pause(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

async function weighProcess(gc: () => unknown, node: typeof process): Promise<Weight> {
  for (let pass = 0; pass < 4; pass++) {
    gc();
    // Array buffers are freed concurrently.
    await pause();
  }
  // `external` includes the array buffers.
  const { heapUsed, external, rss } = node.memoryUsage();
  return { held: heapUsed + external, rss };
}

/** Browsers measure while they collect garbage, which is forced here. Array buffers count. */
async function weighPage(gc: () => unknown, page: Page): Promise<Weight> {
  for (let pass = 0; pass < 3; pass++) {
    gc();
    await pause();
  }
  let held: number | undefined;
  const measuring = page.measureUserAgentSpecificMemory!().then(({ bytes }) => {
    held = bytes;
  });
  while (held === undefined) {
    gc();
    await Promise.race([measuring, pause()]);
  }
  return { held };
}

export async function doTask(task: Task): Promise<Finding> {
  if (task.kind === "grow") return grow(task.contestant, task.entities);
  const scales = scalesHere();
  if (scales === undefined) return CANNOT;
  if (task.kind === "settle") return settle(scales, task.contestant, task.layout);
  if (task.kind === "equip") return equip(scales, task.contestant, task.equipment);
  if (task.kind === "named") return name(scales, task.contestant, task.names, task.isNamed);
  return cycle(scales, task.contestant, task.cycles, task.cyclesARun);
}

function less(weight: Weight, before: Weight): Weight {
  const held = weight.held - before.held;
  return weight.rss === undefined || before.rss === undefined
    ? { held }
    : { held, rss: weight.rss - before.rss };
}

const WARM_UP: readonly number[] = isQuick ? [2_000, 50] : [10_000, 10_000, 50];

/** Small worlds first, so that the code is not measured; a tiny one last, for libraries that keep the last one. */
async function settle(scales: Scales, contestant: string, layout: Layout): Promise<Finding> {
  const { settle: make } = (await WEIGHED[contestant]!()).holdings;
  const { queries } = layout;
  for (const children of WARM_UP) {
    if ((await make?.({ parents: 50, children, queries })) === undefined) return CANNOT;
  }
  const before = await scales();
  const world: Held | undefined = await make?.(layout);
  const weight = less(await scales(), before);
  return world === undefined ? CANNOT : { kind: "weighed", weight, count: world.count() };
}

async function equip(scales: Scales, contestant: string, equipment: Equipment): Promise<Finding> {
  const { equip: make } = (await WEIGHED[contestant]!()).holdings;
  if (make === undefined) return CANNOT;
  for (const roots of WARM_UP) await make({ ...equipment, roots });
  const before = await scales();
  const world = await make(equipment);
  const weight = less(await scales(), before);
  return { kind: "weighed", weight, count: world.count() };
}

/** The texts exist before, and are not measured. */
async function name(scales: Scales, contestant: string, names: number, isNamed: boolean): Promise<Finding> {
  const { named } = (await WEIGHED[contestant]!()).holdings;
  if (named === undefined) return CANNOT;
  const texts = Array.from({ length: names }, (_, at) => `entity number ${at}`);
  // Engines concatenate joined texts when they are first read.
  for (const text of texts) text.charCodeAt(0);
  named(texts.slice(0, 1_000), true);
  const before = await scales();
  const world = named(texts, isNamed);
  const weight = less(await scales(), before);
  return { kind: "weighed", weight, count: world.count() };
}

/** Runs of `churn`, one after another in the same world; one in another world first, so that the code is not measured. */
async function cycle(
  scales: Scales,
  contestant: string,
  cycles: number,
  cyclesARun: number,
): Promise<Finding> {
  const { subjects } = await FIELD[contestant]!.load();
  const rehearsed = await subjects.churn?.({ queries: 0 });
  await rehearsed?.before?.();
  await rehearsed?.run();
  const subject = await subjects.churn?.({ queries: 0 });
  if (subject === undefined) return CANNOT;
  await subject.before?.();
  const before = await scales();
  const until = performance.now() + TIME_LIMIT;
  await subject.run();
  const first = less(await scales(), before);
  let done = cyclesARun;
  for (; done < cycles && performance.now() < until; done += cyclesARun) await subject.run();
  const last = less(await scales(), before);
  return {
    kind: "cycled",
    growth: { firstCycles: cyclesARun, first, lastCycles: done, last },
    count: subject.checksum(),
  };
}

/** Entities in a world that grows before the measurement, so that the compiler has seen the code. */
const REHEARSED = fullOrQuick(50_000, 10_000);

async function grow(contestant: string, entities: number): Promise<Finding> {
  const { grow: make } = (await WEIGHED[contestant]!()).holdings;
  if (make === undefined) return CANNOT;
  await timeAll(await make(REHEARSED), new Float64Array(REHEARSED + 1));
  const growing = await make(entities);
  const times = new Float64Array(entities + 1);
  globalThis.gc?.();
  await timeAll(growing, times);
  return { kind: "timed", stalls: stallsOf(times), count: growing.checksum() };
}

/** One reading of the clock between two spawns: nothing is left out. */
async function timeAll({ run }: Growing, times: Float64Array): Promise<void> {
  let at = 0;
  const stamp = (): void => {
    times[at++] = performance.now();
  };
  stamp();
  await run(stamp);
}

/** @param times before the first spawn, and after each. */
function stallsOf(times: Float64Array): Stalls {
  const count = times.length - 1;
  const taken = times.subarray(1).map((time, at) => time - times[at]!);
  const sorted = taken.slice().sort();
  const worst = sorted[count - 1]!;
  return {
    worst,
    worstAt: taken.indexOf(worst),
    high: sorted[Math.floor(count * 0.9999)]!,
    mean: (times[count]! - times[0]!) / count,
  };
}
