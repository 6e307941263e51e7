import { type Entity, isAlive, TreelineError, type World } from "@treeline/core";
import type { ArchetypeView, TableId } from "@treeline/core/internal";
import {
  allArchetypes,
  archetypesOfDefinition,
  Changes,
  grownInt32,
  Life,
  Parent,
  pairsOf,
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
 * For a list of traversals: the rows of everybody who has a pair of one of their relations, shallow first along the first
 * one, with the absolute rows of the holders along each beside them. All queries with the same list share it. Structural
 * changes are listed by core's journal; the next visit looks at what is listed, table by table and, where parents are
 * stored as values, entity by entity. With a relation that takes many targets, all is filed anew after any change.
 */
export class Batches extends Files {
  readonly changes: Changes;
  /**
   * Another number after each refresh that found something to file: with the same number everything stands where it stood.
   * No other batches ever have it, so that those which were forgotten and made anew are not taken for the former ones.
   */
  version: number = ++lastVersion;
  /** Which of all askings was the last for these. */
  asked = 0;
  /** Visits that run and go through positions of these: only counted in checked builds. */
  iterations = 0;

  constructor(world: World, traversals: readonly Traversal[]) {
    super(world, traversals);
    this.changes = new Changes(world);
  }
}

/** A world keeps at most so many batches. */
export const KEPT_LISTS = 256;

let lastVersion = 0;
let askings = 0;

const allBatches = /* @__PURE__ */ worldState<Map<string, Batches>>((world, { invariants }) => {
  const byKey = new Map<string, Batches>();
  CHECK: invariants.push(() =>
    [...byKey.values()].flatMap((batches) => {
      refresh(world, batches);
      return verifyFiled(world, batches);
    }),
  );
  return byKey;
});

/** Gives up the batches of the list with a key, which no query asks for any more; who asks again makes them anew. */
export function forgetBatches(world: World, key: string): void {
  const byKey = allBatches(world);
  byKey.get(key)?.changes.close();
  byKey.delete(key);
}

/** The batches of a list of at least one traversal, which has a key, as they are now. */
export function currentBatches(world: World, traversals: readonly Traversal[], key: string): Batches {
  const byKey = allBatches(world);
  let batches = byKey.get(key);
  if (batches === undefined) {
    makeRoom(world, byKey);
    batches = new Batches(world, traversals);
    byKey.set(key, batches);
  }
  batches.asked = ++askings;
  refresh(world, batches);
  return batches;
}

/**
 * Makes room for a list more. Queries that name an entity are never disposed, so nobody else would give up their lists. Those
 * go that would be filed anew as a whole, or look for a pair with somebody dead, and beyond 256 the one that was asked for longest ago. That may be one of a query in
 * use, or of a visit that runs: visits hold the batches that they go through, and nobody changes those that were given
 * up; who asks again has new ones made.
 */
function makeRoom(world: World, byKey: Map<string, Batches>): void {
  let eldest = "";
  let longestAgo = Number.POSITIVE_INFINITY;
  for (const [key, batches] of byKey) {
    const { changes, list, asked } = batches;
    const isOfDestroyed = list.some(({ what }) => what.target > 0 && !isAlive(world, what.target as Entity));
    if (changes.lost || isOfDestroyed) forgetBatches(world, key);
    else if (asked < longestAgo) {
      eldest = key;
      longestAgo = asked;
    }
  }
  if (byKey.size >= KEPT_LISTS) forgetBatches(world, eldest);
}

/** Are the rows of an archetype filed? Others have no pair of any of the relations, hence neither depth nor holders. */
export function isFiled(batches: Batches, archetype: ArchetypeView): boolean {
  return filingOf(batches, archetype) !== NOT_FILED;
}

/**
 * Files what is news. When nothing is, nothing is touched: visits that run go through chunks and positions as they were
 * when they began, and nothing moves until they end. So worn chunks are filed anew here and now, never by the next who looks.
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
  if (rowLists.isOther) settle(world, batches);
  endRound(batches);
  if (!rowLists.isOther) return;
  CHECK: if (batches.iterations > 0) {
    throw new TreelineError("internal-error", "L12: rows are filed while a visit goes through their batches");
  }
  batches.version = ++lastVersion;
  rowLists.isOther = false;
}

function fit(world: World, files: Files): void {
  const { tables, entities } = sizesOf(world);
  fitUnits(files.rowLists.chunks, tables, archetypesOfDefinition(world, Parent).length > 0 ? entities : 0);
}

/** Files everything anew, in the order of rows: tables first. */
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
  // Many units will wait: their list need not grow step by step.
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
  const pairs = pairsOf(world);
  fit(world, batches);
  const onEntity = (index: number): void => {
    if (hasValueParents) fileEntity(world, batches, index);
  };
  const onTable = (table: TableId): void => {
    if (filingOfTable(batches, table) === BY_ENTITY) eachRow(world, table, onEntity);
    else fileTable(world, batches, table);
  };
  const onTarget = (index: number, isOfBits = false): void => {
    for (const path of list)
      if (!isOfBits || path.what.definition.storage === "bits")
        eachBelow(world, index, path, onTable, onEntity);
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
      case "rows":
        onTable(number);
        eachRow(world, number, (index) => {
          if (pairs.firstTo(index) !== 0) onTarget(index);
        });
        break;
      default:
        // Whoever of a table's loose entities came, went or has another row is listed by itself.
        fileTable(world, batches, number);
        if (hasDepthByTable && hasOtherDepth(batches, number)) eachRow(world, number, onEntity);
    }
  }
}

