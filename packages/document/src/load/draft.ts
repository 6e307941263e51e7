import type { Entity, SpawnTerm } from "@treeline/core";

/** An entity that a document describes. Its terms have no handles of other entities of the document yet: see `Patch`. */
export interface Draft {
  /** The place of its parent, which is a lower one; -1 for a root. */
  readonly parent: number;
  /** The parent is stored by `Parent`. */
  readonly isValueParent: boolean;
  /** For an entity with a parent, the last one is a gap for that. */
  readonly terms: SpawnTerm[];
  /** Of an entity of an instance: all its terms, without a parent; `terms` are what the document says of it, and have no gap. */
  readonly complete?: (spawned: readonly Entity[]) => SpawnTerm[];
}

/** Where the handle of an entity of the document goes. */
export interface Patch {
  readonly into: object;
  readonly member: string | number;
  /** The place of the entity; its id before all entities are read. */
  entity: number;
  /** For errors. */
  readonly place: () => string;
}

/** What a document describes: read and checked, with nothing made yet. */
export interface Drafts {
  readonly entities: readonly Draft[];
  readonly patches: readonly Patch[];
  /** id -> place. */
  readonly ids: ReadonlyMap<number, number>;
  /** For errors: where in the document the entity at a place is. */
  readonly placeOf: (place: number) => string;
}

export function applyPatches(patches: readonly Patch[], spawned: readonly Entity[]): void {
  for (const { into, member, entity } of patches)
    Object.defineProperty(into, member, {
      value: spawned[entity]!,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}
