import { grownInt32 } from "../base/growing.ts";
import { KEPT_EMPTY_TABLES } from "../base/limits.ts";
import { CHILD_OF, ChildOf } from "../id/builtins.ts";
import { type Definition, PAIR_KEEPS_DEPTH } from "../id/definition.ts";
import { addPair, dropPair, firstPairOf, isTarget, PairIndex } from "../id/pair-index.ts";
import { type EntityIndex, giveIndexes } from "../records/entity-index.ts";
import { closeFamily, countIn, FAMILY, Families, leaveFamily, reserveFamily } from "../records/families.ts";
import { fileTable, openRecord, PairRecords, unfileTable, unlinkRecord } from "../records/pair-records.ts";
import { Archetype, erasedIdOf } from "../storage/archetype.ts";
import { type MovePlan, planMove } from "../storage/copy-rows.ts";
import type { FieldColumns } from "../storage/field-columns.ts";
import { note, TABLE_CHANGED } from "../storage/journal.ts";
import type { Memory } from "../storage/memory.ts";
import {
  appendRows,
  dropLastRows,
  freeSlice,
  makeRoomFor,
  Rows,
  releaseColumns,
  takeAllRows,
} from "../storage/rows.ts";
import { shrinkSlice } from "../storage/slices.ts";
import type { SparseStore } from "../storage/sparse.ts";
import type { PairId, PairNumber, TableNumber } from "../storage/table.ts";
import { giveTableNumber, takeTableNumber, UNLISTED, unlinkTable } from "../storage/table.ts";
import type { Tracking } from "../storage/tracks.ts";

/** All archetypes and tables of a world, and their indexes. Only this file creates and drops them. */
export class Graph extends Rows {
  readonly memory: Memory;
  readonly entities: EntityIndex;
  /** Functions that definitions install; here the one that drops a pair of a relation that keeps depths, and what reads sparse pairs. */
  readonly slots: {
    readonly leaveTree?: (graph: Graph, pair: PairId) => void;
    readonly sparsePairs?: {
      subjects(graph: Graph, pair: PairId, found: number[], isAny?: boolean): number[];
    };
  };
  /** By number of a definition with sparse storage: the entities that have it, or its pairs, and their values. */
  readonly sparse: (SparseStore | undefined)[] = [];
  /** By number of a field, see `firstField`: for accessors; absent until one of the field is used. */
  readonly columns: (FieldColumns | undefined)[] = [];
  readonly pairs: PairIndex = new PairIndex();
  readonly records: PairRecords = new PairRecords();
  readonly families: Families = new Families();
  readonly tracking: Tracking = { clock: { now: 1 }, found: undefined, tracked: [], disabledEdition: 0 };
  /** The archetype of entities without components. */
  readonly root: Archetype;
  /** By number, in order of creation. Archetypes are never removed. */
  readonly archetypes: Archetype[];
  readonly archetypeByKey: Map<string, Archetype>;
  /** Component index: number of a component, tag or relation -> the founded archetypes that have it, be it inherited. */
  readonly componentIndex: Map<number, Archetype[]> = new Map();
  /** Hash of a type -> its first table; the length is a power of two. Tables without pairs, and `main` tables, are not in it. */
  buckets: Int32Array<ArrayBuffer> = new Int32Array(16);
  /** The number of tables in it. */
  hashed = 0;
  /** The pair numbers of the type to find, sorted. */
  wanted: Int32Array<ArrayBuffer> = new Int32Array(16);

  constructor(memory: Memory, slots: Graph["slots"], entities: EntityIndex) {
    super();
    this.entities = entities;
    this.memory = memory;
    this.slots = slots;
    this.root = new Archetype(0, [], memory);
    this.archetypes = [this.root];
    this.archetypeByKey = new Map([["", this.root]]);
  }
}

/** The pair of the parent of the entity at an index, if that is stored by value; else 0. */
export function valuePairOf({ archetypes, tables, entities }: Graph, index: number): PairNumber {
  const { hasValueParent } = archetypes[tables.archetype[entities.table[index]!]!]!;
  return hasValueParent ? entities.family[index]! : 0;
}

const NO_ARCHETYPES: readonly Archetype[] = [];

