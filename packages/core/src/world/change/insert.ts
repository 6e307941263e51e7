// Spawns that need more than a row, one or many (`insertOne`, `insertGroups`); throws `name-taken` if many would share an identifying value.
import { TreelineError } from "../../base/error.ts";
import { INDEX_SPAN, LAST_ORDER } from "../../base/limits.ts";
import type { Arrivals, TableType } from "../../graph/graph.ts";
import { closeIfIdle, endReservation, freePairsOf, reserveRows, roomyTableFor } from "../../graph/graph.ts";
import { ChildOf, DisabledFromAbove } from "../../id/builtins.ts";
import { PAIR_DISABLES, PAIR_IN_PREFAB, PAIR_SPREADS, type PlainTerm } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { isTarget } from "../../id/pair-index.ts";
import { giveIndex, handleAt, renewOrder, takeIndex } from "../../records/entity-index.ts";
import { addJoins, type Joins, joinFamily, reserveFamilies } from "../../records/families.ts";
import {
  type Archetype,
  NEEDS_ADDING_ORDER,
  NEEDS_BUILTIN,
  NEEDS_HOOKS,
  NEEDS_LIMITS,
  NEEDS_OBSERVERS,
  NEEDS_SYMMETRIC,
} from "../../storage/archetype.ts";
import { clearRow, repeatRow } from "../../storage/copy-rows.ts";
import { ENTITY_CHANGED, note } from "../../storage/journal.ts";
import { appendRow, appendRows, enter } from "../../storage/rows.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { observedOf } from "../state/event-list.ts";
import { hooksOf } from "../state/hooks.ts";
import {
  addPending,
  endDeferred,
  freePending,
  isPending,
  whileChanging,
  whileDeferred,
} from "../state/lock.ts";
import { needsOf } from "../state/needs-of.ts";
import { notifyAll } from "../state/notify.ts";
import type { Change, ChangeEvents, Effects, Group, SpawnPlan } from "../state/plans.ts";
import { groupOf, NO_CHANGES } from "../state/plans.ts";
import { requireRoomAt } from "../state/require.ts";
import { wholeValue } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { collectValues, writeTerms, writeWhole } from "./collect.ts";
import { freeRow } from "./free-entity.ts";
import { callChecks, callWritten, checkTogether, givenChange, requiredFirst } from "./hook-calls.ts";
import { ensurePair } from "./pair.ts";
import {
  copyTerms,
  definitionOfTerm,
  keepAddingOrder,
  parentOfTerms,
  requireDifferent,
  targetOfTerm,
  valueOfTerm,
  wantPairsOfTerms,
} from "./terms.ts";

const IS_NOTIFIED: number = NEEDS_HOOKS | NEEDS_OBSERVERS;

/** Reserves rows for groups, and calls `commit` with the effects on other entities. */
type Reserve = (world: World, groups: readonly Group[], commit: (effects?: Effects) => void) => void;

/**
 * Spawns one entity of an archetype that needs more than a row: check, reserve, announce, commit, notify. Like `insertGroups`,
 * but without its lists.
 *
 * @param given the last terms that `collectValues` has read.
 * @param pending the index of the entity if it is pending, else 0.
 */
export function insertOne(
  world: World,
  plan: SpawnPlan,
  given: readonly PlainTerm[],
  pending: number,
): Entity {
  const group = groupOf(plan, given, [pending]);
  const { indexes } = group;
  const needs = checkGroups(world, [group]);
  if ((needs & NEEDS_SYMMETRIC) !== 0) return world.slots.symmetric!.insert(world, [group])[0]!;
  if ((needs & IS_NOTIFIED) === 0) {
    makeRoom(world, group);
    commitGroup(world, group, 0, 1);
    return handleAt(world.entities, indexes[0]!);
  }
  group.terms = copyTerms(world, group.terms);
  let calls = NO_CHANGES;
  if ((needs & NEEDS_HOOKS) !== 0) {
    calls = world.slots.changesOfSpawn!(world, group.terms);
    callChecks(world, calls);
  }
  makeRoom(world, group);
  collectValues(world, group.terms);
  // Like `defer` and `whileChanging`, but without closures: observed entities are spawned here, one by one.
  const { changes } = world;
  let isDone = false;
  world.deferDepth++;
  world.changes = changes + 1;
  try {
    commitGroup(world, group, 0, 1);
    if (calls.length > 0) callWritten(world, indexes[0]!, calls);
    world.changes = changes;
    const handle = handleAt(world.entities, indexes[0]!);
    notifySpawned(world, group, indexes[0]!, calls);
    isDone = true;
    return handle;
  } finally {
    world.changes = changes;
    endDeferred(world, isDone);
  }
}

