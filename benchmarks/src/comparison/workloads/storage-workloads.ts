// Workloads about the storage of components, and about many entities at once (`STORAGE_WORKLOADS`).
import { ENTITIES, FEW, LEFT_OUT, VICTIMS } from "./sizes.ts";
import { FRESH, STORAGES, workload } from "./workload.ts";

/** Entities of `cut` that match: the others have the tag. */
const KEPT = ENTITIES - LEFT_OUT;

/** Those that are compared in fresh processes. */
const FRESH_COMPONENTS = [...STORAGES.components, "piecs", "bitecs-list"];
const FRESH_MANY = [...STORAGES.parents, "piecs", "bitecs-list"];

/** Workloads that storages for components were made for, and changes of many entities at once; "as usual" as in `workloads.ts`. */
export const STORAGE_WORKLOADS = {
  /**
   * Before: ENTITIES roots, as usual. One run does one thing to all of them, in order of creation or in `turnsOf`: "tag": a tag is
   * added, then removed from all; "pair": the same with a component Aim (2, 3), two f32; "get": Position.x is read and added up in a
   * total; "put": Position.x is set to (turn + run number) % 1024. Sum: as in `change`.
   */
  handles: workload<{ operation: "tag" | "pair" | "get" | "put"; order: "creation" | "shuffled" }>({
    number: "W15",
    question: "which-storage",
    does: "adds and removes a tag or a component of two fields, reads or writes one field, for 100,000 entities by their handles",
    cells: (["tag", "pair", "get", "put"] as const).flatMap((operation) => [
      { operation, order: "creation" as const },
      { operation, order: "shuffled" as const },
    ]),
    quick: [
      { operation: "tag", order: "shuffled" },
      { operation: "pair", order: "creation" },
      { operation: "put", order: "shuffled" },
    ],
    proof: 2,
    pieces: ({ operation }) => (operation === "tag" || operation === "pair" ? 2 : 1) * ENTITIES,
    piece: "operation",
    as: "change",
    stores: "components",
  }),
  /**
   * Before: ENTITIES children of one parent, or roots, as usual; "tenth": those in `cutOf` have a tag. One run: position += velocity
   * for all without the tag. Sum: `sumOfPlaces`.
   */
  cut: workload<{ without: "none" | "tenth" }>({
    number: "W16",
    question: "which-storage",
    does: "position += velocity for 100,000 entities, or for those without a tag that every tenth has, at random",
    cells: [{ without: "none" }, { without: "tenth" }],
    quick: [{ without: "none" }, { without: "tenth" }],
    proof: 2,
    pieces: ({ without }) => (without === "none" ? ENTITIES : KEPT),
    piece: "match",
    stores: "components",
  }),
  /** The work of `spawn`, in one call where there is one. */
  spawnRows: workload<{ parents: number }>({
    number: "W17",
    question: "many-at-once",
    does: "creates 100,000 entities with two components below so many parents, by columns where the library has a call for it",
    cells: [{ parents: 1_000 }],
    quick: [{ parents: 1_000 }],
    proof: 1,
    pieces: () => ENTITIES,
    piece: "entity",
    as: "spawn",
  }),
  /**
   * Before each run: a fresh world with 1,000 parents; "existing": with ENTITIES children, as usual, in block order. One run:
   * "existing": they get the names of `textsOf`; "spawned": they are created with them. Sum: `sumOfNamed`.
   */
  nameMany: workload<{ children: "spawned" | "existing" }>({
    number: "W18",
    question: "many-at-once",
    does: "creates 100,000 named entities with two components below 1,000 parents, or names 100,000 that exist, so that each is found by its name",
    cells: [{ children: "spawned" }, { children: "existing" }],
    quick: [{ children: "spawned" }, { children: "existing" }],
    proof: 1,
    pieces: () => ENTITIES,
    piece: "entity",
  }),
  /** The work of `reparent` for FEW random children, in one call where there is one. */
  reparentMany: workload<{ order: "few" }>({
    number: "W19",
    question: "many-at-once",
    does: "moves 1,000 of 100,000 children among 1,000 parents, each to a random one, in one call where the library has one",
    cells: [{ order: "few" }],
    quick: [{ order: "few" }],
    proof: 2,
    pieces: () => FEW,
    piece: "move",
    as: "reparent",
  }),
  /** The work of `destroy` for the leaves in `victimsOf`, in one call where there is one. */
  destroyMany: workload<{ tree: "leaves" }>({
    number: "W20",
    question: "many-at-once",
    does: "destroys 10,000 of 100,000 children below 1,000 parents, at random, in one call where the library has one",
    cells: [{ tree: "leaves" }],
    quick: [{ tree: "leaves" }],
    proof: 1,
    pieces: () => VICTIMS,
    piece: "leaf",
    as: "destroy",
  }),
  firstTags: workload<{ operation: "tag"; order: "creation" }>({
    ...FRESH,
    as: "handles",
    does: "adds a tag to 100,000 entities, and removes it",
    cells: [{ operation: "tag", order: "creation" }],
    quick: [{ operation: "tag", order: "creation" }],
    pieces: () => 2 * ENTITIES,
    piece: "operation",
    contestants: FRESH_COMPONENTS,
  }),
  firstPairs: workload<{ operation: "pair"; order: "creation" }>({
    ...FRESH,
    as: "handles",
    does: "adds a component of two fields to 100,000 entities, and removes it",
    cells: [{ operation: "pair", order: "creation" }],
    quick: [{ operation: "pair", order: "creation" }],
    pieces: () => 2 * ENTITIES,
    piece: "operation",
    contestants: FRESH_COMPONENTS,
  }),
  firstWrites: workload<{ operation: "put"; order: "creation" }>({
    ...FRESH,
    as: "handles",
    does: "writes one field of 100,000 entities by their handles",
    cells: [{ operation: "put", order: "creation" }],
    quick: [{ operation: "put", order: "creation" }],
    pieces: () => ENTITIES,
    piece: "write",
    contestants: FRESH_COMPONENTS,
  }),
  firstRows: workload<{ parents: number }>({
    ...FRESH,
    as: "spawnRows",
    does: "creates 100,000 entities with two components below 1,000 parents, by columns where there is a call for it",
    cells: [{ parents: 1_000 }],
    quick: [{ parents: 1_000 }],
    pieces: () => ENTITIES,
    piece: "entity",
    contestants: FRESH_MANY,
  }),
  firstMoves: workload<{ order: "few" }>({
    ...FRESH,
    as: "reparentMany",
    does: "moves 1,000 of 100,000 children to other parents, in one call where there is one",
    cells: [{ order: "few" }],
    quick: [{ order: "few" }],
    pieces: () => FEW,
    piece: "move",
    contestants: FRESH_MANY,
  }),
  firstLeaves: workload<{ tree: "leaves" }>({
    ...FRESH,
    as: "destroyMany",
    does: "destroys 10,000 of 100,000 children, in one call where there is one",
    cells: [{ tree: "leaves" }],
    quick: [{ tree: "leaves" }],
    pieces: () => VICTIMS,
    piece: "leaf",
    contestants: FRESH_MANY,
  }),
} as const;
