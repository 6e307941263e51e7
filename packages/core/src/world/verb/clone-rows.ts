import { grownInt32 } from "../../base/growing.ts";
import { freePairsOf, newTableBelow } from "../../graph/table-graph.ts";
import { CHILD_OF, ChildOf, Hidden } from "../../id/builtins.ts";
import { indexOf } from "../../id/entity.ts";
import { findPair, isTarget } from "../../id/pair-book.ts";
import { giveIndex, handleAt, isLiving } from "../../records/entity-index.ts";
import {
  countInList,
  firstInList,
  isListed,
  lastInList,
  linkBefore,
  looseCountOf,
  loosen,
  loosePairOf,
  nextInList,
  openList,
  previousInList,
} from "../../records/sibling-links.ts";
import { copyRows } from "../../storage/copy-rows.ts";
import { LOOSE_MOVED, note } from "../../storage/journal.ts";
import { appendRows } from "../../storage/rows.ts";
import {
  NEEDS_BUILTIN,
  NEEDS_HOOKS,
  NEEDS_OBSERVERS,
  NEEDS_SYMMETRIC,
  type Shape,
} from "../../storage/shape.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { stampBorn } from "../../storage/tracks.ts";
import { isDisabling } from "../change/disabled.ts";
import { linkGeneration, listPresent } from "../change/family.ts";
import { freeRow } from "../change/free-entity.ts";
import { ensurePair } from "../change/pair.ts";
import { hasHeardTags } from "../state/bit-tags.ts";
import { hooksOf } from "../state/hooks.ts";
import { isInLimbo } from "../state/limbo.ts";
import { needsOf } from "../state/needs-of.ts";
import { parentPairAt } from "../state/targets.ts";
import { shapeAt } from "../state/values.ts";
import { type World, worldState } from "../state/world.ts";

/** What one `clone` copies. One record per world, used again for the next one. */
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
  /** Rows below the topmost one can be copied as they are: no observer hears of it, and there is no pair but that of the parent. */
  isByRows: boolean;
  /** The row of the topmost one can be copied, too. */
  isTopCopied: boolean;
  /** Some of those whose rows can be copied have components with hooks. */
  isHooked: boolean;
}

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
    isByRows: true,
    isTopCopied: false,
    isHooked: false,
  };
}

const originalsOf: (world: World) => Originals = /* @__PURE__ */ worldState(createOriginals);

/** Lists what is copied. The answer is good until the next clone. */
export function listOriginals(world: World, root: number, isDeep: boolean): Originals {
  const { pairs } = world.graph;
  const found = originalsOf(world);
  found.length = 0;
  found.families = 0;
  found.isByRows = true;
  found.isHooked = false;
  lookAtTable(world, found, world.entities.table[root]!);
  found.isTopCopied = found.isByRows && !found.isHooked;
  found.isByRows = !isInLimbo(world, root) && (shapeAt(world, root).fixedNeeds & NEEDS_SYMMETRIC) === 0;
  addOriginal(found, root);
  if (!isDeep) return found;

  let count = pushFamily(world, found, root, 0);
  while (count > 0) {
    const index = found.waiting[--count]!;
    addOriginal(found, index);
    if (isTarget(pairs, index)) count = pushFamily(world, found, index, count);
  }
  return found;
}

