// What a workload is: cells, pieces, proof, question (`Workload`); which storages of Treeline play it (`STORAGES`).

/** Plain data: it travels between processes. */
export type Settings = { readonly [name: string]: string | number };

/** One kind of work, and its cells: together a row of the table for each contestant. */
export interface Workload<Given extends Settings> {
  /** As in the tables of native figures: "W2". */
  readonly number: string;
  /** The file in `benchmarks/src/questions` with the same question about Treeline only, without its ending; there may be none. */
  readonly question: string;
  readonly does: string;
  readonly cells: readonly Given[];
  /** Under `--quick`. */
  readonly quick: readonly Given[];
  /** Runs after which checksums are compared. */
  readonly proof: number;
  /** How many pieces one run does: times are per piece. */
  readonly pieces: (given: Given) => number;
  readonly piece: string;
  /** Calls that a contestant makes in a round, if not one: for workloads whose slowest runs are reported. */
  readonly calls?: number;
  /** Whether the garbage of runs is counted. */
  readonly countsGarbage?: true;
  /** For workloads outside the comparison; the comparison's workloads have no kind. */
  readonly kind?: Kind;
  /** The workload whose subjects do this one as well; those that a contestant has under this name come first. */
  readonly as?: string;
  /** Which of Treeline's storages play: those of parents, by default, or those of components. */
  readonly stores?: Stores;
  /** Keys of the contestants that have a subject for it. By default all are tried. */
  readonly contestants?: readonly string[];
}

/** "own": Treeline against itself. "fresh": the first run of a process, against other contestants that can do it. */
export type Kind = "own" | "fresh";

export type Stores = "parents" | "components";

/** Treeline's contestants, by what they store in different ways. */
export const STORAGES: Readonly<Record<Stores, readonly string[]>> = {
  parents: ["treeline-child-of", "treeline-parent"],
  components: ["treeline-sparse", "treeline-table"],
};

/** Shared by workloads of fresh processes: there is only one run. */
export const FRESH = {
  number: "fresh",
  question: "how-fast-is-a-fresh-process",
  proof: 1,
  kind: "fresh",
} as const;

export function workload<Given extends Settings>(of: Workload<Given>): Workload<Given> {
  return of;
}
