// `destroy`, `release`; fast paths for leaves and up to `FEW` children; throws `refused` by policy, `still-a-target` in `release`.
import { TreelineError } from "../base/error.ts";
import { freePair, roomyTableFor } from "../graph/graph.ts";
import { CHILD_OF } from "../id/builtins.ts";
import { PAIR_DELETES, PAIR_REFUSES } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { firstPairOf, isTarget } from "../id/pair-index.ts";
import { isLiving } from "../records/entity-index.ts";
import { closeFamily, countIn, endOf, startOf } from "../records/families.ts";
import { type Archetype, NEEDS_BUILTIN, NEEDS_HOOKS, NEEDS_OBSERVERS } from "../storage/archetype.ts";
import type { PairNumber } from "../storage/table.ts";
import { freeAll, freeEntity, freeRow } from "../world/change/free-entity.ts";
import { goalAt, losePairOf } from "../world/change/goal.ts";
import { moveEntity, tidyLeft } from "../world/change/move-entity.ts";
import { keepTexts } from "../world/state/last-texts.ts";
import { defer, deferCommand, mustDefer, whileChanging } from "../world/state/lock.ts";
import { needsOf } from "../world/state/needs-of.ts";
import { requireHandle, requireOwn, textAt, textOf } from "../world/state/require.ts";
import { countSubjects, hasPairAt, loseOrder, subjectIndexes } from "../world/state/targets.ts";
import { archetypeAt, hasObservedTags } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { requireDestroyable, usersOf } from "../world/verb/component-entity.ts";
import {
  ANY_ORDER,
  type DeletionSet,
  deletionSetOf,
  IN_ORDER,
  remainingOf,
  UNOBSERVED,
} from "./deletion-set.ts";

/**
 * Destroys an entity and everything that goes with it: all entities below it, in both storages; the subjects of pairs with
 * them whose relation has `onTargetDestroy: "delete"`; and, if one of them is a component entity, the entities that have its
 * definition, if the policy of that says so. Children are destroyed before their parents, siblings in order, each entity
 * once. Entities that stay alive lose their pairs with destroyed targets. An entity that is not alive is ignored.
 *
 * Without observers and hooks, the entities of each archetype are freed together, and the order cannot be seen. Inside an iteration the
 * call is deferred to the end of the iteration.
 *
 * @cost the destroyed rows and tables; iterative, whatever the depth.
 * @throws TreelineError `dead-entity` for a value that cannot be a handle, and in development builds for the handle of another
 *   world, which shipped builds ignore; `refused` if an entity that stays alive has a pair
 *   with a destroyed target by a relation with `onTargetDestroy: "refuse"`, if the policy of a definition refuses, or for a
 *   builtin; nothing has changed then. `capacity` if memory runs out while entities that stay alive lose pairs: nothing is
 *   destroyed then, but some pairs are lost. `iterating` in a strict world inside an iteration.
 */
export function destroy(world: World, entity: Entity): void {
  if (world.deferDepth === 0 && isLiving(world.entities, entity)) {
    destroyAll(world, [indexOf(entity)]);
    return;
  }
  requireHandle(world, entity);
  CHECK: requireOwn(world, entity);
  if (world.deferDepth !== 0 && mustDefer(world)) deferDestroy(world, entity);
}

function deferDestroy(world: World, entity: Entity): void {
  const touched = world.componentEntities.size > 0 ? 0 : indexOf(entity); // it may be a component entity
  deferCommand(world, touched, () => {
    if (isLiving(world.entities, entity)) destroyAll(world, [indexOf(entity)]);
  });
}

/** Must hooks or observers be called when entities of an archetype are destroyed? Every destroy calls this. */
export function needsCalls(world: World, archetype: Archetype): boolean {
  const needs = archetype.needsEpoch === world.events.epoch ? archetype.needs : needsOf(world, archetype);
  if ((needs & (NEEDS_HOOKS | NEEDS_OBSERVERS | NEEDS_BUILTIN)) !== 0) return true;
  return archetype.bits !== undefined && hasObservedTags(world, archetype);
}

/** With more children, a deletion set is worth its cost. */
const FEW = 16;

