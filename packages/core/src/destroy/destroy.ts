import { TreelineError } from "../base/error.ts";
import { AT_ONCE, freePair, freeTables, roomyTableFor } from "../graph/graph.ts";
import { CHILD_OF } from "../id/builtins.ts";
import { PAIR_DELETES, PAIR_LISTED, PAIR_REFUSES } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { findPair, firstPairOf, isTarget } from "../id/pair-index.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import { unhang } from "../records/pair-records.ts";
import { closeList, firstInList, nextInList } from "../records/sibling-links.ts";
import { type Archetype, NEEDS_BUILTIN, NEEDS_HOOKS, NEEDS_OBSERVERS } from "../storage/archetype.ts";
import type { PairNumber } from "../storage/table.ts";
import { freeEntity, freeRow, freeState, KEEPS_STATE } from "../world/change/free-entity.ts";
import { goalAt, losePairOf } from "../world/change/goal.ts";
import { moveEntity, tidyLeft } from "../world/change/move-entity.ts";
import { spareTableFor } from "../world/change/pair.ts";
import { defer, deferCommand, mustDefer, whileChanging } from "../world/state/lock.ts";
import { needsOf } from "../world/state/needs-of.ts";
import { requireHandle, textOf } from "../world/state/require.ts";
import { countSubjects, hasPairAt, loseOrder, subjectIndexes } from "../world/state/targets.ts";
import { archetypeAt, hasObservedTags } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { requireDestroyable, usersOf } from "../world/verb/component-entity.ts";
import {
  ANY_ORDER,
  addWholeTables,
  type DeletionSet,
  deletionSetOf,
  IN_ORDER,
  survivorsOf,
  UNOBSERVED,
} from "./deletion-set.ts";

/**
 * The death of an entity and of all that dies with it: everything below it, in both storages, what other relations with
 * `onTargetDestroy: "delete"` reach, and, if one of the dying stands for a definition, those for whom its policy says so.
 * Children die before their parents, siblings in order, each entity once. Pairs of survivors that point at the dead are
 * removed. A dead entity is left alone.
 *
 * Where nobody listens, whole tables die at once and the order cannot be seen. Cost: the dying rows and tables;
 * iterative, whatever the depth.
 *
 * @throws TreelineError `dead-entity` for what can be no handle; `refused` if a survivor holds one of the dying by a
 *   relation with `onTargetDestroy: "refuse"`, if the policy of a definition refuses, or for a builtin; nothing has changed
 *   then. `capacity` if memory ends while survivors lose pairs: nobody is dead, and some have lost theirs. `iterating` in a
 *   strict world inside a visit, else it waits for the end of that.
 */
export function destroy(world: World, entity: Entity): void {
  if (world.deferDepth === 0 && isLiving(world.entities, entity)) {
    destroyAll(world, [indexOf(entity)]);
    return;
  }
  requireHandle(world, entity);
  if (world.deferDepth !== 0 && mustDefer(world)) deferDestroy(world, entity);
}

function deferDestroy(world: World, entity: Entity): void {
  const touched = world.componentEntities.size > 0 ? 0 : indexOf(entity); // a definition may go with it
  deferCommand(world, touched, () => {
    if (isLiving(world.entities, entity)) destroyAll(world, [indexOf(entity)]);
  });
}

/** Must somebody be asked or told when entities of an archetype are destroyed? Looks before it calls: it is on every way. */
function isSeen(world: World, archetype: Archetype): boolean {
  const needs = archetype.needsEpoch === world.events.epoch ? archetype.needs : needsOf(world, archetype);
  if ((needs & (NEEDS_HOOKS | NEEDS_OBSERVERS | NEEDS_BUILTIN)) !== 0) return true;
  return archetype.bits !== undefined && hasObservedTags(world, archetype);
}

/** Larger families are worth a deletion set. */
const FEW = 16;

/**
 * Destroys entities and all that is destroyed with them, as one change: what is refused is refused before anything has changed.
 * The everyday cases go no further than this function: an entity that nothing points at, and a parent whose few children have no
 * children themselves, and one archetype or places in a list. All others are planned: see `deletionSetOf`.
 *
 * @param indexes of living entities, each once.
 * @returns how many were destroyed.
 * @throws TreelineError `refused` if an entity that lives on has one of the destroyed by a relation that refuses, or a
 *   definition that does, or if a builtin would be destroyed.
 */
