import { requireMoves } from "../destroy/remove-all.ts";
import { CHILD_OF, ChildOf } from "../id/builtins.ts";
import { type Entity, type EntityIndex, indexOf } from "../id/entity.ts";
import { findPair } from "../id/pair-book.ts";
import { isLiving } from "../records/entity-index.ts";
import type { PairId } from "../storage/table.ts";
import { loseParent } from "../world/change/change-entity.ts";
import { insideVisit, whileChanging } from "../world/state/lock.ts";
import { NO_CHANGES } from "../world/state/plans.ts";
import { countSources, orderedSources, parentPairAt } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";
import { requirePlace } from "../world/verb/add.ts";
import { orderSiblings, relistSiblings, requireList, tellReordered } from "../world/verb/reorder.ts";
import { reparent } from "../world/verb/reparent.ts";
import { missParent } from "./move-to.ts";

/**
 * Makes exactly the listed entities the children of a parent, in that order, now: former children that are not listed become
 * roots, newcomers keep the storage their parents have, ChildOf for roots. The dead are left out; if the parent has died, the
 * listed die as well, see `deadParent` of `createWorld`.
 *
 * @param list each once.
 * @throws TreelineError `cycle`, `refused`, and what a `check` hook throws. Nothing has changed then.
 */
export function replaceChildren(world: World, parent: Entity, list: readonly Entity[]): void {
  const wanted: EntityIndex[] = [];
  for (const entity of list) if (isLiving(world.entities, entity)) wanted.push(indexOf(entity));
  if (!isLiving(world.entities, parent)) {
    missParent(world, wanted);
    return;
  }
  const { pairs } = world.graph;
  const target = indexOf(parent);
  const known = findPair(pairs, CHILD_OF, target);
  if (known !== 0 && areAll(world, known, wanted)) {
    orderSiblings(world, known, wanted);
    return;
  }
  const family = new Set(orderedSources(world, target, ChildOf));
  const chosen = new Set(wanted);
  const leaving = [...family].filter((index) => !chosen.has(index));
  const coming = wanted.filter((index) => !family.has(index));

  // Check everything ...
  for (const index of coming) requirePlace(world, index, ChildOf, target);
  const parents = new Map<EntityIndex, Entity | undefined>(leaving.map((index) => [index, undefined]));
  for (const index of coming) parents.set(index, parent);
  const asked = requireMoves(world, parents);

  // ... and only then change.
  const staying = wanted.filter((index) => family.has(index));
  insideVisit(world, () => {
    const pair = staying.length === 0 ? 0 : findPair(pairs, CHILD_OF, target);
    let isReordered = false;
    whileChanging(world, () => {
      for (const index of leaving) loseParent(world, index, asked.get(index) ?? NO_CHANGES);
      isReordered = pair !== 0 && relistSiblings(world, pair, staying);
      const places = placesIn(wanted, family);
      if (pair !== 0 && coming.some((index) => places.get(index) !== 0)) requireList(world, pair);
      for (const index of coming) {
        reparent(world, index, target, places.get(index)!, asked.get(index) ?? NO_CHANGES);
      }
    });
    if (isReordered) tellReordered(world, pair);
  });
}

/** Are these exactly the sources of a pair? @param indexes each once. */
function areAll(world: World, pair: PairId, indexes: readonly EntityIndex[]): boolean {
  for (let at = 0; at < indexes.length; at++) if (parentPairAt(world, indexes[at]!) !== pair) return false;
  return indexes.length === countSources(world, pair);
}

/** Newcomer -> the next one in the list who was there before; 0 behind the last of them. */
function placesIn(
  list: readonly EntityIndex[],
  family: ReadonlySet<EntityIndex>,
): Map<EntityIndex, EntityIndex> {
  const places = new Map<EntityIndex, EntityIndex>();
  let next = 0;
  for (const index of list.toReversed()) {
    if (family.has(index)) next = index;
    else places.set(index, next);
  }
  return places;
}
