import { type Definition, type Entity, isAlive, type World } from "@treeline/core";
import { handleOf, indexOf } from "@treeline/core/internal";
import { changedFields, factsOf, type InInstance, pointed, sameIn } from "../publish/facts.ts";
import { publishedOf } from "../publish/published.ts";
import { prefabRootOf } from "../spawn/contained.ts";
import { instanceAt, partOf } from "../spawn/find-part.ts";
import { isOfPrefab } from "../spawn/part-terms.ts";
import { linkAt } from "../state/part-records.ts";

/**
 * What an entity of the prefab is in the instance that an entity belongs to; other entities are themselves. None for those that are gone, and for parts that the instance
 * has not: nothing in it shall point into the prefab.
 *
 * @param planned what an instance will have of a part, in a plan: see `Merge`.
 */
export function toInstance(
  world: World,
  entity: Entity,
  planned?: (instance: Entity, part: Entity) => Entity | undefined,
): InInstance {
  /** Its index; found when it is asked for, at the cost of the depth. */
  let root: number | undefined;
  return (target) => {
    const other = counterpart(target);
    return other !== undefined && (other < 0 || isAlive(world, other)) ? other : undefined;
  };

  function counterpart(target: Entity): Entity | undefined {
    root ??= instanceAt(world, indexOf(entity));
    const published = publishedOf(world, linkAt(world, root));
    if (root === 0 || published === undefined) return target;
    const instance = handleOf(world, root);
    if (target === published.root) return instance;
    const coming = planned?.(instance, target);
    if (coming !== undefined) return coming;
    const wasPart = published.places?.has(target) === true;
    const known = wasPart ? partOf(world, instance, target) : undefined;
    if (known !== undefined) return known;
    if (!isAlive(world, target) || prefabRootOf(world, target) !== published.root) return target;
    return wasPart ? undefined : partOf(world, instance, target);
  }
}

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
