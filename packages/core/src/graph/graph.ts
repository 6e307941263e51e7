// Founds and drops archetypes and tables; finds them (`findTable`, hash); keeps empty tables (`limitEmpty`); reserves rows.
import { grownInt32 } from "../base/growing.ts";
import { KEPT_EMPTY_TABLES } from "../base/limits.ts";
import { type Definition, PAIR_KEEPS_DEPTH } from "../id/definition.ts";
import { addPair, dropPair, firstPairOf, PairIndex } from "../id/pair-index.ts";
import type { EntityIndex } from "../records/entity-index.ts";
import { closeFamily, countIn, FAMILY, Families, reserveFamily } from "../records/families.ts";
import { fileTable, openRecord, PairRecords, unfileTable } from "../records/pair-records.ts";
import { Archetype, erasedIdOf } from "../storage/archetype.ts";
import { type MovePlan, planMove } from "../storage/copy-rows.ts";
import type { FieldColumns } from "../storage/field-columns.ts";
import type { Memory } from "../storage/memory.ts";
import { makeRoomFor, makeRoomIn, Rows, releaseColumns } from "../storage/rows.ts";
import type { SparseStore } from "../storage/sparse.ts";
import type { PairId, PairNumber, TableNumber } from "../storage/table.ts";
import { giveTableNumber, takeTableNumber, unlinkTable } from "../storage/table.ts";
import type { Tracking } from "../storage/tracks.ts";

/** All archetypes and tables of a world, and their indexes. Only this file creates and drops them. */
export class Graph extends Rows {
  declare readonly entities: EntityIndex;
  readonly memory: Memory;
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
    super(entities);
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

/** The same, but creates the table if there is none. A new table is in no list: the caller must add its first entity at once. */
export function tableFor(graph: Graph, archetype: Archetype, count: number): TableNumber {
  const known = findTable(graph, archetype, count);
  if (known !== 0) return known;
  const { tables, records, wanted } = graph;
  const table = takeTableNumber(tables, archetype.number);
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
 * The same, with room for `rows` more entities, unless it is `present`, the entity's own table. If that fails, a new table is dropped.
 *
 * @param family the pair of a family that so many entities will join, which gets room too; -1 for none.
 */
export function roomyTableFor(
  graph: Graph,
  archetype: Archetype,
  count: number,
  rows: number,
  present: TableNumber,
  family: PairNumber = -1,
): TableNumber {
  const { plainTable } = archetype;
  const table = count === 0 && plainTable !== 0 ? plainTable : tableFor(graph, archetype, count);
  try {
    if (family >= 0) reserveFamily(graph.families, graph.entities, family, rows);
    if (table === present || (archetype.rows + rows <= archetype.lanes.capacity && count === 0)) return table;
    makeRoomFor(graph, archetype, rows);
    makeRoomIn(graph, table, rows);
  } catch (error) {
    if (table !== plainTable && graph.tables.listed[table] === 0) dropTable(graph, archetype, table);
    throw error;
  }
  return table;
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
  if (tables.listed[table] === 1) unlinkTable(tables, archetype.empty, table);
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

/** Frees a pair's number if no table has the pair, and its family is empty; during a reservation only at the end. */
export function closeIfIdle(graph: Graph, pair: PairNumber): void {
  if (graph.records.tables[pair] !== 0 || countIn(graph.families, pair) !== 0) return;
  if (graph.vacated !== undefined) {
    graph.vacated.pairs.add(pair);
    return;
  }
  if ((graph.pairs.traits[pair]! & PAIR_KEEPS_DEPTH) !== 0) graph.slots.leaveTree!(graph, pair);
  closeFamily(graph.families, pair);
  dropPair(graph.pairs, pair);
}

/** Rows, or tables, processed per call: V8 optimises functions that are called often sooner than functions that run long. */
export const AT_ONCE = 1024;

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
 * Meanwhile no memory is freed, so that removing rows does not take room from rows still to be added.
 *
 * @returns the table of each type. @throws `capacity`, or what the memory throws: tables created for it are dropped.
 */
export function reserveRows(graph: Graph, arrivals: readonly Arrivals[]): TableNumber[] {
  const { tables } = graph;
  const reserved: TableNumber[] = [];
  /** How many rows come to each archetype, and entities to each table. */
  const rows = new Map<Archetype, number>();
  const members = new Map<TableNumber, number>();
  const made = new Set<TableNumber>();
  let isRefused = true;
  try {
    for (const { type, count } of arrivals) {
      const { archetype, pairs } = type;
      graph.wanted = grownInt32(graph.wanted, pairs.length);
      graph.wanted.set(pairs);
      const { alive } = tables;
      const table = tableFor(graph, archetype, pairs.length);
      if (tables.alive > alive) made.add(table);
      reserved.push(table);
      rows.set(archetype, (rows.get(archetype) ?? 0) + count);
      members.set(table, (members.get(table) ?? 0) + count);
    }
    for (const [archetype, count] of rows) makeRoomFor(graph, archetype, count);
    for (const [table, count] of members) makeRoomIn(graph, table, count);
    isRefused = false;
  } finally {
    graph.vacated = { archetypes: new Set(rows.keys()), tables: new Set(reserved), pairs: new Set() };
    if (isRefused) endReservation(graph, made);
  }
  return reserved;
}

/** Frees unused capacity. After a failure, drops the tables `made` for it, the last one first: so numbers are free as before. */
export function endReservation(graph: Graph, made?: ReadonlySet<TableNumber>): void {
  const { tables, archetypes, vacated } = graph;
  graph.vacated = undefined;
  for (const archetype of vacated!.archetypes) if (archetype.rows === 0) releaseColumns(graph, archetype);
  const emptied = [...vacated!.tables];
  for (const table of made === undefined ? emptied : emptied.reverse()) {
    if (tables.archetype[table]! < 0 || tables.count[table] !== 0) continue;
    const archetype = archetypes[tables.archetype[table]!]!;
    if (made?.has(table) || (tables.listed[table] === 0 && archetype.hasPairs))
      dropTable(graph, archetype, table);
    else tidyEmpty(graph, archetype, table);
  }
  for (const pair of vacated!.pairs) if (graph.pairs.relation[pair] !== 0) closeIfIdle(graph, pair);
}
