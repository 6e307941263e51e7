// The children of each parent, and the roots, as lists with holes in one pool (`Families`): join, leave, places (`memberAt`), moves (`moveInFamily`).
import {
  extendSlice,
  freeSlice,
  LEAST_ROOM,
  type NumberPool,
  roomOfSlice,
  takeSlice,
} from "../base/number-pool.ts";
import type { PairNumber } from "../storage/table.ts";
import type { EntityIndex } from "./entity-index.ts";

/** The numbers of a family in `Families.records`. */
export const FAMILY = 8;
const FIRST = 0;
const HEAD = 1;
const LENGTH = 2;
const ROOM = 3;
const COUNT = 4;
const BY_VALUE = 5;
/** 1 + the number of the archetype of all, negative if their rows are not adjacent and in order; 0 if that is not known. */
const ALIKE = 6;
/** The `moves` of that archetype when it was found out: with others it is not known any more. */
const SINCE = 7;
/** So many moves of an archetype can be told apart. */
const MOST_MOVES = 0x7fff_ffff;

/** The pair of the family of roots. */
export const ROOTS = 0;

/** The list of the roots keeps so many places when it is empty, and no list has more holes than entities if it is longer. */
export const KEPT_ROOM = 16;
/** How far the nearest hole is looked for when a child is put before another, at least. */
const NEAR = 64;
/** The exponent of how many children are between two places that are left free when a list is spread. */
const SPREAD = 3;

/**
 * The children of each parent, in either storage, as one list of entity indexes in sibling order; and the roots, as the family of pair 0.
 * A place that an entity leaves is a hole, 0. Holes are closed when they are more than half of a list, or when it must grow.
 *
 *   (ChildOf, Ship)    pool  [ e4  0  e9  e7  -  -  -  - ]     head 0, length 4, room 8, count 3, by value 1
 *   e9                 family (ChildOf, Ship), place 2
 */
export class Families implements NumberPool {
  /** The lists: slices of `room` numbers, a power of two; a free slice begins with the first place of the next one of its size. */
  pool: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** By pair number, adjacent: the first number of its slice; its first and end place in use; room; entities, and how many store the pair by value. */
  records: Int32Array<ArrayBuffer> = new Int32Array(FAMILY);
  /** By the exponent of a size: 1 plus the start of the first free slice, or 0. */
  readonly free: Int32Array<ArrayBuffer> = new Int32Array(32);
  /** The numbers of the pool that were ever used. */
  end = 0;
}

/** How many records there is room for. */
export function familiesIn({ records }: Families): number {
  return Math.floor(records.length / FAMILY);
}

export function countIn({ records }: Families, pair: PairNumber): number {
  return records[pair * FAMILY + COUNT]!;
}

/** How many entities of a family store their parent by value. */
export function valueCountOf({ records }: Families, pair: PairNumber): number {
  return records[pair * FAMILY + BY_VALUE]!;
}

/** The places of a family in the pool, absolute: `startOf <= at < endOf`, holes included. */
export function startOf({ records }: Families, pair: PairNumber): number {
  return records[pair * FAMILY + FIRST]! + records[pair * FAMILY + HEAD]!;
}

export function endOf({ records }: Families, pair: PairNumber): number {
  return records[pair * FAMILY + FIRST]! + records[pair * FAMILY + LENGTH]!;
}

/** Its slice of the pool. A new record. */
export function sliceOf(
  { records }: Families,
  pair: PairNumber,
): { readonly first: number; readonly room: number } {
  return { first: records[pair * FAMILY + FIRST]!, room: records[pair * FAMILY + ROOM]! };
}

/** Of what archetype all entities of a family are, and whether their rows are adjacent and in order: 0 if it is not known. See `noteAlike`. */
export function alikeIn({ records }: Families, pair: PairNumber): number {
  return records[pair * FAMILY + ALIKE]!;
}

/** Is what is known of a family still true, in the archetype that it names? */
export function isStillAlike(
  { records }: Families,
  pair: PairNumber,
  { moves }: { readonly moves: number },
): boolean {
  return records[pair * FAMILY + SINCE] === moves;
}

