// The pairs of sparse relations (`PairStore`): places, the rings of subjects and pairs, the hash that finds a pair (`placeOfPair`).
import { grownInt32 } from "../base/growing.ts";
import { clearRow, copyRow, forgetRows } from "./copy-rows.ts";
import { isRoomy, placeIn, SparseStore, setPlace, shrink } from "./sparse.ts";
import type { PairNumber } from "./table.ts";

/** The numbers of a place in `links`. Both lists are rings in the order of adding; a ring of one leads to itself. */
const PER_PLACE = 6;
const PAIR = 0;
/** The next and the previous place of the same subject, and those of the same pair. */
const OF_SUBJECT = 1;
const OF_PAIR = 3;
/** The next place in the bucket plus 1, or 0. */
const IN_BUCKET = 5;

const FEWEST = 16;

/** What the records of pairs hold of a pair of a sparse relation: see `PairRecords`. */
interface Heads {
  /** By pair number: the first place plus 1; 0 for none. */
  readonly main: Int32Array;
  /** By pair number: how many entities have it. */
  readonly tables: Int32Array;
}

/**
 * The pairs of a relation with sparse storage, with their values. A pair of an entity has a place.
 *
 *   pages    entity index -> its first place + 1, or 0
 *   lane 0   place -> entity index
 *   columns  place -> value, without gaps: the last one fills the place of one that goes
 *   links    place -> pair, the neighbours in the ring of the entity and in that of the pair, and the next in its bucket
 *   buckets  hash of entity and pair -> the first place + 1, or 0
 */
export class PairStore extends SparseStore {
  links: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** The length is a power of two. */
  buckets: Int32Array<ArrayBuffer> = new Int32Array(FEWEST);
  /** As of this epoch of events the relation has neither hooks, observers nor limits. */
  plainEpoch = -1;
}

export function pairAtPlace({ links }: PairStore, place: number): PairNumber {
  return links[place * PER_PLACE + PAIR]!;
}

/** The place of a pair of the entity at an index; -1 if it does not have the pair. */
export function placeOfPair(store: PairStore, index: number, pair: PairNumber): number {
  const { links, lanes, buckets } = store;
  let place = buckets[bucketOf(store, index, pair)]! - 1;
  while (place >= 0 && (links[place * PER_PLACE + PAIR] !== pair || lanes.i32[place] !== index))
    place = links[place * PER_PLACE + IN_BUCKET]! - 1;
  return place;
}

/** Calls back with the place of each pair of the entity at an index, in the order of adding. The store must not change. */
export function eachPlaceOf(store: PairStore, index: number, call: (place: number) => void): void {
  eachInRing(store, placeIn(store, index), OF_SUBJECT, call);
}

/** The handles of the targets of the entity at an index, in the order of adding. A new list. @param target of pairs, by number. */
export function targetsIn(
  store: PairStore,
  index: number,
  target: Int32Array,
  handles: Float64Array,
): number[] {
  const { links } = store;
  const head = placeIn(store, index);
  const found: number[] = [];
  if (head < 0) return found;
  let place = head;
  do {
    found.push(handles[target[links[place * PER_PLACE + PAIR]!]!]!);
    place = links[place * PER_PLACE + OF_SUBJECT]!;
  } while (place !== head);
  return found;
}

/** The same as `eachPlaceOf` for the entities that have a pair. */
export function eachPlaceWith(
  store: PairStore,
  { main }: Heads,
  pair: PairNumber,
  call: (place: number) => void,
): void {
  eachInRing(store, main[pair]! - 1, OF_PAIR, call);
}

function eachInRing({ links }: PairStore, head: number, ring: number, call: (place: number) => void): void {
  let place = head;
  if (head < 0) return;
  do {
    call(place);
    place = links[place * PER_PLACE + ring]!;
  } while (place !== head);
}

/** Gives the entity at an index a pair that it does not have, with the defaults; there is room. @returns the place. */
export function insertPair(store: PairStore, heads: Heads, index: number, pair: PairNumber): number {
  const { lanes } = store;
  if (store.count === store.buckets.length) rehash(store, store.count * 2);
  const place = store.count++;
  if (store.count * PER_PLACE > store.links.length)
    store.links = grownInt32(store.links, lanes.capacity * PER_PLACE);
  clearRow(lanes, place);
  lanes.i32[place] = index;
  const first = placeIn(store, index);
  enterRing(store.links, OF_SUBJECT, place, first);
  if (first < 0) setPlace(store.pages, index, place);
  attach(store, heads, place, pair);
  return place;
}

