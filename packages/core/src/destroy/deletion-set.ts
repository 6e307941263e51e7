import { grown, grownInt32 } from "../base/growing.ts";
import { AT_ONCE, valuePairOf } from "../graph/graph.ts";
import { CHILD_OF, ChildOf, ComponentEntity, Life } from "../id/builtins.ts";
import { type Definition, PAIR_DELETES } from "../id/definition.ts";
import { membersOf, valueCountOf } from "../records/families.ts";
import type { Archetype } from "../storage/archetype.ts";
import { hasDefinition, NEEDS_HOOKS, NEEDS_OBSERVERS, NEEDS_VALUE_PARENT } from "../storage/archetype.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { OBSERVES, observedOf } from "../world/state/event-list.ts";
import { hooksOf } from "../world/state/hooks.ts";
import { needsOf } from "../world/state/needs-of.ts";
import { hasObservedTags } from "../world/state/values.ts";
import { type World, type WorldState, worldState } from "../world/state/world.ts";

/** No hook or observer is called; only hooks that accept any order; observers or hooks that need the order. */
export const UNOBSERVED = 0;
export const ANY_ORDER = 1;
export const IN_ORDER = 2;

/** Everything that one call destroys. One record per world, reused by the next call. */
export class DeletionSet {
  /** Number of this call; entries of `entityRound` and `tableRound` with another number do not count. */
  round = 0;
  /**
   * In the order in which they were found: entities as their indexes, and tables whose rows are all destroyed as minus their
   * numbers; the first `length` entries count. An entity may also be in one of the tables.
   */
  work: Int32Array<ArrayBuffer> = new Int32Array(0);
  length = 0;
  /** By entity index: the round in which it was put into `work`. */
  entityRound: Uint16Array<ArrayBuffer> = new Uint16Array(0);
  /** By table: the round in which it was put into `work`. */
  tableRound: Uint16Array<ArrayBuffer> = new Uint16Array(0);
  /** By table, 0 between calls: how many of its rows are in `work` as entities. */
  rowsOf: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Pairs whose targets are destroyed and that are not freed together with their tables, each once. */
  readonly pairs: PairNumber[] = [];
  /** Definitions whose component entities are destroyed. */
  readonly definitions: Definition[] = [];
  /** Entities that stay alive may have some of `pairs` or `definitions`. */
  hasRemaining = false;
  /** Some entities were found by relations other than ChildOf, or by definitions. */
  leavesTree = false;
  /** UNOBSERVED, ANY_ORDER or IN_ORDER: the highest that an archetype requires. */
  announces: number = UNOBSERVED;
  /** All NEEDS_ bits of the archetypes found. */
  needs = 0;
  /** The archetype that was read last, and whether its entities are component entities. */
  archetype: Archetype | undefined = undefined;
  hasComponentEntities = false;
}

const setOf: (world: World) => DeletionSet = /* @__PURE__ */ worldState((_, { packed }) => {
  const set = new DeletionSet();
  packed.push(() => Object.assign(set, new DeletionSet()));
  return set;
});

/** Rounds are 16-bit numbers: the first destroy of a world touches half as much new memory as with 32 bits. */
const LAST_ROUND = 0xffff;

/**
 * Finds everything that is destroyed with the entities at some indexes: for each relation R that deletes and each entity e
 * found, the tables of (R, e) and the children that store e by value; and all entities that have a definition whose policy
 * deletes them with its component entity. Finds each once, also in cycles. Changes nothing. The result is valid until the
 * next call.
 */
export function deletionSetOf(world: World, roots: readonly number[]): DeletionSet {
  const { graph, entities } = world;
  const set = setOf(world);
  if (set.round === LAST_ROUND) {
    set.round = 0;
    set.entityRound.fill(0);
    set.tableRound.fill(0);
  }
  set.round++;
  set.length = 0;
  set.pairs.length = 0;
  set.definitions.length = 0;
  set.hasRemaining = false;
  set.leavesTree = false;
  set.announces = UNOBSERVED;
  set.needs = 0;
  set.entityRound = grown(set.entityRound, entities.length);
  set.tableRound = grown(set.tableRound, graph.tables.length);
  for (let at = 0; at < roots.length; at++) addEntity(world, set, roots[at]!);
  for (let at = 0; at < set.length; ) at = expandFrom(world, set, at);
  set.archetype = undefined;
  return set;
}

