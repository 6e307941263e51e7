import type { Entity, EntityIndex } from "../id/entity.ts";
import type { TableId } from "../storage/table.ts";
import type { World } from "../world/state/world.ts";

/** The handle of the entity that lives at an index. */
export function handleOf(world: World, index: EntityIndex): Entity {
  return world.entities.handles[index] as Entity;
}

/** The handles of all who live, by index; for loops over rows. Another array once there are more entities than before. */
export function handlesOf(world: World): Float64Array {
  return world.entities.handles;
}

/** The table of the entity that lives at an index; 0 while it waits for its row, since it was spawned inside a visit. */
export function tableAt(world: World, index: EntityIndex): TableId {
  const table = world.entities.table[index]!;
  return table === world.limbo ? 0 : table;
}

/** The absolute row of the entity at an index. */
export { rowAt } from "../world/state/values.ts";

/** How much there is room for in lists by number, 0 included, and how many entities are alive. */
export interface Sizes {
  readonly entities: number;
  readonly alive: number;
  readonly tables: number;
  readonly pairs: number;
}

/** A fresh record. */
export function sizesOf(world: World): Sizes {
  const { graph, entities } = world;
  return {
    entities: entities.length,
    alive: entities.alive,
    tables: graph.tables.length,
    pairs: graph.pairs.length,
  };
}
