// Entities that are selected for a document (`Selected`), and that one describes (`Draft`).
import type { Entity, SpawnTerm } from "@treeline/core";
import type { EntityIndex } from "@treeline/core/internal";

/** The entities of a document, parents before children, siblings in order. */
export interface Selected {
  readonly indexes: readonly EntityIndex[];
  /** By place: the place of the parent, -1 for a root. */
  readonly parents: readonly number[];
  /** By entity index: 1 + its place, or 0. */
  readonly places: Int32Array;
}

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
