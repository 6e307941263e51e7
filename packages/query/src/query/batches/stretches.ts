import { ChildOf, Parent, type World } from "@treeline/core";
import {
  catchUp,
  closeCursor,
  type Graph,
  grownInt32,
  isLiving,
  isTarget,
  isUsed,
  type JournalCursor,
  kindOfEntry,
  LOOSE_MOVED,
  law,
  nextStateNumber,
  numberOfEntry,
  openCursor,
  type Shape,
  SLICE_MOVED,
  settleDepths,
  shapesWith,
  stateOf,
  TARGET_MOVED,
  type TableNumber,
} from "@treeline/core/internal";
import { keyOfTraversals, type Traversal } from "../../term/plan.ts";
import { areWorn, fitLoose, fitTables, refreshOrder } from "./chunks.ts";
import { appendWaiting, createWaiting, fileLoose, fitWaiting, makeRoom, type Waiting } from "./file-loose.ts";
import { fileTable, refillTables } from "./file-table.ts";
import { clearPositions, createPositions, type Positions } from "./positions.ts";
import { verifyFiled } from "./verify.ts";
import {
  BY_ENTITY,
  beginRound,
  createWays,
  eachBelow,
  endRound,
  filingOf,
  hasOtherDepth,
  NOT_FILED,
  type Ways,
} from "./ways.ts";

/**
 * For a list of traversals: the rows of everybody who has a pair of one of their relations, shallow first along the first
 * one, with the absolute rows of the holders along each beside them. All queries with the same list share it. Structural
 * changes are listed by core's journal; the next visit looks at what is listed, table by table and, where parents are
 * stored as values, entity by entity. With a relation that takes many targets, all is filed anew after any change.
 */
export interface Stretches {
  readonly ways: Ways;
  readonly cursor: JournalCursor;
  readonly positions: Positions;
  readonly waiting: Waiting;
  /** 0, 1, 2 ...: positions of rows that are not filed. */
  identity: Int32Array<ArrayBuffer>;
  /**
   * Another number after each refresh that found something to file: with the same number everything stands where it stood.
   * No other stretches ever have it, so that those which were forgotten and made anew are not taken for the former ones.
   */
  version: number;
  /** Which of all askings was the last for these. */
  asked: number;
  /** Visits that run and go through positions of these: only counted in checked builds. */
  visits: number;
}

/** A world keeps at most so many stretches. */
export const KEPT_LISTS = 256;

const STRETCHES: number = /* @__PURE__ */ nextStateNumber();

let lastVersion = 0;
let askings = 0;

function allStretches(world: World): Map<string, Stretches> {
  const known = world.states[STRETCHES] as Map<string, Stretches> | undefined;
  if (known !== undefined) return known; // without the closure that is made below
  return stateOf(world, STRETCHES, (own) => {
    const map = new Map<string, Stretches>();
    CHECK: own.laws.push(() =>
      [...map.values()].flatMap((stretches) => {
        refresh(own, stretches);
        return verifyFiled(own, stretches.ways, stretches.positions);
      }),
    );
    return map;
  });
}

/** Gives up the stretches of a list that no query asks for any more; who asks again makes them anew. */
export function forgetStretches(world: World, traversals: readonly Traversal[]): void {
  const byKey = allStretches(world);
  const key = keyOfTraversals(traversals);
  const stretches = byKey.get(key);
  if (stretches !== undefined) giveUp(world, byKey, key, stretches);
}

/** The stretches of a list of at least one traversal, as they are now. @param key of the list, if it is known. */
export function currentStretches(
  world: World,
  traversals: readonly Traversal[],
  key: string = keyOfTraversals(traversals),
): Stretches {
  const byKey = allStretches(world);
  let stretches = byKey.get(key);
  if (stretches === undefined) {
    giveUpSome(world, byKey);
    stretches = createStretches(world, traversals);
    byKey.set(key, stretches);
  }
  stretches.asked = ++askings;
  refresh(world, stretches);
  return stretches;
}

