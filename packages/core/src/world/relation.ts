import { TreelineError } from "../base/error.ts";
import type { Definition } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import { requireAlive } from "./require.ts";
import { pairAt, parentAt } from "./targets.ts";
import type { World } from "./world.ts";

/** Is this the handle of an entity that lives in this world? Never throws. */
export function isAlive(world: World, entity: Entity): boolean {
  return isLiving(world.entities, entity);
}

/**
 * The target of a relation; of one that is not exclusive, any one of the targets, the same for the same type.
 *
 * @returns `undefined` if the entity has no pair of it.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` if `relation` is no relation.
 */
export function targetOf(
  world: World,
  entity: Entity,
  relation: Definition & { readonly kind: "relation" },
): Entity | undefined {
  requireAlive(world, entity);
  if (relation.kind !== "relation") {
    throw new TreelineError("bad-term", `${String((relation as Definition).name)} is no relation`);
  }
  const pair = pairAt(world, indexOf(entity), relation);
  return pair === 0 ? undefined : handleAt(world.entities, world.graph.pairs.target[pair]!);
}

/**
 * The parent: the target of ChildOf.
 *
 * @returns `undefined` for a root.
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function parentOf(world: World, entity: Entity): Entity | undefined {
  requireAlive(world, entity);
  return parentAt(world, indexOf(entity));
}
