import { AT_ONCE, freePair, freeTables } from "../graph/table-graph.ts";
import { CHILD_OF } from "../id/builtins.ts";
import { PAIR_LISTED } from "../id/definition.ts";
import { findPair, isTarget } from "../id/pair-book.ts";
import { unhang } from "../records/pair-records.ts";
import { closeList, firstInList, nextInList } from "../records/sibling-links.ts";
import { NEEDS_BUILTIN, NEEDS_HOOKS, NEEDS_OBSERVERS } from "../storage/shape.ts";
import type { PairNumber } from "../storage/table.ts";
import { freeEntity, freeRow, freeState, KEEPS_STATE } from "../world/change/free-entity.ts";
import { spareTableFor } from "../world/change/pair.ts";
import { hasHeardTags } from "../world/state/bit-tags.ts";
import { insideVisit, whileChanging } from "../world/state/lock.ts";
import { needsOf } from "../world/state/needs-of.ts";
import { shapeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import {
  ANY_ORDER,
  addWholeTables,
  type DeletionSet,
  deletionSetOf,
  IN_ORDER,
  UNOBSERVED,
} from "./deletion-set.ts";
import { removeFromSurvivors, requireNoRefusal } from "./survivors.ts";

/** Entities of archetypes without any of these are destroyed without asking or telling anybody. */
const IS_SEEN = NEEDS_HOOKS | NEEDS_OBSERVERS | NEEDS_BUILTIN;

/** Larger families are worth a deletion set. */
const FEW = 16;

/**
 * Destroys entities and all that is destroyed with them, as one change: what is refused is refused before anything has
 * changed.
 *
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
  const { pairs, records, tables, shapes } = graph;
  const { epoch } = world.events;
  const index = indexes[0]!;
  const own = shapes[tables.shape[entities.table[index]!]!]!;
  // Needs that are up to date are read here: each function of this way counts in a fresh process.
  const ownNeeds = own.needsEpoch === epoch ? own.needs : needsOf(world, own);
  if ((ownNeeds & IS_SEEN) !== 0 || (own.bits !== undefined && hasHeardTags(world, own)))
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
  const count = tables.count[table]!;
  const isAll = records.tables[pair] === 1 && pairs.nextOfTarget[pair] === 0;
  if (table === 0 || !isAll || count === 0 || count > FEW) return destroyPlanned(world, indexes);
  if (pairs.relation[pair] !== CHILD_OF || (pairs.traits[pair]! & PAIR_LISTED) !== 0)
    return destroyPlanned(world, indexes);
  const shape = shapes[tables.shape[table]!]!;
  const needs = shape.needsEpoch === epoch ? shape.needs : needsOf(world, shape);
  if ((needs & IS_SEEN) !== 0 || (shape.bits !== undefined && hasHeardTags(world, shape)))
    return destroyPlanned(world, indexes);
  const { i32 } = shape.lanes;
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
    const shape = shapeAt(world, index);
    if (leaves.length === FEW || isTarget(graph.pairs, index) || (needsOf(world, shape) & IS_SEEN) !== 0)
      return undefined;
    if (shape.bits !== undefined && hasHeardTags(world, shape)) return undefined;
    leaves.push(index);
  }
  return leaves;
}

/** Plan, check, announce, commit: each only if the archetypes and pairs that are concerned need it. */
function destroyPlanned(world: World, indexes: readonly number[]): number {
  const set = deletionSetOf(world, indexes);
  if (set.hasSurvivors) requireNoRefusal(world, set);
  else if (set.announces === UNOBSERVED) return freeSet(world, set, indexes);
  return insideVisit(world, () =>
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
  const { tables, shapes } = world.graph;
  for (let at = set.length - 1; at >= 0; at--) {
    const entry = set.work[at]!;
    const table = entry < 0 ? -entry : world.entities.table[entry]!;
    const shape = shapes[tables.shape[table]!]!;
    if (shape.hooked.length === 0) continue;
    if (entry > 0) {
      if (set.tableRound[table] !== set.round) changes!.tellRemoved(world, entry, shape.hooked);
      continue;
    }
    const first = tables.first[table]!;
    const end = first + tables.count[table]!;
    for (let row = first; row < end; row++) changes!.tellRemoved(world, shape.lanes.i32[row]!, shape.hooked);
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
  if (!set.leavesTree) unhangRoots(world, indexes); // of whole trees, nothing else hangs below what stays
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
  for (let at = pairs.length - 1; at >= 0; at--) freePair(graph, pairs[at]!);
  return before - entities.alive;
}

function unhangRoots({ graph }: World, indexes: readonly number[]): void {
  for (let at = 0; at < indexes.length; at++) {
    const pair = findPair(graph.pairs, CHILD_OF, indexes[at]!);
    if (pair !== 0) unhang(graph.records, pair);
  }
}

/** Of entities in whole tables: what is kept outside of their rows. */
function freeStates(world: World, { work, length }: DeletionSet): void {
  const { tables, shapes, pairs } = world.graph;
  for (let at = 0; at < length; at++) {
    const table = -work[at]!;
    if (table < 0) continue;
    const shape = shapes[tables.shape[table]!]!;
    const parentPair = tables.parentPair[table]!;
    const isListed = parentPair !== 0 && (pairs.traits[parentPair]! & PAIR_LISTED) !== 0;
    if (!isListed && (shape.fixedNeeds & KEEPS_STATE) === 0) continue;
    const first = tables.first[table]!;
    const end = first + tables.count[table]!;
    for (let row = first; row < end; row++) freeState(world, shape, shape.lanes.i32[row]!);
  }
}
