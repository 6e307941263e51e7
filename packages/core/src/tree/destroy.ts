import { destroyAll } from "../destroy/destroy.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { isLiving } from "../records/entity-index.ts";
import { enqueue, mustQueue } from "../world/state/lock.ts";
import { requireHandle } from "../world/state/require.ts";
import type { World } from "../world/state/world.ts";

/**
 * The death of an entity and of all that dies with it: everything below it, in both storages, what other relations with
 * `onTargetDeath: "delete"` reach, and, if one of the dying stands for a definition, those for whom its policy says so.
 * Children die before their parents, siblings in order, each entity once. Pairs of survivors that point at the dead are
 * removed. A dead entity is left alone.
 *
 * Where nobody listens, whole tables die at once and the order cannot be seen. Cost: the dying rows and tables;
 * iterative, whatever the depth.
 *
 * @throws TreelineError `dead-entity` for what can be no handle; `refused` if a survivor holds one of the dying by a
 *   relation with `onTargetDeath: "refuse"`, if the policy of a definition refuses, or for a builtin; nothing has changed
 *   then. `visiting` in a strict world inside a visit, else it waits for the end of that.
 */
export function destroy(world: World, entity: Entity): void {
  if (world.visits === 0 && isLiving(world.entities, entity)) {
    destroyAll(world, [indexOf(entity)]);
    return;
  }
  requireHandle(world, entity);
  if (world.visits !== 0 && mustQueue(world)) queueDestroy(world, entity);
}

function queueDestroy(world: World, entity: Entity): void {
  const touched = world.standing.size > 0 ? 0 : indexOf(entity); // a definition may go with it
  enqueue(world, touched, () => {
    if (isLiving(world.entities, entity)) destroyAll(world, [indexOf(entity)]);
  });
}
