import { Bench } from "tinybench";
import { clock } from "../clock.ts";
import { FIELD } from "./field.ts";
import type { Subject } from "./subject.ts";
import { type Given, WORKLOADS, type WorkloadName } from "./workloads.ts";

/** A cell of the table: plain data, since it travels between processes. */
export interface Cell {
  readonly workload: WorkloadName;
  /** Key of the field. */
  readonly contestant: string;
  /** Place among the workload's cells. */
  readonly place: number;
  readonly isQuick: boolean;
}

/** What a process is asked to do, one at a time. */
export type Order =
  | { readonly kind: "open"; readonly cell: Cell; readonly isSeasoned: boolean }
  /** From the start: nothing has run yet. */
  | { readonly kind: "prove" }
  /** Runs for so many milliseconds, and so often at least. */
  | { readonly kind: "sample"; readonly time: number; readonly calls: number };

export type Answer =
  | { readonly kind: "opened" | "cannot" }
  | { readonly kind: "proved"; readonly sum: number }
  | { readonly kind: "sampled"; readonly times: readonly number[] }
  | { readonly kind: "failed"; readonly why: string };

/** For how long, in milliseconds, each other cell runs before a seasoned one. */
const SEASONING = 60;

/** One process's side: what it has open. */
export interface Server {
  subject: Subject | undefined;
  name: WorkloadName | undefined;
}

export function createServer(): Server {
  return { subject: undefined, name: undefined };
}

export async function serve(server: Server, order: Order): Promise<Answer> {
  try {
    return await obey(server, order);
  } catch (error) {
    return { kind: "failed", why: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return error instanceof RangeError && /call stack/i.test(text) ? "stack overflow" : text.split("\n")[0]!;
}

async function obey(server: Server, order: Order): Promise<Answer> {
  if (order.kind === "open") return open(server, order.cell, order.isSeasoned);
  const { subject, name } = server;
  if (subject === undefined || name === undefined) throw new Error("nothing is open");
  if (order.kind === "sample")
    return { kind: "sampled", times: await sample(subject, order.time, order.calls) };
  for (let run = 0; run < WORKLOADS[name].proof; run++) {
    await subject.before?.();
    await subject.run();
  }
  return { kind: "proved", sum: subject.checksum() };
}

async function open(server: Server, cell: Cell, isSeasoned: boolean): Promise<Answer> {
  const { workload: name, contestant, place, isQuick } = cell;
  const { subjects } = await FIELD[contestant]!.load();
  type Make = (given: Given<WorkloadName>) => Subject | undefined | Promise<Subject | undefined>;
  const make = subjects[name] as Make | undefined;
  if (make === undefined) return { kind: "cannot" };
  const cells = isQuick ? WORKLOADS[name].quick : WORKLOADS[name].cells;
  if (isSeasoned) {
    for (const [at, given] of cells.entries()) {
      const other = at === place ? undefined : await make(given);
      if (other !== undefined) await sample(other, SEASONING, 2);
    }
  }
  const subject = await make(cells[place]!);
  if (subject === undefined) return { kind: "cannot" };
  server.subject = subject;
  server.name = name;
  return { kind: "opened" };
}

/** @returns milliseconds by run. */
async function sample({ run, before }: Subject, time: number, calls: number): Promise<readonly number[]> {
  const isAsync = run.constructor.name === "AsyncFunction";
  const bench = new Bench({
    now: clock.now,
    time,
    iterations: calls,
    warmup: false,
    retainSamples: true,
    throws: true,
  });
  bench.add("run", run, { async: isAsync, ...(before === undefined ? {} : { beforeEach: before }) });
  const [task] = isAsync ? await bench.run() : bench.runSync();
  const result = task?.result;
  if (result?.state !== "completed" || result.latency.samples === undefined)
    throw new Error("was not measured");
  return [...result.latency.samples];
}
