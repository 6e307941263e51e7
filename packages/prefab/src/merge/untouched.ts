import type { Definition, Entity, World } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { changedFields, factsOf, pointed, sameIn } from "../publish/facts.ts";
import { publishedOf } from "../publish/published.ts";
import { isOfPrefab } from "../spawn/part-terms.ts";
import { toInstance } from "../spawn/to-instance.ts";
import { linkAt } from "../state/part-records.ts";

/** Does an entity of an instance have a pair as it was made with it? */
export function hasMade(world: World, entity: Entity, relation: Definition, target: Entity): boolean {
  const published = publishedOf(world, linkAt(world, indexOf(entity)));
  const inInstance = toInstance(world, entity);
  return (published?.facts ?? []).some((one) => {
    if (one.definition !== relation) return false;
    const made = pointed(one, inInstance);
    const own = sameIn(factsOf(world, entity, false), made);
    return made.target === target && own !== undefined && changedFields(made, own).length === 0;
  });
}

/** Has an entity of an instance exactly what it was made with, its place and its children left aside? */
export function isUntouched(world: World, entity: Entity): boolean {
  const published = publishedOf(world, linkAt(world, indexOf(entity)));
  if (published === undefined) return false;
  const inInstance = toInstance(world, entity);
  const made = published.facts.map((one) => pointed(one, inInstance));
  const own = factsOf(world, entity, false);
  return (
    own.every((one) => {
      const fact = sameIn(made, one);
      return fact !== undefined && changedFields(fact, one).length === 0;
    }) &&
    made.every(
      (one, at) =>
        one.definition.onInstantiate !== "copy" ||
        sameIn(own, one) !== undefined ||
        isOfPrefab(world, published.root, published.facts[at]!, one.target),
    )
  );
}
