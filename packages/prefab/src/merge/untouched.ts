import {
  type Component,
  componentsOf,
  type Definition,
  type Entity,
  has,
  isAlive,
  tagsOf,
  type World,
} from "@treeline/core";
import { handleOf, indexOf, Prefab } from "@treeline/core/internal";
import { isGiven, linksOf, publishedOf } from "../publish/published.ts";
import { areSame, placeOf, readCells } from "../publish/raw.ts";
import { prefabRootOf } from "../spawn/contained.ts";
import { instanceAt, partOf } from "../spawn/find-part.ts";
import { linkAt } from "../state/part-records.ts";
import { mapped } from "./merge-values.ts";

/** What an entity of the prefab is in the instance that an entity belongs to; other entities are themselves. */
export function toInstance(world: World, entity: Entity): (target: number) => number {
  const root = instanceAt(world, indexOf(entity));
  const published = publishedOf(world, linkAt(world, root));
  if (root === 0 || published === undefined) return (target) => target;
  const instance = handleOf(world, root);
  return (target) => {
    if (target === published.root) return instance;
    const isKnown = published.places?.has(target as Entity) === true;
    const isPart =
      isKnown ||
      (isAlive(world, target as Entity) && prefabRootOf(world, target as Entity) === published.root);
    return (isPart ? partOf(world, instance, target as Entity) : undefined) ?? target;
  };
}

/** Has an entity of an instance exactly what it was made with, its place and its children left aside? */
export function isUntouched(world: World, entity: Entity): boolean {
  const index = indexOf(entity);
  const published = publishedOf(world, linkAt(world, index));
  if (published === undefined) return false;
  const inInstance = toInstance(world, entity);
  for (const definition of [...componentsOf(world, entity), ...tagsOf(world, entity)]) {
    if (
      typeof definition !== "number" &&
      definition !== Prefab &&
      isGiven(definition, false) &&
      !isAsMade(world, index, definition, published.values.get(definition), inInstance)
    )
      return false;
  }
  for (const [definition, cells] of published.values)
    if (
      cells !== undefined &&
      !has(world, entity, definition as Component) &&
      definition.onInstantiate === "copy"
    )
      return false;
  const pairs = linksOf(world, entity);
  return (
    pairs.length === published.pairs.length &&
    pairs.every(({ relation, target }) =>
      published.pairs.some((one) => one.relation === relation && inInstance(one.target) === target),
    )
  );
}

function isAsMade(
  world: World,
  index: number,
  definition: Definition,
  cells: readonly unknown[] | undefined,
  inInstance: (target: number) => number,
): boolean {
  if (cells === undefined) return false;
  const place = definition.holds === "nothing" ? undefined : placeOf(world, index, definition);
  return (
    place === undefined ||
    areSame(
      mapped(world, definition, readCells(place, definition)),
      mapped(world, definition, cells, inInstance),
    )
  );
}
