import { fullOrQuick, isQuick } from "../settings.ts";
import { type TreeName, treeOf } from "../trees.ts";

/** Plain data: it travels between processes. */
type Settings = { readonly [name: string]: string | number };

/** One kind of work, and the cells it is done in: together a row of the table for each contestant. */
interface Workload<Given extends Settings> {
  /** As in the tables of native figures: "W2". */
  readonly number: string;
  /** The file in `benchmarks/src` that asks the same of us alone, without its ending; there may be none. */
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
}

function workload<Given extends Settings>(of: Workload<Given>): Workload<Given> {
  return of;
}

/** Entities in most workloads. */
export const ENTITIES: number = fullOrQuick(100_000, 20_000);
export const FAMILIES: number = fullOrQuick(1_000, 200);
/** Children of each parent in `siblings`. */
export const FAMILY = 100;
/** Parents in `reparent`. */
export const HOMES = 1_000;
/** Questions of one run of `names`; ten children below each node, and so many levels below the root. */
export const ASKED: number = fullOrQuick(20_000, 2_000);
export const BRANCHES = 10;
export const LEVELS: number = fullOrQuick(5, 4);
/** Cycles of one run of `churn`, steps of one of `renew`, instances of one of `instances`. */
export const CYCLES: number = fullOrQuick(20_000, 2_000);
export const STEPS: number = fullOrQuick(10_000, 1_000);
export const INSTANCES: number = fullOrQuick(10_000, 1_000);
/** Parents in `renew`, with two children each. */
export const COUPLES: number = fullOrQuick(50_000, 5_000);
/** Children of each instance. */
export const PARTS = 10;

const TREES = [{ tree: "a" }, { tree: "b" }, { tree: "c" }, { tree: "c2" }, { tree: "d" }] as const;

/**
 * Entity number i has Position (i % 1024, 0) and Velocity (1, 1 + i % 3) wherever it says "as usual"; who is whose child
 * is told by `inputs.ts`. Parents have neither. Numbers stand for entities in every checksum, so that handles may be what
 * they like.
 */
