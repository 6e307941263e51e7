// The records that the stages of a change pass on: `SpawnPlan`, `Group`, `Goal`, `Effects`, `Change`.
import type { Arrivals, TableType } from "../../graph/graph.ts";
import type { Definition, PlainTerm } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import type { Archetype } from "../../storage/archetype.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import type { WorldEvent } from "./event-list.ts";

/**
 * The archetype and columns of a list of definitions, in their order; cached, since programs often spawn the same kinds of
 * entities.
 */
export interface SpawnPlan {
  readonly definitions: readonly Definition[];
  /** The same, and behind them what they require. */
  readonly all: readonly Definition[];
  readonly archetype: Archetype;
  /** The tags among all of them that are stored as bits, and the relations whose pairs are in no type, once for each pair. */
  readonly tags: readonly Definition[];
  /** The place of the term of the parent; -1 if there is none. */
  readonly parentAt: number;
  /** Has it other pairs in its type? */
  readonly hasPairs: boolean;
  /** The lanes of all fields in the order of the terms, if all fields are f32 and every column has a term; otherwise empty. */
  readonly flatLanes: Int32Array;
}

/** Entities that are spawned with the same terms. */
export interface Group {
  readonly plan: SpawnPlan;
  terms: readonly PlainTerm[];
  /** Entity indexes. Pending entities have theirs already; the others are 0 until they get one. */
  readonly indexes: number[];
  /** The table in which rows have been reserved; 0 before. */
  table: TableNumber;
  /** The pair of the parent, or 0. */
  parentPair: PairNumber;
}

/** @param given the terms of the plan. Required ones come last, so that values that have been collected keep their places. */
export function groupOf(plan: SpawnPlan, given: readonly PlainTerm[], indexes: number[]): Group {
  const { all } = plan as { readonly all: readonly PlainTerm[] };
  const terms = all.length === given.length ? given : [...given, ...all.slice(given.length)];
  return { plan, terms, indexes, table: 0, parentPair: 0 };
}

/** What an entity will become: one record per world, reset by each change. */
export interface Goal {
  /** The index of the entity. */
  index: number;
  archetype: Archetype;
  /** How many pairs it will have: the first `count` of `graph.wanted`, sorted. */
  count: number;
  /** The pair of its parent, or 0. */
  parentPair: PairNumber;
  /** For a new parent: the index of the child before which it will be inserted; 0 for the end. */
  place: number;
  /** NEEDS_ bits of the definitions that are added or removed; those of another parent are determined when the change is made. */
  needs: number;
  /** New pairs of relations with many targets, in the given order. */
  added: readonly PairNumber[];
  /** What changes outside of its type, in order. */
  turned: Turn[] | undefined;
}

/** A tag stored as bits, or a pair in no type, that an entity gets or loses. */
export interface Turn {
  readonly definition: Definition;
  readonly on: boolean;
  /** The index of the target of a pair; for tags 0 or undefined, and undefined where all pairs of a relation are removed. */
  readonly target?: number | undefined;
}

export function createGoal(archetype: Archetype): Goal {
  return { index: 0, archetype, count: 0, parentPair: 0, place: 0, needs: 0, added: [], turned: undefined };
}

/** The events of a change: `removed` is reported before it is made, `added` after it. */
export interface ChangeEvents {
  readonly removed: WorldEvent[];
  readonly added: WorldEvent[];
}

export interface TypeChange {
  readonly index: number;
  readonly was: TableType;
  readonly is: TableType;
}

/** The other entities that a change moves. */
export interface Effects {
  /** Rows to reserve for them, and the pairs that are added to them. */
  readonly arrivals: readonly Arrivals[];
  readonly made: readonly PairNumber[];
  /** The tables with the reserved rows: parallel to `arrivals`. */
  tables: readonly TableNumber[];
  /** Lists their change events. */
  list(events: ChangeEvents): void;
  /** Moves the entities. */
  commit(): void;
}

/** A component with hooks, and the value that it will have on an entity. */
export interface Change {
  /** `undefined` for an entity that is about to be spawned. */
  readonly entity: Entity | undefined;
  readonly definition: Definition;
  /** The parent that the entity will have; or, for a value that identifies siblings, what contains it: see `ContainerWork`. */
  parent: Entity | undefined;
  /** The whole value; after `check` has returned another value, the given fields of that one. */
  value: unknown;
  /** `check` has returned another value. */
  isReplaced: boolean;
  /** True if the verb writes the value; false if the value stays and only the parent changes. */
  readonly isGiven: boolean;
  /** The present value; `undefined` if there is none. */
  readonly before: unknown;
}

export const NO_CHANGES: readonly Change[] = [];
export const NO_TAGS: readonly Definition[] = [];
