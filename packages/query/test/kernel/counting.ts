import { component, f64, type World } from "@treeline/core";
import { runKernel } from "../../src/kernel/run-kernel.ts";
import { query } from "../../src/query/ask/query.ts";
import { each } from "../../src/visit/each.ts";
import type { Run } from "../../src/visit/run.ts";

export const Position = component("Position", { x: f64 });

/** What a kernel has done: it sees nothing else of the test. */
export interface Notes {
  makes: number;
  calls: number;
  rows: number;
}

/** Adds 1 to each x, and counts. */
export function countingKernel(notes: Notes): (run: Run) => void {
  return runKernel(
    [Position],
    ([{ x }], notes) => {
      notes.makes++;
      return (first, end) => {
        notes.calls++;
        notes.rows += end - first;
        for (let row = first; row < end; row++) x[row]! += 1;
      };
    },
    notes,
  );
}

/** x -> how many have it. */
export function tally(world: World): Map<number, number> {
  const found = new Map<number, number>();
  each(query(world, Position), ({ x }) => found.set(x, (found.get(x) ?? 0) + 1));
  return found;
}
