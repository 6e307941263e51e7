import { grownInt32 } from "../base/growing.ts";
import { CHILD_OF } from "../id/builtins.ts";
import { findPair, isTarget } from "../id/pair-book.ts";
import { countInList, isListed, lastInList, previousInList } from "../records/sibling-links.ts";
import type { Shape } from "../storage/shape.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { caresFor } from "./birth-plan.ts";
import { hasHeardTags } from "./bit-tags.ts";
import { hasListeners } from "./facts.ts";
import { isInLimbo } from "./limbo.ts";
import { nextStateNumber, stateOf, type World } from "./world.ts";

/** Who is copied by one `clone`. One record per world, used again for the next one. */
export interface Originals {
  /** Each before what is below it, siblings in order; the first `length` count. */
  indexes: Int32Array<ArrayBuffer>;
  /** Parallel to it: the index of the copy. */
  copies: Int32Array<ArrayBuffer>;
  length: number;
  /** By entity index: its place in `indexes`, if that has it there. */
  places: Int32Array<ArrayBuffer>;
  /** The families among them: their pair, and the place of the parent. */
  pairs: Int32Array<ArrayBuffer>;
  parents: Int32Array<ArrayBuffer>;
  families: number;
  /** Found, and not gone through yet: a stack. */
  waiting: Int32Array<ArrayBuffer>;
}

const ORIGINALS: number = nextStateNumber();

function createOriginals(): Originals {
  const none = new Int32Array(0);
  return {
    indexes: none,
    copies: none,
    length: 0,
    places: none,
    pairs: none,
    parents: none,
    families: 0,
    waiting: none,
  };
}

/**
 * Finds who is copied, if rows can be copied as they are: nobody is told or asked, and of pairs there is none but
 * that of the parent.
 *
 * @returns `undefined` if that is not so. The answer is good until the next clone.
 */
export function quietOriginals(world: World, root: number, isDeep: boolean): Originals | undefined {
  const { graph, entities } = world;
  if (isInLimbo(world, root) || !isQuiet(world, entities.table[root]!)) return undefined;
  const found = stateOf(world, ORIGINALS, createOriginals);
  found.length = 0;
  found.families = 0;
  addOriginal(found, root);
  if (!isDeep) return found;

  let count = pushFamily(world, found, root, 0);
  while (count > 0) {
    const index = found.waiting[--count]!;
    addOriginal(found, index);
    if (isTarget(graph.pairs, index)) count = pushFamily(world, found, index, count);
  }
  return count === 0 ? found : undefined;
}

/** The place of an entity among those who are copied, or -1. */
export function placeOf({ indexes, places, length }: Originals, index: number): number {
  const place = index < places.length ? places[index]! : length;
  return place < length && indexes[place] === index ? place : -1;
}

function addOriginal(found: Originals, index: number): void {
  const place = found.length++;
  if (place >= found.indexes.length) {
    found.indexes = grownInt32(found.indexes, place + 1);
    found.copies = grownInt32(found.copies, place + 1);
  }
  if (index >= found.places.length) found.places = grownInt32(found.places, index + 1);
  found.indexes[place] = index;
  found.places[index] = place;
}

/** Puts the children of the last one found on the stack, the first one on top. @returns how many wait, or -1. */
function pushFamily(world: World, found: Originals, index: number, waiting: number): number {
  const { tables, pairs, records, shapes, links } = world.graph;
  const pair = findPair(pairs, CHILD_OF, index);
  if (pair === 0) return waiting;
  if (isListed(links, pair)) return pushList(world, found, pair, waiting);
  let count = waiting;
  for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
    const table = records.nodeTable[node]!;
    if (!isQuiet(world, table)) return -1;
    const first = tables.first[table]!;
    const { i32 } = shapes[tables.shape[table]!]!.lanes;
    const end = count + tables.count[table]!;
    if (end > found.waiting.length) found.waiting = grownInt32(found.waiting, end);
    // Rows and nodes come mostly oldest first and newest first.
    for (let row = first + end - count - 1; row >= first; row--) found.waiting[count++] = i32[row]!;
  }
  if (count === waiting) return count;
  sortFamily(found.waiting, waiting, count, world.entities.order);
  addFamily(found, pair);
  return count;
}

/** The same for children in a list. */
function pushList(world: World, found: Originals, pair: PairNumber, waiting: number): number {
  const { links } = world.graph;
  const { table: tableOf } = world.entities;
  let count = waiting;
  let known = 0;
  const end = count + countInList(links, pair);
  if (end > found.waiting.length) found.waiting = grownInt32(found.waiting, end);
  for (let index = lastInList(links, pair); index !== 0; index = previousInList(links, index)) {
    const table = tableOf[index]!;
    if (table !== known && !isQuiet(world, table)) return -1;
    known = table;
    found.waiting[count++] = index;
  }
  if (count > waiting) addFamily(found, pair);
  return count;
}

function addFamily(found: Originals, pair: PairNumber): void {
  const family = found.families++;
  if (family >= found.pairs.length) {
    found.pairs = grownInt32(found.pairs, family + 1);
    found.parents = grownInt32(found.parents, family + 1);
  }
  found.pairs[family] = pair;
  found.parents[family] = found.length - 1;
}

/** Families of more children than this are sorted by the engine. */
const SMALL = 64;

/** Puts places `from .. end` into falling order. */
function sortFamily(indexes: Int32Array, from: number, end: number, order: Uint32Array): void {
  for (let at = from + 1; at < end; at++) {
    const index = indexes[at]!;
    const own = order[index]!;
    if (order[indexes[at - 1]!]! > own) continue;
    if (end - from > SMALL) {
      indexes.subarray(from, end).sort((one, other) => order[other]! - order[one]!);
      return;
    }
    let to = at;
    for (; to > from && order[indexes[to - 1]!]! < own; to--) indexes[to] = indexes[to - 1]!;
    indexes[to] = index;
  }
}

/** Can the rows of a table be copied, and nobody has to know? */
function isQuiet(world: World, table: TableNumber): boolean {
  const { tables, shapes } = world.graph;
  const shape = shapes[tables.shape[table]!]!;
  const bonds = tables.pairs[table]! - (tables.parentPair[table] === 0 ? 0 : 1);
  return bonds === 0 && isUnheard(world, shape) && !hasHeardTags(world, shape);
}

/** Does nobody hear of the birth of an entity of such a shape, nor is asked for it, nor changed by it? */
export function isUnheard(world: World, shape: Shape): boolean {
  if (shape.hooked.length > 0 || shape.isSpecial || shape.isSymmetric) return false;
  return !(hasListeners(world) && caresFor(world, shape));
}
