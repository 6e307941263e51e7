// What entities of the prefab are in an instance (`toInstance`).
import { type Entity, isAlive, type World } from "@treeline/core";
import { handleOf, indexOf } from "@treeline/core/internal";
import type { InInstance } from "../publish/facts.ts";
import { madeAs } from "../publish/published.ts";
import { prefabRootOf } from "./contained.ts";
import { instanceAt, linkedPart, partOf } from "./find-part.ts";

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
  return (given, isInherited) => {
    const target = isInherited === true ? inPart(given) : given;
    const other = target && counterpart(target);
    return other !== undefined && (other < 0 || isAlive(world, other)) ? other : undefined;
  };

  /** What the part itself inherits may be in its own base. */
  function inPart(target: Entity): Entity | undefined {
    const part = linkedPart(world, entity);
    return part !== undefined && isAlive(world, part) ? toInstance(world, part)(target, true) : target;
  }

  function counterpart(target: Entity): Entity | undefined {
    root ??= instanceAt(world, indexOf(entity));
    const published = madeAs(world, root);
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
