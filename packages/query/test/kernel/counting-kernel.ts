import { array, bool, component, createWorld, f32, f64, type World } from "@treeline/core";
import { each, query, type Run } from "../../src/index.ts";
import { runKernel } from "../../src/kernels.ts";

/** The rows after which a kernel gets a loop of its own: a limit that no public function returns. */
export { ROWS_BEFORE_OWN } from "../../src/kernel/isolate.ts";

export const Position = component("Position", { x: f64 });
export const Velocity = component("Velocity", { x: f32, y: f32 });
export const Cells = component("Cells", { of: array(f32, 4), on: bool });

/** What a kernel has done: it sees nothing else of the test. */
export interface Notes {
  makes: number;
  calls: number;
  rows: number;
}

/** The set-up of most tests of run kernels; created by `setCountingWorld`. */
export let world: World;
export let notes: Notes;

export function setCountingWorld(): void {
  world = createWorld();
  notes = { makes: 0, calls: 0, rows: 0 };
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
