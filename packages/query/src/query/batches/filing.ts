import { ChildOf, type World } from "@treeline/core";
import type { ArchetypeView, PairId, TableId } from "@treeline/core/internal";
import {
  archetypeViewAt,
  grownInt32,
  hasDefinition,
  pairCursor,
  rowAt,
  tableAt,
} from "@treeline/core/internal";
import type { UpPath } from "../../match/ancestors.ts";
import {
  createPath,
  forgetFar,
  isSourceOf,
  longestBranch,
  sourceOfPair,
  sourceOnBranches,
} from "../../match/ancestors.ts";
import { archetypeHas, type Cursors, cursorsOf } from "../../match/pairs.ts";
import type { Traversal } from "../../term/plan.ts";
import {
  allocateRoom,
  CHUNK,
  COUNT,
  countOfUnit,
  enterChunk,
  leaveChunk,
  notesAt,
  notesFor,
  PLACE,
  RowLists,
  withArchetype,
} from "./chunks.ts";

/** How the rows of an archetype are filed: not at all, table by table, or entity by entity. */
export const NOT_FILED = -1;
export const BY_TABLE = 1;
export const BY_ENTITY = 2;

/** A path along which rows are filed. */
interface FiledPath extends UpPath {
  /** Along ChildOf: parents of both storages. */
  readonly isParental: boolean;
  /** Along a relation with many targets. */
  readonly isWide: boolean;
  /** Pairs that `eachBelow` has passed in this round. */
  readonly passed: Set<PairId>;
}

/** A list of traversals, their sources for one unit (a table, or one entity with a parent by value), and all row lists. */
export class Files {
  readonly list: readonly FiledPath[];
  /** Those of the world. */
  readonly cursors: Cursors;
  /** One of them follows ChildOf: entities with parents by value are separate units, as tables do not determine their parents. */
  readonly hasValueParents: boolean;
  /** One of them follows a relation with many targets: with each change everything is filed again. */
  readonly isWide: boolean;
  /**
   * Tables determine the depths of entities with parents by value: the first path does not follow ChildOf, but another one does.
   * `depthOf`, by table: the depth at which its entities with parents by value were filed.
   */
  readonly hasDepthByTable: boolean;
  readonly depthOf: Map<TableId, number> = new Map();
  /** For a first path with many targets: the lengths of the longest paths up, in this round. */
  readonly branchDepths: Map<TableId, number> = new Map();
  /** Results for the unit last read: its depth along the first path, and by path the index of the source, or 0. */
  depth = 0;
  readonly sources: Int32Array<ArrayBuffer>;
  /** The archetype of the source, or -1; for several paths the number of the list of these. */
  key = 0;
  readonly rowLists: RowLists;
  /** Units whose rows must be written when all have been read: [unit, its sources ..., ...]. */
  pending: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Numbers of these in use. */
  pendingLength = 0;

  constructor(world: World, traversals: readonly Pick<Traversal, "relation" | "what">[]) {
    this.list = traversals.map((traversal) => ({
      ...createPath(world, traversal),
      isParental: traversal.relation === ChildOf,
      isWide: !traversal.relation.keepsDepth,
      passed: new Set(),
    }));
    this.cursors = cursorsOf(world);
    this.hasValueParents = this.list.some(({ isParental }) => isParental);
    this.isWide = this.list.some(({ isWide }) => isWide);
    this.hasDepthByTable = this.hasValueParents && !this.isWide && !this.list[0]!.isParental;
    this.sources = new Int32Array(traversals.length);
    this.rowLists = new RowLists(traversals.length);
  }
}

/** Ends a round, in which nothing changes: its notes are dropped, since sources may differ in the next. */
export function endRound({ list, branchDepths }: Files): void {
  for (const path of list) {
    forgetFar(path);
    path.passed.clear();
  }
  branchDepths.clear();
}

