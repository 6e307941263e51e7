import { TreelineError } from "../../base/error.ts";
import { closeIfIdle, freePairsOf } from "../../graph/graph.ts";
import { CHILD_OF, ChildOf, ComponentEntity } from "../../id/builtins.ts";
import { PAIR_DELETES } from "../../id/definition.ts";
import { firstPairOf, isTarget } from "../../id/pair-index.ts";
import { giveIndexes } from "../../records/entity-index.ts";
import { leaveFamily } from "../../records/families.ts";
import {
  type Archetype,
  hasDefinition,
  NEEDS_ADDING_ORDER,
  NEEDS_BUILTIN,
  NEEDS_HOOKS,
  NEEDS_OBSERVERS,
  NEEDS_VALUE_PARENT,
} from "../../storage/archetype.ts";
import { note, VALUE_PARENT_MOVED } from "../../storage/journal.ts";
import { NONE, takeRow } from "../../storage/rows.ts";
import type { PairNumber } from "../../storage/table.ts";
import { whileChanging, whileDeferred } from "../state/lock.ts";
import { needsOf } from "../state/needs-of.ts";
import { notifyAll } from "../state/notify.ts";
import type { ChangeEvents } from "../state/plans.ts";
import { textAt } from "../state/require.ts";
import { orderedSubjects, parentIndexAt, subjectIndexes } from "../state/targets.ts";
import { archetypeAt, hasObservedTags } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { losePair, loseParent } from "./change-entity.ts";
import { callRemoved, keptChanges } from "./hook-calls.ts";
import { noteMove, tidyLeft } from "./move-entity.ts";

/** Archetypes with one of these needs have state of their entities outside of the rows. */
export const KEEPS_STATE: number = NEEDS_BUILTIN | NEEDS_VALUE_PARENT | NEEDS_ADDING_ORDER;

/** Frees an entity that is the target of no other entity, and the pairs that have it as target. Observers have been notified. */
export function freeEntity(world: World, index: number): void {
  freeRow(world, index);
  if (isTarget(world.graph.pairs, index)) freePairsOf(world.graph, index);
}

/** Frees an entity and its row, but not the pairs that have it as target. */
export function freeRow(world: World, index: number): void {
  const { graph, entities } = world;
  const { tables, archetypes, journal } = graph;
  const table = entities.table[index]!;
  const row = entities.row[index]!;
  const archetype = archetypes[tables.archetype[table]!]!;
  if ((archetype.fixedNeeds & KEEPS_STATE) !== 0) freeState(world, archetype, index);
  const pair = entities.family[index]!;
  leaveFamily(graph.families, entities, index, archetype.hasValueParent);
  if (archetype.hasValueParent) closeIfIdle(graph, pair);
  const at = tables.first[table]! + row;
  archetype.bits?.forget(graph, at, at + 1);
  giveIndexes(entities, archetype.lanes.i32, at, at + 1);
  const moved = takeRow(graph, archetype, table, row);
  if (moved !== NONE) {
    entities.row[moved] = row;
    if (journal.reading) noteMove(world, moved, archetype.hasValueParent);
  }
  if (tables.count[table] === 0) tidyLeft(world, table);
}

/** Removes the state of an entity outside of its row and its family: for archetypes with any of KEEPS_STATE. */
export function freeState(world: World, archetype: Archetype, index: number): void {
  const needs = archetype.fixedNeeds;
  if ((needs & NEEDS_VALUE_PARENT) !== 0) note(world.graph.journal, VALUE_PARENT_MOVED, index);
  if ((needs & NEEDS_ADDING_ORDER) !== 0) world.orders.delete(index);
  if ((needs & NEEDS_BUILTIN) !== 0) {
    world.slots.templates?.destroyed(world, index);
    const definition = world.definitionsByEntity.get(index);
    world.definitionsByEntity.delete(index);
    if (definition !== undefined) world.componentEntities.delete(definition.id);
  }
}

/**
 * Roots and all entities below them, in the order in which they are destroyed along the tree: children first, siblings in order.
 */
