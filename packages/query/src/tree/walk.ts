import {
  type AnyKindOfRelation,
  ChildOf,
  type Entity,
  Parent,
  TreelineError,
  type World,
} from "@treeline/core";
import {
  depthAt,
  handleAt,
  indexOf,
  orderedSources,
  pairAt,
  pairsAt,
  requireAlive,
  requireRelation,
  rootIndexes,
} from "@treeline/core/internal";

/** @throws TreelineError `bad-term` for what is no relation, or one that walks may not follow. */
function requireTraversable(relation: AnyKindOfRelation): void {
  requireRelation(relation);
  if (relation.traversable) return;
  throw new TreelineError(
    "bad-term",
    `${relation.name} may not be followed by walks; define it with \`traversable: true\``,
  );
}

/**
 * The children of an entity in sibling order, in both storages; without a parent, the roots. With another relation, the
 * entities that have it with this target. A fresh list: the world may be changed while walking it.
 *
 * Sibling order is the order in which children were attached, until they are reordered.
 *
 * Cost: the children, and sorting them unless they stand in a list or rows lie in order. Roots: all entities without a
 * parent, sorted.
 *
 * @throws TreelineError `dead-entity` if the parent is not alive; `bad-term` for a relation that is not traversable.
 */
export function children(world: World, parent?: Entity, relation: AnyKindOfRelation = ChildOf): Entity[] {
  if (parent === undefined) return rootIndexes(world).map((index) => handleAt(world.entities, index));
  requireAlive(world, parent);
  requireTraversable(relation);
  return orderedSources(world, indexOf(parent), relation).map((index) => handleAt(world.entities, index));
}

/**
 * The parent, its parent, and so on to the root, in both storages; with another relation its target, and so on. Of a
 * relation with many targets everybody it leads to, nearest first, each once. A fresh list. Cost: a few reads a step.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for a relation that is not traversable.
 */
export function ancestors(world: World, entity: Entity, relation: AnyKindOfRelation = ChildOf): Entity[] {
  requireAlive(world, entity);
  requireTraversable(relation);
  const { pairs } = world.graph;
  if (!relation.exclusive) return wideAncestors(world, indexOf(entity), relation);
  const found: Entity[] = [];
  for (
    let pair = pairAt(world, indexOf(entity), relation);
    pair !== 0;
    pair = pairAt(world, pairs.target[pair]!, relation)
  ) {
    found.push(handleAt(world.entities, pairs.target[pair]!));
  }
  return found;
}

/** A set that is walked meets what is added meanwhile. */
function wideAncestors(world: World, index: number, relation: AnyKindOfRelation): Entity[] {
  const { pairs } = world.graph;
  const found = new Set<number>([index]);
  for (const at of found) for (const pair of pairsAt(world, at, relation)) found.add(pairs.target[pair]!);
  found.delete(index);
  return [...found].map((at) => handleAt(world.entities, at));
}

/**
 * Everything below an entity, each before what is below it, siblings in order; without the entity itself. Of a relation
 * with many targets each entity once. A fresh list. Cost: `children` of everybody in it.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for a relation that is not traversable.
 */
export function descendants(world: World, entity: Entity, relation: AnyKindOfRelation = ChildOf): Entity[] {
  requireAlive(world, entity);
  requireTraversable(relation);
  const seen = relation.exclusive ? undefined : new Set<number>();
  const found: Entity[] = [];
  const waiting: number[] = [];
  let at: number | undefined = indexOf(entity);
  while (at !== undefined) {
    const below = orderedSources(world, at, relation);
    for (let place = below.length - 1; place >= 0; place--) waiting.push(below[place]!);
    do at = waiting.pop();
    while (at !== undefined && seen?.has(at) === true);
    if (at === undefined) break;
    seen?.add(at);
    found.push(handleAt(world.entities, at));
  }
  return found;
}

/**
 * Steps from the root along ChildOf, in both storages, or along another relation; a root has 0. Of a relation with many
 * targets the longest way counts.
 *
 * Cost: one read; after reparents, the records of the inner nodes below them once. Relations with many targets: a walk
 * over all that the entity leads to.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for a relation that is not traversable.
 */
export function depthOf(world: World, entity: Entity, relation: AnyKindOfRelation = ChildOf): number {
  requireAlive(world, entity);
  requireTraversable(relation);
  if (relation === Parent) return ancestors(world, entity, Parent).length; // depths count both storages
  return relation.keepsDepth
    ? depthAt(world, indexOf(entity), relation)
    : longestWay(world, indexOf(entity), relation);
}

/** Depths of all that an entity leads to, deepest targets first: each is one more than the greatest of its targets. */
function longestWay(world: World, index: number, relation: AnyKindOfRelation): number {
  const { pairs } = world.graph;
  const depths = new Map<number, number>();
  const waiting = [index];
  for (let at = waiting.at(-1); at !== undefined; at = waiting.at(-1)) {
    const targets = pairsAt(world, at, relation).map((pair) => pairs.target[pair]!);
    const missing = targets.filter((target) => !depths.has(target));
    if (missing.length > 0) {
      for (const target of missing) waiting.push(target);
      continue;
    }
    waiting.pop();
    depths.set(
      at,
      targets.reduce((most, target) => Math.max(most, depths.get(target)! + 1), 0),
    );
  }
  return depths.get(index)!;
}