export function filingOf({ hasValueParents, list }: Files, archetype: ArchetypeView): number {
  if (hasValueParents && archetype.hasValueParent) return BY_ENTITY;
  for (let place = 0; place < list.length; place++)
    if (hasDefinition(archetype, list[place]!.relation)) return BY_TABLE;
  return NOT_FILED;
}

/** How the rows of a table are filed, on which the cursor is then; those of a table that no longer exists are not. */
export function filingOfTable(files: Files, table: TableId): number {
  const { tables } = files.cursors;
  return tables.turnTo(table) ? filingOf(files, tables.archetype) : NOT_FILED;
}

/** Finds depth and sources of a unit. Within a round. @param valuePair the value pair of an entity; 0 for a whole table. */
export function findSources(world: World, files: Files, table: TableId, valuePair: PairId): void {
  const { list, sources, rowLists } = files;
  const { sourceArchetypes } = rowLists.chunks;
  files.key = 0;
  for (let place = 0; place < list.length; place++) {
    const path = list[place]!;
    const pair = path.isWide ? 0 : pairAlong(files, path, table, valuePair);
    const source = path.isWide ? sourceOnBranches(world, table, path) : sourceOfPair(world, pair, path);
    if (place === 0) {
      if (path.isWide) files.depth = longestBranch(world, table, path.relation, files.branchDepths);
      else files.depth = path.pairs.depth(pair); // 0 without a pair
    }
    sources[place] = source;
    const archetype = source === 0 ? -1 : archetypeViewAt(world, source).number;
    files.key = list.length === 1 ? archetype : withArchetype(sourceArchetypes, files.key, archetype);
  }
}

/** The pair of an exclusive relation that a unit has, or 0. */
function pairAlong({ cursors }: Files, path: FiledPath, table: TableId, valuePair: PairId): PairId {
  const { pairs, isParental, relation } = path;
  if (isParental && valuePair !== 0) return valuePair;
  if (isParental) {
    const { tables } = cursors;
    if (tables.table !== table) tables.turnTo(table);
    return tables.parentPair;
  }
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++))
    if (pairs.relation(pair) === relation.id) break;
  return pair;
}

/** 0 if there is no source. */
function rowOfSource(world: World, source: number): number {
  return source === 0 ? 0 : rowAt(world, source);
}

/**
 * Have the entities with parents by value of a table another depth than at the last call? Entities that came since are ignored.
 * Only for `hasDepthByTable`.
 */
export function hasOtherDepth(files: Files, table: TableId): boolean {
  if (filingOfTable(files, table) !== BY_ENTITY) return false;
  const first = files.list[0]!;
  const depth = first.pairs.depth(pairAlong(files, first, table, 0));
  if (files.depthOf.get(table) === depth) return false;
  files.depthOf.set(table, depth);
  return true;
}

/**
 * Calls back with each table and each entity with a parent by value whose source along a relation that keeps depths may be
 * another one, or be in another row, now that an entity moved: subjects of pairs with it, below those that do not have what the
 * path looks for also their subjects, and so on. Within a round each is called once.
 */
export function eachBelow(
  world: World,
  index: number,
  path: FiledPath,
  onTable: (table: TableId) => void,
  onEntity: (index: number) => void,
): void {
  const pairs = pairCursor(world);
  const { outer, values } = cursorsOf(world);
  const pending = [index];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const pair = pairs.find(path.relation, at);
    if (pair === 0 || path.passed.has(pair)) continue;
    path.passed.add(pair);
    for (outer.ofPair(pair); outer.next(); ) {
      const { table, archetype, first, end } = outer;
      onTable(table);
      // Entities below those that do not have what the path looks for are affected as well.
      if (first === end || (!path.isOfRows && archetypeHas(archetype, path.what.definition))) continue;
      const { i32 } = archetype.lanes;
      for (let row = first; row < end; row++)
        if (!path.isOfRows || !isSourceOf(world, path, i32[row]!)) pending.push(i32[row]!);
    }
    if (!path.isParental) continue;
    for (values.ofPair(pair); values.next(); ) {
      const child = values.index;
      onEntity(child);
      if (!isSourceOf(world, path, child)) pending.push(child);
    }
  }
}

