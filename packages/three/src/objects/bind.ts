import {
  add,
  component,
  type Entity,
  get,
  has,
  isAlive,
  type ObjectComponent,
  remove,
  TreelineError,
  type World,
} from "@treeline/core";
import { textOf, worldState } from "@treeline/core/internal";
import type { Object3D } from "three";

/** The object of three.js that shows an entity. `bindObject` adds it. */
export const BoundObject: ObjectComponent<Object3D> = /* @__PURE__ */ component<Object3D>("BoundObject");

/** Which entity an object was last bound to; the entity may have another one by now, or be destroyed. */
const entities = /* @__PURE__ */ worldState(() => new WeakMap<Object3D, Entity>());

/**
 * Lets an object of three.js that others made show an entity, instead of the one that it had.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-value` if the object shows another entity. Nothing has changed then.
 */
export function bindObject(world: World, entity: Entity, object: Object3D): void {
  const other = boundTo(world, object);
  if (other !== undefined && other !== entity)
    throw new TreelineError(
      "bad-value",
      `the object shows ${textOf(world, other)}; call unbindObject for that one first`,
    );
  add(world, entity, BoundObject(object));
  entities(world).set(object, entity);
}

/**
 * Takes its object from an entity; it stays where it is in three.js. Nothing happens if the entity has none.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function unbindObject(world: World, entity: Entity): void {
  if (has(world, entity, BoundObject)) remove(world, entity, BoundObject);
}

/**
 * The object of an entity.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function objectOf(world: World, entity: Entity): Object3D | undefined {
  return get(world, entity, BoundObject);
}

/** The entity that an object shows, or the nearest object above it: also for the `object` of a hit of a raycaster. */
export function entityOf(world: World, object: Object3D): Entity | undefined {
  for (let one: Object3D | null = object; one !== null; one = one.parent) {
    const entity = boundTo(world, one);
    if (entity !== undefined) return entity;
  }
  return undefined;
}

function boundTo(world: World, object: Object3D): Entity | undefined {
  const entity = entities(world).get(object);
  if (entity === undefined || !isAlive(world, entity)) return undefined;
  return get(world, entity, BoundObject) === object ? entity : undefined;
}
