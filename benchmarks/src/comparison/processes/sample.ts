/** How a subject is timed, inside its process. */
import { Bench } from "tinybench";
import { clock } from "../../measure/clock.ts";
import type { Subject } from "../workloads/subject.ts";

/** A subject, and how it is called. */
export interface Called {
  readonly subject: Subject;
  /** Runs in one sample: clocks do not count short ones finely enough. */
  repeats: number;
  /** Milliseconds that one sample takes, including `before`; 0 until it has run. */
  call: number;
}

/** The least duration of a sample, in milliseconds, where runs can be repeated: a hundred steps of a browser's clock. */
const SHORTEST = 0.5;
const MOST_REPEATS = 10_000;
/** The least assumed duration of a call, in milliseconds, even if the clock did not advance. */
const LEAST = 1e-4;
/** Runs after which a subject with something before each run is warm, and times the given time that they may take. */
const WARM_RUNS = 12;
const WARM_BATCH = 3;
/** A warm-up is split into this many parts; after each part it may end. */
const WARM_PARTS = 6;

/**
 * Lets the compiler optimise: the first runs are much slower, a short one still changes its speed after hundreds of calls, and
 * Chromium optimises best what has run for most of a second. Where building worlds takes the time, a few runs more are added. The
 * clock is that of the samples: on a busy machine the warm-up takes longer, but does as much work.
 *
 * @param atLeast runs, even if they take longer. With a time of 0 it runs so many times, one by one.
 */
export async function warmUp(called: Called, time: number, atLeast = 0): Promise<void> {
  const begin = clock.now();
  await callOnce(called);
  if (time === 0) {
    for (let runs = 1; runs < atLeast; runs++) await callOnce(called);
    return;
  }
  for (let runs = 1; runs < atLeast || isCold(clock.now() - begin, runs, time); ) {
    const calls = Math.max(1, Math.floor(time / WARM_PARTS / called.call));
    const started = clock.now();
    await timesOf(called, calls);
    called.call = Math.max((clock.now() - started) / calls, LEAST);
    runs += calls * called.repeats;
    repeatShort(called);
  }
}

function isCold(spent: number, runs: number, time: number): boolean {
  return spent < time || (runs < WARM_RUNS && spent < time * WARM_BATCH);
}

async function callOnce(called: Called): Promise<void> {
  const started = clock.now();
  await called.subject.before?.();
  await called.subject.run();
  called.call = Math.max(clock.now() - started, LEAST);
}

/** More runs per sample, if the last ones took too little time. */
function repeatShort(called: Called): void {
  const { call, repeats, subject } = called;
  if (call >= SHORTEST || subject.before !== undefined) return;
  called.repeats = Math.min(Math.ceil((SHORTEST / call) * repeats), MOST_REPEATS);
  called.call = (call / repeats) * called.repeats;
}

/** @returns milliseconds by run. */
export function sample(called: Called, time: number, calls: number): Promise<readonly number[]> {
  // A subject that was not warmed up is slow.
  const affordable = called.call === 0 ? 0 : Math.floor(time / called.call);
  return timesOf(called, Math.max(calls, affordable));
}

async function timesOf({ subject, repeats }: Called, calls: number): Promise<readonly number[]> {
  const { run, before } = subject;
  const isAsync = run.constructor.name === "AsyncFunction";
  const bench = new Bench({
    now: clock.now,
    time: 0,
    iterations: calls,
    warmup: false,
    retainSamples: true,
    throws: true,
  });
  const task = repeats === 1 ? run : isAsync ? repeatedLater(run, repeats) : repeated(run, repeats);
  bench.add("run", task, { async: isAsync, ...(before === undefined ? {} : { beforeEach: before }) });
  const [done] = isAsync ? await bench.run() : bench.runSync();
  const result = done?.result;
  if (result?.state !== "completed" || result.latency.samples === undefined)
    throw new Error("was not measured");
  return result.latency.samples.map((time) => time / repeats);
}

function repeated(run: Subject["run"], repeats: number): () => void {
  return () => {
    for (let at = 0; at < repeats; at++) run();
  };
}

function repeatedLater(run: Subject["run"], repeats: number): () => Promise<void> {
  return async () => {
    for (let at = 0; at < repeats; at++) await run();
  };
}
