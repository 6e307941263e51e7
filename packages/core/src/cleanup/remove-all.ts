import { ChildOf, Parent } from "../id/builtins.ts";
import { ANY, Any, type Definition } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { findPair, firstPairOf } from "../id/pair-book.ts";
import { PAIR_HIDDEN } from "../id/pair-traits.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import { loosePairOf } from "../records/sibling-links.ts";
import { hooksOf, type Move, whileChecking } from "../world/hooks.ts";
import { insideVisit } from "../world/lock.ts";
import { orderedSources } from "../world/relation.ts";
import { removeAsked, removePairs } from "../world/remove.ts";
import { parentPairAt, sourceIndexes } from "../world/targets.ts";
import { askedPairsAt, type Question } from "../world/terms.ts";
import { readValue, shapeAt } from "../world/values.ts";
import type { World } from "../world/world.ts";
import { usersOf } from "./users.ts";

/**
 * Takes what is asked for off everybody who has it.
 *
 * @throws what a `check` hook throws when entities become roots: then nothing has changed.
 */
export function removeFromAll(world: World, question: Question): void {
  const holders = holdersOf(world, question);
  if (question.definition.kind !== "relation") {
    insideVisit(world, () => {
      for (const index of holders) removeAsked(world, index, question);
    });
    return;
  }
  const orphans = holders.filter((index) => {
    const parent = parentPairAt(world, index);
    return parent !== 0 && askedPairsAt(world, index, question).includes(parent);
  });
  requireRoots(world, orphans);
  insideVisit(world, () => {
    for (const index of holders) removePairs(world, index, askedPairsAt(world, index, question), "tell");
  });
}

/**
 * Takes the parents off entities, which become roots.
 *
 * @throws what a `check` hook throws: then nothing has changed.
 */
export function orphan(world: World, indexes: readonly number[]): void {
  const children = indexes.filter((index) => parentPairAt(world, index) !== 0);
  requireRoots(world, children);
  orphanAsked(world, children);
}

/** The same, after hooks have been asked. */
export function orphanAsked(world: World, indexes: readonly number[]): void {
  insideVisit(world, () => {
    for (const index of indexes) removePairs(world, index, [parentPairAt(world, index)], "tell");
  });
}

/** Asks the hooks of all entities that are about to become roots, before the first one does. */
function requireRoots(world: World, indexes: readonly number[]): void {
  requireMoves(world, new Map(indexes.map((index) => [index, undefined])));
}

/**
 * Asks the hooks of all entities that are about to get other parents, or to become roots, before the first one does.
 *
 * @param parents entity index -> the parent it will have.
 */
export function requireMoves(world: World, parents: ReadonlyMap<number, Entity | undefined>): void {
  const byDefinition = new Map<Definition, Move[]>();
  for (const [index, parent] of parents) {
    for (const definition of shapeAt(world, index).hooked) {
      const entity = handleAt(world.entities, index);
      const move = { entity, value: readValue(world, index, definition), parent };
      const moves = byDefinition.get(definition);
      if (moves === undefined) byDefinition.set(definition, [move]);
      else moves.push(move);
    }
  }
  if (byDefinition.size === 0) return;
  whileChecking(world, () => {
    for (const [definition, moves] of byDefinition) {
      const { check, checkMoves } = hooksOf(definition);
      if (checkMoves !== undefined) checkMoves(world, moves);
      else if (check !== undefined) {
        for (const { entity, value, parent } of moves) check(world, entity, value, parent);
      }
    }
  });
}

/** The indexes of all who have what is asked for, each once: children of one parent in sibling order, others by age. */
export function holdersOf(world: World, question: Question): number[] {
  const { definition, target } = question;
  if (definition === ChildOf && target !== ANY && isLiving(world.entities, target)) {
    return orderedSources(world, indexOf(target), ChildOf);
  }
  const { order } = world.entities;
  return unsortedHolders(world, question).sort((one, other) => order[one]! - order[other]!);
}

function unsortedHolders(world: World, { definition, target }: Question): number[] {
  const { graph, entities } = world;
  const { pairs, links } = graph;
  if (definition.kind !== "relation") return usersOf(world, definition);
  if (target !== ANY && !isLiving(entities, target)) return [];
  if (definition === Any && target !== ANY) {
    const found = new Set<number>();
    for (let pair = firstPairOf(pairs, indexOf(target)); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
      if ((pairs.traits[pair]! & PAIR_HIDDEN) !== 0) continue;
      for (const index of sourceIndexes(world, pair)) found.add(index);
    }
    return [...found];
  }
  if (definition === Any) return everybody(world).filter((index) => hasPairs(world, index));
  if (target === ANY) return usersOf(world, definition);
  const pair = findPair(pairs, definition === Parent ? ChildOf.id : definition.id, indexOf(target));
  if (pair === 0) return [];
  const sources = sourceIndexes(world, pair);
  return definition === Parent ? sources.filter((index) => loosePairOf(links, index) === pair) : sources;
}

/** Entities that are used as tags do not count. */
function hasPairs(world: World, index: number): boolean {
  const { hasPairs: has, isLoose } = shapeAt(world, index);
  return isLoose || (has && askedPairsAt(world, index, { definition: Any, target: ANY }).length > 0);
}

function everybody({ entities, limbo }: World): number[] {
  const found: number[] = [];
  for (let index = 1; index < entities.length; index++) {
    if (entities.table[index] !== 0 && entities.table[index] !== limbo) found.push(index);
  }
  return found;
}
