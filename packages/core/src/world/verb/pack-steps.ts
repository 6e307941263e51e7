import { valuePairOf } from "../../graph/graph.ts";
import { CHILD_OF } from "../../id/builtins.ts";
import { findPair, isTarget } from "../../id/pair-index.ts";
import { sortByOrder } from "../../records/entity-index.ts";
import { membersOf, valueCountOf } from "../../records/families.ts";
import type { Archetype } from "../../storage/archetype.ts";
import { JournalCursor, note, TABLE_CHANGED } from "../../storage/journal.ts";
import { bytesOfLanes } from "../../storage/lanes.ts";
import { moveSlice, resizeColumns, swapRows } from "../../storage/move-slices.ts";
import { aligned, forgetHoles } from "../../storage/slices.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { noteMove } from "../change/move-entity.ts";
import { eachTableOf } from "../state/targets.ts";
import { type World, worldState } from "../state/world.ts";
import { giveBackSteps } from "./give-back.ts";

/** A slice with more bytes is not moved, and columns with more are not grown: either takes less than half a millisecond. */
const MOST_BYTES = 1_048_576; // 2 ** 20, as a literal: bundlers keep what they would have to compute
/** Rows that are sorted at once, before they are merged. */
const SORTED_ROWS = 512;
/** Each `yield` looks at the clock; loops over rows do so after so many rows, a power of two. */
const ROWS_PER_STEP = 64;
/** An archetype whose columns are nearly full is closed up again and again while its tables are put in order; at most so often. */
const MOST_CLOSINGS = 64;

type Steps = Generator<void, void, void>;

interface Packing {
  /** Shows whether the world has changed since the last step. */
  readonly cursor: JournalCursor;
  /** What is left to do; `undefined` if nothing is. Between two steps the world is valid, and it may change. */
  steps: Steps | undefined;
}

const packingOf = /* @__PURE__ */ worldState<Packing>(({ graph }) => ({
  cursor: new JournalCursor(graph.journal),
  steps: undefined,
}));

/** Takes steps until `budget` is used up; after any change of the world it begins again. @returns whether nothing is left to do. */
export function packWithin(world: World, budget: number, now: () => number): boolean {
  const packing = packingOf(world);
  const { cursor } = packing;
  if (cursor.lost || cursor.at < world.graph.journal.length) packing.steps = packSteps(world);
  const { steps } = packing;
  if (steps === undefined) return true;
  // If a step throws, the next call begins again.
  cursor.lost = true;
  const end = now() + budget;
  let isDone = false;
  do isDone = steps.next().done === true;
  while (!isDone && now() < end);
  cursor.catchUp();
  if (isDone) packing.steps = undefined;
  return isDone;
}

/**
 *   close    each archetype: slides slices together          [ a a . b . . c c ]  ->  [ a a b c c ]
 *   sort     each table: rows of siblings into their order
 *   plan     tables by depth, then by their parents' rows    c a b
 *   arrange  each archetype: moves tables behind the end     [ . . b c c a a ]    ->  [ c c a a b ]
 *   seat     rows whose parents are stored by value, as planned
 */
function* packSteps(world: World): Steps {
  const { archetypes, founded } = world.graph;
  // In the order of founding: a world that was restored may have more archetypes, and must take the same steps.
  for (const archetype of founded) {
    yield;
    if (archetype.rows === 0) freeAll(archetype);
    else if (archetype.rows < archetype.end) yield* close(world, archetype, 0);
  }
  for (const archetype of archetypes) if (!archetype.founded) freeAll(archetype);
  for (const archetype of founded) if (!archetype.hasValueParent) yield* sortTables(world, archetype);
  const orders: TableNumber[][] = archetypes.map(() => []);
  const byValue: number[] = [];
  yield* plan(world, orders, byValue);
  for (const archetype of founded) yield* arrange(world, archetype, orders[archetype.number]!);
  yield* seatAll(world, byValue);
  yield* giveBackSteps(world);
}

function freeAll(archetype: Archetype): void {
  archetype.end = 0;
  forgetHoles(archetype);
  if (archetype.lanes.capacity > 0) resizeColumns(archetype, 0);
  archetype.bits = undefined;
}

/** Slices of more rows stay where they are. */
function mostRows({ lanes }: Archetype): number {
  return (MOST_BYTES * lanes.capacity) / bytesOfLanes(lanes);
}