/**
 * Spawns entities: check, reserve, announce, commit, notify, as far as their archetypes and pairs need it.
 *
 * @param groups a single group has the terms that `collectValues` has read last; several groups have plain terms.
 * @param reserve `withManyRows` for several groups. Default: one table for one group.
 * @returns the handles of the first group; a handle is stale if an observer has destroyed the entity.
 * @throws TreelineError `full`, `capacity`, what a `check` hook throws, and what the memory throws: nothing has changed then.
 */
export function insertGroups(
  world: World,
  groups: readonly Group[],
  reserve?: Reserve,
  check: typeof checkSpawns = checkSpawns,
): Entity[] {
  const needs = checkGroups(world, groups);
  const isSymmetric = (needs & NEEDS_SYMMETRIC) !== 0;
  const withRows: Reserve = reserve ?? (isSymmetric ? world.slots.symmetric!.withRows : withOneTable);
  if ((needs & IS_NOTIFIED) !== 0) return insertNotified(world, groups, withRows, check);
  const commit = (effects?: Effects): void => commitGroups(world, groups, effects);
  // What follows from a prefab changes rows, too: not before all have theirs.
  if (observedOf(world.events, DisabledFromAbove) === 0 && world.slots.prefabs === undefined)
    withRows(world, groups, commit);
  else whileDeferred(world, () => withRows(world, groups, commit));
  return groups[0]!.indexes.map((index) => handleAt(world.entities, index));
}

/**
 * For groups with hooks or observers. Entities are spawned and reported one after another, unless there are effects on other
 * entities: then all are spawned together.
 *
 * @param check calls the `check` hooks of a group; returns for each entity the changes for its other hooks.
 */
function insertNotified(
  world: World,
  groups: readonly Group[],
  withRows: Reserve,
  check: typeof checkSpawns,
): Entity[] {
  // The collected values are overwritten before rows are written.
  if (groups.length === 1) groups[0]!.terms = copyTerms(world, groups[0]!.terms);
  const spawns = groups.flatMap((group) => check(world, group).map((calls, at) => ({ group, at, calls })));
  const handles: Entity[] = [];
  const commit = (effects?: Effects): void => {
    const events: ChangeEvents = { removed: [], added: [] };
    effects?.list(events);
    const isTogether = effects !== undefined || spawns.length === 1;
    whileChanging(world, () => {
      notifyAll(world, events.removed);
      if (isTogether) {
        if (groups.length === 1) collectValues(world, groups[0]!.terms);
        commitGroups(world, groups, effects);
      }
      for (const { group, at, calls } of spawns) {
        if (!isTogether) {
          collectValues(world, group.terms);
          commitGroup(world, group, at, 1);
        }
        const index = group.indexes[at]!;
        if (group === groups[0]) handles.push(handleAt(world.entities, index));
        callWritten(world, index, calls);
        if (!isTogether) notifySpawned(world, group, index, calls);
      }
    });
    notifyAll(world, events.added);
    if (!isTogether) return;
    for (const { group, at, calls } of spawns) notifySpawned(world, group, group.indexes[at]!, calls);
  };
  whileDeferred(world, () => withRows(world, groups, commit));
  return handles;
}

/** Notifies observers of an entity that has just been spawned, and of its values. */
function notifySpawned(world: World, { terms }: Group, index: number, calls: readonly Change[]): void {
  const { events } = world.slots;
  if (events === undefined) return;
  const found: ChangeEvents = { removed: [], added: [] };
  const { table, family } = world.entities;
  events.list(world, found, index, 0, table[index]!, family[index]!);
  notifyAll(world, found.added);
  events.set(world, index, calls, terms);
}

