// How a handle is made of index and generation (`handleOf`, `indexOf`, `generationOf`).
import { INDEX_MASK, INDEX_SPAN } from "../base/limits.ts";

declare const kindOfNumber: unique symbol;

/** A type for numbers of one meaning: it accepts any plain number, but no number of another meaning. */
export type NumberOf<Kind extends string> = number & { readonly [kindOfNumber]?: Kind };

declare const entityBrand: unique symbol;

/**
 * The handle of one entity: generation * 2^24 + index. Valid in the world that returned it, until the entity is destroyed;
 * a stale handle never becomes valid again. 0 is never a valid handle.
 */
export type Entity = number & { readonly [entityBrand]: true };

/** Place in the entity index, from 1; 0 means no entity. */
export type EntityIndex = NumberOf<"entity index">;

/** Safe for every number, even if it is not a handle. */
export function indexOf(entity: number): EntityIndex {
  return entity & INDEX_MASK;
}

export function generationOf(entity: number): number {
  return (entity - (entity & INDEX_MASK)) / INDEX_SPAN;
}

export function handleOf(index: number, generation: number): Entity {
  return (generation * INDEX_SPAN + index) as Entity;
}
