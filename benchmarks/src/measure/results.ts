// Writes results with machine and load to `benchmarks/results` (`keepResults`).
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import type { Timing } from "./interleave.ts";
import { isQuick } from "./settings.ts";

/** One row as numbers. */
export interface Result {
  readonly row: string;
  /** Nanoseconds per piece. */
  readonly median: number;
  readonly low: number;
  /** Against the row that the table names, as the median over the rounds. */
  readonly ratio?: number | undefined;
}

export function resultOf(row: string, { median, low }: Timing, pieces: number, ratio?: number): Result {
  const nanoseconds = (time: number): number => Number(((time * 1e6) / pieces).toPrecision(5));
  return {
    row,
    median: nanoseconds(median),
    low: nanoseconds(low),
    ...(ratio === undefined ? {} : { ratio: Number(ratio.toFixed(4)) }),
  };
}

/** The commit of this checkout, with "-dirty" if files have changed since. */
export function commitHere(): { readonly commit?: string } {
  const words = ["describe", "--always", "--dirty", "--abbrev=8", "--exclude=*"];
  const { stdout } = spawnSync("git", words, { encoding: "utf8" });
  const commit = stdout?.trim();
  return commit ? { commit } : {};
}

/** Whether other programs compete for the processors: a benchmark by itself keeps no more of them busy than there are. */
export function isBusy(): boolean {
  return loadavg()[0]! > 2 * cpus().length;
}

/** The processors and the system that it was measured on. */
export function machine(): string {
  return `${cpus()[0]?.model.trim() ?? "unknown"}, ${cpus().length} processors, ${process.platform}`;
}

/**
 * Writes the results to benchmarks/results/<name>.json; those of quick runs to results/partial.
 *
 * @param parts tables by name, or other results of the question.
 */
export function keepResults(name: string, parts: object): void {
  const folder = fileURLToPath(new URL(isQuick ? "../results/partial/" : "../results/", import.meta.url));
  const record = {
    date: new Date().toISOString(),
    node: process.version,
    machine: machine(),
    load: loadavg()[0],
    unit: "nanoseconds per piece",
    ...parts,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify(record, undefined, 1)}\n`);
}