/** Takes a pair from its entity. */
export function dropPairAt(store: PairStore, heads: Heads, place: number): void {
  const { lanes, links } = store;
  const index = lanes.i32[place]!;
  detach(store, heads, place);
  const next = leaveRing(links, OF_SUBJECT, place);
  if (placeIn(store, index) === place) setPlace(store.pages, index, next);
  const last = --store.count;
  if (place !== last) {
    const moved = lanes.i32[last]!;
    const pair = pairAtPlace(store, last);
    leaveBucket(store, last);
    copyRow(lanes, last, place);
    replaceInRing(links, OF_SUBJECT, last, place);
    replaceInRing(links, OF_PAIR, last, place);
    if (placeIn(store, moved) === last) setPlace(store.pages, moved, place);
    if (heads.main[pair] === last + 1) heads.main[pair] = place + 1;
    enterBucket(store, place, pair);
  }
  if (lanes.objects.length > 0) forgetRows(lanes, last, last + 1);
  if (isRoomy(store)) shrinkPairs(store);
}

/** Turns a pair into another one that its entity does not have, with the defaults, at the end of the ring of that pair. */
export function retarget(store: PairStore, heads: Heads, place: number, pair: PairNumber): void {
  const { lanes } = store;
  const index = lanes.i32[place]!;
  detach(store, heads, place);
  clearRow(lanes, place);
  lanes.i32[place] = index;
  attach(store, heads, place, pair);
}

/** Frees memory that is not used. Where the memory refuses smaller columns, the present ones stay. */
function shrinkPairs(store: PairStore): void {
  shrink(store);
  store.links = store.links.slice(0, store.lanes.capacity * PER_PLACE);
  let length = FEWEST;
  while (length < store.count) length *= 2;
  rehash(store, length);
}

// ---- pairs of places -------------------------------------------------------------------------------------------------

function attach(store: PairStore, heads: Heads, place: number, pair: PairNumber): void {
  const { main, tables } = heads;
  enterRing(store.links, OF_PAIR, place, main[pair]! - 1);
  if (main[pair] === 0) main[pair] = place + 1;
  tables[pair]!++;
  enterBucket(store, place, pair);
}

function detach(store: PairStore, { main, tables }: Heads, place: number): void {
  const pair = pairAtPlace(store, place);
  leaveBucket(store, place);
  const next = leaveRing(store.links, OF_PAIR, place);
  if (main[pair] === place + 1) main[pair] = next + 1;
  tables[pair]!--;
}

// ---- rings -----------------------------------------------------------------------------------------------------------

/** Inserts a place at the end of a ring. @param head -1 if the ring is empty. */
function enterRing(links: Int32Array, ring: number, place: number, head: number): void {
  const at = place * PER_PLACE + ring;
  const next = head < 0 ? place : head;
  const last = head < 0 ? place : links[head * PER_PLACE + ring + 1]!;
  links[at] = next;
  links[at + 1] = last;
  links[last * PER_PLACE + ring] = place;
  links[next * PER_PLACE + ring + 1] = place;
}

/** @returns the next place; -1 if the ring is empty now. */
function leaveRing(links: Int32Array, ring: number, place: number): number {
  const next = links[place * PER_PLACE + ring]!;
  const before = links[place * PER_PLACE + ring + 1]!;
  links[before * PER_PLACE + ring] = next;
  links[next * PER_PLACE + ring + 1] = before;
  return next === place ? -1 : next;
}

/** Puts a place, which is in no ring, where another one is. */
function replaceInRing(links: Int32Array, ring: number, former: number, place: number): void {
  const head = leaveRing(links, ring, former);
  enterRing(links, ring, place, head);
}

// ---- buckets ---------------------------------------------------------------------------------------------------------

/** Multipliers that spread adjacent numbers. */
const SPREAD = 0x9e3779b1;
const SPREAD_PAIR = 0x85ebca6b;

function bucketOf({ buckets }: PairStore, index: number, pair: PairNumber): number {
  const hash = Math.imul(Math.imul(index, SPREAD) ^ pair, SPREAD_PAIR);
  return (hash ^ (hash >>> 15)) & (buckets.length - 1);
}

function enterBucket(store: PairStore, place: number, pair: PairNumber): void {
  const { links, buckets, lanes } = store;
  const bucket = bucketOf(store, lanes.i32[place]!, pair);
  links[place * PER_PLACE + PAIR] = pair;
  links[place * PER_PLACE + IN_BUCKET] = buckets[bucket]!;
  buckets[bucket] = place + 1;
}

function leaveBucket(store: PairStore, place: number): void {
  const { links, buckets, lanes } = store;
  const bucket = bucketOf(store, lanes.i32[place]!, pairAtPlace(store, place));
  const after = links[place * PER_PLACE + IN_BUCKET]!;
  let at = buckets[bucket]! - 1;
  if (at === place) {
    buckets[bucket] = after;
    return;
  }
  while (links[at * PER_PLACE + IN_BUCKET] !== place + 1) at = links[at * PER_PLACE + IN_BUCKET]! - 1;
  links[at * PER_PLACE + IN_BUCKET] = after;
}

/** Makes another number of buckets. */
function rehash(store: PairStore, length: number): void {
  store.buckets = new Int32Array(length);
  for (let place = 0; place < store.count; place++) enterBucket(store, place, pairAtPlace(store, place));
}
