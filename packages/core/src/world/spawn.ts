import { TreelineError } from "../base/error.ts";
import { shown } from "../base/shown.ts";
import { roomyTableFor } from "../graph/table-graph.ts";

import { type Entity, indexOf } from "../id/entity.ts";
import { PAIR_DISABLES, PAIR_LISTED } from "../id/pair-traits.ts";
import { handleAt, hasRoomFor, renewOrder, takeIndex } from "../records/entity-index.ts";
import { clearRow } from "../storage/lanes.ts";
import { NEEDS_PAIR_VALUES, NEEDS_TICKS, NEEDS_VALUE_PARENT } from "../storage/needs.ts";
import { appendRow, makeRoomFor } from "../storage/rows.ts";
import type { TableNumber } from "../storage/table.ts";
import { stampBorn } from "../storage/tracks.ts";
import { type PlainTerm, plainTerms, type SpawnTerm, targetOfTerm } from "./destination.ts";
import { insertEntities } from "./insert.ts";
import { enterLimbo, isInLimbo, leaveLimbo } from "./limbo.ts";
import { enqueue, mustQueue } from "./lock.ts";
import { needsOf } from "./needs-of.ts";
import { ensurePair, spareTableFor } from "./pair.ts";
import { termsInScope } from "./scope.ts";
import {
  gatherTerms,
  isWhole,
  keptTerms,
  knownPlan,
  newPlan,
  SEVERAL,
  writeFlat,
  writeTerms,
} from "./spawn-plan.ts";
import { liveTerms } from "./term-deaths.ts";
import type { SpawnPlan, World } from "./world.ts";

/**
 * Spawns an entity, straight into the table of its whole type: no intermediate moves.
 *
 * Inside a visit the entity is alive at once, and gets what the terms say when the visit ends; it appears in no visit
 * until then. Inside `withScope` of names it becomes a child of the scope, unless a parent is given.
 *
 * @param terms components, tags, components with values, pairs, entities as tags. Each may be given once.
 * @throws TreelineError `dead-entity` if a target is not alive; `bad-term` for a term that cannot be added or is given
 *   twice; `bad-value` for a value that does not fit; `full` if a target takes no more sources; `capacity` when
 *   16,777,215 entities live; `visiting` in a strict world inside a visit; and what a component's `check` hook throws,
 *   such as `name-taken`. Nothing has changed then.
 *
 * @example
 * const ship = spawn(world, Name("Ship"), Position({ x: 1, y: 2 }), Velocity);
 * const cockpit = spawn(world, Name("Cockpit"), ChildOf(ship));
 */
export function spawn(world: World, ...terms: SpawnTerm[]): Entity {
  let given = (world.scope === undefined ? terms : termsInScope(world, terms)) as readonly PlainTerm[];
  let plan = knownPlan(world, given);
  if (plan === undefined) given = plainTerms(world, given);
  gatherTerms(world, given);
  plan ??= knownPlan(world, given) ?? newPlan(world, given);
  requireRoomForEntities(world, 1);
  if (world.visits !== 0 && mustQueue(world)) return spawnLater(world, keptTerms(world, given));
  return spawnPlanned(world, plan, given);
}

/** What a birth may need and still be one row and nothing else, or a row and links. */
const SIMPLE: number = NEEDS_VALUE_PARENT | NEEDS_TICKS | NEEDS_PAIR_VALUES;

/** @param terms what `gatherTerms` has read last. */
function spawnPlanned(world: World, plan: SpawnPlan, terms: readonly PlainTerm[]): Entity {
  const { graph, entities } = world;
  const { shape, pairAt } = plan;
  if (pairAt === SEVERAL || (needsOf(world, shape) & ~SIMPLE) !== 0 || plan.tags.length > 0)
    return insertEntities(world, plan, terms, [0])[0]!;
  let table: TableNumber;
  if (pairAt < 0) {
    table = shape.plainTable;
    if (table === 0) table = roomyTableFor(graph, shape, 0, 1, 0);
    else if (graph.tables.count[table] === graph.tables.capacity[table])
      makeRoomFor(world.rows, shape, table, 1);
  } else {
    const target = indexOf(targetOfTerm(terms[pairAt]!) as Entity);
    table = shape.isLoose ? 0 : tableBelow(world, plan, target);
    if (table === 0) return insertEntities(world, plan, terms, [0])[0]!;
  }
  const index = takeIndex(entities);
  const row = appendRow(world.rows, shape, table, index);
  entities.table[index] = table;
  entities.row[index] = row;
  renewOrder(entities, index);
  const { lanes } = shape;
  const at = graph.tables.first[table]! + row;
  if (lanes.tracks !== undefined) stampBorn(lanes.tracks, at, at + 1);
  if (isWhole(world, plan, terms.length)) writeFlat(world, plan, at);
  else if (lanes.plan.columns.length > 0) {
    clearRow(lanes, at);
    writeTerms(world, shape, terms, table, at);
  }
  return handleAt(entities, index);
}

