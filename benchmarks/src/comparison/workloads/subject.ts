// What a contestant must provide for a workload (`Subject`, `Subjects`).
import type { Given, WorkloadName } from "./workloads.ts";

/** One contestant's part of one workload, made and filled: ready for the clock. */
export interface Subject {
  /** Outside the clock, before each run. */
  readonly before?: () => void | Promise<void>;
  /** The measured work. A promise is awaited, inside the clock. */
  readonly run: () => void | Promise<void>;
  /** Of the state after all runs until now: the same work yields the same number. */
  readonly checksum: () => number;
}

/** Makes a subject for each workload that a contestant can do; `undefined` for a cell that it cannot do. */
export type Subjects = {
  readonly [Name in WorkloadName]?: (
    given: Given<Name>,
  ) => Subject | undefined | Promise<Subject | undefined>;
};
