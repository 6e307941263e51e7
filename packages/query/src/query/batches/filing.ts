// Depth and sources of an entity (`findSources`); files entities one by one (`fileEntity`), or all rows in their order (`fileRows`).
import { ChildOf, type World } from "@treeline/core";
import type { ArchetypeView, PairId, TableId } from "@treeline/core/internal";
import { archetypeViewAt, grownInt32, hasDefinition, rowAt, tableAt } from "@treeline/core/internal";
import type { UpPath } from "../../match/ancestors.ts";
import {
  createPath,
  forgetFar,
  isSourceOf,
  longestBranch,
  sourceOfPair,
  sourceOnBranches,
} from "../../match/ancestors.ts";
import { subjectsIn } from "../../match/pairs.ts";
import type { Traversal } from "../../term/plan.ts";
import {
  allocateRoom,
  chunkFor,
  chunkOf,
  enterChunk,
  leaveChunk,
  positionOf,
  RowLists,
  turnChunk,
  withArchetype,
} from "./chunks.ts";

/** A path along which rows are filed. */
interface FiledPath extends UpPath {
  /** Along ChildOf: parents of both storages. */
  readonly isParental: boolean;
  /** Along a relation with many targets. */
  readonly isWide: boolean;
  /** Pairs that `eachBelow` has passed in this round. */
  readonly passed: Set<PairId>;
}

/** A list of traversals, the sources of one entity along them, and all row lists. */
export class Files {
  readonly list: readonly FiledPath[];
  /** One of them follows a relation with many targets: with each change everything is filed again. */
  readonly isWide: boolean;
  /** For a first path with many targets: the lengths of the longest paths up, in this round. */
  readonly branchDepths: Map<TableId, number> = new Map();
  /** Results for the entity last read: its depth along the first path, and by path the index of the source, or 0. */
  depth = 0;
  readonly sources: Int32Array<ArrayBuffer>;
  /** The archetype of the source, or -1; for several paths the number of the list of these. */
  key = 0;
  /** All paths are along one relation that keeps depths: entities with one pair of it have the same results. */
  readonly isAlongOne: boolean;
  /** The pair of which the results are, in this round; -1 if unknown. */
  lastPair = -1;
  /** The same if it is that of a parent with many children, which have chunks of their own; else 0. */
  own = 0;
  readonly rowLists: RowLists;

  constructor(world: World, traversals: readonly Pick<Traversal, "relation" | "what">[]) {
    this.list = traversals.map((traversal) => ({
      ...createPath(world, traversal),
      isParental: traversal.relation === ChildOf,
      isWide: !traversal.relation.keepsDepth,
      passed: new Set(),
    }));
    this.isWide = this.list.some(({ isWide }) => isWide);
    this.isAlongOne = !this.isWide && this.list.every(({ relation }) => relation === this.list[0]!.relation);
    this.sources = new Int32Array(traversals.length);
    this.rowLists = new RowLists(traversals.length);
  }
}

/** Ends a round, in which nothing changes: its notes are dropped, since sources may differ in the next. */
export function endRound(files: Files): void {
  const { list, branchDepths } = files;
  for (const path of list) {
    forgetFar(path);
    path.passed.clear();
  }
  branchDepths.clear();
  files.lastPair = -1;
}

/** Are the rows of an archetype filed? Others have no pair of any of the relations, so neither depth nor sources. */
export function isFiled({ list }: Files, archetype: ArchetypeView): boolean {
  for (let place = 0; place < list.length; place++) {
    const { isParental, relation } = list[place]!;
    if (isParental ? archetype.hasParent : hasDefinition(archetype, relation)) return true;
  }
  return false;
}

/** The children of a parent that has so many have chunks of their own. */
const MANY = 256;

/** Finds depth and sources of an entity. Within a round. */
function findSources(world: World, files: Files, index: number): void {
  const { list, sources, rowLists } = files;
  const { sourceArchetypes } = rowLists.chunks;
  if (files.isAlongOne) {
    const pair = list[0]!.pairs.at(index, list[0]!.relation);
    if (pair === files.lastPair) return;
    files.lastPair = pair;
    files.own = pair !== 0 && list[0]!.isParental && list[0]!.pairs.count(pair) >= MANY ? pair : 0;
  }
  files.key = 0;
  for (let place = 0; place < list.length; place++) {
    const path = list[place]!;
    const pair = path.isWide ? 0 : path.pairs.at(index, path.relation);
    const source = path.isWide
      ? sourceOnBranches(world, tableAt(world, index), path)
      : sourceOfPair(world, pair, path);
    if (place === 0) {
      if (path.isWide)
        files.depth = longestBranch(world, tableAt(world, index), path.relation, files.branchDepths);
      else files.depth = path.pairs.depth(pair); // 0 without a pair
    }
    sources[place] = source;
    const archetype = source === 0 ? -1 : archetypeViewAt(world, source).number;
    files.key = list.length === 1 ? archetype : withArchetype(sourceArchetypes, files.key, archetype);
  }
}

/**
 * Calls back with each pair whose subjects may have another source along a relation that keeps depths, or one in another row, now that an
 * entity moved: the pair with it, below those that do not have what the path looks for also the pairs with them, and so on. Within a
 * round each is passed once.
 */
export function eachBelow(
  world: World,
  index: number,
  path: FiledPath,
  onPair: (pair: PairId) => void,
): void {
  const { pairs, passed } = path;
  const pending = [pairs.find(path.relation, index)];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    if (pair === 0 || passed.has(pair)) continue;
    passed.add(pair);
    onPair(pair);
    // Entities below those that do not have what the path looks for are affected as well.
    for (let below = pairs.firstBelow(pair); below !== 0; below = pairs.beside(below))
      if (!isSourceOf(world, path, pairs.target(below))) pending.push(below);
  }
}

