// An entity that is not made yet (`Draft`), and where handles go (`Patch`, `applyPatches`).
import type { Entity } from "@treeline/core";
import type { Draft } from "../format/entities.ts";

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
