import { closeIfIdle, newTableBelow } from "../graph/table-graph.ts";
import { CHILD_OF, ChildOf } from "../id/builtins.ts";
import { generationOf, indexOf } from "../id/entity.ts";
import { findPair } from "../id/pair-book.ts";
import { giveIndex, handleAt, isLiving, renewOrder, takeIndex } from "../records/entity-index.ts";
import {
  firstInList,
  linkBefore,
  looseCountOf,
  loosen,
  loosePairOf,
  nextInList,
  openList,
} from "../records/sibling-links.ts";
import { copyRows } from "../storage/copy-rows.ts";
import { LOOSE_MOVED, note } from "../storage/journal.ts";
import { copyRow } from "../storage/lanes.ts";
import { appendRow, appendRows, makeRoomFor } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { stampBorn } from "../storage/tracks.ts";
import { relink } from "./family.ts";
import { freeEntity } from "./free-entity.ts";
import { type Originals, placeOf } from "./originals.ts";
import { ensurePair } from "./pair.ts";
import { parentPairAt } from "./targets.ts";
import { rowAt, shapeAt } from "./values.ts";
import type { World } from "./world.ts";

/** Gives birth to copies of all originals. @returns the index of the topmost copy. @throws what the memory throws. */
export function copyOriginals(world: World, found: Originals): number {
  const top = bearTop(world, found);
  bearOthers(world, found, top);
  const shape = shapeAt(world, top);
  if (shape.lanes.plan.entities.length > 0) {
    turnTargets(world, found, shape, rowAt(world, top), rowAt(world, top) + 1);
  }
  return top;
}

/** A copy of the topmost original, in the same table, as the last of its siblings. */
function bearTop(world: World, { indexes }: Originals): number {
  const { graph, entities, rows } = world;
  const original = indexes[0]!;
  const table = entities.table[original]!;
  const shape = shapeAt(world, original);
  makeRoomFor(rows, shape, table, 1);

  const index = takeIndex(entities);
  const row = appendRow(rows, shape, table, index);
  entities.table[index] = table;
  entities.row[index] = row;
  renewOrder(entities, index);
  const at = graph.tables.first[table]! + row;
  copyRow(shape.lanes, rowAt(world, original), at);
  shape.lanes.i32[at] = index;
  if (shape.lanes.tracks !== undefined) stampBorn(shape.lanes.tracks, at, at + 1);
  if (graph.links.used) {
    const isLoose = loosePairOf(graph.links, original) !== 0;
    relink(world, index, { before: 0, after: parentPairAt(world, original), place: 0 }, isLoose);
    if (isLoose) note(graph.journal, LOOSE_MOVED, index);
  }
  return index;
}

/**
 * Gives birth to copies of all the others, below that of the topmost one: row by row, without terms and values, table
 * for table.
 *
 * @throws what the memory throws: all copies are gone again.
 */
export function bearOthers(world: World, found: Originals, top: number): void {
  const { entities } = world;
  const { copies, length } = found;
  copies[0] = top;
  for (let place = 1; place < length; place++) {
    const index = takeIndex(entities);
    copies[place] = index;
  }
  try {
    for (let family = 0; family < found.families; family++) copyFamily(world, found, family);
  } catch (error) {
    takeBack(world, found);
    throw error;
  }
  for (let place = 1; place < length; place++) renewOrder(entities, copies[place]!);
}

/** Memory has ended: pairs that nobody got, those who got no row, and all others go again. */
function takeBack(world: World, { copies, length, parents, families }: Originals): void {
  const { graph, entities } = world;
  for (let family = 0; family < families; family++) {
    const pair = findPair(graph.pairs, CHILD_OF, copies[parents[family]!]!);
    if (pair !== 0) closeIfIdle(graph, pair);
  }
  for (let place = length - 1; place >= 0; place--) {
    const index = copies[place]!;
    if (entities.table[index] === 0) giveIndex(entities, index);
    else freeEntity(world, index);
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
    copyInto(world, found, table, 0, count, newTableBelow(graph, shape, pair, count));
  }
  if (looseCountOf(links, original) > 0) copyList(world, found, original, pair);
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
    if (isLoose) copyInto(world, found, table, row, count, table);
    for (; index !== end; index = nextInList(links, index)) {
      const copy = found.copies[found.places[index]!]!;
      linkBefore(links, pair, copy, 0);
      if (isLoose) loosen(links, pair, copy, generationOf(handleAt(world.entities, copy)));
      if (isLoose) note(world.graph.journal, LOOSE_MOVED, copy);
    }
  }
}

/** Appends copies of so many rows of an original table to one of the same shape. */
function copyInto(
  world: World,
  found: Originals,
  original: TableNumber,
  fromRow: number,
  count: number,
  table: TableNumber,
): void {
  const { tables, shapes } = world.graph;
  const { places, copies } = found;
  const shape = shapes[tables.shape[table]!]!;
  const toRow = appendRows(world.rows, shape, table, count);

  const { lanes } = shape;
  const { i32 } = lanes;
  const first = tables.first[table]! + toRow;
  copyRows(lanes, tables.first[original]! + fromRow, lanes, first, count);
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