/** Founded archetypes that have the component, tag or relation, in order of founding. */
export function archetypesWith(graph: Graph, definition: Definition): readonly Archetype[] {
  return graph.componentIndex.get(definition.id) ?? NO_ARCHETYPES;
}

/**
 * The archetype with one more definition; the same for one that is stored by row. A relation is in it once, with data once per pair.
 */
export function archetypeWith(graph: Graph, archetype: Archetype, definition: Definition): Archetype {
  if (definition.storage !== "table") return archetype;
  return archetype.withId[definition.id] ?? widen(graph, archetype, definition);
}

/** The slow path, apart (like `narrow` and `newMovePlan`) so that the engine inlines the fast path into its callers. */
function widen(graph: Graph, archetype: Archetype, definition: Definition): Archetype {
  const { definitions } = archetype;
  const { inherited, standsFor } = definition;
  const isRepeated = definition.kind === "relation" && definition.holds !== "nothing";
  const isThere =
    !isRepeated &&
    (definitions.includes(definition) || (standsFor !== undefined && definitions.includes(standsFor)));
  const others = inherited === undefined ? definitions : definitions.filter((one) => one !== inherited); // an own value overrides
  const found = isThere ? archetype : archetypeFor(graph, [...others, definition]);
  archetype.withId[definition.id] = found;
  return found;
}

/** The archetype without a definition; the same if it lacks it. Of a relation with data one occurrence is removed. */
export function archetypeWithout(graph: Graph, archetype: Archetype, definition: Definition): Archetype {
  return archetype.withoutId[definition.id] ?? narrow(graph, archetype, definition);
}

function narrow(graph: Graph, archetype: Archetype, definition: Definition): Archetype {
  const at = archetype.definitions.indexOf(definition);
  const found = at < 0 ? archetype : archetypeFor(graph, archetype.definitions.toSpliced(at, 1));
  archetype.withoutId[definition.id] = found;
  return found;
}

function archetypeFor(graph: Graph, definitions: readonly Definition[]): Archetype {
  const sorted = [...definitions].sort((one, other) => erasedIdOf(one) - erasedIdOf(other));
  const key = sorted.map(erasedIdOf).join(" ");
  const known = graph.archetypeByKey.get(key);
  if (known !== undefined) return known;

  const archetype = new Archetype(graph.archetypes.length, sorted, graph.memory);
  graph.archetypes.push(archetype);
  for (const definition of sorted) definition.installs?.(graph.slots, archetype);
  graph.archetypeByKey.set(key, archetype);
  return archetype;
}

/** Which lanes are copied where when a row moves from one archetype to another. */
export function movePlan(from: Archetype, to: Archetype): MovePlan {
  if (from.lastPlanTo === to) return from.lastPlan!;
  const plan = from.movePlans.get(to.number) ?? newMovePlan(from, to);
  from.lastPlanTo = to;
  from.lastPlan = plan;
  return plan;
}

function newMovePlan(from: Archetype, to: Archetype): MovePlan {
  const plan = planMove(from.lanes.plan.columns, to.lanes.plan.columns);
  from.movePlans.set(to.number, plan);
  return plan;
}

/** Multiplier of Knuth's multiplicative hashing: 2^32 divided by the golden ratio, made odd. */
const SPREAD = 0x9e3779b1;