/** Notes that all entities of a family are of an archetype: it is known until one joins or leaves, or a row of the archetype moves. */
export function noteAlike(
  { records }: Families,
  pair: PairNumber,
  archetype: { readonly number: number; moves: number },
  isAdjacent: boolean,
): void {
  if (archetype.moves > MOST_MOVES) {
    archetype.moves = 0;
    for (let at = ALIKE; at < records.length; at += FAMILY) records[at] = 0;
  }
  records[pair * FAMILY + ALIKE] = isAdjacent ? archetype.number + 1 : -archetype.number - 1;
  records[pair * FAMILY + SINCE] = archetype.moves;
}

/** Drops the list of a pair that no entity has any more, or whose entities are all about to be destroyed. */
export function closeFamily(families: Families, pair: PairNumber): void {
  const { records } = families;
  const at = pair * FAMILY;
  if (records[at + ROOM] !== 0) freeSlice(families, records[at + FIRST]!, records[at + ROOM]!);
  for (let field = at; field < at + FAMILY; field++) records[field] = 0;
}

/** How many entities will join which families, by pair. */
export type Joins = Map<PairNumber, number>;

export function addJoins(joins: Joins, pair: PairNumber, count: number): void {
  joins.set(pair, (joins.get(pair) ?? 0) + count);
}

/** `reserveFamily` for several. */
export function reserveFamilies(families: Families, entities: EntityIndex, joins: Joins): void {
  for (const [pair, count] of joins) reserveFamily(families, entities, pair, count);
}

/** Must a list grow, or close its holes, before another entity joins? */
export function isFull({ records }: Families, pair: PairNumber): boolean {
  return records[pair * FAMILY + LENGTH] === records[pair * FAMILY + ROOM];
}

/** Makes sure that `more` entities can join a family without allocation. @throws what a failed allocation throws; nothing has changed then. */
export function reserveFamily(
  families: Families,
  { place }: EntityIndex,
  pair: PairNumber,
  more: number,
): void {
  const { records } = families;
  const at = pair * FAMILY;
  const length = records[at + LENGTH]!;
  const room = records[at + ROOM]!;
  if (length + more <= room) return;
  const needed = records[at + COUNT]! + more;
  // A quarter of the list is free then: closing its holes is paid by as many joins.
  if (needed + (room >> 2) <= room) {
    compact(families, place, pair, records[at + FIRST]!);
    return;
  }
  let wanted = room === 0 ? LEAST_ROOM : room * 2;
  while (wanted < needed) wanted *= 2;
  const first = records[at + FIRST]!;
  if (room > 0 && extendSlice(families, first, room, wanted)) {
    records[at + ROOM] = wanted;
    return;
  }
  const start = takeSlice(families, wanted);
  compact(families, place, pair, start);
  records[at + FIRST] = start;
  records[at + ROOM] = wanted;
  if (room > 0) freeSlice(families, first, room);
}

/** Closes the holes of a list, in place or into a slice that is as long. */
function compact({ pool, records }: Families, places: Int32Array, pair: PairNumber, to: number): void {
  const at = pair * FAMILY;
  const first = records[at + FIRST]!;
  const length = records[at + LENGTH]!;
  const end = first + length;
  if (records[at + COUNT] === length) {
    // Without holes all keep their places, which are in cache lines of their own.
    if (to !== first) for (let from = 0; from < length; from++) pool[to + from] = pool[first + from]!;
    return;
  }
  let next = to;
  for (let from = first + records[at + HEAD]!; from < end; from++) {
    const index = pool[from]!;
    if (index === 0) continue;
    pool[next] = index;
    places[index] = next++ - to;
  }
  records[at + HEAD] = 0;
  records[at + LENGTH] = next - to;
}

