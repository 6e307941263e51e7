import { TreelineError } from "../../base/error.ts";
import { LAST_ORDER } from "../../base/limits.ts";
import { closeIfIdle, roomyTableFor } from "../../graph/table-graph.ts";
import { type Definition, PAIR_DISABLES, PAIR_LISTED } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { isTarget } from "../../id/pair-book.ts";
import { handleAt, renewOrder, takeIndex } from "../../records/entity-index.ts";
import { loosePairOf } from "../../records/sibling-links.ts";
import { repeatRow } from "../../storage/copy-rows.ts";
import { note, TARGET_MOVED } from "../../storage/journal.ts";
import { clearRow } from "../../storage/lanes.ts";
import { appendRows } from "../../storage/rows.ts";
import {
  NEEDS_ADDING_ORDER,
  NEEDS_BUILTIN,
  NEEDS_HOOKS,
  NEEDS_LIMITS,
  NEEDS_OBSERVERS,
  NEEDS_SYMMETRIC,
  type Shape,
} from "../../storage/shape.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { stampBorn } from "../../storage/tracks.ts";
import { turnBits } from "../state/bit-tags.ts";
import { observedOf } from "../state/event-list.ts";
import { hooksOf } from "../state/hooks.ts";
import { requireRoomAt } from "../state/limits.ts";
import { enterVisit, insideVisit, leaveVisit, whileChanging } from "../state/lock.ts";
import { needsOf } from "../state/needs-of.ts";
import {
  type Change,
  type ChangeEvents,
  type Group,
  NO_CHANGES,
  type ReservedRows,
  type SpawnPlan,
} from "../state/plans.ts";
import { tellAll } from "../state/tell.ts";
import { rowAt, wholeValue } from "../state/values.ts";
import type { World } from "../state/world.ts";
import {
  definitionOfTerm,
  loosePairOfTerms,
  type PlainTerm,
  parentOfTerms,
  targetOfTerm,
  valueOfTerm,
  wantPairsOfTerms,
} from "./destination.ts";
import { ensureListed, relink } from "./family.ts";
import { askHooks, askTogether, givenChange, tellSetTerms, tellWritten } from "./hook-calls.ts";
import { insertRow, keepAddingOrder } from "./insert-row.ts";
import { reactToBuiltins } from "./move.ts";
import { gatherTerms, keptTerms, requireDifferentPairs, SEVERAL, writeTerms } from "./spawn-plan.ts";

/**
 * Spawns one entity of an archetype that needs more than a row: check, reserve, announce, commit, notify.
 *
 * @param terms what `gatherTerms` has read last.
 * @param pending its index if it is in limbo, else 0.
 * @throws as `insertGroups`.
 */
export function insertWithNeeds(
  world: World,
  plan: SpawnPlan,
  terms: readonly PlainTerm[],
  pending: number,
): Entity {
  const needs = needsOfPlan(world, plan);
  if ((needs & NEEDS_SYMMETRIC) !== 0) return world.slots.symmetric!.insert(world, plan, terms, pending);
  if (plan.pairAt === SEVERAL) requireDifferentPairs(terms);
  if ((needs & NEEDS_LIMITS) !== 0) requireRoomForSources(world, [{ plan, terms, indexes: [pending] }]);
  if ((needs & IS_TOLD) !== 0) return insertTold(world, plan, keptTerms(world, terms), pending);
  const valuePair = plan.shape.isLoose ? loosePairOfTerms(world, terms) : 0;
  const table = tableOfTerms(world, plan.shape, terms, 1, valuePair);
  return handleAt(world.entities, commitOne(world, plan, terms, table, valuePair, pending));
}

/** The same where hooks are called, or observers. */
function insertTold(world: World, plan: SpawnPlan, terms: readonly PlainTerm[], pending: number): Entity {
  const { shape } = plan;
  let calls = NO_CHANGES;
  if (shape.hooked.length > 0) {
    calls = changesOfSpawn(world, terms);
    askHooks(world, undefined, calls, parentOfTerms(terms));
  }
  const valuePair = shape.isLoose ? loosePairOfTerms(world, terms) : 0;
  const table = tableOfTerms(world, shape, terms, 1, valuePair);
  gatherTerms(world, terms);
  enterVisit(world);
  let isDone = false;
  try {
    world.changes++;
    let index: number;
    try {
      index = commitOne(world, plan, terms, table, valuePair, pending);
      if (calls.length > 0) tellWritten(world, index, calls);
    } finally {
      world.changes--;
    }
    const handle = handleAt(world.entities, index);
    tellSpawned(world, terms, index, calls);
    isDone = true;
    return handle;
  } finally {
    leaveVisit(world, isDone);
  }
}

