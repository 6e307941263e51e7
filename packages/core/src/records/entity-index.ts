// Where each entity is; reuses the oldest free index (`takeIndex`, `FREE_BEFORE_REUSE`), forgets the last ones (`forgetAbove`); throws `capacity`.
import { TreelineError } from "../base/error.ts";
import { growAll } from "../base/growing.ts";
import { FREE_BEFORE_REUSE, INDEX_MASK, INDEX_SPAN, LAST_HANDLE, LAST_ORDER } from "../base/limits.ts";
import { type Entity, generationOf, handleOf, indexOf } from "../id/entity.ts";

/** Where each entity is, by entity index: handle -> table and row. Index 0 means no entity. */
export class EntityIndex {
  /** The handle of the entity with an index; while the index is free, minus the handle of the next entity that gets it. */
  handles: Float64Array<ArrayBuffer> = new Float64Array(1).fill(Number.NaN);
  /** 0 while the index is free. */
  table: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Row in its archetype. */
  row: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** (ChildOf, parent) in either storage, the family that it is in; 0 for roots, and for entities without a row. */
  family: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Its place in the list of the family, see `Families`; -1 while it is in none: free, pending, or about to get its row. */
  place: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Order numbers, which say who came first: each spawn and each attach assigns the next one. */
  order: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  lastOrder = 0;
  /** Indexes ever allocated, 0 included. */
  length = 1;
  /** The number of free indexes; `row` links each to the one that was freed next, and 0 to the oldest. */
  free = 0;
  lastFree = 0;
  alive = 0;
  /** The lowest generation of this world. */
  readonly firstGeneration: number;
  /** The generation of an index at `length` and above: higher than those that such indexes had before they were forgotten. */
  newGeneration: number;

  constructor(firstGeneration: number) {
    this.firstGeneration = firstGeneration;
    this.newGeneration = firstGeneration;
  }
}

/** Whether it is the handle of an entity that is alive in this world. Accepts any value. */
export function isLiving(entities: EntityIndex, entity: number): boolean {
  return typeof entity === "number" && entity > 0 && entities.handles[indexOf(entity)] === entity;
}

export function handleAt(entities: EntityIndex, index: number): Entity {
  return entities.handles[index] as Entity;
}

export function hasRoomFor(entities: EntityIndex, count: number): boolean {
  const unused = INDEX_MASK + 1 - entities.length;
  return count <= unused + entities.free;
}

/**
 * Allocates the index that was free longest, or a new one; the caller must set its table and row. @throws `capacity` if none is
 * left.
 */
export function takeIndex(entities: EntityIndex): number {
  const { handles, row, free } = entities;
  const exhausted = entities.length > INDEX_MASK;
  if (free > FREE_BEFORE_REUSE || (exhausted && free > 0)) {
    const index = row[0]!;
    row[0] = row[index]!;
    if (index === entities.lastFree) entities.lastFree = 0;
    entities.free--;
    entities.alive++;
    handles[index] = -handles[index]!;
    entities.family[index] = 0;
    entities.place[index] = -1;
    return index;
  }
  if (exhausted) throw new TreelineError("capacity", "a world holds 16,777,215 entities");
  const index = entities.length++;
  if (index >= entities.table.length) growAll(entities, entities.length);
  entities.handles[index] = handleOf(index, entities.newGeneration);
  entities.place[index] = -1;
  entities.alive++;
  return index;
}

/** Frees an index: its handle becomes stale. An index with the last generation is never reused. */
export function giveIndex(entities: EntityIndex, index: number): void {
  const next = entities.handles[index]! + INDEX_SPAN;
  entities.table[index] = 0;
  entities.handles[index] = -next;
  entities.alive--;
  if (next > LAST_HANDLE) return;
  entities.row[entities.lastFree] = index;
  entities.lastFree = index;
  entities.free++;
}

/** Forgets all indexes above one, which are free: one number for all of them makes sure that their handles stay stale. */
export function forgetAbove(entities: EntityIndex, last: number): void {
  const { handles, row } = entities;
  if (last + 1 === entities.length) return;
  for (let index = last + 1; index < entities.length; index++)
    entities.newGeneration = Math.max(entities.newGeneration, generationOf(-handles[index]!));
  let place = 0;
  let left = 0;
  let next = row[0]!;
  for (let count = entities.free; count > 0; count--) {
    const index = next;
    next = row[index]!;
    if (index > last) continue;
    row[place] = index;
    place = index;
    left++;
  }
  if (left === 0) row[0] = 0;
  entities.lastFree = place;
  entities.free = left;
  entities.family.fill(0, last + 1, entities.length); // new ones have none
  entities.length = last + 1;
}

/** Makes an entity the youngest. */
export function renewOrder(entities: EntityIndex, index: number): void {
  if (entities.lastOrder === LAST_ORDER) renumber(entities);
  entities.order[index] = ++entities.lastOrder;
}

/** Renumbers all living entities in their present order. Happens once in four billion attaches. */
function renumber(entities: EntityIndex): void {
  const { order, table, length } = entities;
  const living: number[] = [];
  for (let index = 1; index < length; index++) if (table[index] !== 0) living.push(index);
  for (const [place, index] of sortByOrder(living, order).entries()) order[index] = place + 1;
  entities.lastOrder = living.length;
}

/** Sorts entity indexes by their order numbers, in place; one pass if they are sorted already. */
export function sortByOrder<List extends number[] | Int32Array>(
  indexes: List,
  order: Uint32Array | Int32Array,
): List {
  let last = -1;
  for (let at = 0; at < indexes.length; at++) {
    const next = order[indexes[at]!]!;
    if (next <= last) return sort(indexes, order);
    last = next;
  }
  return indexes;
}

/** Apart from its caller, which would otherwise allocate the closure's context in every call. */
function sort<List extends number[] | Int32Array>(indexes: List, order: Uint32Array | Int32Array): List {
  indexes.sort((one, other) => order[one]! - order[other]!);
  return indexes;
}
