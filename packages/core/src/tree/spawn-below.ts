import { destroyAll } from "../cleanup/destroy.ts";
import type { Relation, ValueTerm } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { insideVisit } from "../world/lock.ts";
import { requireRoomForEntities, spawnNow } from "../world/spawn.ts";
import type { World } from "../world/world.ts";

/**
 * Gives birth to a chain of entities, each below the one before it, now, and whatever the scope: all of them or nobody. Listeners
 * that throw do so when all are born.
 *
 * @param above the parent of the first; `undefined` if that is a root.
 * @param storage `ChildOf` or `Parent`.
 * @param terms what each has, from the first on; at least one.
 * @returns the last.
 * @throws TreelineError `capacity`; and what `spawn` throws.
 */
export function spawnBelow(
  world: World,
  above: Entity | undefined,
  storage: Relation,
  terms: readonly ValueTerm[],
): Entity {
  requireRoomForEntities(world, terms.length);
  return insideVisit(world, () => {
    const born: Entity[] = [];
    try {
      for (const term of terms) {
        const parent = born.at(-1) ?? above;
        born.push(spawnNow(world, parent === undefined ? [term] : [term, storage(parent)]));
      }
    } catch (error) {
      if (born.length > 0) destroyAll(world, [indexOf(born[0]!)]);
      throw error;
    }
    return born.at(-1)!;
  });
}