/** Only among this number of last rows of a chunk, units are searched that fill a hole. */
const MANY_ROWS = 64;

/** A longer list of pending units is not kept for the next time. */
const KEPT_ENTRIES = 1024;

/** Puts a table where it belongs: in no chunk if it is not filed as a whole. */
export function fileTable(world: World, files: Files, table: TableId): void {
  const { rowLists, cursors } = files;
  const { tables } = cursors;
  if (filingOfTable(files, table) !== BY_TABLE || tables.first === tables.end) unfile(rowLists, table);
  else {
    findSources(world, files, table, 0);
    file(world, files, table, tables.archetype.number, tables.first, tables.end - tables.first);
  }
}

/** The same for one entity: in no chunk if its parent is not stored by value. */
export function fileEntity(world: World, files: Files, index: number): void {
  const pair = pairCursor(world).valueAt(index);
  if (pair === 0) unfile(files.rowLists, -index);
  else {
    findSources(world, files, tableAt(world, index), pair);
    file(world, files, -index, archetypeViewAt(world, index).number, rowAt(world, index), 1);
  }
}

/** Puts a unit into the chunk that was looked up. It is pending there, unless it is already written correctly. */
function file(
  world: World,
  files: Files,
  unit: number,
  archetype: number,
  first: number,
  count: number,
): void {
  const { rowLists, depth, key, sources } = files;
  const { chunks } = rowLists;
  rowLists.isChanged = true;
  const notes = notesFor(chunks, unit);
  const at = notesAt(unit);
  let chunk = notes[at + CHUNK]!;
  const isAlike = chunks.depth[chunk] === depth && chunks.archetype[chunk] === archetype;
  const stays = chunk !== 0 && isAlike && chunks.source[chunk] === key;
  if (stays && countOfUnit(chunks, unit) === count) {
    const place = notes[at + PLACE]!;
    if (place < 0 || isWritten(world, files, chunks.start[chunk]! + place, first)) return;
  } else {
    if (stays) removeRows(rowLists, unit);
    else {
      if (chunk !== 0) unfile(rowLists, unit);
      chunk = enterChunk(chunks, unit, depth, archetype, key);
    }
    if (unit > 0) notes[at + COUNT] = count;
    notes[at + PLACE] = -1;
    chunks.pending[chunk]! += count;
  }
  const end = files.pendingLength + 1;
  const length = end + sources.length;
  if (length > files.pending.length) files.pending = grownInt32(files.pending, length);
  const { pending } = files;
  pending[end - 1] = unit;
  for (let path = 0; path < sources.length; path++) pending[end + path] = sources[path]!;
  files.pendingLength = length;
}

/** After all units have been read: closes holes, allocates room in the order of iteration, and writes pending units. */
export function settle(world: World, files: Files): void {
  const { rowLists } = files;
  const { chunks } = rowLists;
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[at]!;
    if (chunks.holed[chunk] === 1) {
      const start = chunks.start[chunk]!;
      chunks.holed[chunk] = 0;
      chunks.rows[chunk] = moveRows(rowLists, chunk, start, start, chunks.rows[chunk]!) - start;
    }
    const length = chunks.rows[chunk]! + chunks.pending[chunk]!;
    if (length > chunks.room[chunk]!) allocateRoom(rowLists, chunk, length);
    chunks.pending[chunk] = 0;
  }
  const { cursors, pending, pendingLength } = files;
  const { tables } = cursors;
  const { rows, rowUnits, sourceRows } = rowLists; // with room for all now
  for (let from = 0; from < pendingLength; from += 1 + chunks.places) {
    const unit = pending[from]!;
    const notes = notesFor(chunks, unit);
    const at = notesAt(unit);
    const chunk = notes[at + CHUNK]!;
    if (unit > 0) tables.turnTo(unit);
    const first = unit > 0 ? tables.first : rowAt(world, -unit);
    const count = unit > 0 ? tables.end - first : 1;
    if (notes[at + PLACE]! < 0) {
      notes[at + PLACE] = chunks.rows[chunk]!;
      chunks.rows[chunk]! += count;
    }
    const position = chunks.start[chunk]! + notes[at + PLACE]!;
    for (let row = 0; row < count; row++) {
      rows[position + row] = first + row;
      rowUnits[position + row] = unit;
    }
    for (let place = 0; place < sourceRows.length; place++) {
      const list = sourceRows[place]!;
      const sourceRow = rowOfSource(world, pending[from + 1 + place]!);
      for (let row = 0; row < count; row++) list[position + row] = sourceRow;
    }
  }
  files.pendingLength = 0;
  if (pending.length > KEPT_ENTRIES) files.pending = new Int32Array(0);
}

