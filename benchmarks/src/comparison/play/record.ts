/** Stored results: one file per host. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { commitHere, isBusy, machine } from "../../measure/results.ts";
import { isQuick } from "../../measure/settings.ts";
import { type Contestant, FIELD } from "../contestants/field.ts";
import type { Host } from "../processes/host.ts";
import { cellsOf, type Given, piecesOf, WORKLOADS, type WorkloadName } from "../workloads/workloads.ts";
import type { Result } from "./outcome.ts";

interface WorkloadRecord {
  readonly date: string;
  /** What was measured, if git knows it. */
  readonly commit?: string;
  /** Whether other programs ran beside it. */
  readonly isBusy?: boolean;
  readonly isQuick: boolean;
  /** Duration of the workload. */
  readonly seconds: number;
  readonly number: string;
  readonly does: string;
  readonly question: string;
  readonly piece: string;
  readonly cells: readonly Given<WorkloadName>[];
  /** Of one run, by cell. */
  readonly pieces: readonly number[];
  readonly results: readonly Result[];
}

interface HostRecord {
  readonly host: string;
  readonly machine: string;
  readonly clock: string;
  readonly unit: "milliseconds a run";
  readonly contestants: Readonly<Record<string, Omit<Contestant, "load">>>;
  readonly workloads: Readonly<Partial<Record<WorkloadName, WorkloadRecord>>>;
}

export interface Played {
  readonly workload: WorkloadName;
  readonly results: readonly Result[];
  readonly seconds: number;
}

/** When the program starts, which is right after the packages were built. */
const commit = commitHere();

/** Replaces a workload in the file; other workloads stay, if the file is about the same host. */
export function keep(file: string, host: Host, { workload, results, seconds }: Played): void {
  const before = readRecord(file);
  const isSame = before?.host === host.name && before.machine === machine() && before.clock === host.clock;
  const played = results.map(({ contestant }) => contestant);
  const record: HostRecord = {
    host: host.name,
    machine: machine(),
    clock: host.clock,
    unit: "milliseconds a run",
    contestants: { ...(isSame ? before.contestants : {}), ...contestantsOf(played) },
    workloads: { ...(isSame ? before.workloads : {}), [workload]: recordOf(workload, results, seconds) },
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(record, undefined, 1)}\n`);
}

/** How long a workload took the last time, in seconds. */
export function secondsOf(file: string, workload: WorkloadName): number | undefined {
  return readRecord(file)?.workloads[workload]?.seconds;
}

function readRecord(file: string): HostRecord | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as HostRecord;
  } catch {
    // The file is incomplete: its run was ended while it wrote.
    return undefined;
  }
}

function contestantsOf(keys: readonly string[]): Record<string, Omit<Contestant, "load">> {
  const entries = [...new Set(keys)].map((key) => {
    const { load: _, ...contestant } = FIELD[key]!;
    return [key, contestant] as const;
  });
  return Object.fromEntries(entries);
}

function recordOf(workload: WorkloadName, results: readonly Result[], seconds: number): WorkloadRecord {
  const { number, does, question, piece } = WORKLOADS[workload];
  const cells = cellsOf(workload);
  return {
    date: new Date().toISOString().slice(0, 10),
    ...commit,
    isBusy: isBusy(),
    isQuick,
    seconds: Math.round(seconds * 10) / 10,
    number,
    does,
    question,
    piece,
    cells,
    pieces: cells.map((given) => piecesOf(workload, given)),
    results,
  };
}