export function destroyAll(world: World, indexes: readonly number[]): number {
  world.slots.destroy ??= destroyAll;
  world.slots.spareTable ??= spareTableFor;
  if (indexes.length !== 1) return indexes.length === 0 ? 0 : destroyPlanned(world, indexes);
  const { graph, entities } = world;
  const { pairs, records, tables, archetypes } = graph;
  const index = indexes[0]!;
  if (isSeen(world, archetypes[tables.archetype[entities.table[index]!]!]!))
    return destroyPlanned(world, indexes);
  const pair = index < pairs.firstOfTarget.length ? pairs.firstOfTarget[index]! : 0;
  if (pair === 0) {
    freeRow(world, index);
    return 1;
  }
  if ((pairs.traits[pair]! & PAIR_LISTED) !== 0 && pairs.nextOfTarget[pair] === 0) {
    const children = leavesInList(world, pair);
    if (children === undefined) return destroyPlanned(world, indexes);
    for (let at = 0; at < children.length; at++) freeRow(world, children[at]!);
    freeEntity(world, index);
    return children.length + 1;
  }
  const table = records.main[pair]!;
  const count = tables.count[table]!; // 0 if there is no table
  const isAll = records.tables[pair] === 1 && pairs.nextOfTarget[pair] === 0;
  const isUnlisted = pairs.relation[pair] === CHILD_OF && (pairs.traits[pair]! & PAIR_LISTED) === 0;
  const archetype = archetypes[tables.archetype[table]!]!;
  if (!isAll || !isUnlisted || count === 0 || count > FEW || isSeen(world, archetype))
    return destroyPlanned(world, indexes);
  const { i32 } = archetype.lanes;
  const first = tables.first[table]!;
  for (let row = first; row < first + count; row++) {
    const child = i32[row]!;
    if (child < pairs.firstOfTarget.length && pairs.firstOfTarget[child] !== 0)
      return destroyPlanned(world, indexes);
  }
  freeTables(graph, entities, records.main, pair, pair + 1, true);
  freeRow(world, index);
  return count + 1;
}

/** A few children that stand in a list, if none of them has children or needs to be told of. */
function leavesInList(world: World, pair: PairNumber): number[] | undefined {
  const { graph } = world;
  const leaves: number[] = [];
  for (let index = firstInList(graph.links, pair); index !== 0; index = nextInList(graph.links, index)) {
    if (leaves.length === FEW || isTarget(graph.pairs, index) || isSeen(world, archetypeAt(world, index)))
      return undefined;
    leaves.push(index);
  }
  return leaves;
}

/** Plan, check, announce, commit: each only if the archetypes and pairs that are concerned need it. */
function destroyPlanned(world: World, indexes: readonly number[]): number {
  const set = deletionSetOf(world, indexes);
  if (set.hasSurvivors) requireNoRefusal(world, set);
  else if (set.announces === UNOBSERVED) return freeSet(world, set, indexes);
  return defer(world, () =>
    whileChanging(world, () => {
      if (set.hasSurvivors) removeFromSurvivors(world, set);
      if (set.announces === IN_ORDER) return world.slots.destroyInOrder!(world, indexes, set.leavesTree);
      if (set.announces === ANY_ORDER) announceInAnyOrder(world, set);
      return freeSet(world, set, indexes);
    }),
  );
}

/** Tells hooks that take any order, while everything is still there. */
function announceInAnyOrder(world: World, set: DeletionSet): void {
  const { changes } = world.slots;
  const { tables, archetypes } = world.graph;
  for (let at = set.length - 1; at >= 0; at--) {
    const entry = set.work[at]!;
    const table = entry < 0 ? -entry : world.entities.table[entry]!;
    const archetype = archetypes[tables.archetype[table]!]!;
    if (archetype.hooked.length === 0) continue;
    if (entry > 0) {
      if (set.tableRound[table] !== set.round) changes!.callRemoved(world, entry, archetype.hooked);
      continue;
    }
    const first = tables.first[table]!;
    const end = first + tables.count[table]!;
    for (let row = first; row < end; row++)
      changes!.callRemoved(world, archetype.lanes.i32[row]!, archetype.hooked);
  }
}