/** Puts all that have a pair where they belong: as `fileEntity` for each. */
export function fileSubjects(world: World, files: Files, pair: PairId): void {
  const { list, rowLists, isAlongOne } = files;
  const [{ pairs, isParental }] = list as [FiledPath];
  if (pairs.relation(pair) === 0) return; // it is gone
  const subjects = subjectsIn(world);
  const isOfChildren = isAlongOne && isParental && pairs.relation(pair) === ChildOf.id;
  subjects.ofPair(pair);
  if (!isOfChildren) {
    const found: number[] = [];
    while (subjects.next()) found.push(subjects.index);
    for (const one of found) fileEntity(world, files, one);
    return;
  }
  if (!subjects.next()) return;
  // Siblings have their depth and sources in common.
  findSources(world, files, subjects.index);
  if (turnChunks(world, files, pair)) return;
  const { chunks } = rowLists;
  subjects.ofPair(pair);
  while (subjects.next()) {
    const { index } = subjects;
    place(world, files, index, chunkOf(chunks, index), archetypeViewAt(world, index).number);
  }
}

/**
 * Gives the chunks of a pair the depth and the sources that were found last. Who has come or gone since is filed for itself.
 *
 * @cost the chunks, and a fill for each source. @returns whether these are all of its subjects.
 */
function turnChunks(world: World, files: Files, pair: PairId): boolean {
  const { rowLists, depth, key, sources, list } = files;
  const { chunks, sourceRows } = rowLists;
  let count = 0;
  let chunk = chunks.firstOfPair.get(pair) ?? 0;
  for (; chunk !== 0; chunk = chunks.nextOfPair[chunk]!) {
    if (!turnChunk(chunks, chunk, depth, key)) return false;
    const start = chunks.start[chunk]!;
    const end = start + chunks.rows[chunk]!;
    for (let path = 0; path < sourceRows.length; path++)
      sourceRows[path]!.fill(rowOfSource(world, sources[path]!), start, end);
    count += end - start;
    rowLists.isChanged = true;
  }
  return count === list[0]!.pairs.count(pair);
}

/** Puts an entity where it belongs: in no chunk if it has no row, or no pair of the relations. */
export function fileEntity(world: World, files: Files, index: number): void {
  const { rowLists } = files;
  const { chunks } = rowLists;
  const before = chunkOf(chunks, index);
  const archetype = archetypeViewAt(world, index);
  if (tableAt(world, index) === 0 || !isFiled(files, archetype)) {
    if (before !== 0) leaveChunk(rowLists, index);
    return;
  }
  findSources(world, files, index);
  place(world, files, index, before, archetype.number);
}

/** Puts an entity into its chunk, beside the sources found last. @param before its chunk so far, or 0. */
function place(world: World, files: Files, index: number, before: number, archetype: number): void {
  const { rowLists, sources } = files;
  const { chunks } = rowLists;
  const chunk = chunkFor(chunks, files.depth, archetype, files.key, files.own);
  const row = rowAt(world, index);
  let position: number;
  if (chunk === before) {
    position = positionOf(chunks, index);
    if (rowLists.rows[position] !== row) {
      rowLists.rows[position] = row;
      rowLists.isChanged = true;
    }
  } else {
    if (before !== 0) leaveChunk(rowLists, index);
    position = enterChunk(rowLists, chunk, index, row);
  }
  const { sourceRows } = rowLists;
  for (let path = 0; path < sourceRows.length; path++) {
    const sourceRow = rowOfSource(world, sources[path]!);
    if (sourceRows[path]![position] === sourceRow) continue;
    sourceRows[path]![position] = sourceRow;
    rowLists.isChanged = true;
  }
}

/** Only the row of an entity is another one. */
export function fileRow(world: World, { rowLists }: Files, index: number): void {
  const { chunks } = rowLists;
  if (chunkOf(chunks, index) === 0) return;
  rowLists.rows[positionOf(chunks, index)] = rowAt(world, index);
  rowLists.isChanged = true;
}

/** 0 if there is no source. */
function rowOfSource(world: World, source: number): number {
  return source === 0 ? 0 : rowAt(world, source);
}

/** Files all rows of some archetypes, in the order of rows: chunks get the room that they need, in the order of iteration. */
export function fileRows(world: World, files: Files, archetypes: readonly ArchetypeView[]): void {
  const { rowLists } = files;
  const { chunks } = rowLists;
  let total = 0;
  for (const { rows } of archetypes) total += rows;
  const paths = files.list.length;
  /** Of each row, its chunk and its sources. */
  const found = new Int32Array(total * (1 + paths));
  let counts = new Int32Array(16);
  let next = 0;
  for (const archetype of archetypes) {
    for (let row = 0; row < archetype.rows; row++) {
      findSources(world, files, archetype.lanes.i32[row]!);
      const chunk = chunkFor(chunks, files.depth, archetype.number, files.key, files.own);
      counts = grownInt32(counts, chunk + 1);
      counts[chunk]!++;
      found[next++] = chunk;
      for (let path = 0; path < paths; path++) found[next++] = rowOfSource(world, files.sources[path]!);
    }
  }
  const order = [...counts.keys()].filter((chunk) => counts[chunk]! > 0);
  order.sort((one, other) => chunks.depth[one]! - chunks.depth[other]! || one - other);
  for (const chunk of order) allocateRoom(rowLists, chunk, counts[chunk]!);
  next = 0;
  for (const archetype of archetypes) {
    for (let row = 0; row < archetype.rows; row++) {
      const position = enterChunk(rowLists, found[next++]!, archetype.lanes.i32[row]!, row);
      for (let path = 0; path < paths; path++) rowLists.sourceRows[path]![position] = found[next++]!;
    }
  }
}
