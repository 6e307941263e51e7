import type { Given, WorkloadName } from "./workloads.ts";

/** One contestant's part of one workload, made and filled: ready for the clock. */
export interface Subject {
  /** Outside the clock, before each run. */
  readonly before?: () => void | Promise<void>;
  /** What is measured. A promise is waited for, inside the clock. */
  readonly run: () => void | Promise<void>;
  /** What the runs until now have left behind: the same work gives the same number. */
  readonly checksum: () => number;
}

/** Makes a subject for each workload that a contestant can do at all; `undefined` for a cell that it cannot do. */
export type Subjects = {
  readonly [Name in WorkloadName]?: (
    given: Given<Name>,
  ) => Subject | undefined | Promise<Subject | undefined>;
};