/** Reserves rows in one table, for one group. */
function withOneTable(world: World, [group]: readonly Group[], commit: () => void): void {
  makeRoom(world, group!);
  commit();
}

/** @throws TreelineError `capacity`, or what the memory throws; nothing has changed then. */
function makeRoom(world: World, group: Group): void {
  const { plan, terms, indexes } = group;
  const { archetype } = plan;
  group.parentPair = parentPairOf(world, group);
  try {
    const count = archetype.hasPairs ? wantPairsOfTerms(world, terms) : 0;
    group.table = roomyTableFor(world.graph, archetype, count, indexes.length, 0, group.parentPair);
  } catch (error) {
    if (group.parentPair !== 0) closeIfIdle(world.graph, group.parentPair);
    throw error;
  }
}

/** The pair of the parent that the terms of a group give, interned; else 0. */
function parentPairOf(world: World, { plan, terms }: Group): PairNumber {
  return plan.archetype.hasParent ? ensurePair(world, ChildOf, indexOf(parentOfTerms(terms)!)) : 0;
}

/**
 * Reserves rows of several types at once, and calls `commit` with their tables.
 *
 * @param made pairs that may be new, or 0: those that no entity has at the end are closed.
 * @param joins how many entities will join which families.
 * @throws TreelineError `capacity`, what the memory throws, and what `commit` throws.
 */
export function withReserved(
  { graph }: World,
  arrivals: readonly Arrivals[],
  made: readonly PairNumber[],
  joins: Joins,
  commit: (tables: TableNumber[]) => void,
): void {
  try {
    reserveFamilies(graph.families, graph.entities, joins);
    const tables = reserveRows(graph, arrivals);
    try {
      commit(tables);
    } finally {
      endReservation(graph);
    }
  } finally {
    for (const pair of made) if (pair !== 0 && graph.pairs.relation[pair] !== 0) closeIfIdle(graph, pair);
  }
}

/**
 * Reserves rows for groups of new entities, and for all entities that change with them, and calls `commit`. Entities without an
 * index get one first, so that the other sides of symmetric pairs have a target.
 */
export function withManyRows(
  world: World,
  groups: readonly Group[],
  commit: (effects?: Effects) => void,
): void {
  const { graph, slots } = world;
  const fresh: number[] = [];
  try {
    for (const { indexes } of groups) {
      for (let at = 0; at < indexes.length; at++) {
        if (indexes[at] === 0) fresh.push((indexes[at] = addPending(world)));
      }
    }
    const types = groups.map(({ plan: { archetype }, terms }): TableType => {
      const count = archetype.hasPairs ? wantPairsOfTerms(world, terms) : 0;
      return { archetype, pairs: [...graph.wanted.subarray(0, count)] };
    });
    for (const group of groups) group.parentPair = parentPairOf(world, group);
    const was: TableType = { archetype: graph.root, pairs: [] };
    const changes = groups.flatMap(({ indexes }, at) =>
      indexes.map((index) => ({ index, was, is: types[at]! })),
    );
    const effects = slots.symmetric?.plan(world, changes);
    const arrivals: Arrivals[] = types.map((type, at) => ({ type, count: groups[at]!.indexes.length }));
    const made = [...types.flatMap(({ pairs }) => pairs), ...groups.map(({ parentPair }) => parentPair)];
    if (effects !== undefined) {
      arrivals.push(...effects.arrivals);
      made.push(...effects.made);
    }
    const joins: Joins = new Map();
    for (const { parentPair, indexes } of groups) addJoins(joins, parentPair, indexes.length);
    withReserved(world, arrivals, made, joins, (tables) => {
      for (const [at, group] of groups.entries()) group.table = tables[at]!;
      if (effects !== undefined) effects.tables = tables.slice(groups.length);
      commit(effects);
    });
  } finally {
    for (const index of fresh) freePending(world, index);
  }
}

function commitGroups(world: World, groups: readonly Group[], effects: Effects | undefined): void {
  for (const group of groups) {
    if (groups.length > 1) collectValues(world, group.terms);
    commitGroup(world, group, 0, group.indexes.length);
  }
  effects?.commit();
}