function needsOfPlan(world: World, { shape, tags }: SpawnPlan): number {
  const needs = needsOf(world, shape);
  return tags.some((tag) => observedOf(world.events, tag) !== 0) ? needs | NEEDS_OBSERVERS : needs;
}

/** @throws TreelineError `capacity`, or what the memory throws; nothing has changed then. */
function tableOfTerms(
  world: World,
  shape: Shape,
  terms: readonly PlainTerm[],
  rows: number,
  valuePair: PairNumber,
): TableNumber {
  const count = shape.hasPairs ? wantPairsOfTerms(world, terms) : 0;
  try {
    return roomyTableFor(world.graph, shape, count, rows, 0);
  } catch (error) {
    if (valuePair !== 0) closeIfIdle(world.graph, valuePair);
    throw error;
  }
}

/** A row, and what follows it. @param terms what `gatherTerms` has read last. @returns the index. */
function commitOne(
  world: World,
  plan: SpawnPlan,
  terms: readonly PlainTerm[],
  table: TableNumber,
  valuePair: PairNumber,
  pending: number,
): number {
  if (valuePair !== 0) ensureListed(world, valuePair);
  const index = insertRow(world, plan, terms, table, valuePair, pending);
  if (plan.tags.length > 0) {
    const row = rowAt(world, index);
    for (const tag of plan.tags) turnBits(world, plan.shape, tag, row, row + 1, true);
  }
  settleInserted(world, plan.shape, index, table, valuePair);
  return index;
}

/** How groups are spawned. */
export interface InsertOptions {
  /** Reserves rows and calls `commit`: `withManyRows` for several groups. Default: one table for one group. */
  readonly withRows?: typeof withOneTable;
  /** Is called when all is reserved, before the first row is written: what it throws changes nothing either. */
  readonly before?: () => void;
  /** The entities, all of them in limbo, have their places by age: others are younger. */
  readonly isAged?: boolean;
}

const NO_OPTIONS: InsertOptions = {};
const IS_TOLD: number = NEEDS_HOOKS | NEEDS_OBSERVERS;

/**
 * Spawns entities: check, reserve, announce, commit, notify, as far as their archetypes and pairs need it.
 *
 * @param given of a single group, what `gatherTerms` has read last; several have plain terms.
 * @returns the handles, group by group; stale where an observer has destroyed the entity.
 * @throws TreelineError `full`, `capacity`, what a `check` hook throws, and what the memory throws: nothing has changed then.
 */
export function insertGroups(
  world: World,
  given: readonly Group[],
  { withRows = withOneTable, before, isAged = false }: InsertOptions = NO_OPTIONS,
): Entity[] {
  let needs = 0;
  for (const { plan, terms } of given) {
    needs |= needsOfPlan(world, plan);
    if (plan.pairAt === SEVERAL) requireDifferentPairs(terms);
  }
  if ((needs & NEEDS_LIMITS) !== 0) requireRoomForSources(world, given);
  const reserve = (needs & NEEDS_SYMMETRIC) === 0 ? withRows : world.slots.symmetric!.withRows;
  if ((needs & IS_TOLD) !== 0) return insertGroupsTold(world, given, reserve, before, isAged);
  reserve(world, given, (rows) => {
    before?.();
    commitGroups(world, given, rows, isAged, given.length > 1);
  });
  let count = 0;
  for (const { indexes } of given) count += indexes.length;
  const { handles } = world.entities;
  const spawned = new Array<Entity>(count);
  let place = 0;
  for (const { indexes } of given) {
    for (let at = 0; at < indexes.length; at++) spawned[place++] = handles[indexes[at]!] as Entity;
  }
  return spawned;
}

