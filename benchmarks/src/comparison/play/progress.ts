/** Reports the progress on the terminal, and estimates the time left. */
import { isQuick } from "../../measure/settings.ts";
import { cellsOf, type WorkloadName } from "../workloads/workloads.ts";
import type { Beginning } from "./play-workload.ts";
import { labelOf } from "./table.ts";

interface Plan {
  readonly host: string;
  readonly workloads: readonly WorkloadName[];
  /** How long a workload took the last time, in seconds, if that is known. */
  readonly lastTime: (workload: WorkloadName) => number | undefined;
}

/** All cells of a workload count the same. Without earlier results, each cell counts this much. */
const USUAL_SECONDS: number = isQuick ? 2 : 9;

/** @returns a function to be called when a cell begins. */
export function progressOf({ host, workloads, lastTime }: Plan): (event: Beginning) => void {
  const costs = workloads.map((workload) => {
    const steps = stepsOf(workload);
    return { workload, steps, cost: (lastTime(workload) ?? steps * USUAL_SECONDS) / steps };
  });
  const all = costs.reduce((sum, { steps, cost }) => sum + steps * cost, 0);
  const begin = performance.now();
  return ({ workload, place, isWarmedUp }) => {
    const at = costs.findIndex((one) => one.workload === workload);
    const count = cellsOf(workload).length;
    const before = costs.slice(0, at).reduce((sum, { steps, cost }) => sum + steps * cost, 0);
    const done = before + (place + (isWarmedUp ? count : 0)) * costs[at]!.cost;
    const spent = (performance.now() - begin) / 1e3;
    // Estimates are used at first, and then corrected by the real times.
    const pace = (spent + 5) / (done + 5);
    const cell = labelOf(cellsOf(workload)[place]!);
    const how = isWarmedUp ? "warmed up" : "isolated";
    const far = `${at + 1} of ${workloads.length} workloads`;
    show(
      `${host}: ${workload}, ${cell}, ${how} (cell ${place + 1} of ${count}; ${far}; ${timeText((all - done) * pace)} left)`,
    );
  };
}

/** Each cell, isolated and, if there are several, once more. */
function stepsOf(workload: WorkloadName): number {
  const { length } = cellsOf(workload);
  return isQuick || length === 1 ? length : length * 2;
}

function timeText(seconds: number): string {
  return seconds < 90
    ? `about ${Math.max(1, Math.round(seconds))} s`
    : `about ${Math.round(seconds / 60)} min`;
}

export function show(line: string): void {
  const { stderr } = process;
  if (stderr.isTTY) stderr.write(`\r\u001b[K${line.slice(0, Math.max(20, stderr.columns - 1))}`);
  else stderr.write(`${line}\n`);
}

/** Before anything else is printed. */
export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
}
