import { shown, TreelineError } from "../../base/error.ts";
import { ChildOf, Parent } from "../../id/builtins.ts";
import { Any, type Definition, isDefinition } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { findPair } from "../../id/pair-book.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import { firstInList, isListed, loosePairOf, nextInList } from "../../records/sibling-links.ts";
import { orderedPairsAt } from "./adding-order.ts";
import { requireAlive } from "./require.ts";
import { pairAt, parentAt, sourceIndexes } from "./targets.ts";
import type { World } from "./world.ts";

/** What can be asked for targets: a relation without its target. */
export type AnyKindOfRelation = Definition & { readonly kind: "relation" };

/** Is this the handle of an entity that lives in this world? Never throws. */
export function isAlive(world: World, entity: Entity): boolean {
  return isLiving(world.entities, entity);
}

/** The handle of whoever lives at an entity index now, such as `#41` in a path; `undefined` if nobody does. */
export function entityAt(world: World, index: number): Entity | undefined {
  const { entities } = world;
  const isIndex = Number.isInteger(index) && index > 0 && index < entities.length;
  return isIndex && entities.table[index] !== 0 ? handleAt(entities, index) : undefined;
}

/** @throws TreelineError `bad-term` for what is no relation of its own. */
function requireRelation(relation: AnyKindOfRelation): void {
  if (relation?.kind === "relation" && relation !== Any) return;
  throw new TreelineError(
    "bad-term",
    `${isDefinition(relation) ? (relation as Definition).name : shown(relation)} is no relation of its own`,
  );
}

/**
 * The target of a relation; of one that takes many, the one at a place in the order in which they were added. ChildOf
 * covers both storages of parents, Parent only its own.
 *
 * @param place 0-based.
 * @returns `undefined` if there is none.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` if `relation` is no relation.
 */
export function targetOf(
  world: World,
  entity: Entity,
  relation: AnyKindOfRelation,
  place = 0,
): Entity | undefined {
  requireAlive(world, entity);
  requireRelation(relation);
  const index = indexOf(entity);
  const pair = relation.exclusive
    ? place === 0
      ? pairAt(world, index, relation)
      : 0
    : (orderedPairsAt(world, index, relation)[place] ?? 0);
  return pair === 0 ? undefined : handleAt(world.entities, world.graph.pairs.target[pair]!);
}

/**
 * All targets of a relation, in the order in which they were added; adding again what is there does not count. A fresh
 * list.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` if `relation` is no relation.
 */
export function targetsOf(world: World, entity: Entity, relation: AnyKindOfRelation): Entity[] {
  requireAlive(world, entity);
  requireRelation(relation);
  const { graph, entities } = world;
  return orderedPairsAt(world, indexOf(entity), relation).map((pair) =>
    handleAt(entities, graph.pairs.target[pair]!),
  );
}

/**
 * All entities that have the relation with a target. A fresh list: of ChildOf in sibling order, of others in the order
 * in which they were born or got their present parents.
 *
 * Cost: the sources, and sorting them.
 *
 * @throws TreelineError `dead-entity` if the target is not alive; `bad-term` if `relation` is no relation.
 */
export function sourcesOf(world: World, target: Entity, relation: AnyKindOfRelation): Entity[] {
  requireAlive(world, target);
  requireRelation(relation);
  return orderedSources(world, indexOf(target), relation).map((index) => handleAt(world.entities, index));
}

/** Entity indexes of the sources of a target; of ChildOf and Parent in sibling order. A fresh list. */
export function orderedSources(world: World, target: number, relation: Definition): number[] {
  const { graph, entities } = world;
  const { links } = graph;
  const isStoredAsValue = relation === Parent;
  const pair = findPair(graph.pairs, isStoredAsValue ? ChildOf.id : relation.id, target);
  if (pair === 0) return [];
  if (isListed(links, pair)) {
    const found: number[] = [];
    for (let index = firstInList(links, pair); index !== 0; index = nextInList(links, index))
      found.push(index);
    return isStoredAsValue ? found.filter((index) => loosePairOf(links, index) === pair) : found;
  }
  if (isStoredAsValue) return [];
  const { order } = entities;
  return sourceIndexes(world, pair).sort((one, other) => order[one]! - order[other]!);
}

/**
 * The parent: the target of ChildOf.
 *
 * @returns `undefined` for a root.
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function parentOf(world: World, entity: Entity): Entity | undefined {
  requireAlive(world, entity);
  return parentAt(world, indexOf(entity));
}
