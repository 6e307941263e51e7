import type { Arrivals, TableType } from "../../graph/graph.ts";
import type { Definition, PlainTerm } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import type { Archetype } from "../../storage/archetype.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import type { WorldEvent } from "./event-list.ts";

/** What a list of definitions leads to, in their order; kept, since programs spawn the same kinds of entities again and again. */
export interface SpawnPlan {
  readonly definitions: readonly Definition[];
  readonly archetype: Archetype;
  /** Tags among them that are stored as bits. */
  readonly tags: readonly Definition[];
  /** Place of the only term that is a pair; -1 if there is none. */
  readonly pairAt: number;
  /** Lanes of all fields in the order of the terms, if all are f32 and every column has a term; else none. */
  readonly flatLanes: Int32Array;
  /** The pair that was asked for last, and its table; the table may be gone. */
  lastPair: PairNumber;
  lastTable: TableNumber;
}

/** Entities that are spawned with the same terms. */
export interface Group {
  readonly plan: SpawnPlan;
  terms: readonly PlainTerm[];
  /** Those in limbo have their indexes already; the others are 0 until they get one. */
  readonly indexes: number[];
  /** Where rows have been reserved; 0 before. */
  table: TableNumber;
  /** The pair of the parent if it is stored by value, else 0. */
  valuePair: PairNumber;
}

export function groupOf(plan: SpawnPlan, terms: readonly PlainTerm[], indexes: number[]): Group {
  return { plan, terms, indexes, table: 0, valuePair: 0 };
}

/** What an entity is to become: one record of a world, begun anew by each change. */
export interface Goal {
  archetype: Archetype;
  /** How many pairs it will have: the first ones of `graph.wanted`, sorted. */
  count: number;
  /** The pair of its parent if that will be stored by value, else 0. */
  valuePair: PairNumber;
  /** Of a new parent: the index of the child that it will stand before; 0 for the end. */
  place: number;
  /** NEEDS_ bits of the definitions that come or go; those of another parent are found when it is made. */
  needs: number;
  /** New pairs of relations with many targets, in the order given. */
  added: readonly PairNumber[];
  /** Tags stored as bits that it gets, and those that it loses. */
  tagged: readonly Definition[];
  untagged: readonly Definition[];
}

export function createGoal(archetype: Archetype): Goal {
  return { archetype, count: 0, valuePair: 0, place: 0, needs: 0, added: [], tagged: [], untagged: [] };
}

/** What observers will be told of a change: before it is made, and after it. */
export interface ChangeEvents {
  readonly removed: WorldEvent[];
  readonly added: WorldEvent[];
}

export interface TypeChange {
  readonly index: number;
  readonly was: TableType;
  readonly is: TableType;
}

/** Entities that a change moves besides. */
export interface Effects {
  /** Rows to be reserved for them, and the pairs that they get. */
  readonly arrivals: readonly Arrivals[];
  readonly made: readonly PairNumber[];
  /** What has been reserved: parallel to `arrivals`. */
  tables: readonly TableNumber[];
  /** Lists what observers will be told of them. */
  list(events: ChangeEvents): void;
  /** Moves them. */
  commit(): void;
}

/** A component with hooks, and the value that an entity is about to have of it. */
export interface Change {
  /** `undefined` for one that is about to be spawned. */
  readonly entity: Entity | undefined;
  readonly definition: Definition;
  /** The parent that the entity will have. */
  readonly parent: Entity | undefined;
  /** The whole value; once `check` has answered with another one, the given fields of that. */
  value: unknown;
  /** `check` has answered with another value. */
  isReplaced: boolean;
  /** Written by the verb; else kept, while the parent changes. */
  readonly isGiven: boolean;
  /** The value until now; `undefined` if there is none. */
  readonly before: unknown;
}

export const NO_CHANGES: readonly Change[] = [];
export const NO_TAGS: readonly Definition[] = [];
