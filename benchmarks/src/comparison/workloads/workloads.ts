// All workloads of the comparison, what one run does and its checksum (`WORKLOADS`); which contestants play them.
import { type TreeName, treeOf } from "../../fixtures/trees.ts";
import { isQuick } from "../../measure/settings.ts";
import { OWN_WORKLOADS } from "./own-workloads.ts";
import { CYCLES, ENTITIES, INSTANCES, LOOKUPS, PARTS, SIBLING_PARENTS, SIBLINGS, STEPS } from "./sizes.ts";
import { STORAGE_WORKLOADS } from "./storage-workloads.ts";
import { type Kind, STORAGES, type Stores, workload } from "./workload.ts";

export {
  BRANCHES,
  CYCLES,
  ENTITIES,
  FEW,
  INSTANCES,
  LEFT_OUT,
  LEVELS,
  LOOKUPS,
  NAME_PARENTS,
  PARTS,
  RENEW_PARENTS,
  REPARENT_PARENTS,
  SIBLING_PARENTS,
  SIBLINGS,
  STEPS,
  VICTIMS,
} from "./sizes.ts";

const TREES = [{ tree: "a" }, { tree: "b" }, { tree: "c" }, { tree: "c2" }, { tree: "d" }] as const;
/**
 * "As usual" means: entity number i has Position (i % 1024, 0) and Velocity (1, 1 + i % 3); `inputs.ts` has the parents of
 * children. Parents have neither component. Checksums use numbers of entities, so they do not depend on handles.
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
   * Before: SIBLING_PARENTS parents with SIBLINGS children each, as usual, in block order. One run: for each parent in
   * `shuffledParents` the sum of Position.x over its children is stored in a list by parent. Sum: of that list, weighted.
   */
  siblings: workload<{ parents: number }>({
    number: "W3",
    question: "how-fast-are-the-children-of-one-parent",
    does: "sum of Position.x over the 100 children of one parent, for 1,000 parents in a shuffled order",
    cells: [{ parents: 1_000 }],
    quick: [{ parents: 200 }],
    proof: 1,
    pieces: () => SIBLING_PARENTS * SIBLINGS,
    piece: "child",
  }),
  /**
   * Before: the nodes of a tree with Local (1 + i % 3, 1) and World (0, 0), created in order, each below its parent. One run:
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
   * Before: ENTITIES children, as usual, of REPARENT_PARENTS parents in block order. One run: all move to the parents in the next
   * of `movesOf`, in creation order or shuffled. Sum: `sumOfParents`, and `sumOfCounts`.
   */
  reparent: workload<{ order: "creation" | "shuffled" | "few" }>({
    number: "W6",
    question: "what-does-a-reparent-cost",
    does: "moves 100,000 children among 1,000 parents that have children, each to a random one",
    cells: [{ order: "creation" }, { order: "shuffled" }],
    quick: [{ order: "shuffled" }],
    proof: 2,
    pieces: () => ENTITIES,
    piece: "move",
  }),
  /**
   * Before each run: a fresh world with the tree of `cascade`. One run: its roots are destroyed. Sum: how many nodes are alive, +
   * 1.
   */
  destroy: workload<{ tree: TreeName }>({
    number: "W7",
    question: "what-does-a-destroy-cost",
    does: "destroys the root of a tree with everything below it",
    cells: TREES,
    quick: [{ tree: "small" }],
    proof: 1,
    pieces: ({ tree }) => treeOf(tree).length,
    piece: "node",
  }),
  /**
   * Before: ENTITIES roots, as usual. One run does one thing to all of them, in order: "tag": a tag is added, then removed from
   * all; "component": the same with a component Mass (one f32) of value 2; "get": Position is read and x added up in a total;
   * "set": Position is set to (x of the entity's number, run number). Sum: `sumOfPlaces`, and the total.
   */
  change: workload<{
    operation: "tag" | "component" | "get" | "set" | "pair" | "put";
    order?: "creation" | "shuffled";
  }>({
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
   * Before: the entities of `namedTree`, each with its name. One run: for each of the tree's `leaves`, "path": the entity with
   * its whole path from the roots is stored in a list; "child": the same by its name among the children of its parent; "write":
   * its path is written, and its last character read; "parent": its parent is stored in a list. Contestants without names, but
   * with relations, do only the last one. Sum: `sumOfNodes` of that list, or `sumOfTexts`.
   */
  names: workload<{ operation: "path" | "child" | "write" | "parent" }>({
    number: "W9",
    question: "how-fast-are-names",
    does: "finds random leaves of 111,111 named entities in a tree by path and by name, writes their paths, reads their parents",
    cells: [{ operation: "path" }, { operation: "child" }, { operation: "write" }, { operation: "parent" }],
    quick: [{ operation: "path" }, { operation: "write" }],
    proof: 1,
    pieces: () => LOOKUPS,
    piece: "lookup",
  }),
  /**
   * Before: `queries` queries for Position are live. One run: CYCLES times a parent is created, and a child of it with Position,
   * and the parent is destroyed with the child. Sum: how many of them are alive, + 1.
   */
  churn: workload<{ queries: number }>({
    number: "W11",
    question: "what-does-table-churn-cost",
    does: "creates a parent with a child, and destroys both again, beside so many live queries",
    cells: [{ queries: 0 }, { queries: 1 }, { queries: 50 }],
    quick: [{ queries: 1 }],
    proof: 1,
    pieces: () => CYCLES,
    piece: "cycle",
  }),
  /**
   * Before: the world of `iterate` in block order. One run: a query for Position and Velocity is built, its matches are counted
   * (that sum is kept), and it is freed. Sum: the last count.
   */
  query: workload<{ parents: number }>({
    number: "W12",
    question: "what-does-a-query-cost",
    does: "builds a query over an existing world, counts its matches, and frees it",
    cells: [{ parents: 1 }, { parents: 1_000 }, { parents: 10_000 }, { parents: 50_000 }],
    quick: [{ parents: 10_000 }],
    proof: 1,
    pieces: () => 1,
    piece: "query",
  }),
  /**
   * Before each run: a fresh world with RENEW_PARENTS parents of two children, as usual, in block order, and `queries` live
   * queries for Position. One run: STEPS times an empty entity is created and the child in `renewals` moved below it. Sum:
   * `sumOfParents`; numbers of new parents follow those of the old ones.
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
   * Position (place, 2) and Velocity (3, 4); "distinct": each child also has a different tag. One run: INSTANCES copies of it.
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
   * Before: `instances` characters of 48 nodes, beside 50 live queries. One run is one frame, as in `game-frame/work.ts`. Sum:
   * `sumOfFrame`: of world matrices and positions, of the parent of each node, and of the matches of the live queries.
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
  ...STORAGE_WORKLOADS,
  ...OWN_WORKLOADS,
} as const;

export type WorkloadName = keyof typeof WORKLOADS;
export type Given<Name extends WorkloadName> = (typeof WORKLOADS)[Name]["cells"][number];

export function isWorkloadName(name: string): name is WorkloadName {
  return Object.hasOwn(WORKLOADS, name);
}

/** Workloads of the comparison, or those of a kind. */
export function workloadsOf(kind: Kind | undefined): readonly WorkloadName[] {
  const names = Object.keys(WORKLOADS) as WorkloadName[];
  return names.filter((name) => kindOf(name) === kind);
}

export function kindOf(name: WorkloadName): Kind | undefined {
  const { kind } = WORKLOADS[name] as { readonly kind?: Kind };
  return kind;
}

/** Whether a contestant is tried: it may still reply that it cannot. */
export function isPlayedBy(name: WorkloadName, contestant: string): boolean {
  const { contestants, stores = "parents" } = WORKLOADS[name] as {
    readonly contestants?: readonly string[];
    readonly stores?: Stores;
  };
  if (contestants !== undefined) return contestants.includes(contestant);
  return !STORAGES[stores === "parents" ? "components" : "parents"].includes(contestant);
}

/** The workloads under which a contestant may have its subject, the first one first. */
export function subjectNamesOf(name: WorkloadName): readonly WorkloadName[] {
  const { as } = WORKLOADS[name] as { readonly as?: WorkloadName };
  return as === undefined ? [name] : [name, ...subjectNamesOf(as)];
}

/** The cells of this run: fewer under `--quick`. */
export function cellsOf<Name extends WorkloadName>(name: Name): readonly Given<Name>[] {
  const { quick, cells } = WORKLOADS[name];
  return isQuick ? quick : cells;
}

export function piecesOf(name: WorkloadName, given: Given<WorkloadName>): number {
  const pieces = WORKLOADS[name].pieces as (given: Given<WorkloadName>) => number;
  return pieces(given);
}