/** Hooks are called, or observers. Entities come, and are told, one after another, unless others follow: those come with all of them. */
function insertGroupsTold(
  world: World,
  given: readonly Group[],
  reserve: typeof withOneTable,
  before: (() => void) | undefined,
  isAged: boolean,
): Entity[] {
  // What is gathered now is not what will be when rows are written.
  const groups =
    given.length > 1 ? given : given.map((one) => ({ ...one, terms: keptTerms(world, one.terms) }));
  const calls = groups.map((group) => askForSpawns(world, group));
  const handles: Entity[] = [];
  const events: ChangeEvents = { removed: [], added: [] };
  insideVisit(world, () =>
    reserve(world, groups, (rows) => {
      before?.();
      rows.effects?.list(events);
      const isTogether =
        rows.effects !== undefined || (groups.length === 1 && groups[0]!.indexes.length === 1);
      whileChanging(world, () => {
        tellAll(world, events.removed);
        if (isTogether) commitGroups(world, groups, rows, isAged, true);
        eachSpawned(groups, (group, place, at) => {
          if (!isTogether) {
            gatherTerms(world, group.terms);
            const { plan, terms, indexes } = group;
            const valuePair = rows.valuePairs[place]!;
            indexes[at] = commitOne(world, plan, terms, rows.tables[place]!, valuePair, indexes[at]!);
          }
          const index = group.indexes[at]!;
          const own = calls[place]![at]!;
          handles.push(handleAt(world.entities, index));
          if (own.length > 0) tellWritten(world, index, own);
          if (!isTogether) tellSpawned(world, group.terms, index, own);
        });
      });
      tellAll(world, events.added);
      if (!isTogether) return;
      eachSpawned(groups, ({ terms, indexes }, place, at) =>
        tellSpawned(world, terms, indexes[at]!, calls[place]![at]!),
      );
    }),
  );
  return handles;
}

function eachSpawned(
  groups: readonly Group[],
  visit: (group: Group, place: number, at: number) => void,
): void {
  for (let place = 0; place < groups.length; place++) {
    const group = groups[place]!;
    for (let at = 0; at < group.indexes.length; at++) visit(group, place, at);
  }
}

/** Tells observers of an entity that has just been spawned, and of its values. */
function tellSpawned(
  world: World,
  terms: readonly PlainTerm[],
  index: number,
  calls: readonly Change[],
): void {
  const { events } = world.slots;
  if (events === undefined) return;
  const found: ChangeEvents = { removed: [], added: [] };
  const value = loosePairOf(world.graph.links, index);
  events.list(world, found, index, 0, world.entities.table[index]!, value);
  tellAll(world, found.added);
  tellSetTerms(world, index, terms, calls);
}

/** Makes room for one group, and calls `commit`. */
function withOneTable(world: World, [group]: readonly Group[], commit: (rows: ReservedRows) => void): void {
  const { plan, terms, indexes } = group!;
  const { shape } = plan;
  const valuePair = shape.isLoose ? loosePairOfTerms(world, terms) : 0;
  const table = tableOfTerms(world, shape, terms, indexes.length, valuePair);
  commit({ tables: [table], valuePairs: [valuePair], effects: undefined });
}

/**
 * Gives all of them their rows, with their values, and lets lists, orders and records follow.
 *
 * @param gathers something else may have been gathered since.
 */
function commitGroups(
  world: World,
  groups: readonly Group[],
  { tables, valuePairs, effects }: ReservedRows,
  isAged: boolean,
  gathers: boolean,
): void {
  for (let at = 0; at < groups.length; at++) {
    if (gathers) gatherTerms(world, groups[at]!.terms);
    commitGroup(world, groups[at]!, tables[at]!, valuePairs[at]!, isAged);
  }
  effects?.commit();
}

