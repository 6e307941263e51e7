// What a measurement results in: median, low end, 99th percentile, or the failure (`measuredOf`).
import { medianOf } from "../../measure/interleave.ts";
import type { Garbage } from "../processes/garbage.ts";

/** Milliseconds a run, or why there are none. */
export type Outcome =
  | Measured
  | { readonly kind: "failed"; readonly why: string }
  /** The contestant cannot do it. */
  | { readonly kind: "cannot" };

export interface Measured {
  readonly kind: "measured";
  readonly median: number;
  /** A tenth of the runs took less, a hundredth more. */
  readonly low: number;
  readonly p99: number;
  /** Medians by round. */
  readonly rounds: readonly number[];
  /** The garbage of runs, where it is counted. */
  readonly garbage?: Garbage;
}

/** The result of one contestant in one cell. */
export interface Result {
  readonly contestant: string;
  readonly place: number;
  /** Isolated, in a process that has no other cell, and warmed up, in one that has run the other cells of the row as well. */
  readonly isolated: Outcome;
  readonly warmedUp: Outcome;
}

export function measuredOf(samples: readonly (readonly number[])[], garbage?: Garbage): Outcome {
  const all = samples.flat().sort((one, other) => one - other);
  if (all.length === 0) return { kind: "failed", why: "was not measured" };
  return {
    kind: "measured",
    median: medianOf(all),
    low: all[Math.floor(all.length / 10)]!,
    p99: all[Math.ceil(all.length * 0.99) - 1]!,
    rounds: samples.map(medianOf),
    ...(garbage === undefined ? {} : { garbage }),
  };
}
