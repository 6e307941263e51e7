/** Deaths of the naive twin: of one entity, of all that dies with it, and of entities that stand for definitions. */

import { attempt, dropDefinition, freeEntities, insertRoot } from "./change.ts";
import type { SimpleTerm } from "./read.ts";
import { matches } from "./read.ts";
import { brokenRule, isBuiltin } from "./refusals.ts";
import type { Policy, Refusal, Twin } from "./rules.ts";
import type { NaiveWorld } from "./world.ts";
import { isAlive, recordOf } from "./world.ts";

/** The death of an entity and of everything that dies with it. The dead may be destroyed again: nothing happens. */
export function destroy(world: NaiveWorld, entity: Twin): Refusal | undefined {
  return destroyEach(world, [entity]);
}

/** One death of several, and of everything that dies with them. */
export function destroyEach(world: NaiveWorld, entities: readonly Twin[]): Refusal | undefined {
  const destroyed = destroyedWith(
    world,
    entities.filter((entity) => isAlive(world, entity)),
  );
  return isRefused(world, destroyed) ? "refused" : applyDestruction(world, destroyed);
}

/**
 * One death of all who answer, with all that dies with them. Without terms everybody is meant, but for those who stand
 * for builtins.
 *
 * @returns a refusal, or how many have died.
 */
export function destroyWhere(world: NaiveWorld, terms: readonly SimpleTerm[]): Refusal | number {
  const found = [...world.living.keys()].filter((entity) => {
    return terms.length === 0 ? !isBuiltin(world, entity) : matches(world, entity, terms);
  });
  const destroyed = destroyedWith(world, found);
  if (isRefused(world, destroyed)) return "refused";
  applyDestruction(world, destroyed);
  return destroyed.size;
}

/** Those entities, and whoever dies because they do. */
function destroyedWith(world: NaiveWorld, first: readonly Twin[]): Set<Twin> {
  const destroyed = new Set<Twin>(first);
  for (const target of destroyed) {
    for (const other of world.living.keys()) {
      if (dependsOn(world, other, target, "delete")) destroyed.add(other); // a set being walked visits what is added
    }
  }
  return destroyed;
}

/** Somebody builtin would die, or somebody who lives on refuses one of the deaths. */
function isRefused(world: NaiveWorld, destroyed: ReadonlySet<Twin>): boolean {
  for (const target of destroyed) {
    if (isBuiltin(world, target)) return true;
    for (const other of world.living.keys()) {
      if (!destroyed.has(other) && dependsOn(world, other, target, "refuse")) return true;
    }
  }
  return false;
}

function applyDestruction(world: NaiveWorld, destroyed: ReadonlySet<Twin>): Refusal | undefined {
  return attempt(world, brokenRule, () => {
    for (const [definition, componentEntity] of world.componentEntities) {
      if (!destroyed.has(componentEntity)) continue;
      for (const other of world.living.keys()) {
        if (!destroyed.has(other) && hasDefinition(world, other, definition))
          dropDefinition(world, other, definition);
      }
    }
    freeEntities(world, destroyed);
    return undefined;
  });
}

/** Does the first have something to do with the second that has this policy for its death? */
function dependsOn(world: NaiveWorld, entity: Twin, on: Twin, policy: Policy): boolean {
  const { rules, componentEntities } = world;
  const { parent, pairs } = recordOf(world, entity);
  if (parent === on && policy === "delete") return true;
  for (const [relation, targets] of pairs) {
    if (targets.has(on) && (rules.relations[relation]?.onTargetDestroy ?? "remove") === policy) return true;
  }
  for (const [definition, componentEntity] of componentEntities) {
    if (componentEntity !== on || (rules.onDestroy[definition] ?? "remove") !== policy) continue;
    if (hasDefinition(world, entity, definition)) return true;
  }
  return false;
}

/** Has the tag or component, or a pair of the relation. */
function hasDefinition(world: NaiveWorld, entity: Twin, definition: string): boolean {
  const { tags, schemas, objects, pairs } = recordOf(world, entity);
  return tags.has(definition) || schemas.has(definition) || objects.has(definition) || pairs.has(definition);
}

/** The entity that stands for a definition, born now if there is none; then the newborn is used. */
export function entityOf(world: NaiveWorld, definition: string, spawnedTwin: Twin): Twin {
  const known = world.componentEntities.get(definition);
  if (known !== undefined) return known;
  attempt(world, brokenRule, () => {
    insertRoot(world, spawnedTwin);
    world.componentEntities.set(definition, spawnedTwin);
    return undefined;
  });
  return spawnedTwin;
}
