import { closeIfIdle } from "../../graph/graph.ts";
import { CHILD_OF, ChildOf, Parent } from "../../id/builtins.ts";
import { PAIR_IN_PREFAB, PAIR_LISTED, PAIR_SPREADS } from "../../id/definition.ts";
import { type Entity, handleOf, indexOf } from "../../id/entity.ts";
import { findPair, isTarget } from "../../id/pair-index.ts";
import { handleAt, isLiving, renewOrder } from "../../records/entity-index.ts";
import {
  GENERATION,
  linkElsewhere,
  moveLink,
  PAIR,
  PER_SIBLING,
  relist,
  valueCountOf,
} from "../../records/sibling-links.ts";
import type { Archetype } from "../../storage/archetype.ts";
import { note, SIBLINGS_REORDERED } from "../../storage/journal.ts";
import { makeRoomFor } from "../../storage/rows.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { changeEntity } from "../change/change-entity.ts";
import { gainParent, goalAt } from "../change/goal.ts";
import { callWritten } from "../change/hook-calls.ts";
import { installChanges } from "../change/install.ts";
import { moveWithin, noteParent, tidyLeft } from "../change/move-entity.ts";
import { ensureListed, ensurePair, followTarget, installTree } from "../change/pair.ts";
import { OBSERVES, observedOf } from "../state/event-list.ts";
import { defer, endDeferred } from "../state/lock.ts";
import { notifyChange } from "../state/notify.ts";
import { type Change, NO_CHANGES } from "../state/plans.ts";
import { requireNoCycle, requireParent } from "../state/require.ts";
import { orderedSubjects, parentPairAt } from "../state/targets.ts";
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
    const to = tableInside(world, index, archetype, old, pair);
    const observed = observedOf(world.events, ChildOf) & (OBSERVES.added | OBSERVES.removed);
    if (to !== 0) {
      if (!byValue) makeRoomFor(world.graph, archetype, to, 1);
      if (observed === 0 && calls.length === 0) commitInside(world, index, old, pair, to);
      else moveNotified(world, index, old, pair, to, calls);
      return;
    }
  }
  const goal = goalAt(world, index);
  if (pair === 0) installTree(world.slots); // the caller may have got nothing but entities
  gainParent(world, goal, pair === 0 ? ensurePair(world, ChildOf, target) : pair, byValue);
  goal.place = place;
  changeEntity(world, index, goal, undefined, calls);
}

/** The target table of a move inside one archetype; its own if only links change; 0 if the move affects more. */
export function tableInside(
  { graph, entities, events }: World,
  index: number,
  archetype: Archetype,
  old: PairNumber,
  pair: PairNumber,
): TableNumber {
  const { tables, records } = graph;
  const { traits } = graph.pairs;
  const from = entities.table[index]!;
  if (((traits[old]! ^ traits[pair]!) & PAIR_SPREADS) !== 0) return 0;
  if ((traits[old]! & PAIR_IN_PREFAB) !== 0) return 0;
  if (archetype.hasValueParent) return observedOf(events, Parent) === 0 ? from : 0;
  const to = records.main[pair]!;
  if (to === 0 || to === from || tables.pairs[from] !== 1 || tables.archetype[to] !== archetype.number)
    return 0;
  if (((traits[old]! | traits[pair]!) & PAIR_LISTED) !== 0) return 0;
  return to;
}

function moveNotified(
  world: World,
  index: number,
  old: PairNumber,
  pair: PairNumber,
  to: TableNumber,
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
    commitInside(world, index, old, pair, to);
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

/** Moves only links, or a row within its columns. */
export function commitInside(
  world: World,
  index: number,
  old: PairNumber,
  pair: PairNumber,
  to: TableNumber,
): void {
  const { entities, graph } = world;
  const from = entities.table[index]!;
  if (to === from) {
    commitLinks(world, index, old, pair);
    return;
  }
  moveWithin(world, index, to);
  tidyLeft(world, from);
  renewOrder(entities, index);
  if (isTarget(graph.pairs, index)) followTarget(world, ChildOf, index, pair);
}

/** Moves only links: no table is read. */
function commitLinks(world: World, index: number, old: PairNumber, pair: PairNumber): void {
  const { graph, entities } = world;
  const { links, pairs } = graph;
  if ((pairs.traits[pair]! & PAIR_LISTED) === 0) ensureListed(world, pair);
  moveLink(links, old, index, pair);
  renewOrder(entities, index);
  if (isTarget(pairs, index)) followTarget(world, ChildOf, index, pair);
  if (valueCountOf(links, old) === 0) closeIfIdle(graph, old);
  if (graph.journal.reading) noteParent(world, index, true);
}

/**
 * Fast path for a child that stores its parent by value and moves to the end of another parent's children: no row moves. In
 * random order cache misses dominate, so it reads nothing but links: these know the child's generation and whether its
 * archetype needs more.
 * @returns false if the case is not that simple: nothing has changed then, and the caller must still refuse what is wrong.
 * @throws TreelineError `cycle`.
 */
export function moveByValue(world: World, child: number, parent: number): boolean {
  const { graph, entities, events } = world;
  const { links, pairs } = graph;
  const { siblings } = links;
  if (typeof child !== "number") return false;
  const index = indexOf(child as Entity);
  const at = index * PER_SIBLING;
  if (at >= siblings.length) return false;
  const old = siblings[at + PAIR]!;
  if (old === 0 || handleOf(index, siblings[at + GENERATION]!) !== child || !isLiving(entities, parent))
    return false;
  const target = indexOf(parent as Entity);
  const pair = findPair(pairs, CHILD_OF, target);
  if (pair === old) return true;
  if (pair === 0 || ((pairs.traits[pair]! ^ pairs.traits[old]!) & PAIR_SPREADS) !== 0) return false;
  if (events.observers.length > 0 && (observedOf(events, ChildOf) | observedOf(events, Parent)) !== 0)
    return false;
  if (index === target || isTarget(pairs, index)) requireNoCycle(world, ChildOf, index, target);
  commitLinks(world, index, old, pair);
  return true;
}

/** Puts the children of a parent into a list; from now on a spawn below that parent needs more than a row. */
export function requireList(world: World, pair: PairNumber): void {
  installChanges(world.slots);
  ensureListed(world, pair);
}

/**
 * Moves a child before a sibling; 0 means the end.
 *
 * @cost constant, once the children are in a list.
 */
export function moveSibling(world: World, pair: PairNumber, index: number, after: number): void {
  requireList(world, pair);
  if (linkElsewhere(world.graph.links, pair, index, after)) notifyReordered(world, pair);
}

export function orderSiblings(world: World, pair: PairNumber, order: readonly number[]): void {
  if (relistSiblings(world, pair, order)) notifyReordered(world, pair);
}

/**
 * Reorders the children of a parent. @param order exactly these children.
 * @returns whether the order has changed: the caller must notify observers then.
 */
export function relistSiblings(world: World, pair: PairNumber, order: readonly number[]): boolean {
  const present = orderedSubjects(world, world.graph.pairs.target[pair]!, ChildOf);
  if (present.every((index, place) => index === order[place])) return false;
  requireList(world, pair);
  relist(world.graph.links, pair, order);
  return true;
}

export function notifyReordered(world: World, pair: PairNumber): void {
  const index = world.graph.pairs.target[pair]!;
  note(world.graph.journal, SIBLINGS_REORDERED, index);
  world.slots.templates?.reordered(world, index);
  defer(world, () => notifyChange(world, "reordered", index, ChildOf, handleAt(world.entities, index)));
}
