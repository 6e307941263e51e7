// `add`; fast paths for a reparent (`addOnly`), plain components (`addPlain`), bits, and exclusive pairs (`setTarget`).
import { archetypeWith, roomyTableFor } from "../../graph/graph.ts";
import { ChildOf, Parent } from "../../id/builtins.ts";
import {
  addRequired,
  type Component,
  type Definition,
  type PlainTerm,
  type SpawnTerm,
  type Term,
} from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import { NEEDS_BUILTIN, NEEDS_HOOKS } from "../../storage/archetype.ts";
import type { SparseWork } from "../../storage/sparse.ts";
import { changeArchetype, changeEntity } from "../change/change-entity.ts";
import { collectValues, writeTerms } from "../change/collect.ts";
import { destroyWithTarget } from "../change/free-entity.ts";
import {
  gain,
  goalAt,
  NEEDS_BITS,
  NEEDS_PAIRS,
  NEEDS_REQUIRED,
  needsFor,
  unwantPair,
  wantPair,
  wantPairsOf,
} from "../change/goal.ts";
import { callChecks, givenChange, keptChanges } from "../change/hook-calls.ts";
import { moveEntity, tidyLeft } from "../change/move-entity.ts";
import { ensurePair } from "../change/pair.ts";
import {
  checkTerms,
  copyTerms,
  definitionOfTerm,
  isParental,
  liveTerms,
  parentOfTerms,
  plainTerms,
  requireDifferent,
  targetOfTerm,
  valueOfTerm,
} from "../change/terms.ts";
import { deferCommand, mustDefer } from "../state/lock.ts";
import { type Change, NO_CHANGES } from "../state/plans.ts";
import { requireAlive, requirePlace } from "../state/require.ts";
import { pairAt, parentAt } from "../state/targets.ts";
import { archetypeAt, hasAt, readValue, rowAt, wholeValue } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { moveQuickly, setParent } from "./reparent.ts";

/**
 * Adds components, tags and pairs in one move. A new pair of an exclusive relation replaces the old one: with ChildOf that
 * is a reparent: everything below the entity moves along, and its rows stay in place. What the entity already has stays;
 * a given value is written anyway. What new components require is added as well.
 *
 * Inside an iteration the call is deferred to the end of the iteration.
 *
 * @cost one move of its row, whatever the number of terms. For a new parent also the steps from that to its root if the entity has
 *   children, and one record per inner node below it when depths are next read; with Parent no row moves.
 * @throws TreelineError `dead-entity` if the entity or a target is not alive; `cycle` if an acyclic relation would become
 *   cyclic; `full` if a target already has `maxSubjects` subjects; `bad-term` for a term that cannot be added or is given
 *   twice; `bad-value`, also for an object component without default that the entity lacks and that is given no value; `refused` for a parent of a builtin; `iterating` in a strict world inside an iteration; what a
 *   `check` hook throws, such as `name-taken`; and in checked builds `bad-definition` as `spawn`. Nothing has changed then.
 */
export function add(world: World, entity: Entity, ...terms: (SpawnTerm | Component)[]): void {
  const only = terms[0] as Term | null | undefined;
  if (terms.length !== 1) addList(world, entity, listOf(terms));
  else if (typeof only !== "object" || only === null) {
    if (world.slots?.turnTag?.(world, entity, only, true) !== true) addList(world, entity, [terms[0]!]);
  } else addOnly(world, entity, only.definition, only.target, only.value);
}

/** Where V8 inlines `add` into its caller, it never allocates lists and terms that do not leave `add`. */
function listOf(terms: readonly SpawnTerm[]): readonly SpawnTerm[] {
  const list: SpawnTerm[] = [];
  for (let at = 0; at < terms.length; at++) list.push(terms[at]!);
  return list;
}

