// The orders that a process of a cell obeys (`Order`, `serve`); times a first run without waiting (`timeFirst`).
import { wallClock } from "../../measure/clock.ts";
import { FIELD } from "../contestants/field.ts";
import { doTask, type Finding, type Task } from "../memory/task.ts";
import type { Subject } from "../workloads/subject.ts";
import {
  cellsOf,
  type Given,
  isWorkloadName,
  subjectNamesOf,
  WORKLOADS,
  type WorkloadName,
} from "../workloads/workloads.ts";
import type { CallCount } from "./count-calls.ts";
import { type Garbage, garbageOf } from "./garbage.ts";
import { type Called, sample, warmUp } from "./sample.ts";

/** What a process can open: plain data, since it travels between processes. Its opener knows the names. */
export interface AnyCell {
  readonly workload: string;
  readonly contestant: string;
  readonly place: number;
}

/** A cell of the table. */
export interface Cell extends AnyCell {
  readonly workload: WorkloadName;
  /** Key of the field. */
  readonly contestant: string;
  /** Place among the workload's cells. */
  readonly place: number;
}

/** A subject, and the number of runs after which its checksum is compared. */
export interface Opened {
  readonly subject: Subject;
  readonly proof: number;
}

/** Makes the subject of a cell; `undefined` for a cell that cannot be done. */
export type Opener = (cell: AnyCell) => Promise<Opened | undefined>;

/** An order for a process, one at a time. Several cells may be open at once. */
export type Order =
  /** Gets a reply as soon as the process has started. */
  | { readonly kind: "greet" }
  | { readonly kind: "open"; readonly cell: AnyCell }
  /** Returns a checksum, from the start: nothing may have run before. */
  | { readonly kind: "prove"; readonly place: number }
  /** Runs for this many milliseconds, and at least so many times, without being measured; with a time of 0 exactly so many times. */
  | { readonly kind: "warm"; readonly place: number; readonly time: number; readonly runs?: number }
  /** Runs for about this many milliseconds, including `before`, and at least this often. */
  | { readonly kind: "sample"; readonly place: number; readonly time: number; readonly calls: number }
  | { readonly kind: "litter"; readonly place: number }
  /** Times one run, which is the first thing that this process does. */
  | { readonly kind: "first"; readonly place: number }
  /** The same without a clock: how many functions of the library run, and how often. Only in Node. */
  | { readonly kind: "count"; readonly place: number }
  /** Drops a cell, so that its memory can be used again. */
  | { readonly kind: "close"; readonly place: number }
  /** The only order of its process. */
  | { readonly kind: "weigh"; readonly task: Task };

export type Reply =
  | { readonly kind: "greeted" | "opened" | "cannot" | "closed" }
  | { readonly kind: "proved"; readonly sum: number }
  /** How long a call takes, including `before`. */
  | { readonly kind: "warmed"; readonly call: number }
  | { readonly kind: "sampled"; readonly times: readonly number[] }
  | { readonly kind: "littered"; readonly garbage: Garbage }
  /**
   * Milliseconds of wall time, minus those in which it waited for a processor. Concurrent compilation counts where the program
   * waits for it.
   */
  | { readonly kind: "timed"; readonly time: number; readonly sum: number }
  | ({ readonly kind: "counted" } & CallCount)
  | { readonly kind: "found"; readonly finding: Finding }
  | { readonly kind: "failed"; readonly why: string };

/** The state of one process: its open cells, by place. */
export interface Server {
  readonly open: Map<number, { readonly proof: number; readonly called: Called }>;
  readonly instruments: Instruments | undefined;
  readonly opener: Opener;
}

/** What a process can find out about itself; a page in a browser cannot. */
export interface Instruments {
  /** Runs a function and counts what runs of the library in it. */
  readonly countCalls: (run: () => void) => CallCount;
  /** Milliseconds that the main thread has waited for a processor until now. */
  readonly waited: () => number;
}

export function createServer(instruments?: Instruments, opener: Opener = openInField): Server {
  return { open: new Map(), instruments, opener };
}

