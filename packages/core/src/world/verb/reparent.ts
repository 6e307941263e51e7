import { shapeWith, shapeWithout } from "../../graph/graph.ts";
import { closeIfIdle } from "../../graph/table-graph.ts";
import { CHILD_OF, ChildOf, Parent } from "../../id/builtins.ts";
import { PAIR_DISABLES, PAIR_LISTED } from "../../id/definition.ts";
import { type Entity, handleOf, indexOf } from "../../id/entity.ts";
import { findPair, isTarget } from "../../id/pair-book.ts";
import { handleAt, isLiving, renewOrder } from "../../records/entity-index.ts";
import { GENERATION, KIN, looseCountOf, loosePairOf, moveLink, PAIR } from "../../records/sibling-links.ts";
import { makeRoomFor } from "../../storage/rows.ts";
import { NEEDS_BUILTIN, type Shape } from "../../storage/shape.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { changeEntity } from "../change/change-entity.ts";
import { unwantPair, wantPair, wantPairsOf } from "../change/destination.ts";
import { ensureListed } from "../change/family.ts";
import { tellReplaced, tellWritten } from "../change/hook-calls.ts";
import { noteLinkMove } from "../change/move.ts";
import { moveWithin, tidyLeft } from "../change/move-entity.ts";
import { ensureParentPair, followTarget } from "../change/pair.ts";
import { OBSERVES_ADDED, OBSERVES_REMOVED, observedOf } from "../state/event-list.ts";
import { requireNoCycle, requireParentable } from "../state/limits.ts";
import { enterVisit, leaveVisit } from "../state/lock.ts";
import { type Change, NO_CHANGES, NO_TAGS } from "../state/plans.ts";
import { parentPairAt } from "../state/targets.ts";
import { shapeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";

/**
 * Makes `target` the parent of an entity, in place of the one that it has; everything below it goes along without moving.
 *
 * @param byValue in which storage: `Parent`, else `ChildOf`.
 * @param place the index of the child of that parent that it will stand before; 0 for the end.
 * @throws TreelineError `cycle`, `refused`, `capacity`; and what a `check` hook throws. Nothing has changed then.
 */
export function setParent(world: World, index: number, target: number, byValue: boolean, place = 0): void {
  const { graph, entities } = world;
  const { tables, pairs, links } = graph;
  const from = entities.table[index]!;
  const shape = graph.shapes[tables.shape[from]!]!;
  const old = shape.isLoose ? links.kin[index * KIN + PAIR]! : tables.parentPair[from]!;
  if (old !== 0 && pairs.target[old] === target) {
    if (byValue !== shape.isLoose) moveToParent(world, index, target, byValue, place, NO_CHANGES);
    return;
  }
  requireParent(world, index, shape, target);
  let calls = NO_CHANGES;
  if (shape.hooked.length > 0)
    calls = world.slots.changes!.askForParent(world, index, handleAt(entities, target));
  moveToParent(world, index, target, byValue, place, calls);
}

/** @throws TreelineError `cycle`, or `refused` for the entity of a builtin. */
export function requireParent(world: World, index: number, shape: Shape, target: number): void {
  if (index === target || isTarget(world.graph.pairs, index)) requireNoCycle(world, ChildOf, index, target);
  if ((shape.fixedNeeds & NEEDS_BUILTIN) !== 0) requireParentable(world, index);
}

/** The same in the storage that the parent is in now; roots have none yet, and get one by ChildOf. */
export function reparent(world: World, index: number, target: number, place: number): void {
  setParent(world, index, target, isStoredByValue(world, index), place);
}

/** The same, after everything has been checked and hooks have been asked; the parent is another one. */
export function reparentAsked(
  world: World,
  index: number,
  target: number,
  place: number,
  calls: readonly Change[],
): void {
  moveToParent(world, index, target, isStoredByValue(world, index), place, calls);
}

function isStoredByValue({ graph }: World, index: number): boolean {
  return loosePairOf(graph.links, index) !== 0;
}

/** The archetype of an entity that gets a parent, in one storage or the other. */
export function shapeForParent({ graph }: World, shape: Shape, byValue: boolean): Shape {
  if (byValue) return shape.isLoose ? shape : shapeWith(graph, shapeWithout(graph, shape, ChildOf), Parent);
  return shape.isLoose
    ? shapeWith(graph, shapeWithout(graph, shape, Parent), ChildOf)
    : shapeWith(graph, shape, ChildOf);
}

/** Reserve, announce, commit, notify. */
function moveToParent(
  world: World,
  index: number,
  target: number,
  byValue: boolean,
  place: number,
  calls: readonly Change[],
): void {
  const { graph } = world;
  const { tables, pairs, links, records } = graph;
  const from = world.entities.table[index]!;
  const shape = graph.shapes[tables.shape[from]!]!;
  // A move inside one archetype, of a row or of links alone, goes here; whatever else moves along does not.
  let to: TableNumber = 0;
  let pair: PairNumber = 0;
  if (place === 0 && shape.isLoose === byValue) {
    pair = findPair(pairs, CHILD_OF, target);
    if (byValue) {
      if (pair === 0) pair = ensureParentPair(world, target);
      const old = links.kin[index * KIN + PAIR]!;
      const isAlike = ((pairs.traits[old]! ^ pairs.traits[pair]!) & PAIR_DISABLES) === 0;
      if (isAlike && observedOf(world.events, Parent) === 0) to = from;
    } else if (pair !== 0 && tables.pairs[from] === 1 && tables.parentPair[from] !== 0) {
      const old = pairs.traits[tables.parentPair[from]!]!;
      const now = pairs.traits[pair]!;
      if (((old | now) & PAIR_LISTED) === 0 && ((old ^ now) & PAIR_DISABLES) === 0) {
        const table = records.main[pair]!;
        if (table !== 0 && tables.shape[table] === shape.number) to = table;
      }
    }
  }
  if (to === 0) {
    changeParent(world, index, target, byValue, place, calls);
    return;
  }
  if (to !== from && tables.count[to] === tables.capacity[to]) makeRoomFor(world.graph, shape, to, 1);
  const observed = observedOf(world.events, ChildOf) & (OBSERVES_ADDED | OBSERVES_REMOVED);
  if (observed === 0 && calls.length === 0) commitInside(world, index, pair, to);
  else moveObserved(world, index, pair, to, target, calls);
}

/**
 * The everyday way of a child that stores its parent by value to the end of another family: no row moves. In random order its
 * time is that of cache misses, so it looks at nothing but links, which know the child's generation and whether its archetype
 * concerns more.
 *
 * @returns false if it is not that simple: nothing has changed then, and whatever is wrong is still to be refused.
 * @throws TreelineError `cycle`.
 */
export function moveByValue(world: World, child: number, parent: number): boolean {
  const { graph, entities, events } = world;
  const { links, pairs } = graph;
  const { kin } = links;
  if (typeof child !== "number") return false;
  const index = indexOf(child as Entity);
  const at = index * KIN;
  if (at >= kin.length) return false;
  const old = kin[at + PAIR]!;
  if (old === 0 || handleOf(index, kin[at + GENERATION]!) !== child || !isLiving(entities, parent))
    return false;
  const target = indexOf(parent as Entity);
  const pair = findPair(pairs, CHILD_OF, target);
  if (pair === old) return true;
  if (pair === 0 || ((pairs.traits[pair]! ^ pairs.traits[old]!) & PAIR_DISABLES) !== 0) return false;
  if (events.listeners.length > 0 && (observedOf(events, ChildOf) | observedOf(events, Parent)) !== 0)
    return false;
  if (index === target || isTarget(pairs, index)) requireNoCycle(world, ChildOf, index, target);
  commitLinks(world, index, pair);
  return true;
}

/** Moves links alone: the child stores its parent by value. */
function commitLinks(world: World, index: number, pair: PairNumber): void {
  const { graph, entities } = world;
  const { links, pairs } = graph;
  const old = links.kin[index * KIN + PAIR]!;
  if ((pairs.traits[pair]! & PAIR_LISTED) === 0) ensureListed(world, pair);
  moveLink(links, old, index, pair);
  renewOrder(entities, index);
  if (isTarget(pairs, index)) followTarget(world, ChildOf, index, pair);
  if (looseCountOf(links, old) === 0) closeIfIdle(graph, old);
  if (graph.journal.reading) noteLinkMove(world, index);
}

/** Moves links alone, or a row within its columns. */
function commitInside(world: World, index: number, pair: PairNumber, to: TableNumber): void {
  const { graph, entities } = world;
  const from = entities.table[index]!;
  if (to === from) {
    commitLinks(world, index, pair);
    return;
  }
  moveWithin(world, index, to);
  tidyLeft(world, from);
  renewOrder(entities, index);
  if (isTarget(graph.pairs, index)) followTarget(world, ChildOf, index, pair);
}

function moveObserved(
  world: World,
  index: number,
  pair: PairNumber,
  to: TableNumber,
  target: number,
  calls: readonly Change[],
): void {
  const { entities } = world;
  const old = parentPairAt(world, index);
  const observed = observedOf(world.events, ChildOf);
  const entity = handleAt(entities, index);
  const oldTarget = handleAt(entities, world.graph.pairs.target[old]!);
  const newTarget = handleAt(entities, target);
  enterVisit(world);
  let isDone = false;
  try {
    world.changes++;
    try {
      if ((observed & OBSERVES_REMOVED) !== 0) {
        const event = { entity, definition: ChildOf, target: oldTarget, oldTarget, newTarget };
        world.slots.events!.tell(world, { kind: "removed", ...event });
      }
      commitInside(world, index, pair, to);
      if (calls.length > 0) tellWritten(world, index, calls);
    } finally {
      world.changes--;
    }
    if ((observed & OBSERVES_ADDED) !== 0) {
      world.slots.events!.tell(world, {
        kind: "added",
        entity,
        definition: ChildOf,
        target: newTarget,
        oldTarget,
        newTarget,
      });
    }
    if (calls.length > 0) tellReplaced(world, index, calls);
    isDone = true;
  } finally {
    leaveVisit(world, isDone);
  }
}

/** The general way: the archetype changes too, other pairs are in the type, or lists are concerned. */
function changeParent(
  world: World,
  index: number,
  target: number,
  byValue: boolean,
  place: number,
  calls: readonly Change[],
): void {
  const old = parentPairAt(world, index);
  const shape = shapeForParent(world, shapeAt(world, index), byValue);
  const pair = ensureParentPair(world, target);
  let count = unwantPair(world, old, wantPairsOf(world, world.entities.table[index]!));
  if (!byValue) count = wantPair(world, pair, count);
  const goal = {
    shape,
    count,
    valuePair: byValue ? pair : 0,
    place,
    added: [],
    tagged: NO_TAGS,
    untagged: NO_TAGS,
  };
  changeEntity(world, index, goal, undefined, calls);
}
