// The matrix of this moment (`freshMatrix`), in 64 bits.
import { type Component, type Entity, get, has, type Numbers, type World } from "@treeline/core";
import {
  archetypeViewAt,
  ChildOf,
  columnsOf,
  handleOf,
  hasDefinition,
  indexOf,
  pairCursor,
  requireAlive,
  rowAt,
  tableAt,
} from "@treeline/core/internal";
import type { LocalKind, Space } from "./space.ts";

/** By length: matrices for what is computed in between. Nothing that a program gives is called while they are in use. */
const parts: Float64Array[] = [];
const bases: Float64Array[] = [];
const results: Float64Array[] = [];
/** Indexes of entities with a local transform, the nearest first. Only the first ones are valid. */
const chain: number[] = [];

function scratch(list: Float64Array[], { identity }: Space): Float64Array {
  list[identity.length] ??= identity.slice();
  return list[identity.length]!;
}

/** A matrix that the next call of this function returns again. */
export function scratchBase(space: Space): Float64Array {
  return scratch(bases, space);
}

/** Another one. */
export function scratchResult(space: Space): Float64Array {
  return scratch(results, space);
}

/** The local transform by which the entity at an index is placed. */
export function localKindOf(world: World, { locals }: Space, index: number): LocalKind | undefined {
  for (let at = 0; at < locals.length; at++)
    if (hasComponent(world, index, locals[at]!.component)) return locals[at];
  return undefined;
}

/** Does the entity at an index have a component, or was it given it while its spawn is pending? */
export function hasComponent(world: World, index: number, component: Component): boolean {
  if (tableAt(world, index) === 0) return has(world, handleOf(world, index), component);
  return hasDefinition(archetypeViewAt(world, index), component);
}

/** The columns that have the value of a component; of a pending entity, which has no row, a copy as columns of one row. */
export function columnsAt(world: World, index: number, component: Component): unknown {
  if (tableAt(world, index) !== 0) return columnsOf(archetypeViewAt(world, index), component);
  const value = get(world, handleOf(world, index), component) as { readonly [field: string]: unknown };
  const columns = Object.entries(value).map(([field, given]) => [
    field,
    typeof given === "number" ? [given] : given,
  ]);
  return Object.fromEntries(columns);
}

/** The row in `columnsAt`. */
export function rowOf(world: World, index: number): number {
  return tableAt(world, index) === 0 ? 0 : rowAt(world, index);
}

/**
 * Computes the world matrix of the entity at an index from the local transforms of it and its ancestors, in 64 bits.
 *
 * @param isOwn false for the matrix that its local transform is relative to.
 */
export function freshMatrix(
  world: World,
  space: Space,
  index: number,
  isOwn: boolean,
  into: Float64Array,
): void {
  const pairs = pairCursor(world);
  let length = 0;
  let above: Numbers = space.identity;
  let aboveRow = 0;
  for (let one = index; one !== 0; ) {
    if (isOwn || one !== index) {
      const isPlaced = hasComponent(world, one, space.world);
      if ((isPlaced || one === index) && localKindOf(world, space, one) !== undefined) chain[length++] = one;
      else if (isPlaced) {
        above = (columnsAt(world, one, space.world) as { readonly matrix: Numbers }).matrix;
        aboveRow = rowOf(world, one);
        break;
      }
    }
    one = pairs.targetAt(one, ChildOf);
  }
  if (length === 0) {
    const size = into.length;
    for (let at = 0; at < size; at++) into[at] = above[aboveRow * size + at]!;
  }
  const part = scratch(parts, space);
  while (length > 0) {
    const one = chain[--length]!;
    const { component, place } = localKindOf(world, space, one)!;
    const to = length % 2 === 0 ? into : part;
    place(columnsAt(world, one, component) as never, rowOf(world, one), above, aboveRow, to, 0);
    above = to;
    aboveRow = 0;
  }
}

/** The same for an entity that must be alive. @throws TreelineError `dead-entity`. */
export function freshMatrixOf(world: World, space: Space, entity: Entity, into: Float64Array): Float64Array {
  requireAlive(world, entity);
  freshMatrix(world, space, indexOf(entity), true, into);
  return into;
}