/** The index of the copy of an entity; 0 if that is not copied. */
export function copyOf(found: Originals, index: number): number {
  const place = placeOf(found, index);
  return place < 0 ? 0 : found.copies[place]!;
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

/** Puts the children of the last one found on the stack, the first one on top. @returns how many wait. */
function pushFamily(world: World, found: Originals, index: number, waiting: number): number {
  const { tables, pairs, records, shapes, links } = world.graph;
  const pair = findPair(pairs, CHILD_OF, index);
  if (pair === 0) return waiting;
  if (isListed(links, pair)) return pushList(world, found, pair, waiting);
  let count = waiting;
  for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
    const table = records.nodeTable[node]!;
    lookAtTable(world, found, table);
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
    if (table !== known) lookAtTable(world, found, table);
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

/** Can the rows of a table be copied as they are, and have they hooks? */
function lookAtTable(world: World, found: Originals, table: TableNumber): void {
  const { tables, shapes } = world.graph;
  const shape = shapes[tables.shape[table]!]!;
  const needs = needsOf(world, shape);
  if (tables.pairs[table]! !== (tables.parentPair[table] === 0 ? 0 : 1)) found.isByRows = false;
  if ((needs & (NEEDS_OBSERVERS | NEEDS_SYMMETRIC | NEEDS_BUILTIN)) !== 0) found.isByRows = false;
  if (shape.bits !== undefined && hasHeardTags(world, shape)) found.isByRows = false;
  if ((needs & NEEDS_HOOKS) === 0) return;
  found.isHooked = true;
  for (const definition of shape.hooked) {
    const { copy, identifies } = hooksOf(definition);
    if (copy !== undefined || identifies === "world") found.isByRows = false;
  }
}

/** A copy of the topmost original, in the same table, as the last of its siblings. @throws what the memory throws. */
export function copyTop(world: World, found: Originals): void {
  const { table: tableOf, row: rowOf } = world.entities;
  const original = found.indexes[0]!;
  const pair = parentPairAt(world, original);
  copyInto(world, found, tableOf[original]!, rowOf[original]!, 1, tableOf[original]!, pair);
  if (isListed(world.graph.links, pair)) linkCopy(world, pair, found.copies[0]!);
}

/** Puts a copy that has its row at the end of a list. */
function linkCopy(world: World, pair: PairNumber, copy: number): void {
  const { links, journal } = world.graph;
  linkBefore(links, pair, copy, 0);
  if (!shapeAt(world, copy).isLoose) return;
  loosen(links, pair, copy, linkGeneration(world, copy));
  note(journal, LOOSE_MOVED, copy);
}

/**
 * Copies all originals below the topmost one: row by row, without terms and values, table for table. Their indexes are in limbo.
 *
 * @throws what the memory throws: the caller takes back what was copied.
 */
export function copyRowsBelow(world: World, found: Originals): void {
  for (let family = 0; family < found.families; family++) copyFamily(world, found, family);
}

/** Copying was refused, or memory: rows first, then the pairs that point at copies; a deferred one stays in limbo. */
export function takeBack(world: World, { copies, length }: Originals, pending: number): void {
  const { graph, entities } = world;
  for (let place = length - 1; place >= 0; place--) {
    const copy = copies[place]!;
    if (!isInLimbo(world, copy)) freeRow(world, copy);
    else if (copy !== pending) giveIndex(entities, copy);
  }
  for (let place = length - 1; place >= 0; place--) {
    if (isTarget(graph.pairs, copies[place]!)) freePairsOf(graph, copies[place]!);
  }
}

function copyFamily(world: World, found: Originals, family: number): void {
  const { graph } = world;
  const { tables, records, links } = graph;
  const original = found.pairs[family]!;
  const pair = ensurePair(world, ChildOf, found.copies[found.parents[family]!]!);
  for (let node = records.firstNode[original]!; node !== 0; node = records.nodeNext[node]!) {
    const table = records.nodeTable[node]!;
    const count = tables.count[table]!;
    if (count === 0) continue;
    const shape = graph.shapes[tables.shape[table]!]!;
    copyInto(world, found, table, 0, count, newTableBelow(graph, shape, pair, count), pair);
  }
  if (looseCountOf(links, original) > 0) copyList(world, found, original, pair);
  else if (isListed(links, pair)) {
    // The topmost copy may be given OrderedChildren that its original has not.
    if (isListed(links, original)) copyList(world, found, original, pair);
    else listPresent(world, pair);
  }
}

/**
 * Makes a list as the original one, with the rows of those whose parents are stored as values: neighbours with
 * neighbouring rows at once.
 */
function copyList(world: World, found: Originals, original: PairNumber, pair: PairNumber): void {
  const { links } = world.graph;
  const { table: tableOf, row: rowOf } = world.entities;
  openList(links, pair);
  for (let index = firstInList(links, original); index !== 0; ) {
    const table = tableOf[index]!;
    const row = rowOf[index]!;
    const isLoose = loosePairOf(links, index) !== 0;
    let count = 1;
    let end = nextInList(links, index);
    for (; isLoose && end !== 0 && tableOf[end] === table && rowOf[end] === row + count; count++) {
      end = nextInList(links, end);
    }
    if (isLoose) copyInto(world, found, table, row, count, table, pair);
    for (; index !== end; index = nextInList(links, index))
      linkCopy(world, pair, found.copies[found.places[index]!]!);
  }
}

/**
 * Appends copies of so many rows of an original table to one of the same shape.
 *
 * @param pair of the parent that the copies have, in one storage or the other.
 */
function copyInto(
  world: World,
  found: Originals,
  original: TableNumber,
  fromRow: number,
  count: number,
  table: TableNumber,
  pair: PairNumber,
): void {
  const { tables, shapes } = world.graph;
  const { places, copies } = found;
  const shape = shapes[tables.shape[table]!]!;
  const toRow = appendRows(world.graph, shape, table, count);

  const { lanes } = shape;
  const { i32 } = lanes;
  const first = tables.first[table]! + toRow;
  copyRows(lanes, tables.first[original]! + fromRow, lanes, first, count);
  shape.bits?.copy(tables.first[original]! + fromRow, first, count);
  if (isDisabling(world, pair)) world.slots.setBits!(shape, Hidden, first, first + count, true);
  else shape.bits?.set(Hidden, first, first + count, false);
  const { table: tableOf, row: rowOf } = world.entities;
  for (let row = 0; row < count; row++) {
    const index = copies[places[i32[first + row]!]!]!;
    i32[first + row] = index;
    tableOf[index] = table;
    rowOf[index] = toRow + row;
  }
  if (lanes.plan.entities.length > 0) turnTargets(world, found, shape, first, first + count);
  if (lanes.tracks !== undefined) stampBorn(lanes.tracks, first, first + count);
}

/** In rows `first .. end`, what points at an original points at its copy from now on, and at nobody if that is dead. */
function turnTargets({ entities }: World, found: Originals, shape: Shape, first: number, end: number): void {
  const { f64, stride, plan } = shape.lanes;
  for (const lane of plan.entities) {
    for (let at = lane * stride + first; at < lane * stride + end; at++) {
      const target = f64[at]!;
      if (target === 0) continue;
      const place = isLiving(entities, target) ? placeOf(found, indexOf(target)) : -1;
      if (place >= 0) f64[at] = handleAt(entities, found.copies[place]!);
      else if (!isLiving(entities, target)) f64[at] = 0;
    }
  }
}
