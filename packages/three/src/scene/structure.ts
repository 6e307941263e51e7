// Which objects are made, shown, hidden, moved and released (`settle`), and below which parents (`parentFor`).
import { type Entity, get, has, isAlive, isDisabled, parentOf } from "@treeline/core";
import { indexOf, Prefab } from "@treeline/core/internal";
import { entities, forEachChild } from "@treeline/query";
import { Object3D } from "three";
import { type Binding, BoundObject, lastEntities } from "../objects/binding.ts";
import type { ObjectKind, SceneState, Shown } from "./scene-state.ts";

/** The object of an entity. */
export function shownAt({ shown }: SceneState, entity: Entity): Shown | undefined {
  const one = shown[indexOf(entity)];
  return one?.entity === entity ? one : undefined;
}

/** Makes, shows, hides, moves and releases objects, as their entities are now. */
export function settle(state: SceneState): void {
  const { world, touched, moved } = state;
  for (const entity of entities(state.rebound)) touched.add(entity);
  for (const entity of entities(state.reparented)) moved.add(entity);
  while (touched.size > 0) {
    releaseOthers(state);
    adoptAll(state);
  }
  const leaving = new Set<Object3D>();
  const arriving = new Map<Object3D, Object3D>();
  const walked = new Set<Entity>();
  const stack: Entity[] = [];
  const check = (one: Shown): void => {
    if (!one.isPlaced) return;
    const parent = parentFor(state, one);
    if (one.object.parent === parent) return;
    if (one.object.parent !== null) leaving.add(one.object);
    state.fresh.add(one); // its place below its parent is another one
    arriving.set(one.object, parent);
  };
  const walk = (entity: Entity): void => {
    if (walked.size !== walked.add(entity).size) stack.push(entity);
  };
  /** Checks the nearest objects below; those below hidden ones may be below the same parent. */
  const checkBelow = (child: Entity): void => {
    const one = shownAt(state, child);
    if (one !== undefined) check(one);
    if (one === undefined || one.isHidden) walk(child);
  };
  for (const entity of moved) {
    if (!isAlive(world, entity)) continue;
    const own = shownAt(state, entity);
    if (own !== undefined) check(own);
    walk(entity);
    for (let next = stack.pop(); next !== undefined; next = stack.pop())
      forEachChild(world, next, checkBelow);
  }
  moved.clear();
  takeAll(leaving);
  for (const [object, parent] of arriving) parent.add(object);
}

/** Releases the objects of touched entities that are shown by something else now, or by nothing. */
function releaseOthers(state: SceneState): void {
  const released = new Set<Object3D>();
  try {
    for (const entity of state.touched) {
      const old = shownAt(state, entity);
      if (old !== undefined && !isSame(old, sourceOf(state, entity))) release(state, old, released);
    }
  } finally {
    takeAll(released); // whatever `dispose` or `make` throws; and other entities may be given these objects
  }
}

/** Gives touched entities their objects. What a `make` changes in entities touches them again: their objects are released first. */
function adoptAll(state: SceneState): void {
  const { touched, moved } = state;
  for (const entity of touched) {
    const source = sourceOf(state, entity);
    const old = shownAt(state, entity);
    if (old !== undefined && !isSame(old, source)) continue;
    touched.delete(entity);
    moved.add(entity);
    if (source === undefined) continue;
    try {
      adopt(state, entity, source);
    } catch (error) {
      touched.add(entity); // to try again, after the others
      throw error;
    }
  }
}

/** What an entity is shown by; `undefined` if by nothing, as prefabs are: queries leave them out. */
function sourceOf(
  { world, kinds, transforms }: SceneState,
  entity: Entity,
): ObjectKind | Binding | undefined {
  if (!isAlive(world, entity) || !has(world, entity, transforms.World3D) || has(world, entity, Prefab))
    return undefined;
  return get(world, entity, BoundObject) ?? kinds.find((kind) => has(world, entity, kind.with));
}

function isSame({ source, object }: Shown, now: ObjectKind | Binding | undefined): boolean {
  return source === now && (!("object" in now) || now.object === object);
}

