// The targets for functions and calls in the first run of a process (`counted`).
import { cellsOf, piecesOf } from "../workloads/workloads.ts";

/** A target; the limits that are tested are in `call-budget.json`. */
interface CallGoal {
  readonly functions?: number;
  /** Per piece. */
  readonly calls?: number;
}

export type CountedName = "firstWorld" | "chain" | "firstCascade" | "firstChurn";

/** First runs whose functions and calls are counted. */
export const counted: { readonly [Name in CountedName]: CallGoal } = {
  firstWorld: {},
  chain: { functions: 45, calls: 40 },
  firstCascade: { functions: 45 },
  firstChurn: { functions: 40, calls: 40 },
};

export function perUnit(workload: CountedName, calls: number): number {
  return calls / piecesOf(workload, cellsOf(workload)[0]!);
}
