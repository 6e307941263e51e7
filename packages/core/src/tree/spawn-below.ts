import { destroyAll } from "../destroy/destroy.ts";
import type { Relation, ValueTerm } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import type { PlainTerm } from "../world/change/destination.ts";
import { insideScope } from "../world/change/scope.ts";
import { insideVisit, mustQueue } from "../world/state/lock.ts";
import type { World } from "../world/state/world.ts";
import { requireRoomForEntities, spawn, spawnNow } from "../world/verb/spawn.ts";

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
  if (terms.length > 0 && mustQueue(world)) {
    insideScope(world, undefined, () => bearEach(world, above, storage, terms, born, spawnTerms));
    return born;
  }
  // One visit, so that listeners that throw do so when all are born.
  insideVisit(world, () => {
    try {
      bearEach(world, above, storage, terms, born, spawnNow);
    } catch (error) {
      if (born.length > 0) destroyAll(world, [indexOf(born[0]!)]);
      throw error;
    }
  });
  return born;
}

function spawnTerms(world: World, terms: readonly PlainTerm[]): Entity {
  return spawn(world, ...terms);
}

function bearEach(
  world: World,
  above: Entity | undefined,
  storage: Relation,
  terms: readonly ValueTerm[],
  born: Entity[],
  bear: typeof spawnTerms,
): void {
  for (const term of terms) {
    const parent = born.at(-1) ?? above;
    born.push(bear(world, parent === undefined ? [term] : [term, storage(parent)]));
  }
}