export async function serve(server: Server, order: Order): Promise<Reply> {
  try {
    if (order.kind === "greet") return { kind: "greeted" };
    if (order.kind === "weigh") return { kind: "found", finding: await doTask(order.task) };
    return order.kind === "open" ? await open(server, order.cell) : await obey(server, order);
  } catch (error) {
    return { kind: "failed", why: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return error instanceof RangeError && /call stack/i.test(text) ? "stack overflow" : text.split("\n")[0]!;
}

async function open(server: Server, cell: AnyCell): Promise<Reply> {
  const opened = await server.opener(cell);
  if (opened === undefined) return { kind: "cannot" };
  const { proof, subject } = opened;
  server.open.set(cell.place, { proof, called: { subject, repeats: 1, call: 0 } });
  return { kind: "opened" };
}

/** Opens cells of the comparison. */
export async function openInField({
  workload: name,
  contestant,
  place,
}: AnyCell): Promise<Opened | undefined> {
  if (!isWorkloadName(name)) throw new Error(`there is no workload ${name}`);
  const { subjects } = await FIELD[contestant]!.load();
  type Make = (given: Given<WorkloadName>) => Subject | undefined | Promise<Subject | undefined>;
  const make = subjectNamesOf(name)
    .map((one) => subjects[one])
    .find((one) => one !== undefined) as Make | undefined;
  const subject = await make?.(cellsOf(name)[place]!);
  return subject && { subject, proof: WORKLOADS[name].proof };
}

async function obey(
  server: Server,
  order: Exclude<Order, { kind: "greet" | "open" | "weigh" }>,
): Promise<Reply> {
  const opened = server.open.get(order.place);
  if (opened === undefined) throw new Error("nothing is open");
  const { proof, called } = opened;
  switch (order.kind) {
    case "prove":
      return { kind: "proved", sum: await prove(called.subject, proof) };
    case "warm":
      await warmUp(called, order.time, order.runs);
      return { kind: "warmed", call: called.call };
    case "sample":
      return { kind: "sampled", times: await sample(called, order.time, order.calls) };
    case "litter":
      return { kind: "littered", garbage: await garbageOf(called.subject) };
    case "first":
      return { kind: "timed", time: await timeFirst(server, called.subject), sum: called.subject.checksum() };
    case "count":
      return count(server, called.subject);
    case "close":
      server.open.delete(order.place);
      return { kind: "closed" };
  }
}

async function prove({ run, before, checksum }: Subject, runs: number): Promise<number> {
  for (let at = 0; at < runs; at++) {
    await before?.();
    await run();
  }
  return checksum();
}

/** Runs before the subject, of the functions that measure, which are slow at first as well. */
const TRIALS = 5;

async function timeFirst({ instruments }: Server, { run, before }: Subject): Promise<number> {
  const waited = instruments?.waited ?? (() => 0);
  await before?.();
  let usual = Number.POSITIVE_INFINITY;
  for (let trial = 0; trial < TRIALS; trial++)
    usual = Math.min(usual, (await timeOnce(() => {}, waited)).beside);
  const { time, beside, wait } = await timeOnce(run, waited);
  // It may also have waited while it read how long it has waited.
  return time - Math.max(0, wait - Math.max(0, beside - usual));
}

/** All in milliseconds. */
interface Batch {
  /** Of the run. */
  readonly time: number;
  /** The time before and after it that reading the waits took. */
  readonly beside: number;
  /** Waits for a processor, in both together. */
  readonly wait: number;
}

async function timeOnce(run: Subject["run"], waited: () => number): Promise<Batch> {
  const { now } = wallClock;
  const first = now();
  const waitedBefore = waited();
  const begin = now();
  const running = run();
  if (running !== undefined) await running;
  const end = now();
  const wait = waited() - waitedBefore;
  return { time: end - begin, beside: begin - first + (now() - end), wait };
}

async function count({ instruments }: Server, { run, before }: Subject): Promise<Reply> {
  if (instruments === undefined) return { kind: "failed", why: "calls are counted only in Node" };
  await before?.();
  return { kind: "counted", ...instruments.countCalls(run) };
}
