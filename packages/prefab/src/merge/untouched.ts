// Whether an entity is as it was made (`isUntouched`).
import type { Definition, Entity, World } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { changedFields, type Fact, factsOf, pairFacts, pointed, sameIn } from "../publish/facts.ts";
import { madeAs } from "../publish/published.ts";
import { isOfPrefab } from "../spawn/part-terms.ts";
import { toInstance } from "../spawn/to-instance.ts";

/** What an entity of an instance was made with, as it is in the instance. */
export function madeFacts(world: World, entity: Entity): Fact[] {
  const inInstance = toInstance(world, entity);
  return (madeAs(world, indexOf(entity))?.facts ?? []).map((one) => pointed(one, inInstance));
}

function isMade(made: readonly Fact[], own: Fact): boolean {
  const fact = sameIn(made, own);
  return fact !== undefined && changedFields(fact, own).length === 0;
}

/** Does an entity of an instance have a pair as it was made with it? */
export function hasMade(world: World, entity: Entity, definition: Definition, target: Entity): boolean {
  const own = sameIn(pairFacts(world, entity), { definition, target });
  return own !== undefined && isMade(madeFacts(world, entity), own);
}

/** Has an entity of an instance exactly what it was made with, its place and its children left aside? */
export function isUntouched(world: World, entity: Entity): boolean {
  const published = madeAs(world, indexOf(entity));
  const made = madeFacts(world, entity);
  const own = factsOf(world, entity, false);
  return (
    published !== undefined &&
    own.every((one) => isMade(made, one)) &&
    made.every(
      (one, at) =>
        one.definition.onInstantiate !== "copy" ||
        sameIn(own, one) !== undefined ||
        isOfPrefab(world, published.root, published.facts[at]!, one.target),
    )
  );
}