/** Adds a single term; a fast path for the usual reparent. */
function addOnly(world: World, entity: Entity, definition: Definition, target: number, value: unknown): void {
  if (value === undefined && world.deferDepth === 0 && (definition === ChildOf || definition === Parent)) {
    const { entities } = world;
    if (moveQuickly(world, entity, target, definition === Parent)) return;
    if (isLiving(entities, entity) && isLiving(entities, target)) {
      setParent(world, indexOf(entity), indexOf(target), definition === Parent);
      return;
    }
  }
  const sparse = definition?.store as SparseWork | undefined;
  if (sparse === undefined) addList(world, entity, [{ definition, target, value } as Term as SpawnTerm]);
  else sparse.add!(world, entity, definition, value, target);
}

export function addList(world: World, entity: Entity, terms: readonly SpawnTerm[]): void {
  const given = plainTerms(world, terms);
  requireAlive(world, entity);
  checkTerms(world, given);
  collectValues(world, given, indexOf(entity));
  requireAlive(world, entity); // a getter may have destroyed it
  if (given.length > 1) requireDifferent(given);
  if (world.deferDepth !== 0 && mustDefer(world)) deferAddition(world, entity, copyTerms(world, given));
  else addNow(world, indexOf(entity), given);
}

/** Defers an addition; does nothing if the entity has been destroyed by then. */
function deferAddition(world: World, entity: Entity, terms: readonly PlainTerm[]): void {
  const index = indexOf(entity);
  const addLive = (): void => {
    if (!isLiving(world.entities, entity)) return;
    const live = liveTerms(world, terms);
    if (live === undefined) destroyWithTarget(world, index);
    else if (live.length > 0) {
      collectValues(world, live);
      addNow(world, index, live);
    }
  };
  for (const term of terms) definitionOfTerm(term).installs?.(world.slots); // their values may be dropped
  deferCommand(world, index, addLive, [entity], terms);
}

/** Checks, calls `check` hooks, plans, changes. @param terms the terms that `collectValues` has read last. */
function addNow(world: World, index: number, terms: readonly PlainTerm[]): void {
  const completed = world.slots.prefabs?.complete(world, index, terms);
  if (completed !== undefined) collectValues(world, completed);
  addTerms(world, index, completed ?? terms);
}

/**
 * Adds terms that may name hidden definitions, to an entity outside of iterations.
 *
 * @param taker as `collectValues`. @throws TreelineError as `add`.
 */
export function addHidden(world: World, entity: Entity, terms: readonly SpawnTerm[], taker?: number): void {
  const plain = plainTerms(world, terms);
  collectValues(world, plain, taker);
  addNow(world, indexOf(entity), plain);
}

/** What terms require, be it by way of others, and an entity that gets them lacks. @throws TreelineError `bad-definition`. */
export function requiredAt(world: World, index: number, terms: readonly PlainTerm[]): readonly PlainTerm[] {
  const lacks = (definition: Definition): boolean => !hasAt(world, index, definition);
  const given = terms.map(definitionOfTerm);
  if (world.slots.templates?.completes(given)) return [];
  const all = addRequired(given.filter(lacks));
  return all.filter(
    (one) => lacks(one) && !given.includes(one),
  ) as readonly Definition[] as readonly PlainTerm[];
}

