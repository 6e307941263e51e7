/** Destruction in the naive twin: of one entity, of everything that is destroyed with it, and of component entities. */

import { attempt, dropDefinition, freeEntities, insertRoot } from "./change.ts";
import type { SimpleTerm } from "./read.ts";
import { matches } from "./read.ts";
import { brokenRule, isBuiltin } from "./refusals.ts";
import type { Policy, Refusal, Twin } from "./rules.ts";
import type { NaiveWorld } from "./world.ts";
import { isAlive, recordOf } from "./world.ts";

/** Destroys an entity and everything that depends on it. For an entity that is not alive, does nothing. */
export function destroy(world: NaiveWorld, entity: Twin): Refusal | undefined {
  return destroyEach(world, [entity]);
}

/** Destroys several entities at once, and everything that depends on them. */
export function destroyEach(world: NaiveWorld, entities: readonly Twin[]): Refusal | undefined {
  const destroyed = destroyedWith(
    world,
    entities.filter((entity) => isAlive(world, entity)),
  );
  return isRefused(world, destroyed) ? "refused" : applyDestruction(world, destroyed);
}

/**
 * Destroys all matches at once, and everything that depends on them. Without terms, that is all entities but the component
 * entities of builtins.
 *
 * @returns a refusal, or the number of destroyed entities.
 */
export function destroyWhere(world: NaiveWorld, terms: readonly SimpleTerm[]): Refusal | number {
  const found = [...world.living.keys()].filter((entity) => {
    return terms.length === 0 ? !isBuiltin(world, entity) : matches(world, entity, terms);
  });
  const destroyed = destroyedWith(world, found);
  if (isRefused(world, destroyed)) return "refused";
  return applyDestruction(world, destroyed) ?? destroyed.size;
}

/** The entities, and all that are destroyed because of them. */
function destroyedWith(world: NaiveWorld, first: readonly Twin[]): Set<Twin> {
  const destroyed = new Set<Twin>(first);
  for (const target of destroyed) {
    for (const other of world.living.keys()) {
      if (dependsOn(world, other, target, "delete")) destroyed.add(other); // iterating a set includes what is added meanwhile
    }
  }
  return destroyed;
}

/** Would a builtin be destroyed, or does a surviving entity refuse one of the destructions? */
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

/** Does the first entity refer to the second in a way that has this policy for its destruction? */
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

/** The component entity of a definition, spawned now if there is none; then the passed twin is used. */
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
