// Removes a term from all entities that have it (`removeFromAll`), after all hooks have accepted.
import { ANY, Any, PAIR_INTERNAL } from "../id/definition.ts";
import { indexOf } from "../id/entity.ts";
import { findPair, firstPairOf } from "../id/pair-index.ts";
import { isLiving, sortByOrder } from "../records/entity-index.ts";
import type { PairNumber } from "../storage/table.ts";
import { losePairs } from "../world/change/change-entity.ts";
import { requireMoves } from "../world/change/hook-calls.ts";
import { isParental } from "../world/change/terms.ts";
import { defer, whileChanging } from "../world/state/lock.ts";
import { NO_CHANGES } from "../world/state/plans.ts";
import { matchingPairsAt, type ParsedTerm } from "../world/state/read-entity.ts";
import { orderedSubjects, parentPairAt, subjectIndexes } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";
import { usersOf } from "../world/verb/component-entity.ts";
import { removeMatching } from "../world/verb/remove.ts";

/**
 * Removes what a term matches from all entities that have it.
 *
 * @throws what a `check` hook throws when entities become roots: then nothing has changed.
 */
export function removeFromAll(world: World, parsed: ParsedTerm): void {
  const subjects = subjectsOfTerm(world, parsed);
  if (world.slots.sparsePairs?.removeAlone(world, subjects, parsed) === true) return;
  if (parsed.definition.kind !== "relation") {
    defer(world, () => {
      for (const index of subjects) removeMatching(world, index, parsed);
    });
    return;
  }
  const orphans = new Map<number, undefined>();
  for (const index of subjects) {
    const parent = parentPairAt(world, index);
    if (parent !== 0 && matchingPairsAt(world, index, parsed).includes(parent)) orphans.set(index, undefined);
  }
  const pairsFound =
    world.slots.scopes?.checkLosses(world, subjects, (index) => matchingPairsAt(world, index, parsed)) ??
    requireMoves(world, orphans);
  defer(world, () => {
    whileChanging(world, () => {
      for (const index of subjects) {
        losePairs(world, index, matchingPairsAt(world, index, parsed), pairsFound.get(index) ?? NO_CHANGES);
      }
    });
  });
}

/** The indexes of all entities that have what a term matches, each once: children of one parent as siblings, others by age. */
export function subjectsOfTerm(world: World, parsed: ParsedTerm): number[] {
  const { definition, target } = parsed;
  if (isParental(definition) && target !== ANY && isLiving(world.entities, target))
    return orderedSubjects(world, indexOf(target), definition);
  return sortByOrder(unsortedSubjects(world, parsed), world.entities.order);
}

function unsortedSubjects(world: World, { definition, target }: ParsedTerm): number[] {
  const { pairs } = world.graph;
  const isAll = definition !== Any && target === ANY;
  if (definition.kind !== "relation" || isAll) return usersOf(world, definition);
  if (target !== ANY && !isLiving(world.entities, target)) return [];
  if (definition !== Any) {
    const pair = findPair(pairs, definition.id, indexOf(target));
    return pair === 0 ? [] : subjectIndexes(world, pair);
  }
  const pairsFound: PairNumber[] = [];
  if (target === ANY) for (let pair = 1; pair < pairs.length; pair++) pairsFound.push(pair);
  else
    for (let at = firstPairOf(pairs, indexOf(target)); at !== 0; at = pairs.nextOfTarget[at]!)
      pairsFound.push(at);
  const found = new Set<number>();
  for (const pair of pairsFound) {
    // An entity that is used as a tag does not count.
    if (pairs.relation[pair] === 0 || (pairs.traits[pair]! & PAIR_INTERNAL) !== 0) continue;
    for (const index of subjectIndexes(world, pair)) found.add(index);
  }
  return [...found];
}