/** The table with the first used row from `row`, which is the first row of its slice; 0 if there is none. */
function tableFrom({ entities }: World, { used, lanes }: Archetype, row: number): TableNumber {
  const { words } = used;
  let at = row >>> 5;
  let word = at < words.length ? words[at]! & (-1 << (row & 31)) : 0;
  while (word === 0) {
    if (++at >= words.length) return 0;
    word = words[at]!;
  }
  return entities.table[lanes.i32[(at << 5) + 31 - Math.clz32(word & -word)]!]!;
}

/** Makes the slices from row `to` adjacent, in their present order and as small as possible. */
function* close(world: World, archetype: Archetype, to: number): Steps {
  const { tables, journal } = world.graph;
  const most = mostRows(archetype);
  forgetHoles(archetype);
  let end = to;
  let steps = 0;
  for (let table = tableFrom(world, archetype, end); table !== 0; table = tableFrom(world, archetype, end)) {
    const count = tables.count[table]!;
    const isMoved = count <= most && tables.first[table] !== end;
    if (isMoved) moveSlice(archetype, tables, journal, table, end);
    tables.capacity[table] = count;
    end = tables.first[table]! + count;
    if (isMoved || ++steps % ROWS_PER_STEP === 0) yield;
  }
  archetype.end = end;
}

/** Puts the tables of an archetype, which has no gaps, in an order; if there is no room to move them, they stay where they are. */
function* arrange(world: World, archetype: Archetype, order: readonly TableNumber[]): Steps {
  const { tables, journal } = world.graph;
  const { first, count } = tables;
  const most = mostRows(archetype);
  let place = 0;
  let closings = 0;
  for (const table of order) {
    const rows = count[table]!;
    if (rows > most) continue;
    while (first[table] !== place) {
      yield;
      const other = tableFrom(world, archetype, place);
      const isFree = other === table || other === 0 || first[other]! >= place + rows;
      if (isFree) moveSlice(archetype, tables, journal, table, place);
      else if (count[other]! > most) place = first[other]! + count[other]!;
      else if (archetype.end + count[other]! <= archetype.lanes.capacity) {
        moveSlice(archetype, tables, journal, other, archetype.end);
        archetype.end += count[other]!;
      } else {
        if (++closings > MOST_CLOSINGS) return yield* close(world, archetype, 0);
        yield* close(world, archetype, place);
        if (!makeRoom(archetype, Math.max(count[other]!, archetype.rows >> 4))) return;
      }
    }
    place += rows;
    if (closings === 0) yield;
  }
  if (archetype.rows < archetype.end) yield* close(world, archetype, 0);
}

/** @returns whether there is room for `rows` rows behind the last slice, after growing columns that are not too large. */
function makeRoom(archetype: Archetype, rows: number): boolean {
  const { lanes, end } = archetype;
  if (end + rows <= lanes.capacity) return true;
  const capacity = aligned(end + rows + (end >> 3));
  if ((bytesOfLanes(lanes) / lanes.capacity) * capacity > MOST_BYTES) return false;
  resizeColumns(archetype, capacity);
  return true;
}

/** Moves an entity to a row of its table, and the entity there to its row. */
function seat(world: World, index: number, row: number): void {
  const { graph, entities } = world;
  const table = entities.table[index]!;
  const from = entities.row[index]!;
  if (from === row) return;
  const archetype = graph.archetypes[graph.tables.archetype[table]!]!;
  const first = graph.tables.first[table]!;
  const other = archetype.lanes.i32[first + row]!;
  swapRows(archetype, first + from, first + row);
  entities.row[index] = row;
  entities.row[other] = from;
  note(graph.journal, TABLE_CHANGED, table);
  noteMove(world, index, archetype.hasValueParent);
  noteMove(world, other, archetype.hasValueParent);
}

/** Puts the rows of tables in sibling order. */
function* sortTables(world: World, archetype: Archetype): Steps {
  const { tables } = world.graph;
  for (let table = archetype.filled.first; table !== 0; table = tables.next[table]!) {
    yield;
    const sorted = yield* sortedRows(world, archetype, table);
    for (const [row, index] of sorted?.entries() ?? []) {
      seat(world, index, row);
      if (row % ROWS_PER_STEP === 0) yield;
    }
  }
}

