/** What the naive twin refuses: terms that cannot be added, and invalid states of the world. */
import { aliasOf, isTakenAlias, sharesName } from "./collisions.ts";
import type { NaiveTerm, Refusal, Twin } from "./rules.ts";
import type { NaiveWorld } from "./world.ts";
import { aboveOf, containersOf, isAlive, nameOf, recordOf, resolveId, subjectsOf } from "./world.ts";

/**
 * Terms that cannot be added to any entity.
 *
 * @param isThere whether an entity may be a target.
 */
export function badTerm(
  world: NaiveWorld,
  terms: readonly NaiveTerm[],
  isThere: (entity: Twin) => boolean = (entity) => isAlive(world, entity),
): Refusal | undefined {
  for (const term of terms) {
    if (term.what === "Any" || term.target === "Any") return "bad-term";
    if (term.target !== undefined && !isThere(term.target)) return "dead-entity";
    if (resolveId(world, term).target === "Any") return "bad-term";
  }
  const storages = terms.filter(({ what }) => what === "ChildOf" || what === "Parent");
  return storages.length > 1 ? "bad-term" : undefined;
}

/** Rules that every world obeys, checked for the entities that have changed. */
export function brokenRule(world: NaiveWorld, changed: readonly Twin[]): Refusal | undefined {
  const living = changed.filter((entity) => isAlive(world, entity));
  if (living.some((entity) => isInCircle(world, entity) || containersOf(world, entity).includes(entity)))
    return "cycle";
  if (living.some((entity) => isCrowding(world, entity))) return "full";
  if (living.some((entity) => isBuiltin(world, entity) && recordOf(world, entity).parent !== undefined)) {
    return "refused";
  }
  const isNameless = (entity: Twin): boolean => nameOf(world, entity) === "" || aliasOf(world, entity) === "";
  if (living.some(isNameless)) return "bad-name";
  const isTaken = (entity: Twin): boolean => sharesName(world, entity) || isTakenAlias(world, entity);
  return living.some(isTaken) ? "name-taken" : undefined;
}

function isInCircle(world: NaiveWorld, entity: Twin): boolean {
  const relations = [...recordOf(world, entity).pairs.keys(), "ChildOf"];
  return relations.some((relation) => {
    return (
      world.rules.relations[relation]?.acyclic === true && aboveOf(world, entity, relation).includes(entity)
    );
  });
}

/** Is it one subject too many of one of its targets? */
function isCrowding(world: NaiveWorld, entity: Twin): boolean {
  for (const [relation, targets] of recordOf(world, entity).pairs) {
    const most = world.rules.relations[relation]?.maxSubjects ?? Number.POSITIVE_INFINITY;
    for (const target of targets.keys()) if (subjectsOf(world, target, relation).length > most) return true;
  }
  return false;
}

export function isBuiltin(world: NaiveWorld, entity: Twin): boolean {
  return world.rules.builtins.some((definition) => world.componentEntities.get(definition) === entity);
}
