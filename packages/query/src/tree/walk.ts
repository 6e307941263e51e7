// `roots`, `children`, `ancestors`, `descendants`, `depthOf`: order of a walk; `bad-term` for relations that are not `traversable`.
import type { AnyKindOfRelation, Entity, World } from "@treeline/core";
import { ChildOf, subjectsOf, TreelineError, targetsOf } from "@treeline/core";
import {
  entitiesIn,
  handleOf,
  hasDefinition,
  indexOf,
  Parent,
  pairCursor,
  requireAlive,
  rootHandles,
  shown,
  tableAt,
} from "@treeline/core/internal";
import { depthAlong } from "../match/ancestors.ts";

/** @throws TreelineError `dead-entity`; `bad-term` for anything that is not a relation, or a relation that is not traversable. */
export function requireWalk(
  world: World,
  entity: Entity,
  relation: AnyKindOfRelation,
  advice?: string,
): void {
  requireAlive(world, entity, advice);
  requireTraversable(relation);
}

/** @throws TreelineError `bad-term`. */
function requireTraversable(relation: AnyKindOfRelation): void {
  if (!relation?.traversable) refuseWalk(relation);
}

function refuseWalk(relation: AnyKindOfRelation): never {
  const text = relation?.name ?? shown(relation);
  let why = `${text} is not a traversable relation`;
  CHECK: why += "; define it as a relation with `traversable: true`";
  throw new TreelineError("bad-term", why);
}

/**
 * Returns the children of an entity in sibling order, in both storages. With another relation, the entities that have it with
 * this target. A fresh list: you may change the world while you walk it. `roots` returns the entities without a parent.
 *
 * Sibling order is the order in which children were attached, until they are reordered.
 *
 * @cost the children; subjects of another relation are sorted as well, unless their rows are in order.
 * @throws TreelineError `dead-entity` if the parent is not alive, or is `undefined`; `bad-term` for a relation that is not
 *   traversable.
 */
export function children(world: World, parent: Entity, relation: AnyKindOfRelation = ChildOf): Entity[] {
  requireWalk(world, parent, relation, "pass a parent, or call roots(world) for the entities without one");
  return subjectsOf(world, parent, relation);
}

/**
 * Returns the roots, in the order in which they were spawned or lost their parent; with another relation, the entities that have
 * no target along it. A fresh list.
 *
 * @cost all of them; along another relation, sorting them, too.
 * @throws TreelineError `bad-term` for a relation that is not traversable.
 *
 * @example
 * for (const root of roots(world)) draw(root);
 */
export function roots(world: World, relation: AnyKindOfRelation = ChildOf): Entity[] {
  requireTraversable(relation);
  if (relation === ChildOf) return rootHandles(world);
  return entitiesIn(world, (one) => !hasDefinition(one, relation)).map((index) => handleOf(world, index));
}

/**
 * Returns the parent, its parent, and so on to the root, in both storages; with another relation its target, and so on. For a
 * relation with many targets every entity that it reaches, nearest first, each once. A fresh list.
 *
 * @cost a few reads per step.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for a relation that is not traversable.
 */
export function ancestors(world: World, entity: Entity, relation: AnyKindOfRelation = ChildOf): Entity[] {
  requireWalk(world, entity, relation);
  if (!relation.exclusive) {
    const met = new Set([entity]); // values added to a set during its iteration are iterated as well
    for (const at of met) for (const target of targetsOf(world, at, relation)) met.add(target);
    return [...met].slice(1);
  }
  const pairs = pairCursor(world);
  const found: Entity[] = [];
  for (let at = pairs.targetAt(indexOf(entity), relation); at !== 0; at = pairs.targetAt(at, relation))
    found.push(handleOf(world, at));
  return found;
}

/**
 * Returns everything below an entity, each entity before what is below it, siblings in order; without the entity itself. For a
 * relation with many targets each entity once. A fresh list.
 *
 * @cost `children` of every entity in it.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for a relation that is not traversable.
 */
export function descendants(world: World, entity: Entity, relation: AnyKindOfRelation = ChildOf): Entity[] {
  requireWalk(world, entity, relation);
  if (relation.exclusive) return below(world, entity, relation);
  const seen = new Set<Entity>();
  return below(world, entity, relation, (at) => seen.size !== seen.add(at).size);
}

/**
 * All below an entity, each before what is below it, siblings in order. Entities that `isIncluded` rejects are left out with all
 * below them; nothing below an `isEnd` is listed.
 */
export function below(
  world: World,
  top: Entity,
  relation: AnyKindOfRelation,
  isIncluded: (entity: Entity) => boolean = () => true,
  isEnd: (entity: Entity) => boolean = () => false,
): Entity[] {
  const found: Entity[] = [];
  const stack = subjectsOf(world, top, relation).reverse();
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (!isIncluded(at)) continue;
    found.push(at);
    if (isEnd(at)) continue;
    for (const one of subjectsOf(world, at, relation).reverse()) stack.push(one);
  }
  return found;
}

/**
 * Returns the number of steps from the root along ChildOf, in both storages, or along another relation; 0 for a root. For a
 * relation with many targets the longest path counts.
 *
 * @cost one read; after reparents, the records of the inner nodes below them once. Relations with many targets: a walk over all
 *   that the entity reaches.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for a relation that is not traversable.
 */
export function depthOf(world: World, entity: Entity, relation: AnyKindOfRelation = ChildOf): number {
  requireWalk(world, entity, relation);
  const isPending = tableAt(world, indexOf(entity)) === 0; // such an entity is in no depths
  if (relation === Parent || (isPending && relation.exclusive))
    return ancestors(world, entity, relation).length; // depths count both storages
  if (isPending)
    return targetsOf(world, entity, relation).reduce(
      (most, target) => Math.max(most, 1 + depthOf(world, target, relation)),
      0,
    );
  return depthAlong(world, indexOf(entity), relation);
}