/** The entity indexes of a table in sibling order; `undefined` if its rows are in that order. */
function* sortedRows(
  { graph, entities: { place: order } }: World,
  { lanes }: Archetype,
  table: TableNumber,
): Generator<void, Int32Array | undefined, void> {
  const first = graph.tables.first[table]!;
  const count = graph.tables.count[table]!;
  let row = 1;
  // The lanes are read after each step: allocations may move the memory that they are in.
  for (; row < count && order[lanes.i32[first + row - 1]!]! < order[lanes.i32[first + row]!]!; row++)
    if (row % 1024 === 0) yield;
  if (row >= count) return undefined;

  let sorted = new Int32Array(count);
  for (let at = 0; at < count; at += SORTED_ROWS) {
    const end = Math.min(at + SORTED_ROWS, count);
    sorted.set(lanes.i32.subarray(first + at, first + end), at);
    sortByOrder(sorted.subarray(at, end), order);
    yield;
  }
  let merged = count > SORTED_ROWS ? new Int32Array(count) : sorted;
  for (let width = SORTED_ROWS; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count);
      const end = Math.min(start + 2 * width, count);
      for (let to = start, one = start, other = middle; to < end; to++) {
        const isOne = other === end || (one < middle && order[sorted[one]!]! < order[sorted[other]!]!);
        merged[to] = sorted[isOne ? one++ : other++]!;
        if (to % 1024 === 0) yield;
      }
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

function seatNext(world: World, rows: Map<TableNumber, number>, index: number): void {
  const table = world.entities.table[index]!;
  const row = rows.get(table) ?? 0;
  rows.set(table, row + 1);
  seat(world, index, row);
}

function* seatAll(world: World, indexes: readonly number[]): Steps {
  const rows = new Map<TableNumber, number>();
  for (const [at, index] of indexes.entries()) {
    if (at % ROWS_PER_STEP === 0) yield;
    seatNext(world, rows, index);
  }
}

/**
 * Orders the tables of each archetype by depth, then by the parent's archetype and row; and the entities with a parent stored by
 * value, whose tables hold children of many parents. Levels list tables and negative entity indexes, as in `pack`.
 */
function* plan(world: World, orders: readonly TableNumber[][], byValue: number[]): Steps {
  const { graph, entities } = world;
  const { tables, archetypes, pairs } = graph;
  const found = new Set<TableNumber>();
  for (let level = [yield* rootTables(world)]; level.length > 0; ) {
    /** By archetype number, in the order of the parents' rows; read in the order of founding. */
    const below = new Map<number, number[]>();
    for (const items of level) {
      for (const item of items) {
        yield;
        const table = item > 0 ? item : entities.table[-item]!;
        const { lanes, number } = archetypes[tables.archetype[table]!]!;
        if (item > 0 || !found.has(table)) orders[number]!.push(table);
        if (item < 0) {
          found.add(table);
          byValue.push(-item);
        }
        const count = item > 0 ? tables.count[table]! : 1;
        for (let row = 0; row < count; row++) {
          if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
          const index = item > 0 ? lanes.i32[tables.first[table]! + row]! : -item;
          const pair = isTarget(pairs, index) ? findPair(pairs, CHILD_OF, index) : 0;
          if (pair !== 0) yield* collectBelow(world, pair, below);
        }
      }
    }
    level = [...below.keys()]
      .sort((one, other) => archetypes[one]!.place - archetypes[other]!.place)
      .map((number) => below.get(number)!);
  }
}

function* rootTables({ graph: { tables, founded } }: World): Generator<void, TableNumber[], void> {
  const found: TableNumber[] = [];
  let steps = 0;
  for (const archetype of founded) {
    if (archetype.hasValueParent) continue;
    for (let table = archetype.filled.first; table !== 0; table = tables.next[table]!) {
      if (++steps % ROWS_PER_STEP === 0) yield;
      if (tables.parentPair[table] === 0) found.push(table);
    }
  }
  return found;
}

function* collectBelow({ graph, entities }: World, pair: PairNumber, below: Map<number, number[]>): Steps {
  const { tables, records, families } = graph;
  const collect = (table: TableNumber, item: number): void => {
    const number = tables.archetype[table]!;
    const items = below.get(number);
    if (items === undefined) below.set(number, [item]);
    else items.push(item);
  };
  eachTableOf(records, pair, (table) => {
    if (tables.count[table]! > 0) collect(table, table);
  });
  if (valueCountOf(families, pair) === 0) return;
  let steps = 0;
  for (const index of membersOf(families, pair)) {
    if (++steps % ROWS_PER_STEP === 0) yield;
    if (valuePairOf(graph, index) === pair) collect(entities.table[index]!, -index);
  }
}