function commitGroup(
  world: World,
  { plan, terms, indexes }: Group,
  table: TableNumber,
  valuePair: PairNumber,
  isAged: boolean,
): void {
  const { graph, entities } = world;
  const { shape } = plan;
  const { lanes } = shape;
  const count = indexes.length;
  if (valuePair !== 0) ensureListed(world, valuePair);
  const row = appendRows(world.graph, shape, table, count);
  const first = graph.tables.first[table]! + row;
  const isPending = indexes[0] !== 0;
  const { i32 } = lanes;
  for (let at = 0; at < count; at++) {
    const index = isPending ? indexes[at]! : takeIndex(entities);
    indexes[at] = index;
    entities.table[index] = table;
    entities.row[index] = row + at;
    if (entities.lastOrder === LAST_ORDER && !isAged) renewOrder(entities, index);
    else if (!isAged) entities.order[index] = ++entities.lastOrder;
    i32[first + at] = index;
  }
  if (lanes.tracks !== undefined) stampBorn(lanes.tracks, first, first + count);
  if (lanes.plan.columns.length > 0) {
    clearRow(lanes, first);
    writeTerms(world, shape, terms, table, first);
    if (count > 1) repeatRow(lanes, first, count);
  }
  for (const tag of plan.tags) turnBits(world, shape, tag, first, first + count, true);
  const traits = graph.pairs.traits[graph.tables.parentPair[table]! + valuePair]!;
  const needs = shape.fixedNeeds & (NEEDS_BUILTIN | NEEDS_ADDING_ORDER);
  const settles = (traits & (PAIR_LISTED | PAIR_DISABLES)) !== 0 || needs !== 0 || valuePair !== 0;
  for (let at = 0; settles && at < count; at++) {
    const index = indexes[at]!;
    if (valuePair !== 0) world.slots.linkLast!(world, valuePair, index);
    if ((needs & NEEDS_ADDING_ORDER) !== 0) keepAddingOrder(world, index, terms);
    settleInserted(world, shape, index, table, valuePair);
  }
  for (let at = 0; isPending && at < count; at++) {
    const index = indexes[at]!;
    if (!isTarget(graph.pairs, index)) continue;
    note(graph.journal, TARGET_MOVED, index);
    world.slots.followTargets?.(world, shape, index);
  }
}

/** Lists, what builtins ask for, and being disabled from above. */
function settleInserted(
  world: World,
  shape: Shape,
  index: number,
  table: TableNumber,
  valuePair: PairNumber,
): void {
  const { graph } = world;
  const parentPair = graph.tables.parentPair[table]! + valuePair;
  const traits = graph.pairs.traits[parentPair]!;
  if (valuePair === 0 && (traits & PAIR_LISTED) !== 0)
    relink(world, index, { before: 0, after: parentPair, place: 0 }, false);
  if ((shape.fixedNeeds & NEEDS_BUILTIN) !== 0) reactToBuiltins(world, index, graph.root, shape);
  if ((traits & PAIR_DISABLES) !== 0) world.slots.settleDisabled!(world, index, parentPair);
}

/** @throws TreelineError `full` if a target takes not as many sources as there are entities that want it. */
function requireRoomForSources(world: World, groups: readonly Group[]): void {
  const wanted = new Map<string, { relation: Definition; target: number; count: number }>();
  for (const { terms, indexes } of groups) {
    for (const term of terms) {
      const relation = definitionOfTerm(term);
      if (relation.maxSources === 0) continue;
      const target = indexOf(targetOfTerm(term) as Entity);
      const key = `${relation.id} ${target}`;
      const known = wanted.get(key) ?? { relation, target, count: 0 };
      wanted.set(key, { relation, target, count: known.count + indexes.length });
    }
  }
  for (const { relation, target, count } of wanted.values()) requireRoomAt(world, relation, 0, target, count);
}

/** Asks the hooks of entities that are about to be spawned. @returns of each, what they will be told. */
function askForSpawns(world: World, { plan, terms, indexes }: Group): readonly (readonly Change[])[] {
  const { shape } = plan;
  if (shape.hooked.length === 0) return indexes.map(() => NO_CHANGES);
  const spawns = indexes.map(() => changesOfSpawn(world, terms));
  const parent = parentOfTerms(terms);
  if (spawns.length === 1) {
    askHooks(world, undefined, spawns[0]!, parent);
    return spawns;
  }
  requireTellingApart(shape);
  const batches = spawns[0]!.map(({ definition }, place) => {
    const changes = spawns.map((spawn) => spawn[place]!);
    return { definition, changes, moves: changes.map(({ value }) => ({ entity: undefined, value, parent })) };
  });
  askTogether(world, batches);
  return spawns;
}

function changesOfSpawn(world: World, terms: readonly PlainTerm[]): readonly Change[] {
  const changes: Change[] = [];
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.hooks === undefined) continue;
    changes.push(givenChange(definition, wholeValue(world, 0, definition, valueOfTerm(term)), undefined));
  }
  return changes;
}

/** @throws TreelineError `name-taken` if entities would share what tells one from another, and no hook sees to it. */
function requireTellingApart({ hooked }: Shape): void {
  const blind = hooked.find((definition) => {
    const { identifies, checkMoves } = hooksOf(definition);
    return identifies !== undefined && checkMoves === undefined;
  });
  if (blind === undefined) return;
  throw new TreelineError(
    "name-taken",
    `${blind.name} tells entities apart, so newborns cannot share one; spawn them one by one, or give it a ` +
      "`checkMoves` hook",
  );
}
