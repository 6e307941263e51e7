import { TreelineError } from "../base/error.ts";
import { GENERATIONS_PER_WORLD } from "../base/limits.ts";
import { type Entity, generationOf, indexOf } from "../id/entity.ts";
import { isLiving } from "../records/entity-index.ts";
import type { World } from "./world.ts";

/** @throws TreelineError `dead-entity` unless the handle is of an entity alive in this world. */
export function requireAlive(world: World, entity: Entity): void {
  if (!isLiving(world.entities, entity)) throw new TreelineError("dead-entity", deadText(world, entity));
}

function deadText({ entities }: World, entity: Entity): string {
  if (typeof entity !== "number" || !Number.isSafeInteger(entity) || entity <= 0) {
    return `${String(entity)} is no entity; pass a handle that spawn gave`;
  }
  let foreign = false;
  CHECK: {
    const block = (generation: number): number => Math.floor((generation - 1) / GENERATIONS_PER_WORLD);
    foreign = block(generationOf(entity)) !== block(entities.firstGeneration);
  }
  const text = `entity ${entity} (index ${indexOf(entity)}, generation ${generationOf(entity)})`;
  return foreign
    ? `${text} is of another world; use it with the world that spawned it`
    : `${text} is not alive; ask isAlive before using a handle that you kept`;
}

export function textOf(world: World, entity: Entity): string {
  return world.textOf(world, entity);
}
