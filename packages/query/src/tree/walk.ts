import { ChildOf, type Entity, type World } from "@treeline/core";
import {
  depthAt,
  eachTableOf,
  findPair,
  handleAt,
  indexOf,
  inSiblingOrder,
  parentIndexAt,
  requireAlive,
  sortByOrder,
  type TableNumber,
} from "@treeline/core/internal";

/**
 * The children of an entity in sibling order, which is the order in which they were attached; without a parent, the
 * roots. A fresh list: the world may be changed while walking it.
 *
 * Cost: the children, and sorting them if rows have moved since the last pack. Roots: all shapes are looked at.
 *
 * @throws TreelineError `dead-entity` if the parent is not alive.
 */
export function children(world: World, parent?: Entity): Entity[] {
  if (parent === undefined) return rootsOf(world);
  requireAlive(world, parent);
  return handlesOf(world, childIndexes(world, indexOf(parent)));
}

/** Entity indexes of the children of the entity at an index, in sibling order. */
function childIndexes(world: World, index: number): Int32Array {
  const { tables, pairs, records } = world.graph;
  const pair = findPair(pairs, ChildOf.id, index);
  const found: TableNumber[] = [];
  if (pair !== 0) {
    eachTableOf(records, pair, (table) => {
      if (tables.count[table]! > 0) found.push(table);
    });
  }
  return indexesOf(world, found);
}

function rootsOf(world: World): Entity[] {
  const { shapes, tables } = world.graph;
  const found: TableNumber[] = [];
  for (const shape of shapes) {
    if (shape.definitions.includes(ChildOf)) continue;
    for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) found.push(table);
  }
  return handlesOf(world, indexesOf(world, found));
}

function indexesOf(world: World, found: readonly TableNumber[]): Int32Array {
  if (found.length === 1) return inSiblingOrder(world, found[0]!);
  const { tables, shapes } = world.graph;
  const all = new Int32Array(found.reduce((sum, table) => sum + tables.count[table]!, 0));
  let length = 0;
  for (const table of found) {
    const first = tables.first[table]!;
    const { i32 } = shapes[tables.shape[table]!]!.lanes;
    all.set(i32.subarray(first, first + tables.count[table]!), length);
    length += tables.count[table]!;
  }
  return sortByOrder(all, world.entities.order);
}

function handlesOf({ entities }: World, indexes: Int32Array): Entity[] {
  const handles = new Array<Entity>(indexes.length);
  for (let at = 0; at < indexes.length; at++) handles[at] = handleAt(entities, indexes[at]!);
  return handles;
}

/**
 * The parent, its parent, and so on to the root. A fresh list.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function ancestors(world: World, entity: Entity): Entity[] {
  requireAlive(world, entity);
  const found: Entity[] = [];
  for (let at = parentIndexAt(world, indexOf(entity)); at !== 0; at = parentIndexAt(world, at)) {
    found.push(handleAt(world.entities, at));
  }
  return found;
}

/**
 * Everything below an entity, each before what is below it, siblings in order; without the entity itself. A fresh
 * list.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function descendants(world: World, entity: Entity): Entity[] {
  requireAlive(world, entity);
  const found: Entity[] = [];
  const waiting: number[] = [];
  let at: number | undefined = indexOf(entity);
  while (at !== undefined) {
    const below = childIndexes(world, at);
    for (let place = below.length - 1; place >= 0; place--) waiting.push(below[place]!);
    at = waiting.pop();
    if (at !== undefined) found.push(handleAt(world.entities, at));
  }
  return found;
}

/**
 * Steps from the root along ChildOf; a root has 0.
 *
 * Cost: one read; after reparents, the records of the inner nodes below them once.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function depthOf(world: World, entity: Entity): number {
  requireAlive(world, entity);
  return depthAt(world, indexOf(entity));
}