/**
 * Destroys entities and everything that goes with them, as one change: it refuses before anything has changed. This function
 * alone handles the usual cases: an entity that is not a target, and a parent whose few children have no children themselves. All other cases are planned: see `deletionSetOf`.
 *
 * @param indexes of living entities, each once.
 * @returns how many entities were destroyed.
 * @throws TreelineError `refused` if an entity that stays alive has a pair with a destroyed target by a relation that refuses,
 *   or a definition whose policy refuses, or if a builtin would be destroyed.
 */
export function destroyAll(world: World, indexes: readonly number[]): number {
  // Entities that inherit from destroyed ones lose that when all rows have been freed.
  if (world.slots.templates !== undefined && world.deferDepth === 0)
    return defer(world, () => destroyAll(world, indexes));
  world.slots.destroy ??= destroyAll;
  CHECK: keepTexts(world, indexes);
  if (indexes.length !== 1) return indexes.length === 0 ? 0 : destroyPlanned(world, indexes);
  const { pairs } = world.graph;
  const index = indexes[0]!;
  if (needsCalls(world, archetypeAt(world, index))) return destroyPlanned(world, indexes);
  const pair = firstPairOf(pairs, index);
  if (pair === 0) {
    freeRow(world, index);
    return 1;
  }
  const isParent = pairs.relation[pair] === CHILD_OF && pairs.nextOfTarget[pair] === 0;
  const leaves = isParent ? leavesIn(world, pair) : undefined;
  if (leaves === undefined) return destroyPlanned(world, indexes);
  closeFamily(world.graph.families, pair);
  for (let at = leaves.length - 1; at >= 0; at--) freeRow(world, leaves[at]!, false);
  freeEntity(world, index);
  return leaves.length + 1;
}

/** The few children of a parent, if none of them has children, hooks or observers; else `undefined`. */
function leavesIn(world: World, pair: PairNumber): number[] | undefined {
  const { families, pairs } = world.graph;
  if (countIn(families, pair) > FEW) return undefined;
  const leaves: number[] = [];
  const end = endOf(families, pair);
  for (let at = startOf(families, pair); at < end; at++) {
    const index = families.pool[at]!;
    if (index === 0) continue;
    if (isTarget(pairs, index) || needsCalls(world, archetypeAt(world, index))) return undefined;
    leaves.push(index);
  }
  return leaves;
}

/** Plans, checks, announces, commits: each step only if the archetypes and pairs involved need it. */
function destroyPlanned(world: World, indexes: readonly number[]): number {
  const set = deletionSetOf(world, indexes);
  if (set.hasRemaining) requireNoRefusal(world, set);
  else if (set.announces === UNOBSERVED) return freeSet(world, set);
  return defer(world, () =>
    whileChanging(world, () => {
      if (set.hasRemaining) {
        world.slots.scopes?.leave(world, set);
        removeFromRemaining(world, set);
      }
      if (set.announces === IN_ORDER)
        return world.slots.calls!.destroyInOrder(world, indexes, set.leavesTree);
      if (set.announces === ANY_ORDER) announceInAnyOrder(world, set);
      return freeSet(world, set);
    }),
  );
}

/** Calls hooks that accept any order, while all entities are still alive. */
function announceInAnyOrder(world: World, set: DeletionSet): void {
  const { changes } = world.slots;
  for (let at = set.length - 1; at >= 0; at--) {
    const index = set.work[at]!;
    if (archetypeAt(world, index).hooked.length > 0) changes!.callRemoved(world, index);
  }
}

/** Frees the entities, those of each archetype together, the last found first; then remaining pairs. @returns how many were destroyed. */
function freeSet(world: World, set: DeletionSet): number {
  const { graph, entities } = world;
  const before = entities.alive;
  freeAll(world, set);
  const { pairs } = set;
  for (let at = pairs.length - 1; at >= 0; at--) {
    if (graph.pairs.relation[pairs[at]!] !== 0) freePair(graph, pairs[at]!); // else it was freed with its last subject
  }
  return before - entities.alive;
}

