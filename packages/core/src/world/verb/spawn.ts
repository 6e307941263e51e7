// `spawn`, `spawnMany`, scopes; fast path (`spawnPlanned`); throws `capacity`, `bad-value` for counts.
import { shown, TreelineError } from "../../base/error.ts";
import { warnOfPromise } from "../../base/warn.ts";
import { closeIfIdle, roomyTableFor } from "../../graph/graph.ts";
import { CHILD_OF, ChildOf } from "../../id/builtins.ts";
import { PAIR_SPREADS, type PlainTerm, type SpawnTerm } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { findPair } from "../../id/pair-index.ts";
import { hasRoomFor } from "../../records/entity-index.ts";
import { isFull, reserveFamily } from "../../records/families.ts";
import { NEEDS_ADDING_ORDER, NEEDS_PAIR_VALUES, NEEDS_TICKS } from "../../storage/archetype.ts";
import { makeRoomFor } from "../../storage/rows.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { collectValues } from "../change/collect.ts";
import { insertGroups, insertRow } from "../change/insert.ts";
import { ensurePair, installTree } from "../change/pair.ts";
import { knownPlan, newPlan } from "../change/spawn-plans.ts";
import {
  checkTerms,
  definitionOfTerm,
  isParental,
  plainTerms,
  requireDifferent,
  targetOfTerm,
  wantPairsOfTerms,
} from "../change/terms.ts";
import { mustDefer } from "../state/lock.ts";
import { needsOf } from "../state/needs-of.ts";
import { groupOf, type SpawnPlan } from "../state/plans.ts";
import { requireAlive, requireWorld } from "../state/require.ts";
import type { World } from "../state/world.ts";

/**
 * Spawns an entity directly into the table of its whole type, without intermediate moves. It also gets what its components require.
 *
 * Inside an iteration the entity is alive at once, and what it was given can be read; but it gets its row when the iteration ends.
 * Until then it is pending: no query, list or look-up finds it, and `locate` is refused. Inside `withScope` of names it becomes a child of the scope, unless a parent is given.
 *
 * @cost constant: a row with its values; an index entry for a name.
 * @param terms components, tags, components with values, pairs, entities as tags (`asTag`). Each may be given once.
 * @throws TreelineError `dead-entity` if a target is not alive; `bad-term` for a term that cannot be added or is given
 *   twice; `bad-value`; `full` if a target already has `maxSubjects` subjects; `capacity` when 16,777,215 entities are
 *   alive; `iterating` in a strict world inside an iteration; what a `check` hook throws, such as `name-taken`; and in checked
 *   builds `bad-definition` if the world has used another definition of the same name. Nothing has changed then.
 *
 * @example
 * const ship = spawn(world, Name("Ship"), Position({ x: 1, y: 2 }), Velocity);
 * const cockpit = spawn(world, Name("Cockpit"), ChildOf(ship));
 */
export function spawn(world: World, ...terms: SpawnTerm[]): Entity {
  CHECK: requireWorld(world);
  let given = terms as readonly PlainTerm[];
  let plan = world.scope === undefined ? knownPlan(world, given) : undefined;
  if (plan === undefined) given = termsFor(world, given);
  collectValues(world, given, 0);
  plan ??= knownPlan(world, given) ?? newPlan(world, given);
  requireRoomForEntities(world, 1);
  if (world.deferDepth === 0 || !mustDefer(world)) return spawnPlanned(world, plan, given, 0);
  return world.slots.spawnDeferred!(world, 1, false, given, spawnOne)[0]!;
}

/** Apart from `spawn`: with a closure in it, `spawn` would allocate the captured variables in every call. */
function spawnOne(world: World, live: readonly PlainTerm[], indexes: readonly number[]): void {
  spawnPlanned(world, planOf(world, live), live, indexes[0]!);
}

/** NEEDS_ bits of spawns that need no more than a row, a place among siblings and an order of adding. */
const SIMPLE: number = NEEDS_TICKS | NEEDS_PAIR_VALUES | NEEDS_ADDING_ORDER;

/** @param terms the terms that `collectValues` has read last. @param pending the index of a pending entity, else 0. */
function spawnPlanned(world: World, plan: SpawnPlan, terms: readonly PlainTerm[], pending: number): Entity {
  const { graph, entities } = world;
  const { archetype, parentAt } = plan;
  const needs = archetype.needsEpoch === world.events.epoch ? archetype.needs : needsOf(world, archetype);
  if ((needs & ~SIMPLE) !== 0 || plan.tags.length > 0)
    return world.slots.changes!.insert(world, plan, terms, pending);
  if (plan.hasPairs) requireDifferent(terms);
  // Room first: a new pair of a parent need not be given back then.
  if (archetype.rows === archetype.lanes.capacity) makeRoomFor(graph, archetype, 1);
  let pair = 0;
  if (parentAt >= 0) {
    const target = indexOf(targetOfTerm(terms[parentAt]!) as Entity);
    pair = findPair(graph.pairs, CHILD_OF, target);
    if (pair === 0) pair = ensurePair(world, plan.definitions[parentAt]!, target);
    if ((graph.pairs.traits[pair]! & PAIR_SPREADS) !== 0)
      return world.slots.changes!.insert(world, plan, terms, pending);
  }
  let table = archetype.plainTable;
  if (plan.hasPairs || table === 0 || isFull(graph.families, pair))
    table = reserveOne(world, plan, terms, pair);
  const index = insertRow(world, plan, terms, table, pair, pending);
  return entities.handles[index] as Entity;
}

