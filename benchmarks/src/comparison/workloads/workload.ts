/** Plain data: it travels between processes. */
export type Settings = { readonly [name: string]: string | number };

/** One kind of work, and the cells it is done in: together a row of the table for each contestant. */
export interface Workload<Given extends Settings> {
  /** As in the tables of native figures: "W2". */
  readonly number: string;
  /** The file in `benchmarks/src/questions` that asks the same of us alone, without its ending; there may be none. */
  readonly question: string;
  readonly does: string;
  readonly cells: readonly Given[];
  /** Under `--quick`. */
  readonly quick: readonly Given[];
  /** Runs after which checksums are compared. */
  readonly proof: number;
  /** How many pieces one run does: times are given by piece. */
  readonly pieces: (given: Given) => number;
  readonly piece: string;
  /** Calls that a contestant makes in a round, if not one: for workloads whose slowest runs are told. */
  readonly calls?: number;
  /** Whether it is told how much a run leaves for the garbage collector. */
  readonly countsGarbage?: true;
  /** Not part of the comparison; the comparison's workloads have no kind. */
  readonly kind?: Kind;
  /** The workload whose subjects do this one as well. */
  readonly as?: string;
  /** Contestants that have a subject for it, by their keys in the field. Unless told, everybody is asked. */
  readonly contestants?: readonly string[];
}

/** "own": Treeline against itself. "fresh": the first run of a process, against whoever can do it as well. */
export type Kind = "own" | "fresh";

export function workload<Given extends Settings>(of: Workload<Given>): Workload<Given> {
  return of;
}
