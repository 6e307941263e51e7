import { type Entity, get, type World } from "@treeline/core";
import { children } from "@treeline/query";
import { Size } from "./components.ts";

/** How large a tree is, or what is below one entity of it. */
export interface Extent {
  /** Everybody in it, level by level. */
  readonly entities: readonly Entity[];
  readonly levels: number;
  /** One of the deepest, the first of them; `undefined` if there is nobody. */
  readonly deepest: Entity | undefined;
  /** Who has the most children, and how many; `undefined` if nobody has any. */
  readonly widest: Entity | undefined;
  readonly mostChildren: number;
  /** The sizes of all files together; `undefined` if no size is known. */
  readonly bytes: number | undefined;
}

/** Looks at everything below an entity, or at the whole tree. */
export function extentBelow(world: World, top: Entity | undefined): Extent {
  const entities: Entity[] = [];
  let levels = 0;
  let deepest: Entity | undefined;
  let widest: Entity | undefined;
  let mostChildren = 0;
  let bytes: number | undefined;
  let level = children(world, top);
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