/**
 * Makes room for a list more. Queries that name an entity are never disposed, so nobody else would give up their lists. Those
 * go that are of no use any more, and beyond 256 the one that was asked for longest ago. That may be one of a query in
 * use, or of a visit that runs: visits hold the stretches that they go through, and nobody changes those that were given
 * up; who asks again has new ones made.
 */
function giveUpSome(world: World, byKey: Map<string, Stretches>): void {
  let eldest = "";
  let longestAgo = Number.POSITIVE_INFINITY;
  for (const [key, stretches] of byKey) {
    if (isUseless(world, stretches)) giveUp(world, byKey, key, stretches);
    else if (stretches.asked < longestAgo) {
      eldest = key;
      longestAgo = stretches.asked;
    }
  }
  if (byKey.size >= KEPT_LISTS) giveUp(world, byKey, eldest, byKey.get(eldest)!);
}

/** All would be filed anew, or nobody has what is looked for, nor ever will: a pair with somebody dead. */
function isUseless({ entities }: World, { cursor, ways }: Stretches): boolean {
  if (cursor.lost) return true;
  return ways.list.some(({ what }) => what.target > 0 && !isLiving(entities, what.target));
}

function giveUp(world: World, byKey: Map<string, Stretches>, key: string, { cursor }: Stretches): void {
  closeCursor(world.graph.journal, cursor);
  byKey.delete(key);
}

function createStretches(world: World, traversals: readonly Traversal[]): Stretches {
  return {
    ways: createWays(traversals),
    cursor: openCursor(world.graph.journal),
    positions: createPositions(traversals.length),
    waiting: createWaiting(),
    identity: new Int32Array(0),
    version: ++lastVersion,
    asked: 0,
    visits: 0,
  };
}

/** Are the rows of a shape filed? Others have no pair of any of the relations, hence neither depth nor holders. */
export function isFiled(world: World, { ways }: Stretches, shape: Shape): boolean {
  return filingOf(world.graph, ways, shape.number) !== NOT_FILED;
}

/** Positions for rows that are not filed: position = absolute row. */
export function identityFor(stretches: Stretches, rows: number): Int32Array {
  const { length } = stretches.identity;
  if (length < rows) {
    stretches.identity = grownInt32(stretches.identity, rows);
    for (let row = length; row < stretches.identity.length; row++) stretches.identity[row] = row;
  }
  return stretches.identity;
}

/**
 * Files what is news. When nothing is, nothing is touched: visits that run go through chunks and positions as they were
 * when they began, and nothing moves until they end. So worn chunks are filed anew here and now, never by the next who looks.
 */
function refresh(world: World, stretches: Stretches): void {
  const { graph } = world;
  if (graph.records.staleList.length > 0) settleDepths(world);
  const { cursor, positions, waiting, ways } = stretches;
  if (!cursor.lost && cursor.at === graph.journal.length) return;
  if (cursor.lost || ways.isWide) fileAll(world, stretches);
  else {
    fileListed(world, stretches);
    if (areWorn(positions.chunks)) fileAll(world, stretches);
  }
  catchUp(graph.journal, cursor);
  refreshOrder(positions.chunks);
  if (positions.isOther) refillMarked(world, positions);
  if (waiting.length > 0) appendWaiting(world, positions, waiting);
  endRound(ways);
  if (!positions.isOther) return;
  CHECK: law(stretches.visits === 0, () => "L12: rows are filed while a visit goes through their stretches");
  stretches.version = ++lastVersion;
  positions.isOther = false;
}

function fitUnits({ graph, entities }: World, { chunks }: Positions): void {
  fitTables(chunks, graph.tables.length);
  if (graph.links.used) fitLoose(chunks, entities.length);
}