/** Is the unit that was looked up at this position, with the rows of its sources? The first row decides for all. */
function isWritten(world: World, { sources, rowLists }: Files, position: number, first: number): boolean {
  const { rows, sourceRows } = rowLists;
  if (rows[position] !== first) return false;
  for (let place = 0; place < sourceRows.length; place++)
    if (sourceRows[place]![position] !== rowOfSource(world, sources[place]!)) return false;
  return true;
}

function unfile(rowLists: RowLists, unit: number): void {
  const { chunks } = rowLists;
  const chunk = notesFor(chunks, unit)[notesAt(unit) + CHUNK]!;
  if (chunk === 0) return;
  rowLists.isChanged = true;
  removeRows(rowLists, unit);
  if (chunks.units[chunk] === 1) rowLists.wasted += chunks.room[chunk]!;
  leaveChunk(chunks, unit);
}

/**
 * Removes a unit's rows from its chunk: rows from its end fill their place, either one unit that is as long, or the last ones if
 * they are as long together. Else they leave a hole.
 */
function removeRows(rowLists: RowLists, unit: number): void {
  const { chunks, rowUnits } = rowLists;
  const notes = notesFor(chunks, unit);
  const chunk = notes[notesAt(unit) + CHUNK]!;
  const count = countOfUnit(chunks, unit);
  const hole = chunks.start[chunk]! + notes[notesAt(unit) + PLACE]!;
  const end = chunks.start[chunk]! + chunks.rows[chunk]!;
  for (let from = end; chunks.holed[chunk] === 0 && from > hole && end - from < MANY_ROWS; ) {
    const other = rowUnits[from - 1]!;
    const length = countOfUnit(chunks, other);
    from -= length;
    if (other !== unit && length !== count && end - from !== count) continue;
    if (other !== unit) moveRows(rowLists, chunk, from, hole, count);
    if (from + count < end) moveRows(rowLists, chunk, from + count, from, end - from - count);
    chunks.rows[chunk]! -= count;
    return;
  }
  rowUnits.fill(0, hole, hole + count);
  chunks.holed[chunk] = 1;
}

/** Moves whole units of a chunk forwards, and leaves holes out. @returns the position after the last one. */
function moveRows(rowLists: RowLists, chunk: number, from: number, to: number, count: number): number {
  const { chunks, rows, rowUnits, sourceRows } = rowLists;
  const nearestRows = sourceRows[0]!;
  let end = to;
  for (let at = from; at < from + count; ) {
    const unit = rowUnits[at]!;
    if (unit === 0 || at === end) {
      if (unit !== 0) end++;
      at++;
      continue;
    }
    const notes = notesFor(chunks, unit);
    const count = countOfUnit(chunks, unit);
    notes[notesAt(unit) + PLACE] = end - chunks.start[chunk]!;
    for (let place = 1; place < sourceRows.length; place++)
      sourceRows[place]!.copyWithin(end, at, at + count);
    for (const behind = at + count; at < behind; at++) {
      rows[end] = rows[at]!;
      nearestRows[end] = nearestRows[at]!;
      rowUnits[end++] = unit;
    }
  }
  return end;
}
