import type { Entity, Numbers, World } from "@treeline/core";
import {
  archetypeViewAt,
  ChildOf,
  columnsOf,
  hasDefinition,
  indexOf,
  pairCursor,
  requireAlive,
  rowAt,
} from "@treeline/core/internal";
import type { Space } from "./space.ts";

/** By length: a matrix for what is computed in between. */
const parts: Float64Array[] = [];

/**
 * Computes the world matrix of the entity at an index from the local transforms of it and its ancestors, in 64 bits.
 *
 * @param isOwn false for the matrix that its local transform is relative to.
 */
export function freshMatrix(world: World, space: Space, index: number, isOwn: boolean, into: Numbers): void {
  const { identity, locals, multiply } = space;
  const pairs = pairCursor(world);
  const part = (parts[identity.length] ??= identity.slice());
  into.set(identity);
  let isCounted = isOwn;
  for (let one = index; ; ) {
    const archetype = archetypeViewAt(world, one);
    const isPlaced = hasDefinition(archetype, space.world);
    if (isCounted && (isPlaced || one === index)) {
      const row = rowAt(world, one);
      let kind = locals[0];
      for (let at = 1; kind !== undefined && !hasDefinition(archetype, kind.component); at++)
        kind = locals[at];
      if (kind !== undefined) {
        kind.place(columnsOf(archetype, kind.component) as never, row, identity, 0, part, 0);
        multiply(into, 0, part, 0, into, 0);
      } else if (isPlaced) {
        const { matrix } = columnsOf(archetype, space.world) as { readonly matrix: Numbers };
        multiply(into, 0, matrix, row, into, 0);
        return;
      }
    }
    isCounted = true;
    const pair = pairs.at(one, ChildOf);
    if (pair === 0) return;
    one = pairs.target(pair);
  }
}

/** The same for an entity that must be alive. @throws TreelineError `dead-entity`. */
export function freshMatrixOf(world: World, space: Space, entity: Entity, into: Float64Array): Float64Array {
  requireAlive(world, entity);
  freshMatrix(world, space, indexOf(entity), true, into);
  return into;
}