export function treeOrder(world: World, roots: readonly number[]): number[] {
  const order: number[] = [];
  const stack = [...roots];
  // Parents before children, and siblings from the last one on; then reversed.
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    order.push(index);
    if (isTarget(world.graph.pairs, index)) {
      for (const child of orderedSubjects(world, index, ChildOf)) stack.push(child);
    }
  }
  return order.reverse();
}

/**
 * Destroys an entity whose deferred pair has a target that no longer exists, of a relation that deletes. If the target was
 * destroyed, the call that did it has installed `destroy`; if the target's spawn was refused, `destroy` may be missing. Then the
 * entity is destroyed with its tree here.
 *
 * @throws TreelineError `still-a-target` if destroying the tree is not enough: one of its entities is the target of another
 *   relation, or is a component entity. Nothing has changed then.
 */
export function destroyWithTarget(world: World, index: number): void {
  if (world.slots.destroy !== undefined) {
    world.slots.destroy(world, [index]);
    return;
  }
  const order = treeOrder(world, [index]);
  const { pairs } = world.graph;
  for (const one of order) {
    let pair = firstPairOf(pairs, one);
    while (pair !== 0 && pairs.relation[pair] === CHILD_OF) pair = pairs.nextOfTarget[pair]!;
    if (pair === 0 && !hasDefinition(archetypeAt(world, one), ComponentEntity)) continue;
    let text = `${textAt(world, one)} is the target of other entities`;
    CHECK: text +=
      ", and would be destroyed because its new parent could not be spawned; remove those pairs first";
    throw new TreelineError("still-a-target", text);
  }
  whileDeferred(world, () =>
    whileChanging(world, () => {
      const { calls } = world.slots;
      if (calls !== undefined) calls.destroyInOrder(world, [index], false);
      else for (const one of order) freeEntity(world, one);
    }),
  );
}

/**
 * Destroys entities one by one, for observers and hooks that depend on the order: notifies them of each entity and frees it,
 * children before parents, siblings in order. When each is notified, its ancestors are alive, and there is nothing below it.
 *
 * @param indexes the entities to start from; all are alive.
 * @param leavesTree some entities are destroyed because of relations other than ChildOf, or of definitions.
 * @returns how many were destroyed; entities that are spawned in the meantime do not count.
 */
export function destroyInOrder(world: World, indexes: readonly number[], leavesTree: boolean): number {
  const roots = destroyRoots(world, indexes);
  return destroyEach(world, leavesTree ? destroyOrder(world, roots) : treeOrder(world, roots));
}

/**
 * Notifies observers of each entity of a list and frees it, in this order. Must be called inside an iteration.
 * @returns their number.
 */
export function destroyEach(world: World, order: readonly number[]): number {
  for (const index of order) {
    announce(world, index);
    if (isTarget(world.graph.pairs, index)) removeFromSubjects(world, index);
    freeEntity(world, index);
  }
  return order.length;
}

/** Notifies observers, and then calls hooks, of an entity that is about to be destroyed. Must be called inside an iteration. */
function announce(world: World, index: number): void {
  const archetype = archetypeAt(world, index);
  const needs = needsOf(world, archetype);
  if ((needs & NEEDS_OBSERVERS) !== 0 || hasObservedTags(world, archetype)) {
    const events: ChangeEvents = { removed: [], added: [] };
    world.slots.events!.list(world, events, index, world.entities.table[index]!, 0, 0);
    notifyAll(world, events.removed);
  }
  if ((needs & NEEDS_HOOKS) !== 0) callRemoved(world, index);
}

/** Removes the pairs of entities that are destroyed later but have this one as target, as in a cycle of relations that delete. */
function removeFromSubjects(world: World, index: number): void {
  const { pairs } = world.graph;
  const own: PairNumber[] = [];
  for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) own.push(pair);
  for (const pair of own) {
    for (const source of subjectIndexes(world, pair)) {
      if (source === index) continue;
      if (pairs.relation[pair] === CHILD_OF) loseParent(world, source, keptChanges(world, source, undefined));
      else losePair(world, source, pair);
    }
  }
}

/**
 * The roots from which the destruction of several entities starts: by spawn or last attach, siblings in their order. Entities
 * below another given one are left out, since the traversal from there finds them, each in its place among its siblings.
 */
