import { TreelineError } from "../base/error.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { firstPairOf } from "../id/pair-book.ts";
import { isLiving } from "../records/entity-index.ts";
import { enqueue, mustQueue } from "../world/state/lock.ts";
import { requireHandle, textOf } from "../world/state/require.ts";
import { countSources, hasPairAt } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";
import { requireMortal, usersOf } from "../world/verb/standing.ts";
import { destroyAll } from "./destroy.ts";

/**
 * Destroys one entity that nothing points at. A dead entity is left alone. To destroy an entity with everything below it, use
 * `destroy` of the query package.
 *
 * @throws TreelineError `dead-entity` for what can be no handle; `still-a-target` if an entity has a pair with it as
 *   target, or has the definition it stands for; `refused` if it stands for a builtin; `visiting` in a strict world inside
 *   a visit, else it waits for the end of that.
 */
export function release(world: World, entity: Entity): void {
  requireHandle(world, entity);
  if (world.visits !== 0 && mustQueue(world)) {
    enqueue(world, indexOf(entity), () => releaseNow(world, entity));
  } else releaseNow(world, entity);
}

function releaseNow(world: World, entity: Entity): void {
  if (!isLiving(world.entities, entity)) return;
  const index = indexOf(entity);
  requireNoSources(world, entity, index);
  requireNoUsers(world, index);
  destroyAll(world, [index]);
}

function requireNoSources(world: World, entity: Entity, index: number): void {
  const { pairs } = world.graph;
  for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
    if (countSources(world, pair) === (hasPairAt(world, index, pair) ? 1 : 0)) continue;
    throw new TreelineError(
      "still-a-target",
      `${textOf(world, entity)} is the target of other entities; remove those pairs first, or use destroy`,
    );
  }
}

/** A component entity is pointed at by all that have its definition. */
function requireNoUsers(world: World, index: number): void {
  const definition = world.standsFor.get(index);
  if (definition === undefined) return;
  requireMortal(definition);
  if (usersOf(world, definition).every((user) => user === index)) return;
  throw new TreelineError(
    "still-a-target",
    `entities have ${definition.name}, for which this one stands; remove it from them first, or use destroy`,
  );
}
