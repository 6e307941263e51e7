// When batches are filed again (`refresh`); which are dropped: beyond `KEPT_LISTS` the least recently used (`makeRoom`).
import { type Entity, isAlive, TreelineError, type World } from "@treeline/core";
import {
  allArchetypes,
  archetypesOfDefinition,
  Changes,
  Life,
  type PairId,
  pairCursor,
  sizesOf,
  worldState,
} from "@treeline/core/internal";
import type { Traversal } from "../../term/plan.ts";
import { clearRowLists, fitEntities, refreshOrder, sourceArchetypeOf } from "./chunks.ts";
import {
  eachBelow,
  endRound,
  Files,
  fileEntity,
  fileRow,
  fileRows,
  fileSubjects,
  isFiled,
} from "./filing.ts";

export { isFiled } from "./filing.ts";

/**
 * For a list of traversals: the rows of all entities that have a pair of one of their relations, shallow first along the first
 * one, with the absolute rows of the sources along each. All queries with the same list share it. Core's journal lists
 * structural changes; the next iteration reads what is listed, entity by
 * entity. With a relation that has many targets, all is filed again after any change.
 */
export class Batches extends Files {
  readonly changes: Changes;
  /**
   * Another number after each refresh that found something to file: with the same number nothing has moved. The number is
   * unique, so that batches which were dropped and made again are not mistaken for the former ones.
   */
  version: number = ++lastVersion;
  /** The number of their last use, of all uses of batches. */
  lastUse = 0;
  /** Running iterations over positions of these: only counted in checked builds. */
  iterations = 0;

  constructor(world: World, traversals: readonly Traversal[]) {
    super(world, traversals);
    this.changes = new Changes(world);
  }
}

/** The maximum number of batches of a world. */
export const KEPT_LISTS = 256;

let lastVersion = 0;
let uses = 0;

/** The batches of a world, by key. */
export const allBatches: (world: World) => Map<string, Batches> = /* @__PURE__ */ worldState(
  (world, extension) => {
    const byKey: Map<string, Batches> = new Map();
    CHECK: extension.invariants.push(() =>
      [...byKey.values()].flatMap((batches) => {
        refresh(world, batches);
        return verifyFiled(world, batches);
      }),
    );
    return byKey;
  },
);

/** All is filed as it was at another moment. */
export function renumber(batches: Batches): void {
  batches.version = ++lastVersion;
}

/** Drops the batches of the list with a key, which no query needs any more; `currentBatches` can make them again. */
export function forgetBatches(world: World, key: string): void {
  const byKey = allBatches(world);
  byKey.get(key)?.changes.close();
  byKey.delete(key);
}

/** The current batches of a list of at least one traversal, which has a key. */
export function currentBatches(world: World, traversals: readonly Traversal[], key: string): Batches {
  const byKey = allBatches(world);
  let batches = byKey.get(key);
  if (batches === undefined) {
    makeRoom(world, byKey);
    batches = new Batches(world, traversals);
    byKey.set(key, batches);
  }
  batches.lastUse = ++uses;
  refresh(world, batches);
  return batches;
}

/**
 * Makes room for one more list. Queries that name an entity are never disposed, so nothing else would drop their lists. It drops
 * lists that would be filed again as a whole, or that are about a pair with an entity that is not alive, and beyond 256 the
 * least recently used one. That may belong to a query in use, or to a running iteration: iterations hold the batches that they
 * go through, and nothing changes batches that were dropped; the next use makes new ones.
 */
function makeRoom(world: World, byKey: Map<string, Batches>): void {
  let leastRecent = "";
  let firstUse = Number.POSITIVE_INFINITY;
  for (const [key, batches] of byKey) {
    const { changes, list, lastUse } = batches;
    const isOfDestroyed = list.some(({ what }) => what.target > 0 && !isAlive(world, what.target as Entity));
    if (changes.lost || isOfDestroyed) forgetBatches(world, key);
    else if (lastUse < firstUse) {
      leastRecent = key;
      firstUse = lastUse;
    }
  }
  if (byKey.size >= KEPT_LISTS) forgetBatches(world, leastRecent);
}

/**
 * Files what has changed. If nothing has, nothing is written: running iterations go through chunks and positions as they were
 * when they began, and nothing moves until they end.
 */