function eachRow(world: World, table: TableId, visit: (index: number) => void): void {
  const { tables } = cursorsOf(world);
  if (!tables.turnTo(table)) return;
  const { first, end } = tables;
  const { i32 } = tables.archetype.lanes;
  for (let row = first; row < end; row++) visit(i32[row]!);
}

// ---- invariants ------------------------------------------------------------------------------------------------------------

/** L12: everybody stands where they would stand if all were filed anew, in chunks by depth, which are not worn. */
function verifyFiled(world: World, batches: Batches): string[] {
  const { list, rowLists } = batches;
  const { chunks } = rowLists;
  const name = `the batches of ${list.map(({ relation, what }) => `${relation.name} to ${what.definition.name}`)}`;
  const broken: string[] = [];
  const fresh = new Files(world, list);
  fileAll(world, fresh);
  refreshOrder(fresh.rowLists.chunks);
  settle(world, fresh);
  const wanted = new Set(placesIn(world, fresh));
  for (const place of placesIn(world, batches))
    if (!wanted.delete(place)) broken.push(`L12: ${place} stands wrong in ${name}`);
  for (const place of wanted) broken.push(`L12: ${place} is missing in ${name}`);
  const depths = Array.from(chunks.order.subarray(0, chunks.alive), (chunk) => chunks.depth[chunk]!);
  if (depths.some((depth, at) => depth < depths[at - 1]!)) broken.push("L12: chunks out of order");
  if (areStale(chunks)) broken.push(`L12: ${name} are worn`);
  return broken;
}

/** Everybody who is filed, with all that is noted of them. */
function placesIn(world: World, { rowLists }: Files): string[] {
  const { chunks, rows, rowUnits, sourceRows } = rowLists;
  const places: string[] = [];
  for (const chunk of chunks.order.subarray(0, chunks.alive)) {
    const archetype = allArchetypes(world)[chunks.archetype[chunk]!]!;
    const start = chunks.start[chunk]!;
    for (let at = start; at < start + chunks.rows[chunk]!; at++) {
      const row = rows[at]!;
      const above = sourceRows.map(
        (list, path) => `${list[at]} of ${sourceArchetypeOf(chunks, chunk, path)}`,
      );
      places.push(
        `e${archetype.lanes.i32[row]} in unit ${rowUnits[at]}, row ${row} of ${archetype.number}, at depth ${chunks.depth[chunk]}, below rows ${above}`,
      );
    }
  }
  return places;
}