export const WORKLOADS = {
  /** Before the clock: ENTITIES children, as usual, of `parentsOf`. One run: position += velocity. Sum: `sumOfPlaces`. */
  iterate: workload<{ parents: number; order: "block" | "random" }>({
    number: "W1, W2",
    question: "does-fragmentation-slow-iteration",
    does: "position += velocity for 100,000 children of so many parents",
    cells: [1, 100, 1_000, 10_000, 50_000].flatMap((parents) => [
      { parents, order: "block" as const },
      ...(parents === 1 ? [] : [{ parents, order: "random" as const }]),
    ]),
    quick: [
      { parents: 1, order: "block" },
      { parents: 10_000, order: "block" },
    ],
    proof: 2,
    pieces: () => ENTITIES,
    piece: "child",
  }),
  /**
   * Before: FAMILIES parents with FAMILY children each, as usual, in block order. One run: for each parent in
   * `shuffledFamilies` the sum of Position.x over its children is kept in a list by parent. Sum: of that list, weighed.
   */
  siblings: workload<{ parents: number }>({
    number: "W3",
    question: "how-fast-are-the-children-of-one-parent",
    does: "sum of Position.x over the 100 children of one parent, for 1,000 parents in a shuffled order",
    cells: [{ parents: 1_000 }],
    quick: [{ parents: 200 }],
    proof: 1,
    pieces: () => FAMILIES * FAMILY,
    piece: "child",
  }),
  /**
   * Before: the nodes of a tree with Local (1 + i % 3, 1) and World (0, 0), made in order, each below its parent. One run:
   * world = parent's world + local, for roots their local, parents before children. Sum: of World, as `sumOfPlaces`.
   */
  cascade: workload<{ tree: TreeName }>({
    number: "W4",
    question: "does-cascade-cost-order",
    does: "world = parent's world + local for both fields, parents before children",
    cells: TREES,
    quick: [{ tree: "small" }],
    proof: 1,
    pieces: ({ tree }) => treeOf(tree).length,
    piece: "node",
  }),
  /**
   * Before each run: a fresh world with `parents` parents; 0: none, and the entities are roots. One run: ENTITIES of them, as
   * usual, in block order. Sum: `sumOfPlaces`, and `sumOfCounts` of how many children each parent has.
   */
  spawn: workload<{ parents: number }>({
    number: "W5",
    question: "what-does-a-spawn-cost",
    does: "creates 100,000 entities with two components below so many parents",
    cells: [{ parents: 0 }, { parents: 1 }, { parents: 1_000 }, { parents: 10_000 }, { parents: 50_000 }],
    quick: [{ parents: 1_000 }],
    proof: 1,
    pieces: () => ENTITIES,
    piece: "entity",
  }),
  /**
   * Before: ENTITIES children, as usual, of HOMES parents in block order. One run: all move to the parents in the next of
   * `movesOf`, in creation order or shuffled. Sum: `sumOfParents`, and `sumOfCounts`.
   */
  reparent: workload<{ order: "creation" | "shuffled" }>({
    number: "W6",
    question: "what-does-a-reparent-cost",
    does: "moves 100,000 children among 1,000 parents that have children, each to a random one",
    cells: [{ order: "creation" }, { order: "shuffled" }],
    quick: [{ order: "shuffled" }],
    proof: 2,
    pieces: () => ENTITIES,
    piece: "move",
  }),
  /** Before each run: a fresh world with the tree of `cascade`. One run: its roots die. Sum: how many nodes live, + 1. */
  destroy: workload<{ tree: TreeName }>({
    number: "W7",
    question: "what-does-a-destroy-cost",
    does: "deletes the root of a tree with everything below it",
    cells: TREES,
    quick: [{ tree: "small" }],
    proof: 1,
    pieces: ({ tree }) => treeOf(tree).length,
    piece: "node",
  }),
  /**
   * Before: ENTITIES roots, as usual. One run does one thing to all of them, in order: "tag": a tag is added, then removed
   * again from all; "component": likewise a component Mass (one f32) with value 2; "get": Position is read and x added up in a
   * total; "set": Position is set to (x of the entity's number, run number). Sum: `sumOfPlaces`, and the total.
   */
  change: workload<{ operation: "tag" | "component" | "get" | "set" }>({
    number: "W8",
    question: "what-does-a-component-change-cost",
    does: "adds and removes a tag or a component, reads or writes Position, for 100,000 entities by their handles",
    cells: [{ operation: "tag" }, { operation: "component" }, { operation: "get" }, { operation: "set" }],
    quick: [{ operation: "tag" }],
    proof: 2,
    pieces: ({ operation }) => (operation === "tag" || operation === "component" ? 2 : 1) * ENTITIES,
    piece: "operation",
  }),
  /**
   * Before: the entities of `namedTree`, each with its name. One run: for each of the tree's `leaves`, "path": who is found by its
   * whole path from the roots is kept in a list; "child": likewise by its name among the children of its parent; "write": its path
   * is written, and the last sign of it read; "parent": its parent is kept in a list. Who has no names, but relations of its own,
   * does the last alone. Sum: `sumOfNodes` of that list, or `sumOfTexts`.
   */
  names: workload<{ asked: "path" | "child" | "write" | "parent" }>({
    number: "W9",
    question: "how-fast-are-names",
    does: "finds random leaves of 111,111 named entities in a tree by path and by name, writes their paths, asks for their parents",
    cells: [{ asked: "path" }, { asked: "child" }, { asked: "write" }, { asked: "parent" }],
    quick: [{ asked: "path" }, { asked: "write" }],
    proof: 1,
    pieces: () => ASKED,
    piece: "question",
  }),
  /**
   * Before: so many queries for Position are live. One run: CYCLES times a parent is created, and a child of it with Position,
   * and the parent is deleted with the child. Sum: how many of them live, + 1.
   */
  churn: workload<{ queries: number }>({
    number: "W11",
    question: "what-does-table-churn-cost",
    does: "creates a parent with a child, and deletes both again, beside so many live queries",
    cells: [{ queries: 0 }, { queries: 1 }, { queries: 50 }],
    quick: [{ queries: 1 }],
    proof: 1,
    pieces: () => CYCLES,
    piece: "cycle",
  }),
  /**
   * Before: the world of `iterate` in block order. One run: a query for Position and Velocity is built, asked how many answers it
   * has (that sum is kept), and freed. Sum: the last answer.
   */
  ask: workload<{ parents: number }>({
    number: "W12",
    question: "what-does-a-query-cost",
    does: "builds a query over an existing world, counts its answers, and frees it",
    cells: [{ parents: 1 }, { parents: 1_000 }, { parents: 10_000 }, { parents: 50_000 }],
    quick: [{ parents: 10_000 }],
    proof: 1,
    pieces: () => 1,
    piece: "query",
  }),
  /**
   * Before each run: a fresh world with COUPLES parents of two children, as usual, in block order, and so many live queries for
   * Position. One run: STEPS times an empty entity is created and the child in `renewals` moved below it. Sum: `sumOfParents`,
   * the new ones counted on behind the old.
   */
  renew: workload<{ queries: number }>({
    number: "W13",
    question: "does-a-new-parent-cost-queries",
    does: "creates a new parent and moves a random child below it, beside 50,000 parents and so many live queries",
    cells: [{ queries: 0 }, { queries: 50 }],
    quick: [{ queries: 50 }],
    proof: 1,
    pieces: () => STEPS,
    piece: "step",
  }),
  /**
   * Before each run: a fresh world with a template: a root with Position (1, 2) and Velocity (3, 4), and PARTS children with
   * Position (place, 2) and Velocity (3, 4); "distinct": each child has a tag of its own as well. One run: INSTANCES copies of it.
   * Sum: how many entities, and Position.x over all.
   */
  instances: workload<{ parts: "same" | "distinct" }>({
    number: "W14",
    question: "what-does-an-instance-cost",
    does: "creates 10,000 copies of a template with ten children",
    cells: [{ parts: "same" }, { parts: "distinct" }],
    quick: [{ parts: "same" }],
    proof: 1,
    pieces: () => INSTANCES * (PARTS + 1),
    piece: "entity",
  }),
  /**
   * Before: a character of 48 nodes so many times, beside 50 live queries. One run is one frame, as `frame-work.ts` tells. Sum:
   * `sumOfFrame`: of world matrices and positions, of everyone's parent, and of the answers of the live queries.
   */
  frame: workload<{ instances: number }>({
    number: "game frame",
    question: "how-long-is-a-game-frame",
    does: "movement, world matrices, and 1 % of all nodes reparented, 1 % destroyed, 1 % spawned, for so many characters of 48 nodes",
    cells: [{ instances: 1_000 }],
    quick: [{ instances: 50 }],
    proof: 20,
    pieces: () => 1,
    piece: "frame",
    calls: 40,
    countsGarbage: true,
  }),
} as const;

export type WorkloadName = keyof typeof WORKLOADS;
export type Given<Name extends WorkloadName> = (typeof WORKLOADS)[Name]["cells"][number];

/** Of this run: fewer under `--quick`. */
export function cellsOf<Name extends WorkloadName>(name: Name): readonly Given<Name>[] {
  const { quick, cells } = WORKLOADS[name];
  return isQuick ? quick : cells;
}

export function piecesOf(name: WorkloadName, given: Given<WorkloadName>): number {
  const pieces = WORKLOADS[name].pieces as (given: Given<WorkloadName>) => number;
  return pieces(given);
}