/** Puts an entity that is in no family at the end of one. @param byValue its parent is stored by value. */
export function joinFamily(
  families: Families,
  entities: EntityIndex,
  pair: PairNumber,
  index: number,
  byValue: boolean,
): void {
  const at = pair * FAMILY;
  const { records } = families;
  if (records[at + LENGTH] === records[at + ROOM]) reserveFamily(families, entities, pair, 1);
  const length = records[at + LENGTH]!;
  families.pool[records[at + FIRST]! + length] = index;
  records[at + LENGTH] = length + 1;
  records[at + COUNT]!++;
  records[at + ALIKE] = 0;
  if (byValue) records[at + BY_VALUE]!++;
  entities.family[index] = pair;
  entities.place[index] = length;
}

/**
 * Takes an entity out of its family, if it is in one. An empty one keeps its list until its pair is closed: more may come.
 *
 * @param byValue its parent is stored by value.
 */
export function leaveFamily(
  families: Families,
  entities: EntityIndex,
  index: number,
  byValue: boolean,
): void {
  const pair = entities.family[index]!;
  const place = entities.place[index]!;
  if (place < 0) return;
  const at = pair * FAMILY;
  const { records, pool } = families;
  const first = records[at + FIRST]!;
  pool[first + place] = 0;
  const count = records[at + COUNT]! - 1;
  records[at + COUNT] = count;
  records[at + ALIKE] = 0;
  if (byValue) records[at + BY_VALUE]!--;
  entities.family[index] = 0;
  entities.place[index] = -1;
  let length = records[at + LENGTH]!;
  if (count === 0) {
    records[at + HEAD] = 0;
    records[at + LENGTH] = 0;
    if (pair === ROOTS && records[at + ROOM]! > KEPT_ROOM) closeFamily(families, pair);
    return;
  }
  if (place === length - 1) {
    do length--;
    while (pool[first + length - 1] === 0);
    records[at + LENGTH] = length;
  } else if (place === records[at + HEAD]) {
    let head = place + 1;
    while (pool[first + head] === 0) head++;
    records[at + HEAD] = head;
  }
  if (length > KEPT_ROOM && count * 2 < length) compact(families, entities.place, pair, first);
}

/** An entity of a family stores its parent in the other way now, and keeps its place. */
export function changeStorage({ records }: Families, pair: PairNumber, byValue: boolean): void {
  records[pair * FAMILY + BY_VALUE]! += byValue ? 1 : -1;
}

/** Puts an entity that is in no family before one of a family; 0 means at the end. */
export function joinBefore(
  families: Families,
  entities: EntityIndex,
  pair: PairNumber,
  index: number,
  before: number,
  byValue: boolean,
): void {
  if (before === 0) {
    joinFamily(families, entities, pair, index, byValue);
    return;
  }
  const at = pair * FAMILY;
  insertInto(families, entities, pair, index, before, holeBeside(families, entities, pair, before, -1));
  families.records[at + COUNT]!++;
  if (byValue) families.records[at + BY_VALUE]!++;
}

/** Moves an entity within its family, before another one; 0 means to the end. @returns false if it is there already. */
export function moveInFamily(
  families: Families,
  entities: EntityIndex,
  index: number,
  before: number,
): boolean {
  const pair = entities.family[index]!;
  if (before === index || nextIn(families, entities, index) === before) return false;
  const { records } = families;
  const at = pair * FAMILY;
  // What may need memory comes first.
  let hole = 0;
  if (before === 0) reserveFamily(families, entities, pair, 1);
  else hole = holeBeside(families, entities, pair, before, entities.place[index]!);
  families.pool[records[at + FIRST]! + entities.place[index]!] = 0;
  if (before === 0) {
    records[at + COUNT]!--; // it joins again
    joinFamily(families, entities, pair, index, false);
  } else insertInto(families, entities, pair, index, before, hole);
  trim(families, pair);
  const length = records[at + LENGTH]!;
  if (length > KEPT_ROOM && records[at + COUNT]! * 2 < length)
    compact(families, entities.place, pair, records[at + FIRST]!);
  return true;
}

