import type { Entity, Numbers, World } from "@treeline/core";
import {
  type ArchetypeView,
  archetypeViewAt,
  ChildOf,
  columnsOf,
  hasDefinition,
  indexOf,
  pairCursor,
  requireAlive,
  rowAt,
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

/** The local transform by which an entity is placed. */
export function localKindOf({ locals }: Space, archetype: ArchetypeView): LocalKind | undefined {
  for (let at = 0; at < locals.length; at++)
    if (hasDefinition(archetype, locals[at]!.component)) return locals[at];
  return undefined;
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
      const archetype = archetypeViewAt(world, one);
      const isPlaced = hasDefinition(archetype, space.world);
      if ((isPlaced || one === index) && localKindOf(space, archetype) !== undefined) chain[length++] = one;
      else if (isPlaced) {
        above = (columnsOf(archetype, space.world) as { readonly matrix: Numbers }).matrix;
        aboveRow = rowAt(world, one);
        break;
      }
    }
    const pair = pairs.at(one, ChildOf);
    one = pair === 0 ? 0 : pairs.target(pair);
  }
  if (length === 0) {
    const size = into.length;
    for (let at = 0; at < size; at++) into[at] = above[aboveRow * size + at]!;
  }
  const part = scratch(parts, space);
  while (length > 0) {
    const one = chain[--length]!;
    const archetype = archetypeViewAt(world, one);
    const { component, place } = localKindOf(space, archetype)!;
    const to = length % 2 === 0 ? into : part;
    place(columnsOf(archetype, component) as never, rowAt(world, one), above, aboveRow, to, 0);
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