function hashOf(archetype: number, sorted: Int32Array, first: number, count: number): number {
  let hash = Math.imul(archetype + 1, SPREAD);
  for (let at = first; at < first + count; at++) hash = Math.imul(hash ^ sorted[at]!, SPREAD);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The table of `archetype` whose pairs are the first `count` of `graph.wanted`, sorted ascending; 0 if there is none. */
export function findTable(graph: Graph, archetype: Archetype, count: number): TableNumber {
  if (count === 0) return archetype.plainTable;
  const { tables, records, wanted, buckets } = graph;
  if (count === 1) {
    // Most pairs have at most one table.
    const pair = wanted[0]!;
    const main = records.main[pair]!;
    if (main !== 0 && tables.archetype[main] === archetype.number) return main;
    if (records.tables[pair] === (main === 0 ? 0 : 1)) return 0;
  }
  const hash = hashOf(archetype.number, wanted, 0, count);
  let table = buckets[hash & (buckets.length - 1)]!;
  for (; table !== 0; table = tables.hashNext[table]!) {
    if (tables.archetype[table] !== archetype.number || tables.pairs[table] !== count) continue;
    const first = tables.nodes[table]!;
    let at = 0;
    while (at < count && records.nodePair[first + at] === wanted[at]) at++;
    if (at === count) return table;
  }
  return 0;
}

/** The same, but creates the table if there is none. A new table has no slice, and the caller must add its first row at once. */
export function tableFor(graph: Graph, archetype: Archetype, count: number): TableNumber {
  const known = findTable(graph, archetype, count);
  if (known !== 0) return known;
  const { tables, records, pairs, wanted } = graph;
  const table = takeTableNumber(tables, archetype.number);
  tables.first[table] = UNLISTED;
  for (let at = 0; at < count; at++) {
    if (pairs.relation[wanted[at]!] === CHILD_OF) tables.parentPair[table] = wanted[at]!;
  }
  if (count === 0) archetype.plainTable = table;
  else {
    fileTable(records, tables, table, wanted, count);
    // The first table with this pair as its only pair is found through the pair. All others need the hash.
    if (count === 1 && records.main[wanted[0]!] === 0) records.main[wanted[0]!] = table;
    else putInBucket(graph, table);
  }
  if (!archetype.founded) found(graph, archetype);
  return table;
}

/**
 * The same, with room for `rows` more, unless it is `present`, the entity's own table; and with room in the family of its parent, unless
 * that is the family of `present` too. If that fails, a new table is dropped.
 *
 * @param joins how many of the entities come from other families, and store no parent by value.
 */
export function roomyTableFor(
  graph: Graph,
  archetype: Archetype,
  count: number,
  rows: number,
  present: TableNumber,
  joins: number = rows,
): TableNumber {
  const { tables, families, entities } = graph;
  const table =
    count === 0 && archetype.plainTable !== 0 ? archetype.plainTable : tableFor(graph, archetype, count);
  if (table === present) return table;
  const pair = tables.parentPair[table]!;
  try {
    if (joins > 0 && !archetype.hasValueParent && (present === 0 || !isInFamily(graph, present, pair)))
      reserveFamily(families, entities, pair, joins);
    if (tables.count[table]! + rows > tables.capacity[table]!) makeRoomFor(graph, archetype, table, rows);
  } catch (error) {
    if (tables.first[table] === UNLISTED) dropTable(graph, archetype, table);
    throw error;
  }
  return table;
}

/** Are the entities of a table in the family of a pair, 0 for the roots? Not if they store their parents by value. */
function isInFamily({ tables, archetypes }: Graph, table: TableNumber, pair: PairNumber): boolean {
  if (tables.parentPair[table] !== pair) return false;
  return !archetypes[tables.archetype[table]!]!.hasValueParent;
}

/** Founds an archetype when it gets its first table; from then on queries can match it. */
function found(graph: Graph, archetype: Archetype): void {
  archetype.founded = true;
  archetype.place = graph.founded.length;
  graph.founded.push(archetype);
  indexArchetype(graph, archetype);
  if (graph.tracking.tracked.length > 0) graph.tracking.found!(graph.tracking, archetype);
}

/** Lists an archetype under its definitions, and under those that it inherits. */
export function indexArchetype({ componentIndex }: Graph, archetype: Archetype): void {
  for (const [id, place] of archetype.places.entries()) {
    const list = componentIndex.get(id);
    if (place === 0) continue;
    if (list === undefined) componentIndex.set(id, [archetype]);
    else list.push(archetype);
  }
}

/** The first pair of a relation in the order of a table, or 0. */
export function pairOfRelation(graph: Graph, table: TableNumber, relation: number): PairNumber {
  const { tables, records, pairs } = graph;
  const first = tables.nodes[table]!;
  const end = first + tables.pairs[table]!;
  for (let node = first; node < end; node++) {
    const pair = records.nodePair[node]!;
    if (pairs.relation[pair] === relation) return pair;
  }
  return 0;
}

/** The pair of the parent among the pairs of a type, or 0. */
export function parentIn({ pairs }: Graph, own: readonly PairNumber[]): PairNumber {
  for (const pair of own) if (pairs.relation[pair] === CHILD_OF) return pair;
  return 0;
}

function isMain({ tables, records }: Graph, table: TableNumber): boolean {
  return records.main[records.nodePair[tables.nodes[table]!]!] === table;
}

function putInBucket(graph: Graph, table: TableNumber): void {
  if (++graph.hashed <= graph.buckets.length) {
    linkInBucket(graph, table);
    return;
  }
  rehash(graph);
}

/** Puts all tables that are found by their hash into as many buckets, or more. */
export function rehash(graph: Graph): void {
  const { tables } = graph;
  let length = 16;
  while (length < graph.hashed) length *= 2;
  graph.buckets = new Int32Array(length);
  for (let other = 1; other < tables.length; other++) {
    if (tables.archetype[other]! >= 0 && tables.pairs[other]! > 0 && !isMain(graph, other))
      linkInBucket(graph, other);
  }
}

function linkInBucket(graph: Graph, table: TableNumber): void {
  const bucket = bucketOf(graph, table);
  graph.tables.hashNext[table] = graph.buckets[bucket]!;
  graph.buckets[bucket] = table;
}

function bucketOf({ tables, records, buckets }: Graph, table: TableNumber): number {
  const hash = hashOf(tables.archetype[table]!, records.nodePair, tables.nodes[table]!, tables.pairs[table]!);
  return hash & (buckets.length - 1);
}

function takeFromBucket(graph: Graph, table: TableNumber): void {
  const { tables, buckets } = graph;
  graph.hashed--;
  const bucket = bucketOf(graph, table);
  let at = buckets[bucket]!;
  if (at === table) buckets[bucket] = tables.hashNext[table]!;
  else {
    while (tables.hashNext[at] !== table) at = tables.hashNext[at]!;
    tables.hashNext[at] = tables.hashNext[table]!;
  }
}

/** Drops an empty table, and the pairs that are no longer in use. */
export function dropTable(graph: Graph, archetype: Archetype, table: TableNumber): void {
  const { tables, records } = graph;
  if (tables.first[table] !== UNLISTED) unlinkTable(tables, archetype.empty, table);
  const first = tables.nodes[table]!;
  const end = first + tables.pairs[table]!;
  if (first === end) archetype.plainTable = 0;
  else {
    if (isMain(graph, table)) records.main[records.nodePair[first]!] = 0;
    else takeFromBucket(graph, table);
    unfileTable(records, tables, table);
  }
  for (let node = first; node < end; node++) closeIfIdle(graph, records.nodePair[node]!);
  giveTableNumber(tables, table);
  note(graph.journal, TABLE_CHANGED, table);
}

/** Handles a table that has just lost its last row: drops it if it has more than one pair. */
export function tidyEmpty(graph: Graph, archetype: Archetype, table: TableNumber): void {
  if (graph.tables.pairs[table]! > 1) dropTable(graph, archetype, table);
  else if (archetype.empty.length > KEPT_EMPTY_TABLES) limitEmpty(graph, archetype);
}

/** Drops the oldest empty tables while there are more than 64 and more than a quarter of the archetype's tables. */
function limitEmpty(graph: Graph, archetype: Archetype): void {
  const { empty, filled } = archetype;
  while (empty.length > KEPT_EMPTY_TABLES && empty.length * 4 > empty.length + filled.length)
    dropTable(graph, archetype, empty.first);
}

/** Allocates the number of a new pair. If its relation keeps depths, the caller adds its record to the tree. */
export function openPair(graph: Graph, relation: Definition, target: number): PairNumber {
  const pair = addPair(graph.pairs, relation, target);
  openRecord(graph.records, pair);
  const { families } = graph;
  if ((pair + 1) * FAMILY > families.records.length)
    families.records = grownInt32(families.records, (pair + 1) * FAMILY);
  return pair;
}

/** Frees a pair's number if no table has the pair, and its family is empty. */
export function closeIfIdle(graph: Graph, pair: PairNumber): void {
  if (graph.records.tables[pair] !== 0 || countIn(graph.families, pair) !== 0) return;
  if ((graph.pairs.traits[pair]! & PAIR_KEEPS_DEPTH) !== 0) graph.slots.leaveTree!(graph, pair);
  closeFamily(graph.families, pair);
  dropPair(graph.pairs, pair);
}

/** Rows, or tables, processed per call: V8 optimises functions that are called often sooner than functions that run long. */
export const AT_ONCE = 1024;

/**
 * Frees tables with their rows and the entities in them, which have no state elsewhere, and the pairs that no other table has.
 * Most tables have only the pair of their parent and are its only table: then both are freed together, and fields that are set
 * when the numbers are reused are not reset. Each archetype keeps one such table with its pair as a spare, so that spawning and
 * destroying parents with their children creates no tables: see `spareTableBelow`.
 *
 * @param list numbers of tables, or minus them; those in places `from .. end` are freed, the last one first.
 * @param areInTree whether the records of their pairs may be below a record that is kept; else these links are never read again.
 */
export function freeTables(
  graph: Graph,
  entities: EntityIndex,
  list: Int32Array,
  from: number,
  end: number,
  areInTree: boolean,
): void {
  const { tables, records, pairs, families, archetypes, journal } = graph;
  for (let at = end - 1; at >= from; at--) {
    const table = Math.abs(list[at]!);
    const archetype = archetypes[tables.archetype[table]!]!;
    const first = tables.first[table]!;
    const count = tables.count[table]!;
    archetype.bits?.forget(graph, first, first + count);
    leaveAll(graph, entities, archetype, table);
    for (let row = 0; row < count; row += AT_ONCE)
      giveIndexes(entities, archetype.lanes.i32, first + row, first + Math.min(row + AT_ONCE, count));
    const pair = tables.parentPair[table]!;
    const isAll =
      tables.pairs[table] === 1 &&
      records.main[pair] === table &&
      records.tables[pair] === 1 &&
      countIn(families, pair) === 0;
    takeAllRows(graph, archetype, table);
    if (!isAll) {
      dropTable(graph, archetype, table);
      continue;
    }

    tables.archetype[table] = -1;
    tables.alive--;
    if (areInTree && records.above[pair] !== 0) unlinkRecord(records, pair);
    records.isStale[pair] = 0;
    closeFamily(families, pair);
    dropPair(pairs, pair);
    if (archetype.spare === 0) {
      // Both numbers are unused but not free, and the table stays in the list of the pair.
      pairs.firstFree = pairs.nextOfTarget[pair]!;
      archetype.spare = table;
    } else {
      const node = tables.nodes[table]!;
      records.nodeNext[node] = records.freeNodes[1] ?? 0;
      records.freeNodes[1] = node;
      tables.next[table] = tables.firstFree;
      tables.firstFree = table;
    }
    if (journal.reading) note(journal, TABLE_CHANGED, table);
  }
}

/** Takes all entities of a table out of their families: at once if they are the whole family of their parent. */
function leaveAll(
  graph: Graph,
  entities: EntityIndex,
  { lanes, hasValueParent }: Archetype,
  table: TableNumber,
): void {
  const { tables, families } = graph;
  const first = tables.first[table]!;
  const count = tables.count[table]!;
  const pair = tables.parentPair[table]!;
  if (pair !== 0 && countIn(families, pair) === count) {
    closeFamily(families, pair);
    const { family, place } = entities;
    for (let row = first; row < first + count; row++) {
      family[lanes.i32[row]!] = 0;
      place[lanes.i32[row]!] = -1;
    }
    return;
  }
  for (let row = first; row < first + count; row++) {
    const index = lanes.i32[row]!;
    const pairOfRow = entities.family[index]!;
    leaveFamily(families, entities, index, hasValueParent);
    // No table has the pair: it is freed here or never.
    if (hasValueParent && countIn(families, pairOfRow) === 0) closeIfIdle(graph, pairOfRow);
  }
}

/** Frees the spare table of an archetype, its pair and its node. */
export function dropSpare({ tables, records, pairs }: Graph, archetype: Archetype): void {
  const table = archetype.spare;
  if (table === 0) return;
  archetype.spare = 0;
  const pair = tables.parentPair[table]!;
  const node = tables.nodes[table]!;
  pairs.nextOfTarget[pair] = pairs.firstFree;
  pairs.firstFree = pair;
  records.nodeNext[node] = records.freeNodes[1] ?? 0;
  records.freeNodes[1] = node;
  tables.next[table] = tables.firstFree;
  tables.firstFree = table;
}

/**
 * Turns the spare table of an archetype into the table of the children of an entity, with room for a row, which must follow.
 * Returns 0 if there is none, or the entity is a target. The caller adds the record of its pair to the tree. @throws TreelineError `capacity`, or what the memory throws; nothing has changed then.
 */
export function spareTableBelow(graph: Graph, archetype: Archetype, target: number): TableNumber {
  const { tables, pairs, records } = graph;
  const table = archetype.spare;
  if (table === 0 || isTarget(pairs, target)) return 0;
  reserveFamily(graph.families, graph.entities, tables.parentPair[table]!, 1);
  makeRoomFor(graph, archetype, table, 1);
  archetype.spare = 0;
  tables.archetype[table] = archetype.number;
  tables.alive++;
  const pair = tables.parentPair[table]!;
  pairs.nextOfTarget[pair] = pairs.firstFree; // the free number that is allocated next
  pairs.firstFree = pair;
  addPair(pairs, ChildOf, target);
  records.depth[pair] = 1;
  records.above[pair] = 0;
  records.firstBelow[pair] = 0;
  return table;
}

/** Frees a pair of a destroyed target, and its tables, which are empty. */
export function freePair(graph: Graph, pair: PairNumber): void {
  const { tables, records, archetypes, pairs } = graph;
  while (pairs.relation[pair] !== 0 && records.tables[pair]! > 0) {
    const table = records.nodeTable[records.firstNode[pair]!]!;
    const archetype = archetypes[tables.archetype[table]!]!;
    dropTable(graph, archetype, table);
    limitEmpty(graph, archetype);
  }
  if (pairs.relation[pair] !== 0) closeIfIdle(graph, pair);
}

export function freePairsOf(graph: Graph, target: number): void {
  for (let pair = firstPairOf(graph.pairs, target); pair !== 0; pair = firstPairOf(graph.pairs, target)) {
    freePair(graph, pair);
  }
}

/** The type of a table: an archetype, and pairs, ascending. */
export interface TableType {
  readonly archetype: Archetype;
  readonly pairs: readonly PairNumber[];
}

export interface Arrivals {
  readonly type: TableType;
  readonly count: number;
}

/**
 * Makes room for rows of several types at once, but not in families: until `endReservation` adding these rows allocates no memory, in any order.
 * Meanwhile no capacity is freed, so that removing rows does not take room from rows still to be added.
 *
 * @returns the table of each type. @throws `capacity`, or what the memory throws: tables created for it are dropped.
 */
export function reserveRows(graph: Graph, arrivals: readonly Arrivals[]): TableNumber[] {
  const { tables } = graph;
  const reserved: TableNumber[] = [];
  const made = new Set<TableNumber>();
  let isRefused = true;
  try {
    for (const { type, count } of arrivals) {
      const { archetype, pairs } = type;
      graph.wanted = grownInt32(graph.wanted, pairs.length);
      graph.wanted.set(pairs);
      const { alive } = tables;
      const table = roomyTableFor(graph, archetype, pairs.length, count, 0, 0);
      if (tables.alive > alive) made.add(table);
      // Placeholders for these rows, so that their room is not used for another type.
      appendRows(graph, archetype, table, count);
      reserved.push(table);
    }
    isRefused = false;
    return reserved;
  } finally {
    for (const [at, table] of reserved.entries()) {
      const { type, count } = arrivals[at]!;
      dropLastRows(graph, type.archetype, table, count);
    }
    graph.vacated = [...reserved];
    if (isRefused) endReservation(graph, made);
  }
}

/** Frees unused capacity. After a failure, drops the tables `made` for it, the last one first: so numbers are free as before. */
export function endReservation(graph: Graph, made?: ReadonlySet<TableNumber>): void {
  const { tables, archetypes, vacated } = graph;
  graph.vacated = undefined;
  const emptied: TableNumber[] = [];
  for (const table of vacated!) {
    const archetype = archetypes[tables.archetype[table]!]!;
    if (tables.count[table]! > 0) shrinkSlice(archetype, tables, table);
    else if (tables.first[table]! >= 0) {
      freeSlice(tables, archetype, table);
      emptied.push(table);
    }
  }
  // Only now, when no slice is left in the columns to be freed.
  for (const table of made === undefined ? emptied : emptied.reverse()) {
    if (tables.archetype[table]! < 0) continue;
    const archetype = archetypes[tables.archetype[table]!]!;
    if (archetype.rows === 0) releaseColumns(graph, archetype);
    if (made?.has(table)) dropTable(graph, archetype, table);
    else tidyEmpty(graph, archetype, table);
  }
}
