// The size of a tree or of a part (`extentBelow`): entities, levels, deepest and widest entity, bytes.
import { children, type Entity, get, roots, type World } from "treeline";
import { Size } from "./components.ts";

/** The size of a tree, or of the part below one entity. */
export interface Extent {
  /** All entities in it, level by level. */
  readonly entities: readonly Entity[];
  readonly levels: number;
  /** The first of the deepest entities; `undefined` if there are no entities. */
  readonly deepest: Entity | undefined;
  /** The entity with the most children; `undefined` if no entity has children. */
  readonly widest: Entity | undefined;
  readonly mostChildren: number;
  /** The sum of the sizes of all files; `undefined` if no size is known. */
  readonly bytes: number | undefined;
}

/** The children of an entity, or all roots. */
export function childrenOrRoots(world: World, parent: Entity | undefined): Entity[] {
  return parent === undefined ? roots(world) : children(world, parent);
}

/** Measures everything below an entity, or the whole tree. */
export function extentBelow(world: World, top: Entity | undefined): Extent {
  const entities: Entity[] = [];
  let levels = 0;
  let deepest: Entity | undefined;
  let widest: Entity | undefined;
  let mostChildren = 0;
  let bytes: number | undefined;
  let level = childrenOrRoots(world, top);
  while (level.length > 0) {
    levels += 1;
    deepest = level[0];
    const next: Entity[] = [];
    for (const entity of level) {
      entities.push(entity);
      const size = get(world, entity, Size)?.bytes;
      if (size !== undefined) bytes = (bytes ?? 0) + size;
      const below = children(world, entity);
      for (const child of below) next.push(child);
      if (below.length > mostChildren) {
        mostChildren = below.length;
        widest = entity;
      }
    }
    level = next;
  }
  return { entities, levels, deepest, widest, mostChildren, bytes };
}