/** Adds what is destroyed with entries of `work`, from a place on. @returns the place after the last entry that was read. */
function expandFrom(world: World, set: DeletionSet, from: number): number {
  const { tables, archetypes } = world.graph;
  let at = from;
  for (; at < set.length && at < from + AT_ONCE; at++) {
    const entry = set.work[at]!;
    const table = entry < 0 ? -entry : world.entities.table[entry]!;
    const archetype = archetypes[tables.archetype[table]!]!;
    if (archetype !== set.archetype) enterArchetype(world, set, archetype);
    if (entry > 0) {
      addSubjectsOf(world, set, entry);
      if (set.hasComponentEntities) addUsersOf(world, set, entry);
      continue;
    }
    const first = tables.first[table]!;
    const end = first + tables.count[table]!;
    if (end - first === 1 && !set.hasComponentEntities) {
      const index = archetype.lanes.i32[first]!;
      if (set.entityRound[index] !== set.round) addSubjectsOf(world, set, index);
      continue;
    }
    for (let row = first; row < end; row += AT_ONCE)
      expandRows(world, set, archetype.lanes.i32, row, Math.min(row + AT_ONCE, end));
  }
  return at;
}

function expandRows(world: World, set: DeletionSet, list: Int32Array, from: number, end: number): void {
  const { firstOfTarget } = world.graph.pairs;
  const { entityRound, round, hasComponentEntities } = set;
  for (let at = from; at < end; at++) {
    const index = list[at]!;
    if (entityRound[index] === round) continue; // it has an entry of its own
    if (index < firstOfTarget.length && firstOfTarget[index] !== 0) addSubjectsOf(world, set, index);
    if (hasComponentEntities) addUsersOf(world, set, index);
  }
}

function enterArchetype(world: World, set: DeletionSet, archetype: Archetype): void {
  set.archetype = archetype;
  set.hasComponentEntities = hasDefinition(archetype, ComponentEntity);
  const needs = needsOf(world, archetype);
  set.needs |= needs;
  if ((needs & NEEDS_OBSERVERS) !== 0 && isRemovalObserved(world, archetype)) set.announces = IN_ORDER;
  if (hasObservedTags(world, archetype)) set.announces = IN_ORDER;
  if ((needs & NEEDS_HOOKS) === 0) return;
  for (const definition of archetype.hooked) {
    const { onRemove, anyOrder = false } = hooksOf(definition);
    if (onRemove !== undefined) set.announces = Math.max(set.announces, anyOrder ? ANY_ORDER : IN_ORDER);
  }
}

function isRemovalObserved({ events }: World, { definitions, hasValueParent }: Archetype): boolean {
  const isObserved = (one: Definition): boolean => (observedOf(events, one) & OBSERVES.removed) !== 0;
  return isObserved(Life) || definitions.some(isObserved) || (hasValueParent && isObserved(ChildOf));
}