/** Files everything anew, in the order of rows. */
function fileAll(world: World, { positions, ways, waiting }: Stretches): void {
  const { graph } = world;
  clearPositions(positions);
  waiting.length = 0;
  fitUnits(world, positions);
  beginRound(world, ways);
  const loose: Shape[] = [];
  for (const shape of filedShapes(graph, ways)) {
    if (filingOf(graph, ways, shape.number) === BY_ENTITY) loose.push(shape);
    else fileShape(world, positions, ways, shape);
  }
  const rows = loose.reduce((sum, shape) => sum + shape.rows, 0);
  fitWaiting(waiting, rows, ways.list.length);
  for (const shape of loose) fileLooseShape(world, positions, ways, waiting, shape);
}

/** The shapes whose rows are filed, each once. */
function filedShapes(graph: Graph, { list }: Ways): Set<Shape> {
  const found = new Set<Shape>();
  for (const { relation } of list) {
    for (const shape of shapesWith(graph, relation)) found.add(shape);
    if (relation === ChildOf) for (const shape of shapesWith(graph, Parent)) found.add(shape);
  }
  return found;
}

function fileShape(world: World, positions: Positions, ways: Ways, { lanes, used, end }: Shape): void {
  const { graph, entities } = world;
  const { i32 } = lanes;
  for (let row = 0; row < end; ) {
    const table = isUsed(used, row) ? entities.table[i32[row]!]! : 0;
    if (table !== 0) fileTable(world, positions, ways, table);
    row += table === 0 ? 1 : graph.tables.count[table]!;
  }
}

function fileLooseShape(
  world: World,
  positions: Positions,
  ways: Ways,
  waiting: Waiting,
  { lanes, used, end }: Shape,
): void {
  const { i32 } = lanes;
  for (let row = 0; row < end; row++) {
    if (!isUsed(used, row)) continue;
    fileLoose(world, positions, ways, waiting, i32[row]!);
    if (ways.hasDepthByTable) hasOtherDepth(world, ways, world.entities.table[i32[row]!]!);
  }
}

/** Looks at the state of everything that the journal lists. */
function fileListed(world: World, { positions, ways, waiting, cursor }: Stretches): void {
  const { graph } = world;
  const { journal } = graph;
  fitUnits(world, positions);
  beginRound(world, ways);
  const onLoose = (index: number): void => {
    if (ways.hasLoose) fileLoose(world, positions, ways, waiting, index);
  };
  const onTable = (table: TableNumber): void => {
    const shape = graph.tables.shape[table]!;
    if (shape >= 0 && filingOf(graph, ways, shape) === BY_ENTITY) eachRow(world, table, onLoose);
    else fileTable(world, positions, ways, table);
  };
  const onTarget = (index: number): void => {
    for (const way of ways.list) eachBelow(world, index, way, onTable, onLoose);
  };
  for (let at = cursor.at; at < journal.length; at++) {
    const entry = journal.entries[at]!;
    const number = numberOfEntry(entry);
    switch (kindOfEntry(entry)) {
      case TARGET_MOVED:
        onTarget(number);
        break;
      case LOOSE_MOVED:
        onLoose(number);
        break;
      case SLICE_MOVED:
        onTable(number);
        eachRow(world, number, (index) => {
          if (isTarget(graph.pairs, index)) onTarget(index);
        });
        break;
      default:
        // Whoever of a table's loose entities came, went or has another row is listed by itself.
        fileTable(world, positions, ways, number);
        if (ways.hasDepthByTable && hasOtherDepth(world, ways, number)) eachRow(world, number, onLoose);
    }
  }
}

function eachRow({ graph }: World, table: TableNumber, visit: (index: number) => void): void {
  const { tables, shapes } = graph;
  if (tables.shape[table]! < 0) return;
  const { i32 } = shapes[tables.shape[table]!]!.lanes;
  const first = tables.first[table]!;
  for (let row = first; row < first + tables.count[table]!; row++) visit(i32[row]!);
}

/** In the order of the visit, so that new pieces lie in it too. */
function refillMarked(world: World, positions: Positions): void {
  const { chunks } = positions;
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[at]!;
    if (chunks.marked[chunk] === 0) continue;
    if (chunks.firstTable[chunk] === 0) makeRoom(positions, chunk);
    else refillTables(world, positions, chunk);
  }
}
