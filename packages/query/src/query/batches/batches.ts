import { type Entity, isAlive, TreelineError, type World } from "@treeline/core";
import type { ArchetypeView, TableId } from "@treeline/core/internal";
import {
  allArchetypes,
  archetypesOfDefinition,
  Changes,
  grownInt32,
  Life,
  Parent,
  pairCursor,
  sizesOf,
  worldState,
} from "@treeline/core/internal";
import { cursorsOf } from "../../match/pairs.ts";
import type { Traversal } from "../../term/plan.ts";
import { areStale, clearRowLists, fitUnits, refreshOrder, sourceArchetypeOf } from "./chunks.ts";
import {
  BY_ENTITY,
  BY_TABLE,
  eachBelow,
  endRound,
  Files,
  fileEntity,
  fileTable,
  filingOf,
  filingOfTable,
  hasOtherDepth,
  NOT_FILED,
  settle,
} from "./filing.ts";

/**
 * For a list of traversals: the rows of all entities that have a pair of one of their relations, shallow first along the first
 * one, with the absolute rows of the sources along each. All queries with the same list share it. Core's journal lists
 * structural changes; the next iteration reads what is listed, table by table and, where parents are stored as values, entity by
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

/** Are the rows of an archetype filed? Others have no pair of any of the relations, so neither depth nor sources. */
export function isFiled(batches: Batches, archetype: ArchetypeView): boolean {
  return filingOf(batches, archetype) !== NOT_FILED;
}

/**
 * Files what has changed. If nothing has, nothing is written: running iterations go through chunks and positions as they were
 * when they began, and nothing moves until they end. So stale chunks are filed again at once, never by the next caller.
 */
function refresh(world: World, batches: Batches): void {
  const { changes, rowLists } = batches;
  changes.settleDepths();
  if (changes.areNone) return;
  if (changes.lost || batches.isWide) fileAll(world, batches);
  else {
    fileListed(world, batches);
    if (areStale(rowLists.chunks)) fileAll(world, batches);
  }
  changes.catchUp();
  refreshOrder(rowLists.chunks);
  if (rowLists.isChanged) settle(world, batches);
  endRound(batches);
  if (!rowLists.isChanged) return;
  CHECK: if (batches.iterations > 0) {
    throw new TreelineError("internal-error", "I12: rows are filed during an iteration of their batches");
  }
  batches.version = ++lastVersion;
  rowLists.isChanged = false;
}

function fit(world: World, files: Files): void {
  const { tables, entities } = sizesOf(world);
  fitUnits(files.rowLists.chunks, tables, archetypesOfDefinition(world, Parent).length > 0 ? entities : 0);
}

/** Files everything again, in the order of rows: tables first. */
function fileAll(world: World, files: Files): void {
  const { rowLists, cursors } = files;
  const { outer } = cursors;
  if (rowLists.chunks.length > 1) clearRowLists(rowLists);
  files.pendingLength = 0;
  fit(world, files);
  const archetypes = archetypesOfDefinition(world, Life).filter(
    (archetype) => filingOf(files, archetype) !== NOT_FILED,
  );
  const units = archetypes.reduce(
    (sum, { hasValueParent, rows, filled }) => sum + (hasValueParent ? rows : filled.length),
    0,
  );
  // Many units will be pending: their list need not grow step by step.
  files.pending = grownInt32(files.pending, units * (1 + files.list.length));
  for (const filing of [BY_TABLE, BY_ENTITY]) {
    for (const archetype of archetypes) {
      if (filingOf(files, archetype) !== filing) continue;
      for (outer.ofArchetype(archetype); outer.next(); ) {
        if (filing === BY_TABLE) fileTable(world, files, outer.table);
        else eachRow(world, outer.table, (index) => fileEntity(world, files, index));
        if (files.hasDepthByTable) hasOtherDepth(files, outer.table);
      }
    }
  }
}

function fileListed(world: World, batches: Batches): void {
  const { changes, list, hasValueParents, hasDepthByTable } = batches;
  const pairs = pairCursor(world);
  fit(world, batches);
  const onEntity = (index: number): void => {
    if (hasValueParents) fileEntity(world, batches, index);
  };
  const onTable = (table: TableId): void => {
    if (filingOfTable(batches, table) === BY_ENTITY) eachRow(world, table, onEntity);
    else fileTable(world, batches, table);
  };
  const onTarget = (index: number, isOfBits = false): void => {
    for (const path of list) if (!isOfBits || path.isOfRows) eachBelow(world, index, path, onTable, onEntity);
  };
  for (changes.begin(); changes.next(); ) {
    const { number } = changes;
    switch (changes.kind) {
      case "target":
        onTarget(number);
        break;
      case "bit":
        onTarget(number, true);
        break;
      case "value":
        onEntity(number);
        break;
      case "order":
        break;
      case "rows":
        onTable(number);
        eachRow(world, number, (index) => {
          if (pairs.firstTo(index) !== 0) onTarget(index);
        });
        break;
      default:
        // Entities of a table with parents by value that came, went or have another row are listed separately.
        fileTable(world, batches, number);
        if (hasDepthByTable && hasOtherDepth(batches, number)) eachRow(world, number, onEntity);
    }
  }
}

function eachRow(world: World, table: TableId, callback: (index: number) => void): void {
  const { tables } = cursorsOf(world);
  if (!tables.turnTo(table)) return;
  const { first, end } = tables;
  const { i32 } = tables.archetype.lanes;
  for (let row = first; row < end; row++) callback(i32[row]!);
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
  settle(world, fresh);
  const expected = new Map(placesIn(world, fresh).map((place) => [place[0], place]));
  for (const place of placesIn(world, batches)) {
    const right = expected.get(place[0]);
    if (right?.every((one, at) => one === place[at])) expected.delete(place[0]);
    else broken.push(`I12: ${placeText(place)} is misplaced in ${name}`);
  }
  for (const place of expected.values()) broken.push(`I12: ${placeText(place)} is missing in ${name}`);
  const depths = Array.from(chunks.order.subarray(0, chunks.alive), (chunk) => chunks.depth[chunk]!);
  if (depths.some((depth, at) => depth < depths[at - 1]!)) broken.push("I12: chunks out of order");
  if (areStale(chunks)) broken.push(`I12: ${name} are stale`);
  return broken;
}

/** A filed entity: its index, unit, row, archetype and depth, then row and archetype of each source. */
type Place = readonly [entity: number, ...rest: number[]];

/** All filed entities, with all that is noted of them. */
function placesIn(world: World, { rowLists }: Files): Place[] {
  const { chunks, rows, rowUnits, sourceRows } = rowLists;
  const places: Place[] = [];
  for (const chunk of chunks.order.subarray(0, chunks.alive)) {
    const { lanes, number } = allArchetypes(world)[chunks.archetype[chunk]!]!;
    const start = chunks.start[chunk]!;
    for (let at = start; at < start + chunks.rows[chunk]!; at++) {
      const row = rows[at]!;
      const place: [number, ...number[]] = [
        lanes.i32[row]!,
        rowUnits[at]!,
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

function placeText([entity, unit, row, archetype, depth, ...above]: Place): string {
  const sources = above.flatMap((one, at) => (at % 2 === 0 ? [`${one} of ${above[at + 1]}`] : []));
  return `#${entity} in unit ${unit}, row ${row} of ${archetype}, at depth ${depth}, below rows ${sources}`;
}
