import { ANY, Any, PAIR_HIDDEN } from "../id/definition.ts";
import { indexOf } from "../id/entity.ts";
import { findPair, firstPairOf } from "../id/pair-book.ts";
import { isLiving, sortByOrder } from "../records/entity-index.ts";
import type { PairNumber } from "../storage/table.ts";
import { losePairs } from "../world/change/change-entity.ts";
import { requireMoves } from "../world/change/hook-calls.ts";
import { isParental } from "../world/change/terms.ts";
import { defer, whileChanging } from "../world/state/lock.ts";
import { NO_CHANGES } from "../world/state/plans.ts";
import { askedPairsAt, type Question } from "../world/state/read-entity.ts";
import { orderedSources, parentPairAt, sourceIndexes } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";
import { removeAsked } from "../world/verb/remove.ts";
import { usersOf } from "../world/verb/standing.ts";

/**
 * Takes what is asked for off everybody who has it.
 *
 * @throws what a `check` hook throws when entities become roots: then nothing has changed.
 */
export function removeFromAll(world: World, question: Question): void {
  const holders = holdersOf(world, question);
  if (question.definition.kind !== "relation") {
    defer(world, () => {
      for (const index of holders) removeAsked(world, index, question);
    });
    return;
  }
  const orphans = new Map<number, undefined>();
  for (const index of holders) {
    const parent = parentPairAt(world, index);
    if (parent !== 0 && askedPairsAt(world, index, question).includes(parent)) orphans.set(index, undefined);
  }
  const asked = requireMoves(world, orphans);
  defer(world, () => {
    whileChanging(world, () => {
      for (const index of holders) {
        losePairs(world, index, askedPairsAt(world, index, question), asked.get(index) ?? NO_CHANGES);
      }
    });
  });
}

/** The indexes of all who have what is asked for, each once: children of one parent in sibling order, others by age. */
export function holdersOf(world: World, question: Question): number[] {
  const { definition, target } = question;
  if (isParental(definition) && target !== ANY && isLiving(world.entities, target))
    return orderedSources(world, indexOf(target), definition);
  return sortByOrder(unsortedHolders(world, question), world.entities.order);
}

function unsortedHolders(world: World, { definition, target }: Question): number[] {
  const { pairs } = world.graph;
  const isAll = definition !== Any && target === ANY;
  if (definition.kind !== "relation" || isAll) return usersOf(world, definition);
  if (target !== ANY && !isLiving(world.entities, target)) return [];
  if (definition !== Any) {
    const pair = findPair(pairs, definition.id, indexOf(target));
    return pair === 0 ? [] : sourceIndexes(world, pair);
  }
  const asked: PairNumber[] = [];
  if (target === ANY) for (let pair = 1; pair < pairs.length; pair++) asked.push(pair);
  else
    for (let at = firstPairOf(pairs, indexOf(target)); at !== 0; at = pairs.nextOfTarget[at]!) asked.push(at);
  const found = new Set<number>();
  for (const pair of asked) {
    // An entity that is used as a tag does not count.
    if (pairs.relation[pair] === 0 || (pairs.traits[pair]! & PAIR_HIDDEN) !== 0) continue;
    for (const index of sourceIndexes(world, pair)) found.add(index);
  }
  return [...found];
}
