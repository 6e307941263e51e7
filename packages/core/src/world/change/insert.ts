import { TreelineError } from "../../base/error.ts";
import { LAST_ORDER } from "../../base/limits.ts";
import { endReservation, reserveRows, type TableType } from "../../graph/reserve.ts";
import { closeIfIdle, roomyTableFor } from "../../graph/table-graph.ts";
import type { Definition } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { isTarget } from "../../id/pair-book.ts";
import { PAIR_DISABLES, PAIR_LISTED } from "../../id/pair-traits.ts";
import { handleAt, renewOrder, takeIndex } from "../../records/entity-index.ts";
import { appendLoose, loosePairOf } from "../../records/sibling-links.ts";
import { repeatRow } from "../../storage/copy-rows.ts";
import { LOOSE_MOVED, note } from "../../storage/journal.ts";
import { clearRow } from "../../storage/lanes.ts";
import {
  NEEDS_ADDING_ORDER,
  NEEDS_BUILTIN,
  NEEDS_HOOKS,
  NEEDS_LIMITS,
  NEEDS_OBSERVERS,
  NEEDS_SYMMETRIC,
} from "../../storage/needs.ts";
import { appendRows } from "../../storage/rows.ts";
import type { Shape } from "../../storage/shape.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { stampBorn } from "../../storage/tracks.ts";
import { turnBits } from "../state/bit-tags.ts";
import { observedOf } from "../state/event-list.ts";
import { hooksOf } from "../state/hooks.ts";
import { enterLimbo, isInLimbo, leaveLimbo } from "../state/limbo.ts";
import { requireRoomAt } from "../state/limits.ts";
import { enterVisit, leaveVisit } from "../state/lock.ts";
import { needsOf } from "../state/needs-of.ts";
import { rowAt, wholeValue } from "../state/values.ts";
import type { SpawnPlan, World } from "../state/world.ts";
import {
  definitionOfTerm,
  loosePairOfTerms,
  type PlainTerm,
  parentOfTerms,
  targetOfTerm,
  valueOfTerm,
  wantPairsOfTerms,
} from "./destination.ts";
import { commitEffects, type Effect, listEffectEvents, planEffects } from "./effects.ts";
import { type ChangeEvents, listEvents, tellAll } from "./events.ts";
import { ensureListed, linkGeneration, relink } from "./family.ts";
import {
  askHooks,
  askTogether,
  type Change,
  givenChange,
  NO_CHANGES,
  tellSetTerms,
  tellWritten,
} from "./hook-calls.ts";
import { followTargets, insertRow, keepAddingOrder } from "./insert-row.ts";
import { closeIdlePairs, reactToBuiltins } from "./move.ts";
import { gatherTerms, keptTerms, requireDifferentPairs, SEVERAL, writeTerms } from "./spawn-plan.ts";

/** Entities that are spawned with the same terms. */
export interface Group {
  readonly plan: SpawnPlan;
  readonly terms: readonly PlainTerm[];
  /** Those in limbo have their indexes already; the others are 0 until they get one. */
  readonly indexes: number[];
}

/**
 * Spawns one entity of an archetype that needs more than a row: check, reserve, announce, commit, notify. Those that need
 * it bring this function as a slot of the world.
 *
 * @param terms what `gatherTerms` has read last.
 * @param pending its index if it is in limbo, else 0.
 * @returns its handle; stale if an observer has destroyed it.
 * @throws as `insertGroups`.
 */
export function insertWithNeeds(
  world: World,
  plan: SpawnPlan,
  terms: readonly PlainTerm[],
  pending: number,
): Entity {
  const { shape } = plan;
  const needs = needsOfPlan(world, plan);
  const isTold = (needs & (NEEDS_HOOKS | NEEDS_OBSERVERS)) !== 0;
  if ((needs & NEEDS_SYMMETRIC) !== 0) {
    const kept = isTold ? keptTerms(world, terms) : terms;
    return insertGroups(world, [{ plan, terms: kept, indexes: [pending] }])[0]!;
  }
  if (plan.pairAt === SEVERAL) requireDifferentPairs(terms);
  if ((needs & NEEDS_LIMITS) !== 0) requireRoomForSources(world, [{ plan, terms, indexes: [pending] }]);
  if (!isTold) {
    const valuePair = shape.isLoose ? loosePairOfTerms(world, terms) : 0;
    const table = tableOfTerms(world, shape, terms, valuePair);
    return handleAt(world.entities, commitOne(world, plan, terms, table, valuePair, pending));
  }
  return insertTold(world, plan, keptTerms(world, terms), pending);
}

