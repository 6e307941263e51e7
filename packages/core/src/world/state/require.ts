import { shown, TreelineError } from "../../base/error.ts";
import { GENERATIONS_PER_WORLD } from "../../base/limits.ts";
import { isDefinition } from "../../id/definition.ts";
import { type Entity, generationOf, indexOf } from "../../id/entity.ts";
import { isLiving } from "../../records/entity-index.ts";
import type { World } from "./world.ts";

/** @throws TreelineError `dead-entity` unless the handle is of an entity alive in this world. */
export function requireAlive(world: World, entity: Entity): void {
  if (!isLiving(world.entities, entity)) throw new TreelineError("dead-entity", deadText(world, entity));
}

/**
 * For questions: nobody has a pair with the dead, but what can be no handle at all is a mistake.
 *
 * @throws TreelineError `dead-entity` unless it has the form of a handle.
 */
export function requireHandle(world: World, entity: number): void {
  if (!isHandle(entity)) throw new TreelineError("dead-entity", deadText(world, entity as Entity));
}

function isHandle(entity: unknown): boolean {
  return Number.isSafeInteger(entity) && (entity as number) > 0;
}

function deadText({ entities }: World, entity: Entity): string {
  if (!isHandle(entity)) {
    const text = isDefinition(entity) ? entity.name : shown(entity);
    return `${text} is no entity; pass a handle that spawn gave`;
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
