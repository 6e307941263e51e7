import { deletionSetOf, IN_ORDER } from "../destroy/deletion-set.ts";
import { destroyAll, needsCalls, removeFromRemaining, requireNoRefusal } from "../destroy/destroy.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { isTarget } from "../id/pair-index.ts";
import { isLiving } from "../records/entity-index.ts";
import type { Archetype } from "../storage/archetype.ts";
import { destroyEach, destroyOrder, freeRow } from "../world/change/free-entity.ts";
import { spareTableFor } from "../world/change/pair.ts";
import { keepTexts } from "../world/state/last-texts.ts";
import { defer, whileChanging } from "../world/state/lock.ts";
import { requireHandle } from "../world/state/require.ts";
import { archetypeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { changeOrDefer, indexesIn, requireArray } from "./list.ts";

/**
 * Destroys several entities, each with everything that goes with it, as one change: `destroy` for each in the order of the list, but
 * all or nothing. An entity that is not alive is ignored, as `destroy` does; one that goes with an earlier one, or that is listed
 * twice, is destroyed once.
 *
 * Entities that stay alive lose their pairs with destroyed targets first. Then observers and hooks that depend on the order are called
 * as by one `destroy` after another; the changes that they make follow at the end. Inside an iteration it is deferred to the end. Cost: as `destroy`, and less for each of many entities that have no children.
 *
 * @throws TreelineError `bad-value` if it is no list; `dead-entity` for a value that cannot be a handle; `refused` as `destroy`: nothing
 *   has changed then. `capacity` as `destroy`. `iterating` in a strict world inside an iteration.
 *
 * @example
 * destroyMany(world, [crate, barrel, ...bullets]);
 */
export function destroyMany(world: World, entities: readonly Entity[]): void {
  requireArray("destroyMany", "entities", entities);
  const living: Entity[] = [];
  for (let at = 0; at < entities.length; at++) {
    const entity = entities[at]!;
    if (isLiving(world.entities, entity)) living.push(entity);
    else requireHandle(world, entity);
  }
  const indexes = indexesIn(world, "destroyMany", living);
  changeOrDefer(world, indexes, (isLeft) => destroyList(world, isLeft ? livingOf(world, living) : indexes));
}

function livingOf(world: World, entities: readonly Entity[]): number[] {
  const living = entities.filter((entity) => isLiving(world.entities, entity));
  return [...new Set(living.map(indexOf))];
}

function destroyList(world: World, indexes: readonly number[]): void {
  if (areLeaves(world, indexes)) {
    world.slots.destroy ??= destroyAll;
    world.slots.spareTable ??= spareTableFor;
    CHECK: keepTexts(world, indexes);
    for (let at = 0; at < indexes.length; at++) freeRow(world, indexes[at]!);
    return;
  }
  const set = deletionSetOf(world, indexes);
  if (set.announces !== IN_ORDER) {
    destroyAll(world, indexes);
    return;
  }
  CHECK: keepTexts(world, indexes);
  world.slots.destroy ??= destroyAll;
  if (set.hasRemaining) requireNoRefusal(world, set);
  defer(world, () =>
    whileChanging(world, () => {
      if (set.hasRemaining) {
        world.slots.scopes?.leave(world, set);
        removeFromRemaining(world, set);
      }
      destroyEach(world, destroyOrder(world, indexes));
    }),
  );
}

/** Is none of them a target, and must neither observers nor hooks be called? */
function areLeaves(world: World, indexes: readonly number[]): boolean {
  const { pairs } = world.graph;
  let last: Archetype | undefined;
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at]!;
    if (isTarget(pairs, index)) return false;
    const archetype = archetypeAt(world, index);
    if (archetype === last) continue;
    if (needsCalls(world, archetype)) return false;
    last = archetype;
  }
  return true;
}