/**
 * The table of a plan with one pair, with room for a row: that of the last time, the spare one, or another.
 *
 * @returns 0 if the children of the parent stand in a list, or are disabled from above.
 */
function tableBelow(world: World, plan: SpawnPlan, target: number): TableNumber {
  const { graph } = world;
  const { tables, records, pairs } = graph;
  const { shape, definitions } = plan;
  const relation = definitions[plan.pairAt]!;
  let table = plan.lastTable;
  let pair = plan.lastPair;
  const isSame =
    table !== 0 &&
    pairs.target[pair] === target &&
    pairs.relation[pair] === relation.id &&
    tables.shape[table] === shape.number &&
    tables.pairs[table] === 1 &&
    records.nodePair[tables.nodes[table]!] === pair;
  if (isSame) {
    if ((pairs.traits[pair]! & (PAIR_LISTED | PAIR_DISABLES)) !== 0) return 0;
    if (tables.count[table] === tables.capacity[table]) makeRoomFor(world.rows, shape, table, 1);
    return table;
  }
  table = spareTableFor(world, shape, target);
  if (table === 0) {
    pair = ensurePair(world, relation, target);
    if ((pairs.traits[pair]! & (PAIR_LISTED | PAIR_DISABLES)) !== 0) return 0;
    graph.wanted[0] = pair;
    table = roomyTableFor(graph, shape, 1, 1, 0);
  }
  plan.lastTable = table;
  plan.lastPair = records.nodePair[tables.nodes[table]!]!;
  return (pairs.traits[plan.lastPair]! & PAIR_DISABLES) === 0 ? table : 0;
}

/** As `spawn`, but at once inside a visit as well, and in no scope: for verbs that spawn several. */
export function spawnNow(world: World, terms: readonly PlainTerm[]): Entity {
  gatherTerms(world, terms);
  requireRoomForEntities(world, 1);
  return spawnPlanned(world, knownPlan(world, terms) ?? newPlan(world, terms), terms);
}

function spawnLater(world: World, terms: readonly PlainTerm[]): Entity {
  const index = enterLimbo(world);
  enqueue(world, index, () => insertDeferred(world, terms, [index]));
  return handleAt(world.entities, index);
}

/** The end of deferral: entities get what the terms say, or are gone again. */
function insertDeferred(world: World, terms: readonly PlainTerm[], indexes: number[]): void {
  try {
    const live = liveTerms(world, terms);
    if (live === undefined) return;
    gatherTerms(world, live);
    insertEntities(world, knownPlan(world, live) ?? newPlan(world, live), live, indexes);
  } finally {
    for (const index of indexes) if (isInLimbo(world, index)) leaveLimbo(world, index);
  }
}

/**
 * Spawns `count` entities of one type at once; all start with the same values, unless hooks give them others.
 * The hooks of all of them are asked before the first one is spawned: `checkMoves` for all at once, or else `check` for
 * each.
 *
 * @returns the handles, in order of spawning.
 * @throws TreelineError as `spawn`; `bad-value` unless `count` is a whole number of 0 or more.
 */
export function spawnMany(world: World, count: number, ...terms: SpawnTerm[]): Entity[] {
  if (!Number.isInteger(count) || count < 0) {
    throw new TreelineError("bad-value", `spawnMany takes a whole number of 0 or more, not ${shown(count)}`);
  }
  const given = plainTerms(world, termsInScope(world, terms));
  gatherTerms(world, given);
  const plan = knownPlan(world, given) ?? newPlan(world, given);
  if (count === 0) return [];
  requireRoomForEntities(world, count);
  if (world.visits !== 0 && mustQueue(world)) {
    const kept = keptTerms(world, given);
    const indexes = Array.from({ length: count }, () => enterLimbo(world));
    enqueue(world, 0, () => insertDeferred(world, kept, indexes));
    return indexes.map((index) => handleAt(world.entities, index));
  }
  return insertEntities(world, plan, given, new Array<number>(count).fill(0));
}

/** @throws TreelineError `capacity`. */
export function requireRoomForEntities(world: World, count: number): void {
  if (hasRoomFor(world.entities, count)) return;
  throw new TreelineError("capacity", "a world holds 16,777,215 entities; destroy some first");
}