/**
 * Writes the rows of `count` entities of a group, from a place on, with the values collected last, and updates lists, orders and
 * records.
 */
function commitGroup(world: World, group: Group, from: number, count: number): void {
  const { graph, entities } = world;
  const { plan, terms, indexes, table, parentPair } = group;
  const { archetype } = plan;
  const { lanes } = archetype;
  const end = from + count;
  const isPending = indexes[from] !== 0;
  // An observer that was notified of other entities may have spawned up to the limit of the world.
  if (!isPending) for (let at = from; at < end; at++) indexes[at] = takeIndex(entities);
  const first = appendRows(graph, archetype, count);
  const { i32 } = lanes;
  for (let at = from; at < end; at++) {
    const index = indexes[at]!;
    entities.table[index] = table;
    entities.row[index] = first + at - from;
    if (entities.lastOrder === LAST_ORDER) renewOrder(entities, index);
    else entities.order[index] = ++entities.lastOrder;
    i32[first + at - from] = index;
    joinLast(world, archetype, table, parentPair, index);
  }
  lanes.tracks?.markSpawned(first, first + count);
  world.slots.bits?.turnNew(world, archetype, plan.tags, first, first + count, terms);
  clearRow(lanes, first);
  writeTerms(world, archetype, terms, first);
  if (count > 1) {
    repeatRow(lanes, first, count);
    world.slots.bits?.repeat(world, archetype, plan.tags, first, first + count);
  }
  const traits = graph.pairs.traits[parentPair]! & PAIR_SPREADS;
  const needs = archetype.fixedNeeds & (NEEDS_BUILTIN | NEEDS_ADDING_ORDER);
  if (!isPending && (traits | needs) === 0) return;
  const isObserved = observedOf(world.events, DisabledFromAbove) !== 0;
  if (isObserved) world.deferDepth++;
  for (let at = from; at < end; at++) {
    const index = indexes[at]!;
    if ((needs & NEEDS_ADDING_ORDER) !== 0) keepAddingOrder(world, index, terms);
    if (isPending) followIfTarget(world, archetype, index);
    if ((needs & NEEDS_BUILTIN) !== 0) {
      world.slots.disableBelow?.(world, index);
      world.slots.prefabs?.reacted(world, index, undefined, archetype);
    }
    if ((traits & PAIR_DISABLES) !== 0) world.slots.settleDisabled!(world, index, parentPair);
    if ((traits & PAIR_IN_PREFAB) !== 0) world.slots.prefabs!.enter(world, index);
  }
  if (isObserved) endDeferred(world, true);
}

/** Lists an entity that has just got its row in its table, and at the end of a family; 0 is that of the roots. */
export function joinLast(
  { graph, entities }: World,
  archetype: Archetype,
  table: TableNumber,
  pair: PairNumber,
  index: number,
): void {
  if (archetype.hasPairs) enter(graph, archetype, table, index);
  joinFamily(graph.families, entities, pair, index, archetype.hasValueParent);
  if (graph.journal.reading) note(graph.journal, ENTITY_CHANGED, index);
}

/**
 * Adds the row of an entity, with the values that `collectValues` has read last, and its place among its siblings. Room in the
 * table and in the family has been reserved.
 *
 * @param parentPair the pair of its parent, or 0.
 * @param pending the index of the entity if it is pending, else 0.
 * @returns its index.
 */
export function insertRow(
  world: World,
  plan: SpawnPlan,
  terms: readonly PlainTerm[],
  table: TableNumber,
  parentPair: PairNumber,
  pending: number,
): number {
  const { graph, entities } = world;
  const { archetype } = plan;
  const index = pending === 0 ? takeIndex(entities) : pending;
  const at = appendRow(graph, archetype, index);
  entities.table[index] = table;
  entities.row[index] = at;
  if (entities.lastOrder === LAST_ORDER) renewOrder(entities, index);
  else entities.order[index] = ++entities.lastOrder;
  const { lanes } = archetype;
  lanes.tracks?.markSpawned(at, at + 1);
  const isWhole = plan.flatLanes.length > 0 && writeWhole(world, plan, terms.length, at);
  if (!isWhole && lanes.plan.columns.length > 0) {
    clearRow(lanes, at);
    writeTerms(world, archetype, terms, at);
  }
  joinLast(world, archetype, table, parentPair, index);
  if ((archetype.fixedNeeds & NEEDS_ADDING_ORDER) !== 0 && graph.tables.pairs[table]! > 1)
    world.slots.keepAddingOrder?.(world, index, terms);
  if (pending !== 0) followIfTarget(world, archetype, index);
  return index;
}

