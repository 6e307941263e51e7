// `destroyMany`: by one deletion set, in the order of the list.
import { deletionSetOf, IN_ORDER } from "../destroy/deletion-set.ts";
import { destroyAll, needsCalls, removeFromRemaining, requireNoRefusal } from "../destroy/destroy.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import { destroyEach, destroyOrder, freeAll } from "../world/change/free-entity.ts";
import { keepTexts } from "../world/state/last-texts.ts";
import { defer, whileChanging } from "../world/state/lock.ts";
import { requireHandle } from "../world/state/require.ts";
import { archetypeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { changeOrDefer, distinctIn, requireArray } from "./list.ts";

/**
 * Destroys several entities, each with everything that goes with it, as one change: `destroy` for each in the order of the list, but
 * all or nothing. An entity that is not alive is ignored, as `destroy` does; one that goes with an earlier one, or that is listed
 * twice, is destroyed once.
 *
 * Entities that stay alive lose their pairs with destroyed targets first. Then observers and hooks that depend on the order are called
 * as by one `destroy` after another; the changes that they make follow at the end. Inside an iteration it is deferred to the end.
 *
 * @cost as `destroy`; of entities that are no targets, and have neither observers nor hooks, the rows of each table are taken
 *   together.
 * @throws TreelineError `bad-value` if it is no list; `dead-entity` for a value that cannot be a handle; `refused` as `destroy`: nothing
 *   has changed then. `capacity` as `destroy`. `iterating` in a strict world inside an iteration.
 *
 * @example
 * destroyMany(world, [crate, barrel, ...bullets]);
 */
export function destroyMany(world: World, entities: readonly Entity[]): void {
  requireArray("destroyMany", "entities", entities);
  for (let at = 0; at < entities.length; at++)
    if (!isLiving(world.entities, entities[at]!)) requireHandle(world, entities[at]!);
  if (world.deferDepth === 0) {
    destroyList(world, entities);
    return;
  }
  const indexes = distinctIn(world, entities);
  const alive = indexes.map((index) => handleAt(world.entities, index));
  changeOrDefer(world, indexes, () => destroyList(world, alive));
}

/** Entities that are not alive, or no longer when their turn comes, are left out. */
function destroyList(world: World, list: readonly Entity[]): void {
  if (world.slots.templates !== undefined && world.deferDepth === 0) {
    defer(world, () => destroyList(world, list)); // as in `destroyAll`
    return;
  }
  if (areLeaves(world, list)) {
    world.slots.destroy ??= destroyAll;
    const leaves = distinctIn(world, list).filter((index) => world.entities.table[index] !== 0);
    CHECK: keepTexts(world, leaves);
    const counts = new Int32Array(world.graph.archetypes.length);
    for (const index of leaves) counts[archetypeAt(world, index).number]!++;
    const none = new Int32Array(0);
    const work = Int32Array.from(leaves);
    freeAll(world, { work, length: work.length, counts, targets: [], next: none, holes: none });
    return;
  }
  const indexes = distinctIn(world, list);
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
function areLeaves(world: World, list: readonly Entity[]): boolean {
  const { graph, entities } = world;
  const { firstOfTarget } = graph.pairs;
  const { handles, table } = entities;
  const { archetype: archetypeOf } = graph.tables;
  let last = -1;
  for (let at = 0; at < list.length; at++) {
    const index = indexOf(list[at]!);
    if (handles[index] !== list[at]) continue;
    if (index < firstOfTarget.length && firstOfTarget[index] !== 0) return false;
    const number = archetypeOf[table[index]!]!;
    if (number === last) continue;
    if (needsCalls(world, graph.archetypes[number]!)) return false;
    last = number;
  }
  return true;
}
