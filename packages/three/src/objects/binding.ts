// `bindObject`, `unbindObject`, the component `BoundObject`; which entity an object last showed.
import {
  add,
  component,
  type Entity,
  get,
  has,
  isAlive,
  type ObjectComponent,
  remove,
  type World,
} from "@treeline/core";
import { textOf, worldState } from "@treeline/core/internal";
import { Object3D } from "three";
import { refuse } from "../base/refuse.ts";

/** Who owns the local transform of a bound object: the other one follows. */
export type Owner = "world" | "object";

/** What `BoundObject` holds. */
export interface Binding {
  readonly object: Object3D;
  readonly owner: Owner;
}

/** The object that others made, and that shows the entity: `bindObject` adds it, `unbindObject` removes it. */
export const BoundObject: ObjectComponent<Binding> = /* @__PURE__ */ component<Binding>("BoundObject");

/** Which entity an object last showed; by now that may show another one, or be destroyed. */
export const lastEntities: (world: World) => WeakMap<Object3D, Entity> = /* @__PURE__ */ worldState(
  () => new WeakMap(),
);

export interface BindOptions {
  /**
   * "world" (default): the object is where its entity is. "object": `updateScene` first writes the position, quaternion and scale
   * of the object to the entity, for objects that animation mixers, controls or other libraries move.
   */
  readonly owner?: Owner | undefined;
}

/**
 * Lets an object that others made show an entity: a loader, react-three-fiber, or you. It replaces the object that the entity had.
 *
 * An object without a parent is put below the object of the nearest entity above, and follows its entity to others; one that has a
 * parent stays below it. Its matrices are written by `updateScene`; what it was before comes back when it is released. It is never
 * disposed.
 *
 * @cost as `add` of a component.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-value` for what is no object, for another owner, and if the
 *   object shows another entity; `iterating` in a strict world inside an iteration. Nothing has changed then.
 *
 * @example
 * bindObject(world, lamp, gltf.scene.getObjectByName("Lamp"), { owner: "object" });
 */
export function bindObject(world: World, entity: Entity, object: Object3D, options: BindOptions = {}): void {
  const { owner = "world" } = options;
  if (!(object instanceof Object3D)) refuse("bindObject takes a world, an entity and an object of three.js");
  if (owner !== "world" && owner !== "object")
    refuse(`the owner is "world" or "object", not ${String(owner)}`);
  const other = boundTo(world, object);
  if (other !== undefined && other !== entity)
    refuse(`the object shows ${textOf(world, other)}; call unbindObject for that one first`);
  add(world, entity, BoundObject({ object, owner }));
  lastEntities(world).set(object, entity);
}

/**
 * Takes back the object that `bindObject` gave an entity. Nothing happens if there is none.
 *
 * @cost as `remove` of a component.
 * @throws TreelineError `dead-entity` if the entity is not alive; `iterating` in a strict world inside an iteration.
 */
export function unbindObject(world: World, entity: Entity): void {
  if (has(world, entity, BoundObject)) remove(world, entity, BoundObject);
}

/** The entity to which an object is bound. */
export function boundTo(world: World, object: Object3D): Entity | undefined {
  const entity = lastEntities(world).get(object);
  return entity !== undefined && isBoundTo(world, entity, object) ? entity : undefined;
}

function isBoundTo(world: World, entity: Entity, object: Object3D): boolean {
  return isAlive(world, entity) && get(world, entity, BoundObject)?.object === object;
}