/** The same where hooks are called, or observers. */
function insertTold(world: World, plan: SpawnPlan, terms: readonly PlainTerm[], pending: number): Entity {
  const { shape } = plan;
  let calls = NO_CHANGES;
  if (shape.hooked.length > 0) {
    calls = changesOfBirth(world, terms);
    askHooks(world, undefined, calls, parentOfTerms(terms));
  }
  const valuePair = shape.isLoose ? loosePairOfTerms(world, terms) : 0;
  const table = tableOfTerms(world, shape, terms, valuePair);
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
    tellBirth(world, terms, index, calls);
    isDone = true;
    return handle;
  } finally {
    leaveVisit(world, isDone);
  }
}

/** @throws TreelineError `capacity`, or what the memory throws; nothing has changed then. */
function tableOfTerms(
  world: World,
  shape: Shape,
  terms: readonly PlainTerm[],
  valuePair: PairNumber,
): TableNumber {
  const count = shape.hasPairs ? wantPairsOfTerms(world, terms) : 0;
  try {
    return roomyTableFor(world.graph, shape, count, 1, 0);
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

/**
 * Spawns entities: check, reserve, announce, commit, notify, as far as their archetypes and pairs need it.
 *
 * @param groups with plain terms; a single one of which neither hooks nor observers are told may have what `gatherTerms` has
 *   read last.
 * @param before is called when all is reserved, before the first row is written: what it throws changes nothing either.
 * @param isAged the entities, all of them in limbo, have their places by age: others are younger.
 * @returns the handles, group by group; stale where an observer has destroyed the entity.
 * @throws TreelineError `full`, `capacity`, what a `check` hook throws, and what the memory throws: nothing has changed then.
 */
export function insertGroups(
  world: World,
  groups: readonly Group[],
  before?: () => void,
  isAged = false,
): Entity[] {
  let needs = 0;
  for (const { plan, terms } of groups) {
    needs |= needsOfPlan(world, plan);
    if (plan.pairAt === SEVERAL) requireDifferentPairs(terms);
  }
  if ((needs & NEEDS_LIMITS) !== 0) requireRoomForSources(world, groups);
  if ((needs & (NEEDS_HOOKS | NEEDS_OBSERVERS)) !== 0)
    return insertGroupsTold(world, groups, needs, before, isAged);
  withRows(world, groups, needs, before !== undefined, (rows) => {
    before?.();
    commitRows(world, groups, rows, isAged);
  });
  let count = 0;
  for (const { indexes } of groups) count += indexes.length;
  const { handles } = world.entities;
  const spawned = new Array<Entity>(count);
  let place = 0;
  for (const { indexes } of groups) {
    for (let at = 0; at < indexes.length; at++) spawned[place++] = handles[indexes[at]!] as Entity;
  }
  return spawned;
}

export function needsOfPlan(world: World, { shape, tags }: SpawnPlan): number {
  const needs = needsOf(world, shape);
  return tags.some((tag) => observedOf(world.events, tag) !== 0) ? needs | NEEDS_OBSERVERS : needs;
}

/** Hooks are called, or observers. Entities come, and are told, one after another, unless others follow: those come with all of them. */
function insertGroupsTold(
  world: World,
  groups: readonly Group[],
  needs: number,
  before: (() => void) | undefined,
  isAged: boolean,
): Entity[] {
  const calls = groups.map(({ plan, terms, indexes }) =>
    askForBirths(world, plan.shape, terms, indexes.length),
  );
  enterVisit(world);
  let isDone = false;
  try {
    const handles: Entity[] = [];
    withRows(world, groups, needs, before !== undefined, (rows) => {
      before?.();
      const events: ChangeEvents = { removed: [], added: [] };
      listEffectEvents(world, events, rows.effects, rows.effectTables);
      const births = groups.flatMap(({ indexes }, group) => indexes.map((_, at) => ({ group, at })));
      const isTogether = rows.effects.length > 0 || births.length === 1;
      world.changes++;
      try {
        tellAll(world, events.removed);
        if (isTogether) commitRows(world, groups, rows, isAged);
        for (const { group, at } of births) {
          const { plan, terms, indexes } = groups[group]!;
          if (!isTogether) {
            gatherTerms(world, terms);
            const pending = indexes[at]!;
            indexes[at] = commitOne(
              world,
              plan,
              terms,
              rows.tables[group]!,
              rows.valuePairs[group]!,
              pending,
            );
          }
          const index = indexes[at]!;
          handles.push(handleAt(world.entities, index));
          if (calls[group]![at]!.length > 0) tellWritten(world, index, calls[group]![at]!);
          if (!isTogether) tellBirth(world, terms, index, calls[group]![at]!);
        }
      } finally {
        world.changes--;
      }
      tellAll(world, events.added);
      for (const { group, at } of isTogether ? births : []) {
        tellBirth(world, groups[group]!.terms, groups[group]!.indexes[at]!, calls[group]![at]!);
      }
    });
    isDone = true;
    return handles;
  } finally {
    leaveVisit(world, isDone);
  }
}

/** Tells observers of an entity that has just been spawned, and of its values. */
function tellBirth(world: World, terms: readonly PlainTerm[], index: number, calls: readonly Change[]): void {
  const events: ChangeEvents = { removed: [], added: [] };
  const value = loosePairOf(world.graph.links, index);
  listEvents(world, events, index, 0, world.entities.table[index]!, value);
  tellAll(world, events.added);
  tellSetTerms(world, index, terms, calls);
}

/** Where rows have been reserved, and what comes along. */
interface Rows {
  /** Of each group: its table, and the pair of the parent if it is stored by value, else 0. */
  readonly tables: readonly TableNumber[];
  readonly valuePairs: readonly PairNumber[];
  readonly effects: readonly Effect[];
  readonly effectTables: readonly TableNumber[];
}

/** Reserves rows for all groups and all that comes along, and calls `commit`. */
function withRows(
  world: World,
  groups: readonly Group[],
  needs: number,
  isHeld: boolean,
  commit: (rows: Rows) => void,
): void {
  if (!isHeld && groups.length === 1 && (needs & NEEDS_SYMMETRIC) === 0) {
    const { plan, terms, indexes } = groups[0]!;
    const { shape } = plan;
    const count = shape.hasPairs ? wantPairsOfTerms(world, terms) : 0;
    const valuePair = shape.isLoose ? loosePairOfTerms(world, terms) : 0;
    let table: TableNumber;
    try {
      table = roomyTableFor(world.graph, shape, count, indexes.length, 0);
    } catch (error) {
      if (valuePair !== 0) closeIfIdle(world.graph, valuePair);
      throw error;
    }
    commit({ tables: [table], valuePairs: [valuePair], effects: [], effectTables: [] });
  } else withManyRows(world, groups, (needs & NEEDS_SYMMETRIC) !== 0, commit);
}

/** The other sides of symmetric pairs must know whom they get: entities without an index get one first. */
function withManyRows(
  world: World,
  groups: readonly Group[],
  isSymmetric: boolean,
  commit: (rows: Rows) => void,
): void {
  const { graph } = world;
  const fresh: number[] = [];
  const made: PairNumber[] = [];
  try {
    for (const { indexes } of isSymmetric ? groups : []) {
      for (let at = 0; at < indexes.length; at++) {
        if (indexes[at] === 0) fresh.push((indexes[at] = enterLimbo(world)));
      }
    }
    const types: TableType[] = [];
    const valuePairs: PairNumber[] = [];
    for (const { plan, terms } of groups) {
      const count = plan.shape.hasPairs ? wantPairsOfTerms(world, terms) : 0;
      types.push({ shape: plan.shape, pairs: [...graph.wanted.subarray(0, count)] });
      valuePairs.push(plan.shape.isLoose ? loosePairOfTerms(world, terms) : 0);
      made.push(...types.at(-1)!.pairs, valuePairs.at(-1)!);
    }
    const was = { shape: graph.root, pairs: [] };
    const changes = groups.flatMap(({ indexes }, at) =>
      indexes.map((index) => ({ index, was, is: types[at]! })),
    );
    const effects = isSymmetric ? planEffects(world, changes) : [];
    made.push(...effects.flatMap(({ tied }) => tied));
    const tables = reserveRows(graph, [
      ...types.map((type, at) => ({ type, count: groups[at]!.indexes.length })),
      ...effects.map(({ type }) => ({ type, count: 1 })),
    ]);
    try {
      const effectTables = tables.splice(groups.length);
      commit({ tables, valuePairs, effects, effectTables });
    } finally {
      endReservation(graph);
      // A pair may have come and gone while effects were planned.
      closeIdlePairs(
        world,
        effects.flatMap(({ tied }) => tied),
      );
    }
  } catch (error) {
    closeIdlePairs(world, made);
    for (const index of fresh) if (isInLimbo(world, index)) leaveLimbo(world, index);
    throw error;
  }
}

/** Gives all of them their rows, with their values, and lets lists, orders and records follow. */
function commitRows(world: World, groups: readonly Group[], rows: Rows, isAged: boolean): void {
  for (let at = 0; at < groups.length; at++) {
    const group = groups[at]!;
    if (groups.length > 1 || isTold(world, group)) gatherTerms(world, group.terms);
    commitGroup(world, group, rows.tables[at]!, rows.valuePairs[at]!, isAged);
  }
  if (rows.effects.length > 0) commitEffects(world, rows.effects, rows.effectTables);
}

/** Then something else may have been gathered since. */
function isTold(world: World, { plan }: Group): boolean {
  return (needsOfPlan(world, plan) & (NEEDS_HOOKS | NEEDS_OBSERVERS)) !== 0;
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
  const row = appendRows(world.rows, shape, table, count);
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
  const parentPair = graph.tables.parentPair[table]! + valuePair;
  const settles =
    (graph.pairs.traits[parentPair]! & (PAIR_LISTED | PAIR_DISABLES)) !== 0 ||
    (shape.fixedNeeds & (NEEDS_BUILTIN | NEEDS_ADDING_ORDER)) !== 0 ||
    valuePair !== 0;
  for (let at = 0; settles && at < count; at++) {
    const index = indexes[at]!;
    if (valuePair !== 0) {
      appendLoose(graph.links, valuePair, index, linkGeneration(world, index));
      note(graph.journal, LOOSE_MOVED, index);
    }
    if ((shape.fixedNeeds & NEEDS_ADDING_ORDER) !== 0) keepAddingOrder(world, index, terms);
    settleInserted(world, shape, index, table, valuePair);
  }
  for (let at = 0; isPending && at < count; at++) {
    if (isTarget(graph.pairs, indexes[at]!)) followTargets(world, shape, indexes[at]!);
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
function askForBirths(
  world: World,
  shape: Shape,
  terms: readonly PlainTerm[],
  count: number,
): readonly (readonly Change[])[] {
  if (shape.hooked.length === 0) return new Array<readonly Change[]>(count).fill(NO_CHANGES);
  const births = Array.from({ length: count }, () => changesOfBirth(world, terms));
  const parent = parentOfTerms(terms);
  if (count === 1) {
    askHooks(world, undefined, births[0]!, parent);
    return births;
  }
  requireTellingApart(shape);
  const batches = births[0]!.map(({ definition }, place) => {
    const changes = births.map((birth) => birth[place]!);
    return { definition, changes, moves: changes.map(({ value }) => ({ entity: undefined, value, parent })) };
  });
  askTogether(world, batches);
  return births;
}

function changesOfBirth(world: World, terms: readonly PlainTerm[]): readonly Change[] {
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