export function destroyRoots(world: World, indexes: readonly number[]): number[] {
  const { order } = world.entities;
  const roots = topmost(world, indexes).sort((one, other) => order[one]! - order[other]!);
  return roots.length > 1 ? inSiblingOrder(world, roots) : roots;
}

/**
 * The entities that are not below another given one.
 *
 * @cost each ancestor is processed once, however many entities are below it.
 */
function topmost(world: World, indexes: readonly number[]): number[] {
  if (indexes.length === 1) return [...indexes];
  const within = new Set(indexes); // the given entities, and ancestors found to be below one of them
  const outside = new Set([0]);
  return indexes.filter((index) => {
    const path: number[] = [];
    let at = parentIndexAt(world, index);
    for (; !within.has(at) && !outside.has(at); at = parentIndexAt(world, at)) path.push(at);
    const side = within.has(at) ? within : outside;
    for (const passed of path) side.add(passed);
    return side === outside;
  });
}

/** Sorts siblings by their order, among the places that they have. */
function inSiblingOrder(world: World, roots: number[]): number[] {
  const { family, place } = world.entities;
  const siblings = new Map<PairNumber, number[]>();
  for (const index of roots) {
    const pair = family[index]!;
    if (pair === 0) continue;
    const list = siblings.get(pair);
    if (list === undefined) siblings.set(pair, [index]);
    else list.push(index);
  }
  for (const list of siblings.values()) list.sort((one, other) => place[other]! - place[one]!);
  return roots.map((index) => siblings.get(family[index]!)?.pop() ?? index);
}

/**
 * All entities that are destroyed, in order, along all relations that delete: depth-first, children before parents, siblings in
 * order. The children of an entity come first, then its subjects by other relations. An entity that can be reached twice, or is
 * part of a cycle, is destroyed where it is reached first. If only the tree is involved, `treeOrder` returns the same.
 *
 * The tree comes before other relations, which may form cycles with it: an entity that is reached by another relation, while
 * entities below it are still to be processed, is deferred until the current traversal has ended.
 *
 * @param roots the entities to start from, in order.
 */
export function destroyOrder(world: World, roots: readonly number[]): number[] {
  const order: number[] = [];
  const entered = new Set<number>();
  /** Ancestors of the entities at which the traversal left the tree. */
  const above = new Set<number>();
  const starts = [...roots]; // grows during the loop
  for (const start of starts) {
    /**
     * The entity to enter, and the one it is entered from (0: a start); or LEFT, once the entities before it have been processed.
     * The next one is last.
     */
    const path = [{ index: start, from: 0 }];
    for (let step = path.pop(); step !== undefined; step = path.pop()) {
      const { index, from } = step;
      if (from === LEFT) order.push(index);
      if (entered.has(index)) continue;
      let parent = parentIndexAt(world, index);
      if (from !== 0 && parent !== from && above.has(index)) {
        starts.push(index);
        continue;
      }
      entered.add(index);
      if (parent !== from) {
        for (; parent !== 0 && !above.has(parent); parent = parentIndexAt(world, parent)) above.add(parent);
      }
      path.push({ index, from: LEFT });
      for (const next of destroyedWith(world, index)) path.push({ index: next, from: index });
    }
  }
  return order;
}

const LEFT = -1;

/** The entities that are destroyed because an entity is destroyed, the first one last. */
function destroyedWith(world: World, index: number): number[] {
  const { pairs } = world.graph;
  const { order } = world.entities;
  const definition = world.definitionsByEntity.get(index);
  const others =
    definition?.onDestroy === "delete" ? world.slots.componentEntities!.usersOf(world, definition) : [];
  let children: number[] = [];
  if (isTarget(pairs, index)) {
    children = orderedSubjects(world, index, ChildOf);
    for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
      if ((pairs.traits[pair]! & PAIR_DELETES) === 0 || pairs.relation[pair] === CHILD_OF) continue;
      for (const source of subjectIndexes(world, pair)) others.push(source);
    }
  }
  others.sort((one, other) => order[one]! - order[other]!);
  return others.length === 0 ? children.reverse() : [...children, ...others].reverse();
}
