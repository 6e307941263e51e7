// Frees entities (`freeEntity`, `freeAll`); the order of an observed destruction (`treeOrder`, `destroyOrder`); throws `still-a-target`.
import { TreelineError } from "../../base/error.ts";
import { grownInt32 } from "../../base/growing.ts";
import { AT_ONCE, closeIfIdle, freePairsOf } from "../../graph/graph.ts";
import { CHILD_OF, ChildOf, ComponentEntity } from "../../id/builtins.ts";
import { PAIR_DELETES } from "../../id/definition.ts";
import { findPair, firstPairOf, isTarget } from "../../id/pair-index.ts";
import { giveIndex } from "../../records/entity-index.ts";
import { closeFamily, countIn, leaveFamily } from "../../records/families.ts";
import {
  type Archetype,
  hasDefinition,
  NEEDS_ADDING_ORDER,
  NEEDS_BUILTIN,
  NEEDS_HOOKS,
  NEEDS_OBSERVERS,
} from "../../storage/archetype.ts";
import { ENTITY_CHANGED, note } from "../../storage/journal.ts";
import { leave, takeRow, takeRows } from "../../storage/rows.ts";
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
import { tidyLeft } from "./move-entity.ts";

/** Archetypes with one of these needs have state of their entities outside of the rows. */
export const KEEPS_STATE: number = NEEDS_BUILTIN | NEEDS_ADDING_ORDER;

/** Frees an entity that is the target of no other entity, and the pairs that have it as target. Observers have been notified. */
export function freeEntity(world: World, index: number): void {
  freeRow(world, index);
  if (isTarget(world.graph.pairs, index)) freePairsOf(world.graph, index);
}

/** Frees an entity and its row, but not the pairs that have it as target. @param isListed false if the list of its family has ended. */
export function freeRow(world: World, index: number, isListed = true): void {
  const { graph, entities } = world;
  const row = entities.row[index]!;
  const archetype = archetypeAt(world, index);
  archetype.bits?.forget(graph, row, row + 1);
  freeRecord(world, archetype, index, isListed);
  takeRow(graph, archetype, row);
}

/** Frees what an entity has outside of its row, and its index. One whose spawn has failed half-way is listed nowhere. */
function freeRecord(world: World, archetype: Archetype, index: number, isListed: boolean): void {
  const { graph, entities } = world;
  const table = entities.table[index]!;
  if ((archetype.fixedNeeds & KEEPS_STATE) !== 0) freeState(world, archetype, index);
  if (entities.place[index]! >= 0) {
    if (isListed) {
      const pair = entities.family[index]!;
      leaveFamily(graph.families, entities, index, archetype.hasValueParent);
      if (pair > 0 && countIn(graph.families, pair) === 0) closeIfIdle(graph, pair);
    }
    if (archetype.hasPairs) leave(graph, archetype, table, index);
  }
  giveIndex(entities, index);
  if (archetype.hasPairs) tidyLeft(world, table);
  if (graph.journal.reading) note(graph.journal, ENTITY_CHANGED, index);
}

/** Entities that go together, which are the targets of no others that stay alive. */
export interface Going {
  /** Indexes, each once, of which the first `length` count; an entity with children is before them. */
  readonly work: Int32Array;
  readonly length: number;
  /** By archetype number: how many of its entities go. */
  readonly counts: Int32Array<ArrayBuffer>;
  /** Those of them that are targets; all of their children go as well. */
  readonly targets: readonly number[];
  /** By archetype number: where the next row of it comes in `holes`; ALL if all of its rows go. Kept to be used again. */
  next: Int32Array<ArrayBuffer>;
  holes: Int32Array<ArrayBuffer>;
}

/** Frees many entities: their rows together, archetype by archetype. Observers have been notified. */
export function freeAll(world: World, going: Going): void {
  const { graph } = world;
  const { work, length, targets } = going;
  const { archetypes, pairs, families } = graph;
  const counts = grownInt32(going.counts, archetypes.length); // some may have been made since they were counted
  for (let at = 0; at < targets.length; at++) {
    const pair = findPair(pairs, CHILD_OF, targets[at]!);
    if (pair !== 0) closeFamily(families, pair);
  }
  const next = grownInt32(going.next, archetypes.length);
  going.next = next;
  let sum = 0;
  for (let number = 0; number < archetypes.length; number++) {
    const { rows, bits } = archetypes[number]!;
    next[number] = counts[number] === rows && bits === undefined ? ALL : sum;
    if (next[number] !== ALL) sum += counts[number]!;
  }
  const holes = grownInt32(going.holes, sum);
  going.holes = holes;
  for (let end = length; end > 0; end -= AT_ONCE)
    freeDown(world, work, Math.max(end - AT_ONCE, 0), end, next, holes);
  // Only now has no table of these pairs an entity.
  for (let at = targets.length - 1; at >= 0; at--) freePairsOf(graph, targets[at]!);
  for (let number = 0; number < archetypes.length; number++) {
    const count = counts[number]!;
    if (count === 0) continue;
    const archetype = archetypes[number]!;
    const from = Math.max(next[number]! - count, 0);
    if (archetype.bits === undefined) takeRows(graph, archetype, holes, from, from + count);
    else
      for (const row of holes
        .subarray(from, from + count)
        .sort()
        .reverse())
        takeRow(graph, archetype, row);
  }
}

const ALL = -1;

/** Frees the entities in places `from .. end`, the last one first, but for their rows: it lists these. */
function freeDown(
  world: World,
  list: Int32Array,
  from: number,
  end: number,
  next: Int32Array,
  holes: Int32Array,
): void {
  const { graph, entities } = world;
  const { families, journal } = graph;
  const { archetype: archetypeOf } = graph.tables;
  const { family, row, table } = entities;
  let last = -1;
  let archetype = graph.root;
  let isPlain = true;
  let hole = ALL;
  let closed = -1; // the family that was found last that has ended
  for (let at = end - 1; at >= from; at--) {
    const index = list[at]!;
    const number = archetypeOf[table[index]!]!;
    if (number !== last) {
      if (last >= 0) next[last] = hole;
      last = number;
      hole = next[number]!;
      archetype = graph.archetypes[number]!;
      isPlain =
        !archetype.hasPairs && archetype.bits === undefined && (archetype.fixedNeeds & KEEPS_STATE) === 0;
    }
    if (hole !== ALL) holes[hole++] = row[index]!;
    if (!isPlain) freeApart(world, archetype, index);
    if (journal.reading) note(journal, ENTITY_CHANGED, index);
    const pair = family[index]!;
    if (pair !== closed) {
      if (pair === 0 || countIn(families, pair) > 0) {
        leaveFamily(families, entities, index, archetype.hasValueParent);
        if (pair !== 0 && countIn(families, pair) === 0) closeIfIdle(graph, pair);
      } else closed = pair;
    }
    giveIndex(entities, index);
  }
  next[last] = hole;
}

/** Frees what an entity of an archetype with pairs, bits or state has outside of its row and its family. */
function freeApart(world: World, archetype: Archetype, index: number): void {
  const { graph, entities } = world;
  const row = entities.row[index]!;
  archetype.bits?.forget(graph, row, row + 1);
  if ((archetype.fixedNeeds & KEEPS_STATE) !== 0) freeState(world, archetype, index);
  if (!archetype.hasPairs) return;
  const table = entities.table[index]!;
  leave(graph, archetype, table, index);
  tidyLeft(world, table);
}

/** Removes the state of an entity outside of its row and its family: for archetypes with any of KEEPS_STATE. */
function freeState(world: World, archetype: Archetype, index: number): void {
  const needs = archetype.fixedNeeds;
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