/** Gives an entity its object, or brings up to date whether it is hidden. */
function adopt(state: SceneState, entity: Entity, source: ObjectKind | Binding): void {
  const { world, shown } = state;
  const isHidden = isDisabled(world, entity);
  const old = shownAt(state, entity);
  if (old !== undefined) {
    if (old.isHidden === isHidden) return;
    if (isHidden) old.wasVisible = old.object.visible;
    old.object.visible = !isHidden && old.wasVisible;
    old.isHidden = isHidden;
    return;
  }
  const isBound = "object" in source;
  const object = isBound ? source.object : source.make(entity);
  const own = lastEntities(world).get(object);
  if (own !== undefined && own !== entity && shownAt(state, own)?.object === object) return; // a clone of the other
  const one: Shown = {
    entity,
    object,
    source,
    elements: object.matrixWorld.elements,
    hasLocal: isBound || source.local === true,
    isPlaced: object.parent === null,
    isSpecial: object.updateMatrixWorld !== Object3D.prototype.updateMatrixWorld,
    isHidden,
    wasVisible: object.visible,
    before: {
      matrix: object.matrixAutoUpdate,
      world: object.matrixWorldAutoUpdate,
      visible: object.visible,
    },
  };
  shown[indexOf(entity)] = one;
  lastEntities(world).set(object, entity);
  object.matrixAutoUpdate = false;
  object.matrixWorldAutoUpdate = false;
  if (isHidden) object.visible = false;
  if (one.isSpecial) state.special.add(one);
  if (isBound && source.owner === "object") state.owners.add(one);
  else state.fresh.add(one);
  state.root.foreign.delete(object);
  if (one.isPlaced) {
    for (const child of object.children) state.noteForeign({ child });
    object.addEventListener("childadded", state.noteForeign);
    object.addEventListener("childremoved", state.forgetForeign);
  }
}

/**
 * @param leaving gets the object, if it leaves the scene.
 * @throws what `dispose` throws, when all else is done.
 */
export function release(state: SceneState, one: Shown, leaving: Set<Object3D>): void {
  const { object, entity, source, before } = one;
  state.shown[indexOf(entity)] = undefined;
  state.special.delete(one);
  state.owners.delete(one);
  state.fresh.delete(one);
  object.matrixAutoUpdate = before.matrix;
  object.matrixWorldAutoUpdate = before.world;
  object.visible = before.visible;
  if (one.isPlaced) {
    object.removeEventListener("childadded", state.noteForeign);
    object.removeEventListener("childremoved", state.forgetForeign);
    for (const child of object.children) state.root.foreign.delete(child);
    if (object.parent !== null) leaving.add(object);
  }
  state.moved.add(entity); // for those below
  if ("make" in source) source.dispose?.(object, entity);
}

/** That of the nearest entity above that it follows; one that is hidden alone would hide what is below it. */
function parentFor(state: SceneState, { entity, isHidden }: Shown): Object3D {
  const { world, root } = state;
  let one: Entity | undefined = entity;
  while (one !== undefined && !isAtRest(state, one)) {
    one = parentOf(world, one);
    const above = one && shownAt(state, one);
    if (above !== undefined && (isHidden || !above.isHidden)) return above.object;
  }
  return root;
}

/** Does nothing above an entity move it? */
function isAtRest({ world, transforms }: SceneState, entity: Entity): boolean {
  const { Local3D, Matrix3D, World3D } = transforms;
  return has(world, entity, World3D) && !has(world, entity, Local3D) && !has(world, entity, Matrix3D);
}

/** Takes objects from their parents: one pass over the children of each parent. */
export function takeAll(objects: ReadonlySet<Object3D>): void {
  const parents = new Set<Object3D>();
  for (const { parent } of objects) parents.add(parent!);
  for (const { children } of parents) {
    let left = 0;
    for (const child of children) if (!objects.has(child)) children[left++] = child;
    children.length = left;
  }
  for (const object of objects) {
    const parent = object.parent!;
    object.parent = null;
    object.dispatchEvent({ type: "removed" });
    parent.dispatchEvent({ type: "childremoved", child: object });
  }
}