/** For an entity that was pending: pairs may have it as target by now. */
export function followIfTarget(world: World, archetype: Archetype, index: number): void {
  const { graph, slots } = world;
  if (!isTarget(graph.pairs, index)) return;
  slots.followTargets?.(world, archetype, index);
}

/**
 * Checks the pairs of entities that are about to be spawned.
 *
 * @returns the NEEDS_ bits of the groups.
 * @throws TreelineError `bad-term` for a pair that appears twice; `full`.
 */
export function checkGroups(world: World, groups: readonly Group[]): number {
  let needs = 0;
  for (const { plan, terms } of groups) {
    if (plan.hasPairs) requireDifferent(terms);
    needs |= needsOf(world, plan.archetype);
  }
  needs |= world.slots.bits?.prepare(world, groups) ?? 0;
  if ((needs & NEEDS_LIMITS) === 0) return needs;
  const wanted = new Map<number, number>();
  for (const { terms, indexes } of groups) {
    for (const term of terms) {
      const relation = definitionOfTerm(term);
      if (relation.maxSubjects === 0) continue;
      const target = indexOf(targetOfTerm(term) as Entity);
      const key = relation.id * INDEX_SPAN + target;
      const count = (wanted.get(key) ?? 0) + indexes.length;
      wanted.set(key, count);
      requireRoomAt(world, relation, 0, target, count);
    }
  }
  return needs;
}

/**
 * Calls the `check` hooks of entities that are about to be spawned.
 * @returns for each entity, the changes for its other hooks.
 */
function checkSpawns(world: World, { terms, indexes }: Group): readonly (readonly Change[])[] {
  const hooked = terms.map(definitionOfTerm).filter(({ hooks }) => hooks !== undefined);
  if (hooked.length === 0) return indexes.map(() => NO_CHANGES);
  const spawns = indexes.map(() => world.slots.changesOfSpawn!(world, terms));
  if (spawns.length === 1) {
    callChecks(world, spawns[0]!);
    return spawns;
  }
  for (const definition of hooked) {
    const { identifies, checkMoves } = hooksOf(definition);
    if (identifies === undefined || checkMoves !== undefined) continue;
    let text = `${definition.name} needs checkMoves or single spawns`;
    CHECK: text = `${definition.name} identifies entities, so they cannot share a value; spawn them one by one, or give it a \`checkMoves\` hook`;
    throw new TreelineError("name-taken", text);
  }
  callChecks(world, spawns.flat(), checkTogether);
  return spawns;
}

/** The changes of components with hooks, those of required ones first. */
export function changesOfSpawn(world: World, terms: readonly PlainTerm[]): readonly Change[] {
  const changes: Change[] = [];
  const parent = parentOfTerms(terms);
  for (const term of requiredFirst(terms)) {
    const definition = definitionOfTerm(term);
    if (definition.hooks === undefined) continue;
    const value = wholeValue(world, 0, definition, valueOfTerm(term));
    changes.push(givenChange(undefined, definition, value, undefined, parent));
  }
  world.slots.scopes?.extend(world, 0, changes, terms);
  return changes;
}

/**
 * Undoes spawns that failed together: frees rows first, the last ones before the others, then pairs whose targets they are.
 *
 * @param indexes entities with a row, or pending ones.
 * @param kept stays pending; 0 for none.
 */
export function undoSpawns(world: World, indexes: readonly number[], kept = 0): void {
  const { graph, entities } = world;
  const made = indexes.toReversed();
  for (const index of made) {
    if (!isPending(world, index)) freeRow(world, index);
    else if (index !== kept) giveIndex(entities, index);
  }
  for (const index of made) if (isTarget(graph.pairs, index)) freePairsOf(graph, index);
}
