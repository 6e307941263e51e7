// `setParent`: from one family to another, where nothing else changes (`isInside`), also without a plan (`moveQuickly`); reorders siblings.
import { closeIfIdle } from "../../graph/graph.ts";
import { CHILD_OF, ChildOf, Parent } from "../../id/builtins.ts";
import { PAIR_IN_PREFAB, PAIR_SPREADS } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { findPair, isTarget } from "../../id/pair-index.ts";
import { handleAt, isLiving, renewOrder } from "../../records/entity-index.ts";
import {
  countIn,
  joinFamily,
  leaveFamily,
  membersOf,
  moveInFamily,
  reorderFamily,
  reserveFamily,
} from "../../records/families.ts";
import { type Archetype, NEEDS_BUILTIN, NEEDS_HOOKS } from "../../storage/archetype.ts";
import { note, SIBLINGS_REORDERED } from "../../storage/journal.ts";
import type { PairNumber } from "../../storage/table.ts";
import { changeEntity } from "../change/change-entity.ts";
import { gainParent, goalAt } from "../change/goal.ts";
import { callWritten } from "../change/hook-calls.ts";
import { noteParent } from "../change/move-entity.ts";
import { ensurePair, followTarget, installTree } from "../change/pair.ts";
import { OBSERVES, observedOf } from "../state/event-list.ts";
import { defer, endDeferred } from "../state/lock.ts";
import { notifyChange } from "../state/notify.ts";
import { type Change, NO_CHANGES } from "../state/plans.ts";
import { requireNoCycle, requireParent } from "../state/require.ts";
import { parentPairAt } from "../state/targets.ts";
import { archetypeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";

/**
 * Replaces the parent of an entity by `target`; everything below the entity moves along, and its rows stay in place.
 *
 * @param byValue the storage: `Parent` if true, else `ChildOf`. Default: that of its present parent, and `ChildOf` for roots.
 * @param place the index of the child of that parent before which it is put; 0 for the end.
 * @param checked the changes that hooks have accepted, if everything has been checked already.
 * @throws TreelineError `cycle`, `refused`, `capacity`; and what a `check` hook throws. Nothing has changed then.
 */
export function setParent(
  world: World,
  index: number,
  target: number,
  byValue: boolean = archetypeAt(world, index).hasValueParent,
  place = 0,
  checked?: readonly Change[],
): void {
  const { pairs } = world.graph;
  const archetype = archetypeAt(world, index);
  const old = parentPairAt(world, index);
  let calls = checked ?? NO_CHANGES;
  if (old !== 0 && pairs.target[old] === target) {
    if (byValue === archetype.hasValueParent) return;
  } else if (checked === undefined) {
    requireParent(world, index, archetype, target);
    if (archetype.hooked.length > 0)
      calls = world.slots.changes!.checkParent(world, index, handleAt(world.entities, target));
  }
  const pair = findPair(pairs, CHILD_OF, target);
  if (pair !== 0 && old !== 0 && place === 0 && byValue === archetype.hasValueParent) {
    const observed = observedOf(world.events, ChildOf) & (OBSERVES.added | OBSERVES.removed);
    if (isInside(world, archetype, old, pair)) {
      reserveFamily(world.graph.families, world.entities, pair, 1);
      if (observed === 0 && calls.length === 0) commitInside(world, index, old, pair);
      else moveNotified(world, index, old, pair, calls);
      return;
    }
  }
  const goal = goalAt(world, index);
  if (pair === 0) installTree(world.slots); // the caller may have got nothing but entities
  gainParent(world, goal, pair === 0 ? ensurePair(world, ChildOf, target) : pair, byValue);
  goal.place = place;
  changeEntity(world, index, goal, undefined, calls);
}

/** Does another parent of an entity change nothing but its family? */
export function isInside(
  { graph, events }: World,
  archetype: Archetype,
  old: PairNumber,
  pair: PairNumber,
): boolean {
  const { traits } = graph.pairs;
  if (((traits[old]! ^ traits[pair]!) & PAIR_SPREADS) !== 0 || (traits[old]! & PAIR_IN_PREFAB) !== 0)
    return false;
  return !archetype.hasValueParent || observedOf(events, Parent) === 0;
}

function moveNotified(
  world: World,
  index: number,
  old: PairNumber,
  pair: PairNumber,
  calls: readonly Change[],
): void {
  const { entities, graph } = world;
  const { events } = world.slots;
  const definition = ChildOf;
  const entity = handleAt(entities, index);
  const oldTarget = handleAt(entities, graph.pairs.target[old]!);
  const newTarget = handleAt(entities, graph.pairs.target[pair]!);
  const observed = observedOf(world.events, definition);
  // No closures: they would take half of the time of a notification.
  const { changes } = world;
  let isDone = false;
  world.deferDepth++;
  world.changes = changes + 1;
  try {
    if ((observed & OBSERVES.removed) !== 0)
      events!.notify(world, { kind: "removed", entity, definition, target: oldTarget, oldTarget, newTarget });
    commitInside(world, index, old, pair);
    if (calls.length > 0) callWritten(world, index, calls);
    world.changes = changes;
    if ((observed & OBSERVES.added) !== 0)
      events!.notify(world, { kind: "added", entity, definition, target: newTarget, oldTarget, newTarget });
    if (calls.length > 0) events?.set(world, index, calls);
    isDone = true;
  } finally {
    world.changes = changes;
    endDeferred(world, isDone);
  }
}

/** Moves an entity to the end of another family, with everything below it: no row moves. */
export function commitInside(world: World, index: number, old: PairNumber, pair: PairNumber): void {
  const { graph, entities } = world;
  const { families, pairs } = graph;
  const byValue = archetypeAt(world, index).hasValueParent;
  leaveFamily(families, entities, index, byValue);
  joinFamily(families, entities, pair, index, byValue);
  renewOrder(entities, index);
  if (isTarget(pairs, index)) followTarget(world, ChildOf, index, pair);
  if (countIn(families, old) === 0) closeIfIdle(graph, old);
  if (graph.journal.reading) noteParent(world, index);
}

/** With one of these a change of the parent needs more than another family. */
const CONCERNS_MORE: number = NEEDS_HOOKS | NEEDS_BUILTIN;

/**
 * Fast path for a child that moves to the end of another parent's children, in the storage that it has.
 *
 * @returns false if the case is not that simple: nothing has changed then, and the caller must still refuse what is wrong.
 * @throws TreelineError `cycle`.
 */
export function moveQuickly(world: World, child: number, parent: number, byValue: boolean): boolean {
  const { graph, entities, events } = world;
  const { pairs } = graph;
  if (!isLiving(entities, child) || !isLiving(entities, parent)) return false;
  const index = indexOf(child as Entity);
  const old = entities.family[index]!;
  const { hasValueParent, fixedNeeds } = archetypeAt(world, index);
  if (old === 0 || hasValueParent !== byValue || (fixedNeeds & CONCERNS_MORE) !== 0) return false;
  const target = indexOf(parent as Entity);
  const pair = findPair(pairs, CHILD_OF, target);
  if (pair === old) return true;
  if (pair === 0 || ((pairs.traits[pair]! | pairs.traits[old]!) & PAIR_SPREADS) !== 0) return false;
  if (events.observers.length > 0 && (observedOf(events, ChildOf) | observedOf(events, Parent)) !== 0)
    return false;
  if (index === target || isTarget(pairs, index)) requireNoCycle(world, ChildOf, index, target);
  reserveFamily(graph.families, entities, pair, 1);
  commitInside(world, index, old, pair);
  return true;
}

/** Moves a child before a sibling; 0 means the end. */
export function moveSibling(world: World, pair: PairNumber, index: number, after: number): void {
  const { graph, entities } = world;
  if (moveInFamily(graph.families, entities, index, after)) notifyReordered(world, pair);
}

export function orderSiblings(world: World, pair: PairNumber, order: readonly number[]): void {
  if (relistSiblings(world, pair, order)) notifyReordered(world, pair);
}

/**
 * Reorders the children of a parent. @param order exactly these children.
 * @returns whether the order has changed: the caller must notify observers then.
 */
export function relistSiblings(world: World, pair: PairNumber, order: readonly number[]): boolean {
  const { families, entities } = world.graph;
  const present = membersOf(families, pair);
  if (present.every((index, place) => index === order[place])) return false;
  reorderFamily(families, entities, pair, order);
  return true;
}

export function notifyReordered(world: World, pair: PairNumber): void {
  const index = world.graph.pairs.target[pair]!;
  note(world.graph.journal, SIBLINGS_REORDERED, index);
  world.slots.templates?.reordered(world, index);
  defer(world, () => notifyChange(world, "reordered", index, ChildOf, handleAt(world.entities, index)));
}
