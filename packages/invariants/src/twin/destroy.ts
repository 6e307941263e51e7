/** Deaths of the naive twin: of one entity, of all that dies with it, and of entities that stand for definitions. */

import { attempt, bear, bury, dropDefinition } from "./change.ts";
import type { AskTerm } from "./read.ts";
import { answers } from "./read.ts";
import { brokenRule, isBuiltin } from "./refusals.ts";
import type { Policy, Refusal, Twin } from "./rules.ts";
import type { SlowWorld } from "./world.ts";
import { beingOf, isAlive } from "./world.ts";

/** The death of an entity and of everything that dies with it. The dead may be destroyed again: nothing happens. */
export function destroy(world: SlowWorld, entity: Twin): Refusal | undefined {
  return destroyEach(world, [entity]);
}

/** One death of several, and of everything that dies with them. */
export function destroyEach(world: SlowWorld, entities: readonly Twin[]): Refusal | undefined {
  const dying = dyingWith(
    world,
    entities.filter((entity) => isAlive(world, entity)),
  );
  return isRefused(world, dying) ? "refused" : bePast(world, dying);
}

/**
 * One death of all who answer, with all that dies with them. Without terms everybody is meant, but for those who stand
 * for builtins.
 *
 * @returns a refusal, or how many have died.
 */
export function destroyWhere(world: SlowWorld, terms: readonly AskTerm[]): Refusal | number {
  const found = [...world.living.keys()].filter((entity) => {
    return terms.length === 0 ? !isBuiltin(world, entity) : answers(world, entity, terms);
  });
  const dying = dyingWith(world, found);
  if (isRefused(world, dying)) return "refused";
  bePast(world, dying);
  return dying.size;
}

/** Those entities, and whoever dies because they do. */
function dyingWith(world: SlowWorld, first: readonly Twin[]): Set<Twin> {
  const dying = new Set<Twin>(first);
  for (const dead of dying) {
    for (const other of world.living.keys()) {
      if (hangsOn(world, other, dead, "delete")) dying.add(other); // a set being walked visits what is added
    }
  }
  return dying;
}

/** Somebody builtin would die, or somebody who lives on refuses one of the deaths. */
function isRefused(world: SlowWorld, dying: ReadonlySet<Twin>): boolean {
  for (const dead of dying) {
    if (isBuiltin(world, dead)) return true;
    for (const other of world.living.keys()) {
      if (!dying.has(other) && hangsOn(world, other, dead, "refuse")) return true;
    }
  }
  return false;
}

function bePast(world: SlowWorld, dying: ReadonlySet<Twin>): Refusal | undefined {
  return attempt(world, brokenRule, () => {
    for (const [definition, standing] of world.stands) {
      if (!dying.has(standing)) continue;
      for (const other of world.living.keys()) {
        if (!dying.has(other) && hasDefinition(world, other, definition))
          dropDefinition(world, other, definition);
      }
    }
    bury(world, dying);
    return undefined;
  });
}

/** Does the first have something to do with the second that has this policy for its death? */
function hangsOn(world: SlowWorld, entity: Twin, on: Twin, policy: Policy): boolean {
  const { rules, stands } = world;
  const { parent, pairs } = beingOf(world, entity);
  if (parent === on && policy === "delete") return true;
  for (const [relation, targets] of pairs) {
    if (targets.has(on) && (rules.relations[relation]?.onTargetDestroy ?? "remove") === policy) return true;
  }
  for (const [definition, standing] of stands) {
    if (standing !== on || (rules.onDestroy[definition] ?? "remove") !== policy) continue;
    if (hasDefinition(world, entity, definition)) return true;
  }
  return false;
}

/** Has the tag or component, or a pair of the relation. */
function hasDefinition(world: SlowWorld, entity: Twin, definition: string): boolean {
  const { tags, schemas, objects, pairs } = beingOf(world, entity);
  return tags.has(definition) || schemas.has(definition) || objects.has(definition) || pairs.has(definition);
}

/** The entity that stands for a definition, born now if there is none; then the newborn is used. */
export function entityOf(world: SlowWorld, definition: string, newborn: Twin): Twin {
  const known = world.stands.get(definition);
  if (known !== undefined) return known;
  attempt(world, brokenRule, () => {
    bear(world, newborn);
    world.stands.set(definition, newborn);
    return undefined;
  });
  return newborn;
}
