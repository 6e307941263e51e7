/** Tells on the terminal what is played, how far it is, and about how long still. */
import { isQuick } from "../../measure/settings.ts";
import { cellsOf, type WorkloadName } from "../workloads/workloads.ts";
import type { Beginning } from "./match.ts";
import { labelOf } from "./table.ts";

interface Plan {
  readonly host: string;
  readonly workloads: readonly WorkloadName[];
  /** How long a workload took the last time, in seconds, if that is known. */
  readonly lastTime: (workload: WorkloadName) => number | undefined;
}

/** Cells of a workload are taken for equally long. Where nothing is known, so is each cell. */
const USUAL_SECONDS: number = isQuick ? 2 : 9;

/** @returns what is to be called when a cell begins. */
export function progressOf({ host, workloads, lastTime }: Plan): (event: Beginning) => void {
  const costs = workloads.map((workload) => {
    const steps = stepsOf(workload);
    return { workload, steps, cost: (lastTime(workload) ?? steps * USUAL_SECONDS) / steps };
  });
  const all = costs.reduce((sum, { steps, cost }) => sum + steps * cost, 0);
  const begin = performance.now();
  return ({ workload, place, isSeasoned }) => {
    const at = costs.findIndex((one) => one.workload === workload);
    const count = cellsOf(workload).length;
    const before = costs.slice(0, at).reduce((sum, { steps, cost }) => sum + steps * cost, 0);
    const done = before + (place + (isSeasoned ? count : 0)) * costs[at]!.cost;
    const spent = (performance.now() - begin) / 1e3;
    // Believed at first, then held against what it really took.
    const pace = (spent + 5) / (done + 5);
    const cell = labelOf(cellsOf(workload)[place]!);
    const how = isSeasoned ? "after other cells" : "alone";
    const far = `${at + 1} of ${workloads.length} workloads`;
    show(
      `${host}: ${workload}, ${cell}, ${how} (cell ${place + 1} of ${count}; ${far}; ${timeText((all - done) * pace)} left)`,
    );
  };
}

/** Each cell, alone and, if there are several, once more. */
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
