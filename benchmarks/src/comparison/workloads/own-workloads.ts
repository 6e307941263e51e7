// Workloads outside the comparison (`OWN_WORKLOADS`): features beside others, disabling, first runs of processes.
import { fullOrQuick } from "../../measure/settings.ts";
import { CYCLES, ENTITIES } from "./sizes.ts";
import { FRESH, workload } from "./workload.ts";

/** Copies in one run of `prefabs`, nodes of `chain` and `firstCascade`, new parents of `firstParents`. */
export const PREFABS: number = fullOrQuick(1_000, 100);
const CHAIN = 1_000;
export const NEW_PARENTS: number = fullOrQuick(30_000, 3_000);
/** Parents in `disable`, and the children of each. */
export const SWITCHED_PARENTS: number = fullOrQuick(1_000, 100);
export const SWITCHED_CHILDREN = 100;
/** For one run of `beside`: moves and cycles. */
export const BESIDE_MOVES = 2_000;
export const BESIDE_CYCLES = 1_000;

const TREELINE: readonly string[] = ["treeline-child-of", "treeline-parent"];

export type BesideWork = "reparent" | "churn";
export type OtherFeature =
  | "nothing"
  | "nothing again"
  | "a Parent child"
  | "a DisabledTree"
  | "an observer"
  | "an entityOf"
  | "two targets"
  | "observed"
  | "named";

/** Things that affect no move and no cycle. The second "nothing" shows how far two worlds differ by chance. */
const ELSEWHERE: readonly OtherFeature[] = [
  "nothing",
  "a Parent child",
  "a DisabledTree",
  "an observer",
  "an entityOf",
  "two targets",
  "nothing again",
];

const BESIDE: readonly { readonly work: BesideWork; readonly beside: OtherFeature }[] = [
  ...[...ELSEWHERE, "observed" as const, "named" as const].map((beside) => ({
    work: "reparent" as const,
    beside,
  })),
  ...ELSEWHERE.map((beside) => ({ work: "churn" as const, beside })),
];

/** Workloads outside the comparison; sums and "as usual" are those of `workloads.ts`. */
export const OWN_WORKLOADS = {
  /**
   * Before: a world with 10,000 children of 100 parents, and one other thing in it; "observed": an observer of `added: ChildOf`;
   * "named": the children have names. One run: "reparent": BESIDE_MOVES of them go below another parent; "churn": BESIDE_CYCLES
   * times a parent is created, and a child of it, and the parent is destroyed with it. Sum: `sumOfParents`, and how many are
   * alive.
   */
  beside: workload<{ work: BesideWork; beside: OtherFeature }>({
    number: "cliffs",
    question: "are-there-cliffs-beside-other-features",
    does: "moves children, or creates and destroys a parent with a child, in a world where something else is used once elsewhere",
    cells: BESIDE,
    quick: BESIDE,
    proof: 3,
    pieces: ({ work }) => (work === "reparent" ? BESIDE_MOVES : BESIDE_CYCLES),
    piece: "move or cycle",
    kind: "own",
    contestants: ["treeline-child-of"],
  }),
  /**
   * Before: a root, SWITCHED_PARENTS parents below it with SWITCHED_CHILDREN children each; "enable": the root has DisabledTree.
   * One run: the root gains or loses it. Sum: how many match a query after that, + 1.
   */
  disable: workload<{ step: "disable" | "enable" }>({
    number: "disable",
    question: "what-does-disabling-cost",
    does: "disables a tree of 1,000 parents with 100 children each by DisabledTree at its root, or enables it again",
    cells: [{ step: "disable" }, { step: "enable" }],
    quick: [{ step: "disable" }, { step: "enable" }],
    proof: 2,
    pieces: () => SWITCHED_PARENTS * SWITCHED_CHILDREN,
    piece: "row",
    kind: "own",
    contestants: TREELINE,
  }),
  /**
   * Before each run: a fresh world with a template of 13 parts with names, Position and Velocity: a root and twelve below it, no
   * more than three below one. One run: PREFABS deep copies of it. Sum: how many entities, and Position.x over all.
   */
  prefabs: workload<{ parts: number }>({
    number: "prefabs",
    question: "what-does-an-instance-cost",
    does: "creates 1,000 copies of a template of 13 named parts",
    cells: [{ parts: 13 }],
    quick: [{ parts: 13 }],
    proof: 1,
    pieces: ({ parts }) => PREFABS * parts,
    piece: "entity",
    kind: "own",
    contestants: TREELINE,
  }),
  /** Before: modules are loaded. One run: a world is created. Sum: 1. */
  firstWorld: workload<{ worlds: number }>({
    ...FRESH,
    does: "creates the first world of a process",
    cells: [{ worlds: 1 }],
    quick: [{ worlds: 1 }],
    pieces: () => 1,
    piece: "world",
    contestants: ["treeline-child-of", "piecs"],
  }),
  /**
   * Before: an empty world. One run: a chain of nodes with Local (1 + i % 3, 1) and World (0, 0), each below the one before. Sum:
   * of Local, as `sumOfPlaces`, and `sumOfParents`.
   */
  chain: workload<{ nodes: number }>({
    ...FRESH,
    does: "builds a chain of 1,000 nodes",
    cells: [{ nodes: CHAIN }],
    quick: [{ nodes: CHAIN }],
    pieces: ({ nodes }) => nodes,
    piece: "node",
    contestants: ["treeline-child-of", "treeline-parent", "piecs"],
  }),
  /**
   * Before: the chain. One run: everything that is needed to iterate it with parents first, and world = parent's world + local.
   * Sum: of World, as `sumOfPlaces`.
   */
  firstCascade: workload<{ nodes: number }>({
    ...FRESH,
    does: "iterates that chain for the first time, parents first: world = parent's world + local",
    cells: [{ nodes: CHAIN }],
    quick: [{ nodes: CHAIN }],
    pieces: ({ nodes }) => nodes,
    piece: "node",
    contestants: ["treeline-child-of", "treeline-parent", "piecs"],
  }),
  firstChurn: workload<{ queries: number }>({
    ...FRESH,
    as: "churn",
    does: "creates a parent with a child, and destroys both again, 20,000 times",
    cells: [{ queries: 0 }],
    quick: [{ queries: 0 }],
    pieces: () => CYCLES,
    piece: "cycle",
  }),
  firstSpawns: workload<{ parents: number }>({
    ...FRESH,
    as: "spawn",
    does: "creates 100,000 entities with two components below one parent",
    cells: [{ parents: 1 }],
    quick: [{ parents: 1 }],
    pieces: () => ENTITIES,
    piece: "entity",
  }),
  /**
   * Before: NEW_PARENTS children with Position below one parent, beside `queries` live queries for Position. One run: for each of
   * them an empty entity is created, and the child moved below it. Sum: `sumOfParents`, the new ones in order of creation.
   */
  firstParents: workload<{ queries: number }>({
    ...FRESH,
    does: "creates a new parent and moves a child below it, 30,000 times, beside 50 live queries",
    cells: [{ queries: 50 }],
    quick: [{ queries: 50 }],
    pieces: () => NEW_PARENTS,
    piece: "move",
    contestants: ["treeline-child-of", "treeline-parent", "piecs"],
  }),
  firstPrefabs: workload<{ parts: number }>({
    ...FRESH,
    as: "prefabs",
    does: "creates 1,000 copies of a template of 13 named parts",
    cells: [{ parts: 13 }],
    quick: [{ parts: 13 }],
    pieces: ({ parts }) => PREFABS * parts,
    piece: "entity",
    contestants: TREELINE,
  }),
} as const;