/**
 * Makes room in a family and in a table for one entity. @param pair that of its parent, or 0.
 * @throws what a failed allocation throws; nothing has changed then.
 */
function reserveOne(
  world: World,
  { archetype, hasPairs }: SpawnPlan,
  terms: readonly PlainTerm[],
  pair: PairNumber,
): TableNumber {
  const { graph } = world;
  try {
    if (!hasPairs && archetype.plainTable !== 0) {
      reserveFamily(graph.families, graph.entities, pair, 1);
      return archetype.plainTable;
    }
    return roomyTableFor(graph, archetype, hasPairs ? wantPairsOfTerms(world, terms) : 0, 1, 0, pair);
  } catch (error) {
    if (pair !== 0) closeIfIdle(graph, pair);
    throw error;
  }
}

/** As `spawn`, but never deferred, and in no scope: for verbs that spawn several entities. */
export function spawnNow(world: World, terms: readonly PlainTerm[]): Entity {
  checkTerms(world, terms);
  const plan = planOf(world, terms, 0);
  requireRoomForEntities(world, 1);
  return spawnPlanned(world, plan, terms, 0);
}

/** The checked terms of a user's spawn, with the parent of the current scope. @throws TreelineError `bad-term`. */
export function termsFor(world: World, terms: readonly SpawnTerm[]): readonly PlainTerm[] {
  const given = world.scope === undefined ? terms : world.slots.termsInScope!(world, terms);
  const plain = plainTerms(world, given);
  checkTerms(world, plain);
  return plain;
}

/** Reads the values of terms. @param taker as `collectValues`. @returns the plan by which entities are spawned with such terms. */
export function planOf(world: World, terms: readonly PlainTerm[], taker?: 0): SpawnPlan {
  collectValues(world, terms, taker);
  return knownPlan(world, terms) ?? newPlan(world, terms);
}

/** @throws TreelineError `capacity`. */
export function requireRoomForEntities(world: World, count: number): void {
  if (hasRoomFor(world.entities, count)) return;
  let text = "a world holds 16,777,215 entities";
  CHECK: text += "; destroy some first";
  throw new TreelineError("capacity", text);
}

/**
 * Spawns `count` entities of one type at once; all start with the same values, unless hooks give them others.
 * Hooks are called before the first entity is spawned: `checkMoves` once for all, or else `check` for each. Of an exclusive symmetric
 * relation, the last one gets the pair; the others never had it, for observers and queries either.
 *
 * @cost a row for each: a fraction of `spawn`, as each column is filled at once.
 * @returns the handles, in the order of spawning.
 * @throws TreelineError as `spawn`; `bad-value` unless `count` is a whole number of 0 or more.
 */
export function spawnMany(world: World, count: number, ...terms: SpawnTerm[]): Entity[] {
  if (!Number.isInteger(count) || count < 0) {
    throw new TreelineError("bad-value", `spawnMany takes a whole number of 0 or more, not ${shown(count)}`);
  }
  const given = termsFor(world, terms);
  const plan = planOf(world, given, 0);
  if (count === 0) return [];
  requireRoomForEntities(world, count);
  if (world.deferDepth === 0 || !mustDefer(world))
    return insertGroups(world, [groupOf(plan, given, new Array<number>(count).fill(0))]);
  return world.slots.spawnDeferred!(world, count, true, given, (_, live, indexes) => {
    insertGroups(world, [groupOf(planOf(world, live), live, indexes)]);
  });
}

/** The parent that entities get if they are spawned without one; `undefined`, as usual, if they become roots. */
export function scopeOf(world: World): Entity | undefined {
  return world.scope;
}

/**
 * Runs a function; entities that `spawn`, `spawnMany` and `clone` create in it without a parent become children of `parent`,
 * by ChildOf; `undefined` means no parent again. A deferred spawn keeps the scope of its call. Hooks and observers are
 * called outside of any scope.
 *
 * @returns what the function returns.
 * @throws TreelineError `dead-entity` if the parent is not alive; and what the function throws: the scope is as before then.
 */
export function insideScope<Result>(world: World, parent: Entity | undefined, run: () => Result): Result {
  if (parent !== undefined) requireAlive(world, parent);
  world.slots.termsInScope ??= termsInScope;
  installTree(world.slots);
  const { scope } = world;
  world.scope = parent;
  try {
    const result = run();
    CHECK: warnOfPromise("withScope", result);
    return result;
  } finally {
    world.scope = scope;
  }
}

/** The terms of a spawn, with the parent of the scope unless they name one. */
function termsInScope({ scope }: World, terms: readonly SpawnTerm[]): readonly SpawnTerm[] {
  return scope === undefined || terms.some(namesParent) ? terms : [...terms, ChildOf(scope)];
}

/** Also accepts what is not a term: that is refused elsewhere. */
function namesParent(term: SpawnTerm | undefined | null): boolean {
  return term !== undefined && term !== null && isParental(definitionOfTerm(term as PlainTerm));
}