function refresh(world: World, batches: Batches): void {
  const { changes, rowLists } = batches;
  changes.settleDepths();
  if (changes.areNone) return;
  if (changes.lost || batches.isWide) fileAll(world, batches);
  else fileListed(world, batches);
  changes.catchUp();
  refreshOrder(rowLists.chunks);
  endRound(batches);
  if (!rowLists.isChanged) return;
  CHECK: if (batches.iterations > 0) {
    throw new TreelineError("internal-error", "I12: rows are filed during an iteration of their batches");
  }
  batches.version = ++lastVersion;
  rowLists.isChanged = false;
}

/** Files everything again, in the order of rows. */
function fileAll(world: World, files: Files): void {
  const { rowLists } = files;
  if (rowLists.chunks.length > 1) clearRowLists(rowLists);
  fitEntities(rowLists.chunks, sizesOf(world).entities);
  fileRows(
    world,
    files,
    archetypesOfDefinition(world, Life).filter((archetype) => isFiled(files, archetype)),
  );
}

function fileListed(world: World, batches: Batches): void {
  const { changes, list, rowLists } = batches;
  const pairs = pairCursor(world);
  fitEntities(rowLists.chunks, sizesOf(world).entities);
  const onPair = (pair: PairId): void => fileSubjects(world, batches, pair);
  const onTarget = (index: number, isOfBits: boolean): void => {
    for (const path of list) if (!isOfBits || path.isOfRows) eachBelow(world, index, path, onPair);
  };
  for (changes.begin(); changes.next(); ) {
    const { number, kind } = changes;
    if (kind === "order") continue;
    if (kind === "depth") {
      onPair(number);
      continue;
    }
    if (kind === "entity") fileEntity(world, batches, number);
    else if (kind === "filled") fileRow(world, batches, number);
    if (pairs.firstTo(number) !== 0) onTarget(number, kind === "bit");
  }
}

// ---- invariants ------------------------------------------------------------------------------------------------------------

/** I12: all entities are where they would be if all were filed again, in chunks by depth, which are not stale. */
function verifyFiled(world: World, batches: Batches): string[] {
  const { list, rowLists } = batches;
  const { chunks } = rowLists;
  const name = `the batches of ${list.map(({ relation, what }) => `${relation.name} to ${what.definition.name}`)}`;
  const broken: string[] = [];
  const fresh = new Files(world, list);
  fileAll(world, fresh);
  refreshOrder(fresh.rowLists.chunks);
  const expected = new Map(placesIn(world, fresh).map((place) => [place[0], place]));
  for (const place of placesIn(world, batches)) {
    const right = expected.get(place[0]);
    if (right?.every((one, at) => one === place[at])) expected.delete(place[0]);
    else broken.push(`I12: ${placeText(place)} is misplaced in ${name}`);
  }
  for (const place of expected.values()) broken.push(`I12: ${placeText(place)} is missing in ${name}`);
  const depths = Array.from(chunks.order.subarray(0, chunks.alive), (chunk) => chunks.depth[chunk]!);
  if (depths.some((depth, at) => depth < depths[at - 1]!)) broken.push("I12: chunks out of order");
  return broken;
}

/** A filed entity: its index, row, archetype and depth, then row and archetype of each source. */
type Place = readonly [entity: number, ...rest: number[]];

/** All filed entities, with all that is noted of them. */
function placesIn(world: World, { rowLists }: Files): Place[] {
  const { chunks, rows, indexes, sourceRows } = rowLists;
  const places: Place[] = [];
  for (const chunk of chunks.order.subarray(0, chunks.alive)) {
    const { lanes, number } = allArchetypes(world)[chunks.archetype[chunk]!]!;
    const start = chunks.start[chunk]!;
    for (let at = start; at < start + chunks.rows[chunk]!; at++) {
      const row = rows[at]!;
      const place: [number, ...number[]] = [
        lanes.i32[row] === indexes[at] ? indexes[at]! : -1,
        row,
        number,
        chunks.depth[chunk]!,
      ];
      for (let path = 0; path < sourceRows.length; path++)
        place.push(sourceRows[path]![at]!, sourceArchetypeOf(chunks, chunk, path));
      places.push(place);
    }
  }
  return places;
}

function placeText([entity, row, archetype, depth, ...above]: Place): string {
  const sources = above.flatMap((one, at) => (at % 2 === 0 ? [`${one} of ${above[at + 1]}`] : []));
  return `#${entity} in row ${row} of ${archetype}, at depth ${depth}, below rows ${sources}`;
}