/** No list that has an entity begins or ends with a hole. */
function trim({ records, pool }: Families, pair: PairNumber): void {
  const at = pair * FAMILY;
  const first = records[at + FIRST]!;
  let head = records[at + HEAD]!;
  while (pool[first + head] === 0) head++;
  records[at + HEAD] = head;
  let length = records[at + LENGTH]!;
  while (pool[first + length - 1] === 0) length--;
  records[at + LENGTH] = length;
}

/** Makes sure that an entity can be put before another one without allocation. @throws as `reserveFamily`. */
export function reserveBefore(families: Families, entities: EntityIndex, before: number): void {
  holeBeside(families, entities, entities.family[before]!, before, -1);
}

/**
 * The hole into which an entity is put that comes before another one. Without a hole nearby the list is spread first, so that most of
 * the next insertions find one.
 *
 * @param own a place that will be a hole, or -1.
 */
function holeBeside(
  families: Families,
  entities: EntityIndex,
  pair: PairNumber,
  before: number,
  own: number,
): number {
  const hole = nearestHole(families, pair, entities.place[before]!, own);
  if (hole >= 0) return hole;
  spread(families, entities, pair);
  return nearestHole(families, pair, entities.place[before]!, -1);
}

/**
 * Writes an entity before another one of a list: the numbers between that and a hole move by one.
 *
 * @cost a few numbers; if all insertions hit one place, in proportion to the square root of the list, the spreads included.
 */
function insertInto(
  { pool, records }: Families,
  { place, family }: EntityIndex,
  pair: PairNumber,
  index: number,
  before: number,
  hole: number,
): void {
  const at = pair * FAMILY;
  const first = records[at + FIRST]!;
  let to = place[before]!;
  if (hole < to) {
    // Those before it move down.
    to--;
    for (let from = hole; from < to; from++) move(pool, place, first, from + 1, from);
    if (hole < records[at + HEAD]!) records[at + HEAD] = hole;
  } else {
    for (let from = hole; from > to; from--) move(pool, place, first, from - 1, from);
    if (hole === records[at + LENGTH]) records[at + LENGTH] = hole + 1;
  }
  pool[first + to] = index;
  place[index] = to;
  family[index] = pair;
  records[at + ALIKE] = 0;
}

function move(pool: Int32Array, places: Int32Array, first: number, from: number, to: number): void {
  const index = pool[first + from]!;
  pool[first + to] = index;
  if (index !== 0) places[index] = to;
}

/** The hole, or place behind the end, that is nearest to a place; -1 if none is near, or in a short list none at all. */
function nearestHole({ pool, records }: Families, pair: PairNumber, place: number, own: number): number {
  const at = pair * FAMILY;
  const first = records[at + FIRST]!;
  const length = records[at + LENGTH]!;
  const room = records[at + ROOM]!;
  // Twice the square root: what is shifted and what spreads take are in balance then.
  const near = Math.max(NEAR, 2 << ((32 - Math.clz32(length)) >> 1));
  for (let step = 1; step <= near; step++) {
    const down = place - step;
    const up = place + step - 1;
    if (down >= 0 && (pool[first + down] === 0 || down === own)) return down;
    if (up < length ? pool[first + up] === 0 || up === own : up < room) return up;
  }
  return -1;
}

/** Leaves a place free before every eight entities of a list, in another slice if need be. */
function spread(families: Families, { place }: EntityIndex, pair: PairNumber): void {
  const { records } = families;
  const at = pair * FAMILY;
  const count = records[at + COUNT]!;
  const length = count + ((count - 1) >> SPREAD) + 1;
  const room = records[at + ROOM]!;
  const old = records[at + FIRST]!;
  const wanted = length > room ? roomOfSlice(length) : room;
  const first = wanted > room ? takeSlice(families, wanted) : old;
  compact(families, place, pair, first);
  if (first !== old) freeSlice(families, old, room);
  records[at + FIRST] = first;
  records[at + ROOM] = wanted;
  const { pool } = families;
  for (let to = count; to < length; to++) pool[first + to] = 0;
  // The last one first: each moves up, to where none is any more.
  for (let from = count - 1; from >= 0; from--) {
    const index = pool[first + from]!;
    const to = from + (from >> SPREAD) + 1;
    pool[first + from] = 0;
    pool[first + to] = index;
    place[index] = to;
  }
  records[at + HEAD] = 1;
  records[at + LENGTH] = length;
}

