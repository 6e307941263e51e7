// Refuses prefabs that would contain themselves, with `cycle` (`requireNoLoop`).
import {
  type Entity,
  has,
  isAlive,
  parentOf,
  subjectsOf,
  type Tag,
  TreelineError,
  targetOf,
  type World,
} from "@treeline/core";
import { indexOf, Prefab, textOf } from "@treeline/core/internal";
import { descendants } from "@treeline/query";
import { BareIsA } from "../base/definitions.ts";
import { followedBy } from "./find-part.ts";

function isIn(world: World, entity: Entity): boolean {
  return has(world, entity, Prefab as Tag);
}

/** The topmost entity of the prefab that an entity is a part of; `undefined` if it is in none. */
export function prefabRootOf(world: World, entity: Entity): Entity | undefined {
  if (!isIn(world, entity)) return undefined;
  let root = entity;
  for (
    let parent = parentOf(world, root);
    parent !== undefined && isIn(world, parent);
    parent = parentOf(world, root)
  )
    root = parent;
  return root;
}

/**
 * Refuses an instance of a prefab below a part of a prefab that it contains, or that is that prefab itself.
 * @param at the entity at or below which the instance would be. @throws TreelineError `cycle`.
 */
export function requireNoLoop(world: World, at: Entity, prefab: Entity): void {
  if (!isAlive(world, at)) return; // refused elsewhere
  const parent = parentOf(world, at);
  // An entity that is being spawned does not have Prefab yet.
  const outer = prefabRootOf(world, at) ?? (parent && prefabRootOf(world, parent));
  if (outer === undefined) return;
  const inner = prefabRootOf(world, prefab) ?? prefab;
  if (contains(world, inner, outer)) refuseLoop(world, outer, prefab);
}

/** The same for an entity with all that is below it, and for instances of these in what it would be a part of. */
export function requireNoLoopBelow(world: World, entity: Entity, parent: Entity): void {
  const outer = prefabRootOf(world, parent);
  if (outer === undefined) return;
  for (const one of [entity, ...descendants(world, entity)]) {
    const base = targetOf(world, one, BareIsA);
    if (base !== undefined) requireNoLoop(world, parent, base);
    for (const instance of subjectsOf(world, one, BareIsA)) {
      const around = prefabRootOf(world, instance);
      if (around !== undefined && contains(world, outer, around)) refuseLoop(world, outer, one);
    }
  }
}

function refuseLoop(world: World, outer: Entity, inner: Entity): never {
  throw new TreelineError(
    "cycle",
    `the prefab ${textOf(world, outer)} would contain itself, by ${textOf(world, inner)}`,
  );
}

/**
 * Does a prefab contain another one, as what it or a part of it is an instance of, or belongs to an instance of?
 *
 * @cost the parts of all prefabs that it contains.
 */
function contains(world: World, prefab: Entity, sought: Entity): boolean {
  const met = new Set([prefab]);
  for (const root of met) {
    if (root === sought) return true;
    for (const one of [root, ...descendants(world, root)]) {
      const base = targetOf(world, one, BareIsA);
      if (base !== undefined) met.add(prefabRootOf(world, base) ?? base);
      // A prefab may be a part of an instance of another one, which it follows.
      const followed = followedBy(world, indexOf(one));
      if (followed !== undefined) met.add(prefabRootOf(world, followed) ?? followed);
    }
  }
  return false;
}
