// What is destroyed with an entity (`deletionSetOf`), and whether order matters (`enterArchetype`).
import { grown, grownInt32 } from "../base/growing.ts";
import { AT_ONCE } from "../graph/graph.ts";
import { CHILD_OF, ChildOf, ComponentEntity, Life } from "../id/builtins.ts";
import { type Definition, PAIR_DELETES } from "../id/definition.ts";
import { endOf, startOf } from "../records/families.ts";
import type { Archetype } from "../storage/archetype.ts";
import { hasDefinition, NEEDS_HOOKS, NEEDS_OBSERVERS } from "../storage/archetype.ts";
import type { PairNumber } from "../storage/table.ts";
import { OBSERVES, observedOf } from "../world/state/event-list.ts";
import { hooksOf } from "../world/state/hooks.ts";
import { needsOf } from "../world/state/needs-of.ts";
import { subjectIndexes } from "../world/state/targets.ts";
import { hasObservedTags } from "../world/state/values.ts";
import { type World, type WorldState, worldState } from "../world/state/world.ts";

/** No hook or observer is called; only hooks that accept any order; observers or hooks that need the order. */
export const UNOBSERVED = 0;
export const ANY_ORDER = 1;
export const IN_ORDER = 2;

/** Everything that one call destroys. One record per world, reused by the next call. */
export class DeletionSet {
  /** Number of this call; entries of `entityRound` with another number do not count. */
  round = 0;
  /** The indexes of the entities in the order in which they were found; the first `length` entries count. */
  work: Int32Array<ArrayBuffer> = new Int32Array(0);
  length = 0;
  /** By archetype number: how many of its entities are destroyed. */
  counts: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Those that are targets of pairs. */
  readonly targets: number[] = [];
  /** For `freeAll`. */
  next: Int32Array<ArrayBuffer> = new Int32Array(0);
  holes: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** By entity index: the round in which it was put into `work`. */
  entityRound: Uint16Array<ArrayBuffer> = new Uint16Array(0);
  /** Pairs whose targets are destroyed, and which entities that stay alive may have, each once. */
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
  /** Some of the archetypes found are of component entities. */
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
 * Finds everything that is destroyed with the entities at some indexes: for each relation that deletes and each entity
 * found, the subjects of the pair with it; and all entities that have a definition whose policy
 * deletes them with its component entity. Finds each once, also in cycles. Changes nothing. The result is valid until the
 * next call.
 */
export function deletionSetOf(world: World, roots: readonly number[]): DeletionSet {
  const { entities, graph } = world;
  const set = setOf(world);
  if (set.round === LAST_ROUND) {
    set.round = 0;
    set.entityRound.fill(0);
  }
  set.round++;
  set.length = 0;
  set.counts = grownInt32(set.counts, graph.archetypes.length);
  set.counts.fill(0, 0, graph.archetypes.length);
  set.targets.length = 0;
  set.pairs.length = 0;
  set.definitions.length = 0;
  set.hasRemaining = false;
  set.leavesTree = false;
  set.announces = UNOBSERVED;
  set.needs = 0;
  set.hasComponentEntities = false;
  set.entityRound = grown(set.entityRound, entities.length);
  for (let at = 0; at < roots.length; at++) addEntity(set, roots[at]!);
  for (let at = 0; at < set.length; ) at = expandFrom(world, set, at);
  return set;
}

/** Adds what is destroyed with entries of `work`, from a place on. @returns the place after the last entry that was read. */
function expandFrom(world: World, set: DeletionSet, from: number): number {
  const { tables, archetypes, pairs } = world.graph;
  const { archetype: archetypeOf } = tables;
  const { table: tableOf } = world.entities;
  const { firstOfTarget } = pairs;
  const { counts } = set;
  const known = firstOfTarget.length;
  const stop = from + AT_ONCE;
  let { work, length } = set;
  let number = -1;
  let counted = from;
  let at = from;
  for (; at < length && at < stop; at++) {
    const index = work[at]!;
    const own = archetypeOf[tableOf[index]!]!;
    if (own !== number) {
      if (number >= 0) counts[number]! += at - counted;
      counted = at;
      number = own;
      if (counts[own] === 0) enterArchetype(world, set, archetypes[own]!);
    }
    const isTarget = index < known && firstOfTarget[index] !== 0;
    if (!isTarget && !set.hasComponentEntities) continue;
    if (isTarget) addSubjectsOf(world, set, index);
    if (set.hasComponentEntities) addUsersOf(world, set, index);
    ({ work, length } = set);
  }
  if (number >= 0) counts[number]! += at - counted;
  return at;
}

function enterArchetype(world: World, set: DeletionSet, archetype: Archetype): void {
  if (hasDefinition(archetype, ComponentEntity)) set.hasComponentEntities = true;
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
  const { pairs, families } = world.graph;
  set.targets.push(index);
  for (let pair = pairs.firstOfTarget[index]!; pair !== 0; pair = pairs.nextOfTarget[pair]!) {
    if ((pairs.traits[pair]! & PAIR_DELETES) === 0) {
      set.hasRemaining = true;
      set.pairs.push(pair);
    } else if (pairs.relation[pair] === CHILD_OF) {
      addChildren(set, families.pool, startOf(families, pair), endOf(families, pair));
    } else {
      set.leavesTree = true;
      for (const one of subjectIndexes(world, pair)) addEntity(set, one);
    }
  }
}

/** Adds the entities of a list from place `from` to `end`. */
function addChildren(set: DeletionSet, pool: Int32Array, from: number, end: number): void {
  if (set.length + end - from > set.work.length) set.work = grownInt32(set.work, set.length + end - from);
  const { work, entityRound, round } = set;
  let { length } = set;
  for (let at = from; at < end; at++) {
    const index = pool[at]!;
    if (index === 0 || entityRound[index] === round) continue;
    entityRound[index] = round;
    work[length++] = index;
  }
  set.length = length;
}

function addEntity(set: DeletionSet, index: number): void {
  if (set.entityRound[index] === set.round) return;
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
  for (const user of world.slots.componentEntities!.usersOf(world, definition)) addEntity(set, user);
}

/** Is the entity at an index destroyed? */
export function isDestroyed(_: WorldState, set: DeletionSet, index: number): boolean {
  return set.entityRound[index] === set.round;
}

/** The entities of a list that stay alive. A fresh list. */
export function remainingOf(world: World, set: DeletionSet, indexes: readonly number[]): number[] {
  return indexes.filter((index) => !isDestroyed(world, set, index));
}