/** Adds what is destroyed by the pairs whose target is the entity. */
function addSubjectsOf(world: World, set: DeletionSet, index: number): void {
  const { pairs, records, tables, families } = world.graph;
  const { round, tableRound } = set;
  if (index >= pairs.firstOfTarget.length) return;
  for (let pair = pairs.firstOfTarget[index]!; pair !== 0; pair = pairs.nextOfTarget[pair]!) {
    const traits = pairs.traits[pair]!;
    if ((traits & PAIR_DELETES) === 0) {
      set.hasRemaining = true;
      set.pairs.push(pair);
      continue;
    }
    if (pairs.relation[pair] !== CHILD_OF) {
      set.leavesTree = true;
      for (const one of world.slots.sparsePairs?.subjects(world.graph, pair, []) ?? [])
        addEntity(world, set, one);
    }
    let isLeft = pairs.relation[pair] === CHILD_OF && valueCountOf(families, pair) > 0;
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      if (tables.count[table] === 0) isLeft = true;
      else if (tableRound[table] !== round) addTable(set, table);
    }
    if (isLeft) set.pairs.push(pair);
    if (pairs.relation[pair] !== CHILD_OF || valueCountOf(families, pair) === 0) continue;
    for (const child of membersOf(families, pair))
      if (valuePairOf(world.graph, child) === pair) addEntity(world, set, child);
  }
}

function addTable(set: DeletionSet, table: TableNumber): void {
  set.tableRound[table] = set.round;
  if (set.length === set.work.length) set.work = grownInt32(set.work, set.length + 1);
  set.work[set.length++] = -table;
}

function addEntity(world: World, set: DeletionSet, index: number): void {
  if (isDestroyed(world, set, index)) return;
  set.entityRound[index] = set.round;
  if (set.length === set.work.length) set.work = grownInt32(set.work, set.length + 1);
  set.work[set.length++] = index;
}

/** Adds what is destroyed with a component entity: the policy of its definition may delete the entities that have it. */
function addUsersOf(world: World, set: DeletionSet, index: number): void {
  const definition = world.definitionsByEntity.get(index);
  if (definition === undefined) return;
  set.definitions.push(definition);
  set.hasRemaining = true;
  if (definition.onDestroy !== "delete") return;
  set.leavesTree = true;
  if (definition.storage !== "table") {
    for (const user of world.slots.componentEntities!.usersOf(world, definition)) addEntity(world, set, user);
    return;
  }
  const { graph } = world;
  for (const archetype of graph.componentIndex.get(definition.id) ?? []) {
    for (let table = archetype.filled.first; table !== 0; table = graph.tables.next[table]!) {
      if (set.tableRound[table] !== set.round) addTable(set, table);
    }
  }
}

/** Is the entity at an index destroyed? */
export function isDestroyed({ entities }: WorldState, set: DeletionSet, index: number): boolean {
  return set.entityRound[index] === set.round || set.tableRound[entities.table[index]!] === set.round;
}

/** The entities of a list that stay alive. A fresh list. */
export function remainingOf(world: World, set: DeletionSet, indexes: readonly number[]): number[] {
  return indexes.filter((index) => !isDestroyed(world, set, index));
}

/** Tables with fewer rows are emptied row by row: the next child then finds its table still in place. */
const MANY_ROWS = 8;

/**
 * Adds tables of children with a parent stored by value whose rows are all destroyed one by one: it is faster to free such a
 * table as a whole. Call it after the remaining entities have lost their pairs: that may move some of them into such a table.
 */
export function addWholeTables({ graph, entities }: WorldState, set: DeletionSet): void {
  const { tables, archetypes } = graph;
  const { length } = set;
  if ((set.needs & NEEDS_VALUE_PARENT) === 0 || length < MANY_ROWS) return;
  set.rowsOf = grownInt32(set.rowsOf, tables.length);
  set.tableRound = grown(set.tableRound, tables.length);
  const { rowsOf } = set;
  for (let at = 0; at < length; at++) {
    const entry = set.work[at]!;
    if (entry > 0) rowsOf[entities.table[entry]!]!++;
  }
  for (let at = 0; at < length; at++) {
    const entry = set.work[at]!;
    if (entry < 0) continue;
    const table = entities.table[entry]!;
    const isWhole = rowsOf[table]! >= MANY_ROWS && rowsOf[table] === tables.count[table];
    rowsOf[table] = 0;
    if (
      isWhole &&
      archetypes[tables.archetype[table]!]!.hasValueParent &&
      set.tableRound[table] !== set.round
    )
      addTable(set, table);
  }
}
