import { destroyAll } from "../cleanup/destroy.ts";
import { CHILD_OF } from "../id/builtins.ts";
import { type Entity, type EntityIndex, indexOf } from "../id/entity.ts";
import { findPair } from "../id/pair-book.ts";
import { isLiving } from "../records/entity-index.ts";
import { countInList, siblingAt as inList, nextInList } from "../records/sibling-links.ts";
import { ensureListed } from "../world/family.ts";
import { moveSibling } from "../world/reorder.ts";
import { reparent } from "../world/retarget.ts";
import { parentPairAt } from "../world/targets.ts";
import type { World } from "../world/world.ts";

/**
 * Makes an entity a child of a parent, now. It keeps the storage its parent has, ChildOf for roots; a child of that parent moves
 * within its family.
 *
 * Verbs that have waited may find the dead: then the entity is left alone, or, if its parent died meanwhile, dies as well; see
 * `deadParent` of `createWorld`.
 *
 * @param beside a child of that parent, to stand before it; `undefined` for the last place, or, for a child of that parent, for the
 *   place it has.
 * @param isBehind to stand right behind it instead.
 * @throws as `add` of the parent does.
 */
export function moveTo(
  world: World,
  entity: Entity,
  parent: Entity,
  beside?: Entity,
  isBehind = false,
): void {
  const { entities, graph } = world;
  if (!isLiving(entities, entity)) return;
  const index = indexOf(entity);
  if (!isLiving(entities, parent)) {
    missParent(world, [index]);
    return;
  }
  const target = indexOf(parent);
  if (beside === undefined) {
    reparent(world, index, target, 0);
    return;
  }
  const pair = findPair(graph.pairs, CHILD_OF, target);
  ensureListed(world, pair);
  const before = isBehind ? nextInList(graph.links, indexOf(beside)) : indexOf(beside);
  place(world, pair, index, target, before);
}

/**
 * The same, to stand at a place among its other children: 0 for the first, up to their number for the last.
 *
 * @returns how many other children there are, if there is no such place; then nothing has changed. -1 if it was done.
 */
export function moveToPlace(world: World, entity: Entity, parent: Entity, at: number): number {
  const { entities, graph } = world;
  if (!isLiving(entities, entity)) return -1;
  const index = indexOf(entity);
  if (!isLiving(entities, parent)) {
    missParent(world, [index]);
    return -1;
  }
  const target = indexOf(parent);
  const pair = findPair(graph.pairs, CHILD_OF, target);
  if (pair !== 0) ensureListed(world, pair);
  const all = pair === 0 ? 0 : countInList(graph.links, pair);
  const others = all - (pair !== 0 && parentPairAt(world, index) === pair ? 1 : 0);
  if (!(Number.isInteger(at) && at >= 0 && at <= others)) return others;
  if (pair === 0) reparent(world, index, target, 0);
  else place(world, pair, index, target, inList(graph.links, pair, { place: at, others, except: index }));
  return -1;
}

/** Before a sibling; before 0 is the end. The family stands in a list. */
function place(
  world: World,
  pair: number,
  index: EntityIndex,
  parent: EntityIndex,
  before: EntityIndex,
): void {
  if (parentPairAt(world, index) === pair) moveSibling(world, pair, index, before);
  else reparent(world, index, parent, before);
}

/** What becomes of those who should have got a parent that died before the visit ended: the rule for ChildOf. */
export function missParent(world: World, indexes: readonly EntityIndex[]): void {
  if (!world.dropsDeadParents) destroyAll(world, indexes);
}
