import { TreelineError } from "../base/error.ts";
import { createFreeList, type FreeList, lengthen, putFree, takeFree } from "../base/free-list.ts";
import { grownInt32, grownUint32 } from "../base/growing.ts";
import { FREE_BEFORE_REUSE, INDEX_MASK, INDEX_SPAN, LAST_HANDLE, LAST_ORDER } from "../base/limits.ts";
import { type Entity, handleOf, indexOf } from "../id/entity.ts";

/** Where each entity is, by entity index: handle -> table and row. Index 0 stands for nobody. */
export interface EntityIndex {
  /** The handle of who lives at an index; minus the handle of the next one to get it, while nobody does. */
  handles: Float64Array<ArrayBuffer>;
  /** 0 while nobody has this index. */
  table: Int32Array<ArrayBuffer>;
  /** Row within the table. */
  row: Int32Array<ArrayBuffer>;
  /** Grows with each attach: siblings in order means by this number. */
  order: Uint32Array<ArrayBuffer>;
  lastOrder: number;
  /** Indexes ever given, 0 included. */
  length: number;
  readonly free: FreeList;
  alive: number;
  /** Generation of an index that was never used before. */
  readonly firstGeneration: number;
}

export function createEntityIndex(firstGeneration: number): EntityIndex {
  return {
    handles: new Float64Array(1).fill(Number.NaN),
    table: new Int32Array(0),
    row: new Int32Array(0),
    order: new Uint32Array(0),
    lastOrder: 0,
    length: 1,
    free: createFreeList(),
    alive: 0,
    firstGeneration,
  };
}

/** Is this the handle of an entity that is alive in this world? Takes anything. */
export function isLiving(entities: EntityIndex, entity: number): boolean {
  if (typeof entity !== "number" || entity < 0) return false;
  const index = indexOf(entity);
  return index < entities.length && entities.handles[index] === entity;
}

/** The handle of the entity that lives at an index. */
export function handleAt(entities: EntityIndex, index: number): Entity {
  return entities.handles[index] as Entity;
}

/** Can `count` more entities be born? */
export function hasRoomFor(entities: EntityIndex, count: number): boolean {
  const unused = INDEX_MASK + 1 - entities.length;
  return count <= unused + Math.max(0, entities.free.size);
}

/**
 * Takes the index that has been free for the longest time, or a new one. The caller owes it a table and a row.
 *
 * @throws TreelineError `capacity` if 16,777,215 entities are alive.
 */
export function takeIndex(entities: EntityIndex): number {
  const { free } = entities;
  const exhausted = entities.length > INDEX_MASK;
  if (free.size > FREE_BEFORE_REUSE || (exhausted && free.size > 0)) {
    entities.alive++;
    const index = takeFree(free);
    entities.handles[index] = -entities.handles[index]!;
    return index;
  }
  if (exhausted) throw new TreelineError("capacity", "a world holds 16,777,215 entities; destroy some first");
  const index = entities.length++;
  if (index >= entities.table.length) growEntities(entities);
  entities.handles[index] = handleOf(index, entities.firstGeneration);
  entities.alive++;
  return index;
}

function growEntities(entities: EntityIndex): void {
  const { length } = entities;
  entities.table = grownInt32(entities.table, length);
  const handles = new Float64Array(entities.table.length);
  handles.set(entities.handles);
  entities.handles = handles;
  entities.row = grownInt32(entities.row, length);
  entities.order = grownUint32(entities.order, length);
}

/** Ends a life: the handle is stale from now on. An index that died with the last generation is retired. */
export function giveIndex(entities: EntityIndex, index: number): void {
  const next = entities.handles[index]! + INDEX_SPAN;
  entities.table[index] = 0;
  entities.handles[index] = -next;
  entities.alive--;
  if (next <= LAST_HANDLE) putFree(entities.free, index);
}

/** The same for those in places `from .. end` of a list, in its order. */
export function giveIndexes(entities: EntityIndex, list: Int32Array, from: number, end: number): void {
  const { handles, table, free } = entities;
  for (let at = from; at < end; at++) {
    const index = list[at]!;
    const next = handles[index]! + INDEX_SPAN;
    table[index] = 0;
    handles[index] = -next;
    if (next > LAST_HANDLE) continue;
    if (free.size === free.ring.length) lengthen(free);
    free.ring[(free.head + free.size++) & (free.ring.length - 1)] = index;
  }
  entities.alive -= end - from;
}

/** Puts an entity behind all its siblings. */
export function renewOrder(entities: EntityIndex, index: number): void {
  if (entities.lastOrder === LAST_ORDER) renumber(entities);
  entities.order[index] = ++entities.lastOrder;
}

/** Numbers all living entities anew in their present order. Happens once in four billion attaches. */
function renumber(entities: EntityIndex): void {
  const { order, table, length } = entities;
  const living: number[] = [];
  for (let index = 1; index < length; index++) if (table[index] !== 0) living.push(index);
  living.sort((one, other) => order[one]! - order[other]!);
  living.forEach((index, place) => {
    order[index] = place + 1;
  });
  entities.lastOrder = living.length;
}

/** Sorts entity indexes by their order numbers, in place; costs one look if they are sorted already. */
export function sortByOrder<List extends number[] | Int32Array>(indexes: List, order: Uint32Array): List {
  let at = 1;
  while (at < indexes.length && order[indexes[at - 1]!]! < order[indexes[at]!]!) at++;
  if (at < indexes.length) indexes.sort((one, other) => order[one]! - order[other]!);
  return indexes;
}