/** Puts the entities of a family into another order. @param order exactly these entities. */
export function reorderFamily(
  families: Families,
  { place }: EntityIndex,
  pair: PairNumber,
  order: readonly number[],
): void {
  const { pool, records } = families;
  const at = pair * FAMILY;
  const first = records[at + FIRST]!;
  for (let to = 0; to < order.length; to++) {
    pool[first + to] = order[to]!;
    place[order[to]!] = to;
  }
  records[at + HEAD] = 0;
  records[at + LENGTH] = order.length;
  records[at + ALIKE] = 0;
}

/** The entities of a family in order, as a new list. */
export function membersOf(families: Families, pair: PairNumber): number[] {
  const { pool } = families;
  const end = endOf(families, pair);
  const found = new Array<number>(countIn(families, pair));
  let next = 0;
  for (let at = startOf(families, pair); at < end; at++) {
    const index = pool[at]!;
    if (index !== 0) found[next++] = index;
  }
  return found;
}

/** The next entity of the same family, or 0. */
export function nextIn(families: Families, { family, place }: EntityIndex, index: number): number {
  const pair = family[index]!;
  const { pool, records } = families;
  const end = endOf(families, pair);
  for (let at = records[pair * FAMILY + FIRST]! + place[index]! + 1; at < end; at++)
    if (pool[at] !== 0) return pool[at]!;
  return 0;
}

/** The first entity of a family, or 0. */
export function firstIn(families: Families, pair: PairNumber): number {
  return countIn(families, pair) === 0 ? 0 : families.pool[startOf(families, pair)]!;
}

/**
 * The entity at a place, from 0; 0 after the last. @param except an entity of the family that is not counted, or 0.
 *
 * @cost one read in a list without holes; else steps from the nearer end.
 */
export function memberAt(
  families: Families,
  { place: places }: EntityIndex,
  pair: PairNumber,
  place: number,
  except: number,
): number {
  const { pool, records } = families;
  const start = startOf(families, pair);
  const end = endOf(families, pair);
  const count = countIn(families, pair);
  const others = except === 0 ? count : count - 1;
  if (place >= others) return 0;
  if (end - start === count) {
    const isBehind = except !== 0 && records[pair * FAMILY + FIRST]! + places[except]! <= start + place;
    return pool[start + place + (isBehind ? 1 : 0)]!;
  }
  const isForth = place * 2 <= others;
  let at = isForth ? start - 1 : end;
  for (let left = isForth ? place + 1 : others - place; left > 0; ) {
    at += isForth ? 1 : -1;
    if (pool[at] !== 0 && pool[at] !== except) left--;
  }
  return pool[at]!;
}

/** Stores all lists without holes, in the order of pairs, and gives back the rest of the pool. @param pairs the numbers of pairs, 0 included. */
export function packFamilies(families: Families, { place }: EntityIndex, pairs: number): void {
  const { records } = families;
  const old = families.pool;
  let end = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const count = countIn(families, pair);
    if (count > 0) end += roomOfSlice(count);
  }
  const pool = new Int32Array(end);
  let first = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const at = pair * FAMILY;
    const count = records[at + COUNT]!;
    const start = startOf(families, pair);
    const stop = endOf(families, pair);
    let next = first;
    for (let from = start; from < stop; from++) {
      const index = old[from]!;
      if (index === 0) continue;
      pool[next] = index;
      place[index] = next++ - first;
    }
    records[at + FIRST] = first;
    records[at + HEAD] = 0;
    records[at + LENGTH] = count;
    records[at + ROOM] = count === 0 ? 0 : roomOfSlice(count);
    if (count > 0) first += roomOfSlice(count);
  }
  families.pool = pool;
  families.end = end;
  families.free.fill(0);
  const length = pairs * FAMILY;
  if (records.length > length + (length >> 1) + 16) families.records = records.slice(0, length);
}