/** Changes nothing. @throws TreelineError `refused`, as `destroyAll` does. */
export function requireNoRefusal(world: World, set: DeletionSet): void {
  const { pairs } = world.graph;
  const { componentEntities } = world.slots;
  for (const pair of set.pairs) {
    if ((pairs.traits[pair]! & PAIR_REFUSES) === 0) continue;
    const [index] = remainingOf(world, set, subjectIndexes(world, pair));
    if (index === undefined) continue;
    const target = textAt(world, pairs.target[pair]!);
    const subject = textAt(world, index);
    const id = pairs.relation[pair]!;
    const relation =
      world.graph.sparse[id]?.definition ??
      archetypeAt(world, index).definitions.find((one) => one.id === id)!;
    let text = `${subject} has ${relation.name} with ${target}, which refuses that`;
    CHECK: text += "; remove the pair first";
    throw new TreelineError("refused", text);
  }
  for (const definition of set.definitions) {
    componentEntities!.requireDestroyable(definition);
    if (definition.onDestroy !== "refuse") continue;
    const [user] = remainingOf(world, set, componentEntities!.usersOf(world, definition));
    if (user === undefined) continue;
    let text = `${textAt(world, user)} has ${definition.name}, which refuses that`;
    CHECK: text += "; remove it first";
    throw new TreelineError("refused", text);
  }
}

/** The fallback while `changes` is not installed: pairs are entities used as tags then, without observers and lists. */
function loseTag(world: World, index: number, pair: PairNumber): void {
  const from = world.entities.table[index]!;
  const goal = goalAt(world, index);
  losePairOf(world, goal, pair);
  loseOrder(world, index, [pair]);
  moveEntity(world, index, roomyTableFor(world.graph, goal.archetype, goal.count, 1, from));
  tidyLeft(world, from);
}

/** Removes the pairs with destroyed targets, and the definitions of destroyed component entities, from all that stay alive. */
export function removeFromRemaining(world: World, set: DeletionSet): void {
  const { pairs } = world.graph;
  const { componentEntities } = world.slots;
  for (const pair of set.pairs) {
    if ((pairs.traits[pair]! & PAIR_DELETES) !== 0) continue;
    for (const subject of remainingOf(world, set, subjectIndexes(world, pair)))
      (world.slots.changes?.losePair ?? loseTag)(world, subject, pair);
  }
  for (const definition of set.definitions) {
    for (const user of remainingOf(world, set, componentEntities!.usersOf(world, definition)))
      componentEntities!.removeFromUsers(world, user, definition);
  }
}

/**
 * Destroys one entity that is not the target of a pair. An entity that is not alive is ignored. To destroy an entity with
 * everything below it, use `destroy` of the query package. Inside an iteration the call is deferred to the end of the iteration.
 *
 * @cost constant: a row, and the pairs of the entity.
 * @throws TreelineError `dead-entity` for a value that cannot be a handle; `still-a-target` if an entity has a pair with it as
 *   target, or has the definition whose component entity it is; `refused` if it is the component entity of a builtin;
 *   `iterating` in a strict world inside an iteration.
 */
export function release(world: World, entity: Entity): void {
  requireHandle(world, entity);
  if (world.deferDepth !== 0 && mustDefer(world)) {
    deferCommand(world, indexOf(entity), () => releaseNow(world, entity));
  } else releaseNow(world, entity);
}

function releaseNow(world: World, entity: Entity): void {
  if (!isLiving(world.entities, entity)) return;
  const index = indexOf(entity);
  const { pairs } = world.graph;
  for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
    if (countSubjects(world, pair) === (hasPairAt(world, index, pair) ? 1 : 0)) continue;
    throw new TreelineError(
      "still-a-target",
      `${textOf(world, entity)} is the target of other entities; remove those pairs first, or use destroy`,
    );
  }
  const definition = world.definitionsByEntity.get(index);
  if (definition !== undefined) {
    requireDestroyable(definition);
    if (usersOf(world, definition).some((user) => user !== index))
      throw new TreelineError(
        "still-a-target",
        `entities have ${definition.name}, whose entity this is; remove it from them first, or use destroy`,
      );
  }
  destroyAll(world, [index]);
}
