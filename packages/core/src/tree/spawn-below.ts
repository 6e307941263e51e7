import { destroyAll } from "../destroy/destroy.ts";
import type { Relation, ValueTerm } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { insideVisit, mustQueue } from "../world/state/lock.ts";
import type { World } from "../world/state/world.ts";
import { insideScope, requireRoomForEntities, spawn, spawnNow } from "../world/verb/spawn.ts";

/**
 * Gives birth to a chain of entities, each below the one before it, whatever the scope: all of them or nobody. Inside a visit they
 * wait for its end, as with `spawn`.
 *
 * @param above the parent of the first; `undefined` if that is a root.
 * @param storage `ChildOf` or `Parent`.
 * @param terms what each has, from the first on.
 * @throws TreelineError `capacity`; and what `spawn` throws. Nothing has changed then.
 */
export function spawnBelow(
  world: World,
  above: Entity | undefined,
  storage: Relation,
  terms: readonly ValueTerm[],
): Entity[] {
  requireRoomForEntities(world, terms.length);
  const born: Entity[] = [];
  const isLater = terms.length > 0 && mustQueue(world);
  const bearEach = (): void => {
    for (const term of terms) {
      const parent = born.at(-1) ?? above;
      const own = parent === undefined ? [term] : [term, storage(parent)];
      born.push(isLater ? spawn(world, ...own) : spawnNow(world, own));
    }
  };
  if (isLater) {
    insideScope(world, undefined, bearEach);
    return born;
  }
  // One visit, so that listeners that throw do so when all are born.
  insideVisit(world, () => {
    try {
      bearEach();
    } catch (error) {
      if (born.length > 0) destroyAll(world, [indexOf(born[0]!)]);
      throw error;
    }
  });
  return born;
}
