/** The garbage of runs, and the cost of collecting it. */
import { medianOf } from "../../measure/interleave.ts";
import { fullOrQuick } from "../../measure/settings.ts";
import type { Subject } from "../workloads/subject.ts";

export interface Garbage {
  /** Bytes by which a run grows the heap: median and mean of the runs without a collection, if there were any. */
  readonly bytes?: number;
  readonly mean?: number;
  /** How many runs were without a collection, and of how many. */
  readonly clean: number;
  readonly frames: number;
  /** Where available: the number of collections, and their duration, in total and at most, in milliseconds. */
  readonly collections?: number;
  readonly pauses?: number;
  readonly longest?: number;
}

/** The maximum of runs, and milliseconds after which no more begin, if there were enough. */
const MOST = fullOrQuick(300, 30);
const ENOUGH = 20;
/** At least this many runs must yield bytes. */
const FEWEST = 5;
const TIME_LIMIT = fullOrQuick(5_000, 500);

interface Collection {
  readonly startTime: number;
  readonly duration: number;
  readonly detail: { readonly kind: number };
}

/** Kinds that shrink the heap at once: scavenges, and the two kinds of full mark and sweep. */
const SHRINKING: readonly number[] = [1, 2, 4];

/** One run, in milliseconds of the process, and the growth of the heap. */
interface Growth {
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
}

export async function garbageOf({ run, before }: Subject): Promise<Garbage> {
  (globalThis as { gc?: () => void }).gc?.();
  const stop = watchCollections();
  const runs: Growth[] = [];
  const own = await growthOfReading();
  const begin = performance.now();
  while (runs.length < MOST && (runs.length < ENOUGH || performance.now() - begin < TIME_LIMIT)) {
    await before?.();
    const start = performance.now();
    const used = heapUsed();
    await run();
    const grown = heapUsed() - used;
    runs.push({ start, end: performance.now(), bytes: grown < 0 ? -1 : Math.max(0, grown - own) });
  }
  const collections = await stop();
  const clean = runs.filter(({ start, end, bytes }) => {
    const shrinks = ({ startTime, duration, detail }: Collection): boolean =>
      SHRINKING.includes(detail.kind) && startTime <= end && startTime + duration >= start;
    return bytes >= 0 && collections?.some(shrinks) !== true;
  });
  return {
    ...(clean.length < FEWEST ? {} : bytesOf(clean)),
    clean: clean.length,
    frames: runs.length,
    ...(collections === undefined ? {} : costOf(collections)),
  };
}

function bytesOf(clean: readonly Growth[]): Pick<Garbage, "bytes" | "mean"> {
  const bytes = clean.map((run) => run.bytes);
  return { bytes: medianOf(bytes), mean: bytes.reduce((sum, one) => sum + one, 0) / bytes.length };
}

function costOf(collections: readonly Collection[]): Pick<Garbage, "collections" | "pauses" | "longest"> {
  const durations = collections.map(({ duration }) => duration);
  return {
    collections: collections.filter(({ detail }) => SHRINKING.includes(detail.kind)).length,
    pauses: durations.reduce((sum, duration) => sum + duration, 0),
    longest: Math.max(0, ...durations),
  };
}

/** The growth that the query itself causes. */
async function growthOfReading(): Promise<number> {
  const grown: number[] = [];
  while (grown.length < ENOUGH) {
    const used = heapUsed();
    await undefined;
    grown.push(heapUsed() - used);
  }
  return Math.max(0, medianOf(grown));
}

/** @returns a function that ends the observation and returns all collections; nothing in browsers, which do not report them. */
function watchCollections(): () => Promise<readonly Collection[] | undefined> {
  const { supportedEntryTypes } = PerformanceObserver as { supportedEntryTypes?: readonly string[] };
  if (supportedEntryTypes?.includes("gc") !== true) return async () => undefined;
  const found: Collection[] = [];
  const observer = new PerformanceObserver((list) => {
    found.push(...(list.getEntries() as object[] as Collection[]));
  });
  observer.observe({ entryTypes: ["gc"] });
  return async () => {
    // They are reported a little later.
    await new Promise((resolve) => setTimeout(resolve, 30));
    observer.disconnect();
    return found;
  };
}

/** Browsers report precise numbers only with a flag. */
type Page = { readonly memory?: { readonly usedJSHeapSize: number } };

function heapUsed(): number {
  if (typeof process === "object") return process.memoryUsage().heapUsed;
  const { memory } = performance as Page;
  if (memory === undefined) throw new Error("this browser does not report its memory in use");
  return memory.usedJSHeapSize;
}
