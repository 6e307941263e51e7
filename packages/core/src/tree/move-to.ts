import { destroyAll } from "../destroy/destroy.ts";
import { CHILD_OF } from "../id/builtins.ts";
import { type Entity, type EntityIndex, indexOf } from "../id/entity.ts";
import { findPair } from "../id/pair-book.ts";
import { isLiving } from "../records/entity-index.ts";
import { countInList, nextInList, siblingAt } from "../records/sibling-links.ts";
import type { PairId } from "../storage/table.ts";
import { parentPairAt } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";
import { moveSibling, requireList } from "../world/verb/reorder.ts";
import { reparent } from "../world/verb/reparent.ts";

/**
 * Makes an entity a child of a parent, now. It keeps the storage its parent has, ChildOf for roots; a child of that parent moves
 * within its family.
 *
 * Verbs that have waited may find the dead: then the entity is left alone, or, if its parent died meanwhile, dies as well; see
 * `deadParent` of `createWorld`.
 *
 * @param place among its other children: 0 for the first, up to their number for the last. `undefined` for the end, or, for a child of
 *   that parent, for the place it has.
 * @param sibling from which the place counts instead: 0 before it, 1 behind it. A child of that parent.
 * @returns -1; or how many other children there are, if there is no such place: then nothing has changed.
 * @throws as `add` of the parent does.
 */
export function moveTo(
  world: World,
  entity: Entity,
  parent: Entity,
  place?: number,
  sibling?: Entity,
): number {
  const { entities, graph } = world;
  if (!isLiving(entities, entity)) return -1;
  const index = indexOf(entity);
  if (!isLiving(entities, parent)) {
    missParent(world, [index]);
    return -1;
  }
  const target = indexOf(parent);
  const pair = place === undefined ? 0 : findPair(graph.pairs, CHILD_OF, target);
  if (place === undefined || pair === 0) {
    if (place !== undefined && place !== 0) return 0;
    reparent(world, index, target, 0);
    return -1;
  }
  requireList(world, pair);
  const { links } = graph;
  if (sibling !== undefined) {
    const beside = indexOf(sibling);
    put(world, pair, index, place === 0 ? beside : nextInList(links, beside));
    return -1;
  }
  const others = countInList(links, pair) - (parentPairAt(world, index) === pair ? 1 : 0);
  if (!Number.isInteger(place) || place < 0 || place > others) return others;
  put(world, pair, index, siblingAt(links, pair, { place, others, except: index }));
  return -1;
}

/** Before a sibling; before 0 is the end. The family stands in a list. */
function put(world: World, pair: PairId, index: EntityIndex, before: EntityIndex): void {
  if (parentPairAt(world, index) === pair) moveSibling(world, pair, index, before);
  else reparent(world, index, world.graph.pairs.target[pair]!, before);
}

/** What becomes of those who should have got a parent that died before the visit ended: the rule for ChildOf. */
export function missParent(world: World, indexes: readonly EntityIndex[]): void {
  if (!world.dropsDeadParents) destroyAll(world, indexes);
}
