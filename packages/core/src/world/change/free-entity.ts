import { TreelineError } from "../../base/error.ts";
import { freePairsOf } from "../../graph/table-graph.ts";
import { CHILD_OF, ChildOf, Stands } from "../../id/builtins.ts";
import { PAIR_LISTED } from "../../id/definition.ts";
import { firstPairOf, isTarget } from "../../id/pair-book.ts";
import { giveIndexes, handleAt } from "../../records/entity-index.ts";
import { LOOSE_MOVED, note } from "../../storage/journal.ts";
import { NOBODY, takeRow } from "../../storage/rows.ts";
import {
  hasDefinition,
  NEEDS_ADDING_ORDER,
  NEEDS_BUILTIN,
  NEEDS_VALUE_PARENT,
  type Shape,
} from "../../storage/shape.ts";
import { insideVisit, whileChanging } from "../state/lock.ts";
import { textOf } from "../state/require.ts";
import { orderedSources } from "../state/targets.ts";
import { shapeAt } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { leaveFamily } from "./family.ts";
import { noteMove, tidyLeft } from "./move-entity.ts";

/** What keeps state of its entities outside of their rows. */
export const KEEPS_STATE: number = NEEDS_BUILTIN | NEEDS_VALUE_PARENT | NEEDS_ADDING_ORDER;

/** Frees an entity to which no other one points, and the pairs that point at it. Whoever observes it has been told. */
export function freeEntity(world: World, index: number): void {
  freeRow(world, index);
  if (isTarget(world.graph.pairs, index)) freePairsOf(world.graph, index);
}

/** Frees an entity and its row, but not the pairs that point at it. */
export function freeRow(world: World, index: number): void {
  const { graph, entities } = world;
  const { tables, shapes, pairs, journal } = graph;
  const table = entities.table[index]!;
  const row = entities.row[index]!;
  const shape = shapes[tables.shape[table]!]!;
  const parentPair = tables.parentPair[table]!;
  const isListed = parentPair !== 0 && (pairs.traits[parentPair]! & PAIR_LISTED) !== 0;
  if (isListed || (shape.fixedNeeds & KEEPS_STATE) !== 0) freeState(world, shape, index);
  const at = tables.first[table]! + row;
  giveIndexes(entities, shape.lanes.i32, at, at + 1);
  const moved = takeRow(world.graph, shape, table, row);
  if (moved !== NOBODY) {
    entities.row[moved] = row;
    if (journal.reading) noteMove(world, moved, shape.isLoose);
  }
  if (tables.count[table] === 0) tidyLeft(world, table);
}

/**
 * Forgets what is kept of an entity outside of its row. To be called of archetypes that need any of KEEPS_STATE, and of
 * children that stand in a list.
 */
export function freeState(world: World, shape: Shape, index: number): void {
  const needs = shape.fixedNeeds;
  leaveFamily(world, index);
  if ((needs & NEEDS_VALUE_PARENT) !== 0) note(world.graph.journal, LOOSE_MOVED, index);
  if ((needs & NEEDS_ADDING_ORDER) !== 0) world.orders.delete(index);
  if ((needs & NEEDS_BUILTIN) !== 0 && hasDefinition(shape, Stands)) {
    const definition = world.standsFor.get(index);
    world.standsFor.delete(index);
    if (definition !== undefined) world.standing.delete(definition.id);
  }
}

/**
 * The entities below some roots, and the roots, in the order in which they are destroyed: children before parents, siblings
 * in order. For what is destroyed along the tree alone.
 */
export function treeOrder(world: World, roots: readonly number[]): number[] {
  const order: number[] = [];
  const waiting = [...roots];
  // Parents before children and siblings from the last one on; then turned round.
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    order.push(index);
    if (isTarget(world.graph.pairs, index)) {
      for (const child of orderedSources(world, index, ChildOf)) waiting.push(child);
    }
  }
  return order.reverse();
}

/**
 * Destroys an entity that waited for a target that is gone, of a relation that deletes. Who destroyed the target has brought
 * `destroy`; a target whose spawn was refused is gone without it. Then the entity is destroyed with its tree here.
 *
 * @throws TreelineError `still-a-target` if that is not all: other relations point there, or it stands for a definition. Then
 *   nothing has changed.
 */
export function destroyWithTarget(world: World, index: number): void {
  if (world.slots.destroy !== undefined) {
    world.slots.destroy(world, [index]);
    return;
  }
  const order = treeOrder(world, [index]);
  for (const one of order) requireTreeAlone(world, one);
  insideVisit(world, () =>
    whileChanging(world, () => {
      for (const one of order) {
        world.slots.announce?.(world, one, 0);
        freeEntity(world, one);
      }
    }),
  );
}

function requireTreeAlone(world: World, index: number): void {
  const { pairs } = world.graph;
  let pair = firstPairOf(pairs, index);
  while (pair !== 0 && pairs.relation[pair] === CHILD_OF) pair = pairs.nextOfTarget[pair]!;
  if (pair === 0 && !hasDefinition(shapeAt(world, index), Stands)) return;
  throw new TreelineError(
    "still-a-target",
    `${textOf(world, handleAt(world.entities, index))} is the target of other entities, and would be destroyed because its ` +
      "new parent could not be spawned; remove those pairs first",
  );
}
