// How a copy stores its parent (`storageOf`).
import type { Relation, World } from "@treeline/core";
import { archetypeViewAt, ChildOf, Parent } from "@treeline/core/internal";

/** How a copy of a part stores its parent: as the part does, unless it is given. */
export function storageOf(world: World, part: number, storage: Relation | undefined): Relation {
  return storage ?? (archetypeViewAt(world, part).hasValueParent ? Parent : ChildOf);
}