/** Whole tables and single entities, the last found first; then the pairs that are left. @returns how many were destroyed. */
function freeSet(world: World, set: DeletionSet, indexes: readonly number[]): number {
  const { graph, entities } = world;
  const before = entities.alive;
  addWholeTables(world, set);
  const { pairs, work } = set;
  for (let at = 0; at < pairs.length; at++) {
    if ((graph.pairs.traits[pairs[at]!]! & PAIR_LISTED) !== 0) closeList(graph.links, pairs[at]!);
  }
  if ((set.needs & KEEPS_STATE) !== 0 || set.leavesTree) freeStates(world, set);
  if (!set.leavesTree) {
    // Of whole trees, nothing else hangs below what stays.
    for (const index of indexes) {
      const pair = findPair(graph.pairs, CHILD_OF, index);
      if (pair !== 0) unhang(graph.records, pair);
    }
  }
  for (let end = set.length; end > 0; ) {
    let from = end - 1;
    if (work[from]! > 0) {
      if (entities.table[work[from]!] !== 0) freeRow(world, work[from]!); // else its table was freed
    } else {
      while (from > 0 && work[from - 1]! < 0 && end - from < AT_ONCE) from--;
      freeTables(graph, entities, work, from, end, set.leavesTree);
    }
    end = from;
  }
  for (let at = pairs.length - 1; at >= 0; at--) {
    if (graph.pairs.relation[pairs[at]!] !== 0) freePair(graph, pairs[at]!); // else it went with its table
  }
  return before - entities.alive;
}

/** Of entities in whole tables: what is kept outside of their rows. */
function freeStates(world: World, { work, length }: DeletionSet): void {
  const { tables, archetypes, pairs } = world.graph;
  for (let at = 0; at < length; at++) {
    const table = -work[at]!;
    if (table < 0) continue;
    const archetype = archetypes[tables.archetype[table]!]!;
    const isInList = (pairs.traits[tables.parentPair[table]!]! & PAIR_LISTED) !== 0;
    if (!isInList && (archetype.fixedNeeds & KEEPS_STATE) === 0) continue;
    const first = tables.first[table]!;
    const end = first + tables.count[table]!;
    for (let row = first; row < end; row++) freeState(world, archetype, archetype.lanes.i32[row]!);
  }
}

/** Changes nothing. @throws TreelineError `refused`, as `destroyAll` does. */
function requireNoRefusal(world: World, set: DeletionSet): void {
  const { pairs } = world.graph;
  const { componentEntities } = world.slots;
  for (const pair of set.pairs) {
    if ((pairs.traits[pair]! & PAIR_REFUSES) === 0) continue;
    const [index] = survivorsOf(world, set, subjectIndexes(world, pair));
    if (index === undefined) continue;
    const target = textOf(world, handleAt(world.entities, pairs.target[pair]!));
    const subject = textOf(world, handleAt(world.entities, index));
    const relation = archetypeAt(world, index).definitions.find(({ id }) => id === pairs.relation[pair]);
    throw new TreelineError(
      "refused",
      `${subject} holds ${target} by ${relation!.name}, which refuses its death; remove that pair first`,
    );
  }
  for (const definition of set.definitions) {
    componentEntities!.requireDestroyable(definition);
    if (definition.onDestroy !== "refuse") continue;
    const [user] = survivorsOf(world, set, componentEntities!.usersOf(world, definition));
    if (user === undefined) continue;
    throw new TreelineError(
      "refused",
      `${textOf(world, handleAt(world.entities, user))} has ${definition.name}, whose policy refuses the death of the ` +
        "entity that stands for it; remove it first",
    );
  }
}

/** Where nothing has brought more, survivors have the destroyed as tags: there is nobody to tell, and no list to leave. */
function loseTag(world: World, index: number, pair: PairNumber): void {
  const from = world.entities.table[index]!;
  const goal = goalAt(world, index);
  losePairOf(world, goal, pair);
  loseOrder(world, index, [pair]);
  moveEntity(world, index, roomyTableFor(world.graph, goal.archetype, goal.count, 1, from));
  tidyLeft(world, from);
}

/** Removes pairs that point at the destroyed, and the definitions that go, from all entities that live on. */
function removeFromSurvivors(world: World, set: DeletionSet): void {
  const { pairs } = world.graph;
  const { componentEntities } = world.slots;
  for (const pair of set.pairs) {
    if ((pairs.traits[pair]! & PAIR_DELETES) !== 0) continue;
    for (const subject of survivorsOf(world, set, subjectIndexes(world, pair)))
      (world.slots.changes?.losePair ?? loseTag)(world, subject, pair);
  }
  for (const definition of set.definitions) {
    for (const user of survivorsOf(world, set, componentEntities!.usersOf(world, definition)))
      componentEntities!.removeFromUsers(world, user, definition);
  }
}

/**
 * Destroys one entity that nothing points at. A dead entity is left alone. To destroy an entity with everything below it, use
 * `destroy` of the query package.
 *
 * @throws TreelineError `dead-entity` for what can be no handle; `still-a-target` if an entity has a pair with it as
 *   target, or has the definition it stands for; `refused` if it stands for a builtin; `iterating` in a strict world inside
 *   a visit, else it waits for the end of that.
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
        `entities have ${definition.name}, for which this one stands; remove it from them first, or use destroy`,
      );
  }
  destroyAll(world, [index]);
}
