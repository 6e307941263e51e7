// `forEachChild` (defers changes meanwhile), `isAncestor`, `isDescendant`, `postOrder`, `levelOrder`.
import type { AnyKindOfRelation, Entity, World } from "@treeline/core";
import { ChildOf, subjectsOf } from "@treeline/core";
import {
  beginDeferred,
  eachChild,
  endDeferred,
  indexOf,
  Parent,
  pairCursor,
  requireAlive,
} from "@treeline/core/internal";
import { ancestors, requireWalk } from "./walk.ts";

/**
 * Calls a function with each child of an entity, in sibling order, in both storages. With another relation, with the entities that
 * have it with this target.
 *
 * As in an iteration, values are written at once, and structural changes that the function makes are deferred until the outermost
 * loop ends: it is called for the children that the entity had at the beginning.
 *
 * @cost the children, and the calls; they are not listed first.
 * @throws TreelineError `dead-entity` if the parent is not alive; `bad-term` for a relation that is not traversable; what the
 *   function throws, after the changes deferred until then have been made; otherwise the first error of a deferred change.
 *
 * @example
 * forEachChild(world, ship, (child) => x.set(world, child, 0));
 */
export function forEachChild(
  world: World,
  parent: Entity,
  callback: (child: Entity) => void,
  relation: AnyKindOfRelation = ChildOf,
): void {
  requireWalk(world, parent, relation, "pass a parent, or call roots(world) for the entities without one");
  beginDeferred(world);
  let isDone = false;
  try {
    if (relation === ChildOf || relation === Parent) eachChild(world, indexOf(parent), relation, callback);
    else for (const one of subjectsOf(world, parent, relation)) callback(one);
    isDone = true;
  } finally {
    endDeferred(world, isDone);
  }
}

/**
 * Is the first entity an ancestor of the second: its parent, or the parent of that, and so on? In both storages; with another
 * relation, is it reached by targets of it? An entity is no ancestor of itself.
 *
 * @cost a few reads per step up; for a relation with many targets, all that the entity reaches.
 * @throws TreelineError `dead-entity` if one of both is not alive; `bad-term` for a relation that is not traversable.
 *
 * @example
 * isAncestor(world, ship, seat); // true if the seat is somewhere in the ship
 */
export function isAncestor(
  world: World,
  ancestor: Entity,
  entity: Entity,
  relation: AnyKindOfRelation = ChildOf,
): boolean {
  requireAlive(world, ancestor);
  requireWalk(world, entity, relation);
  if (!relation.exclusive) return ancestors(world, entity, relation).includes(ancestor);
  const pairs = pairCursor(world);
  const wanted = indexOf(ancestor);
  let at = pairs.targetAt(indexOf(entity), relation);
  while (at !== 0 && at !== wanted) at = pairs.targetAt(at, relation);
  return at !== 0;
}

/**
 * Is the first entity somewhere below the second? The same as `isAncestor` with both exchanged.
 *
 * @cost as `isAncestor`.
 * @throws TreelineError as `isAncestor`.
 */
export function isDescendant(
  world: World,
  descendant: Entity,
  of: Entity,
  relation: AnyKindOfRelation = ChildOf,
): boolean {
  return isAncestor(world, of, descendant, relation);
}

/**
 * Returns everything below an entity, each entity after what is below it, siblings in order; without the entity itself: the order in
 * which to sum up or take apart a tree. `descendants` returns parents first. For a relation with many targets each entity once. A
 * fresh list.
 *
 * @cost `children` of every entity in it.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for a relation that is not traversable.
 *
 * @example
 * for (const one of postOrder(world, ship)) weight.set(world, one, ownWeight(one) + weightOfChildren(one));
 */
export function postOrder(world: World, entity: Entity, relation: AnyKindOfRelation = ChildOf): Entity[] {
  requireWalk(world, entity, relation);
  const stack = subjectsOf(world, entity, relation);
  const found: Entity[] = [];
  if (relation.exclusive) {
    // Backwards: each entity before what is below it, siblings from the last one to the first.
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      found.push(at);
      for (const one of subjectsOf(world, at, relation)) stack.push(one);
    }
    return found.reverse();
  }
  stack.reverse();
  const opened = new Set<Entity>();
  const closed = new Set<Entity>();
  for (let at = stack.at(-1); at !== undefined; at = stack.at(-1)) {
    if (!opened.has(at)) {
      opened.add(at);
      const below = subjectsOf(world, at, relation).reverse();
      for (const one of below) stack.push(one);
      if (below.length > 0) continue;
    }
    stack.pop();
    if (closed.has(at)) continue;
    closed.add(at);
    found.push(at);
  }
  return found;
}

/**
 * Returns everything below an entity level by level: its children, then their children, and so on, each level in the order of the
 * one above it and of siblings; without the entity itself. For a relation with many targets each entity once, at the level of its
 * shortest path. A fresh list.
 *
 * @cost `children` of every entity in it.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` for a relation that is not traversable.
 */
export function levelOrder(world: World, entity: Entity, relation: AnyKindOfRelation = ChildOf): Entity[] {
  requireWalk(world, entity, relation);
  const found = new Set(subjectsOf(world, entity, relation)); // values added to a set during its iteration are iterated as well
  for (const at of found) for (const one of subjectsOf(world, at, relation)) found.add(one);
  return [...found];
}