function addTerms(world: World, index: number, given: readonly PlainTerm[]): void {
  const only = given.length === 1 ? definitionOfTerm(given[0]!) : undefined;
  if (only !== undefined && isParental(only)) {
    setParent(world, index, indexOf(targetOfTerm(given[0]!) as Entity), only === Parent);
    return;
  }
  let needs = 0;
  for (let at = 0; at < given.length; at++) needs |= needsFor(world, definitionOfTerm(given[at]!));
  if ((needs & NEEDS_REQUIRED) !== 0) {
    const required = requiredAt(world, index, given);
    if (required.length > 0) {
      const all = [...copyTerms(world, given), ...required];
      collectValues(world, all, index);
      addTerms(world, index, all);
      return;
    }
    needs -= NEEDS_REQUIRED;
    for (const term of given) definitionOfTerm(term).installs?.(world.slots);
  }
  if (needs === 0) {
    addPlain(world, index, given);
    return;
  }
  if (needs === NEEDS_PAIRS && only?.holds === "nothing") {
    setTarget(world, index, only, indexOf(targetOfTerm(given[0]!)));
    return;
  }
  if ((needs & NEEDS_BITS) !== 0 && world.slots.bits!.add(world, index, given, needs)) return;
  let calls = NO_CHANGES;
  let terms = given;
  if ((needs & (NEEDS_PAIRS | NEEDS_HOOKS)) !== 0) {
    for (const term of given) requirePlace(world, index, definitionOfTerm(term), indexOf(targetOfTerm(term)));
    if ((needs & NEEDS_HOOKS) !== 0 || archetypeAt(world, index).hooked.length > 0) {
      terms = copyTerms(world, given);
      terms = world.slots.calls?.requiredFirst(terms) ?? terms;
      calls = changesOfAddition(world, index, terms);
      if (calls.length > 0) callChecks(world, calls);
      collectValues(world, terms);
    }
  }
  const goal = goalAt(world, index);
  goal.needs = needs;
  for (let at = 0; at < terms.length; at++)
    gain(world, goal, definitionOfTerm(terms[at]!), indexOf(targetOfTerm(terms[at]!)));
  changeEntity(world, index, goal, terms, calls);
}

/** Adds components and tags without side effects: makes room, then moves. */
function addPlain(world: World, index: number, terms: readonly PlainTerm[]): void {
  const { graph } = world;
  const was = archetypeAt(world, index);
  let archetype = was;
  let hasValues = false;
  for (let at = 0; at < terms.length; at++) {
    archetype = archetypeWith(graph, archetype, definitionOfTerm(terms[at]!));
    if (valueOfTerm(terms[at]!) !== undefined) hasValues = true;
  }
  changeArchetype(world, index, archetype);
  if (hasValues) writeTerms(world, archetype, terms, rowAt(world, index));
  if (archetype !== was && (archetype.fixedNeeds & NEEDS_BUILTIN) !== 0)
    world.slots.prefabs?.reacted(world, index, was, archetype);
}

/** Sets the only pair of an exclusive relation, without side effects: plans, makes room, moves. */
function setTarget(world: World, index: number, relation: Definition, target: number): void {
  const { graph, entities } = world;
  const old = pairAt(world, index, relation);
  if (old !== 0 && graph.pairs.target[old] === target) return;
  requirePlace(world, index, relation, target);
  const from = entities.table[index]!;
  const was = graph.archetypes[graph.tables.archetype[from]!]!;
  const pair = ensurePair(world, relation, target);
  let count = wantPairsOf(world, from);
  if (old !== 0) count = unwantPair(world, old, count);
  const archetype = old === 0 ? archetypeWith(graph, was, relation) : was;
  moveEntity(world, index, roomyTableFor(graph, archetype, wantPair(world, pair, count), 1, from));
  tidyLeft(world, from);
  if ((archetype.fixedNeeds & NEEDS_BUILTIN) !== 0)
    world.slots.prefabs?.reacted(world, index, was, archetype);
}

/** The changes for `check` hooks: of the values that are written and, if the parent changes, of the values that are kept. */
export function changesOfAddition(
  world: World,
  index: number,
  terms: readonly PlainTerm[],
): readonly Change[] {
  const now = parentAt(world, index);
  const parent = parentOfTerms(terms) ?? now;
  const entity = handleAt(world.entities, index);
  const calls: Change[] = [];
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    const value = valueOfTerm(term);
    // A term without a value changes nothing if the entity already has it.
    if (definition.hooks === undefined || (value === undefined && hasAt(world, index, definition))) continue;
    const whole = wholeValue(world, index, definition, value);
    calls.push(givenChange(entity, definition, whole, readValue(world, index, definition), parent));
  }
  if (parent !== now) {
    for (const kept of keptChanges(world, index, parent)) {
      if (!calls.some(({ definition }) => definition === kept.definition)) calls.push(kept);
    }
  }
  world.slots.scopes?.extend(world, index, calls, terms);
  return calls;
}
