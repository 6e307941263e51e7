// `attachScene`, `updateScene`, `detachScene`, `objectOf`, `entityOf`, `pull`: what notes which entities changed.
import { ChildOf, Disabled, type Entity, get, isAlive, type World } from "@treeline/core";
import { addObservers, keepTicks, Life } from "@treeline/core/internal";
import { changed, dispose, maybe, monitor, not, type Query, query } from "@treeline/query";
import { Object3D } from "three";
import { refuse } from "../base/refuse.ts";
import { type Transforms, transformsIn } from "../base/transforms.ts";
import { BoundObject, lastEntities } from "../objects/binding.ts";
import { pullFrom, writeMatrices } from "./matrices.ts";
import { EntityRoot, type GroupKind, type ObjectKind, type SceneState, sceneOf } from "./scene-state.ts";
import { release, settle, shownAt, takeAll } from "./structure.ts";

export interface SceneOptions {
  /**
   * The transforms of the world: the whole of `@treeline/transform/3d-f64` for large worlds. Default: `@treeline/transform/3d`. three.js
   * computes in 64 bits, so objects are exact; `instances` have numbers of 32 bits.
   */
  readonly transforms?: Transforms | undefined;
}

/**
 * Shows the entities of a world in a scene of three.js, from the next `updateScene` on: those with `World3D` and a component of one of the
 * kinds, the first of which counts, and those that `bindObject` has given objects. Prefabs are not shown. The scene itself is
 * at the origin, without a rotation or a scale.
 *
 * @cost listing the entities that are shown, once; from then on one evaluation for each change of what is shown.
 * @param kinds which components are shown by which objects.
 * @throws TreelineError `bad-value` for what is no object of three.js, for kinds that are no list of kinds, for `instances` whose mesh
 *   is in a scene, for transforms that are no module, and if the world has a scene.
 *
 * @example
 * attachScene(world, scene, [{ with: Ship, make: () => new Mesh(hull, steel) }]);
 */
export function attachScene(
  world: World,
  scene: Object3D,
  kinds: readonly (ObjectKind | GroupKind)[] = [],
  options: SceneOptions = {},
): void {
  const slot = sceneOf(world);
  if (!(scene instanceof Object3D)) refuse("attachScene takes a world and a scene of three.js");
  if (!Array.isArray(kinds) || !kinds.every((kind) => isObjectKind(kind) || isGroupKind(kind)))
    refuse(
      "the kinds of attachScene are a list of { with, make, dispose? }, where `make` returns an object, or of `instances`",
    );
  if (slot.state !== undefined) refuse("the world has a scene; call detachScene first");
  const transforms = transformsIn(options);
  const { Local3D, Matrix3D, World3D } = transforms;
  const own = kinds.filter(isObjectKind);
  const shared = kinds.filter(isGroupKind);
  const meshes = new Set(shared.filter(({ mesh }) => mesh.parent === null).map(({ mesh }) => mesh));
  if (meshes.size < shared.length) refuse("the mesh of `instances` is in one scene, once");
  const root = new EntityRoot();
  const touched = new Set<Entity>();
  const queries: Query[] = [...own.map((kind) => kind.with), BoundObject].flatMap((what) => [
    query(world, World3D, what, maybe(Disabled)),
    query(world, World3D, what), // without those that are disabled
  ]);
  queries.push(query(world, World3D, not(Local3D), not(Matrix3D), maybe(Disabled))); // they do not follow their parents
  const groups = shared.map((kind) => kind.attach(world, transforms));
  const touch = (entity: Entity): void => {
    touched.add(entity);
  };
  const state: SceneState = {
    world,
    transforms,
    kinds: own,
    groups,
    root,
    shown: [],
    touched,
    moved: new Set(),
    special: new Set(),
    owners: new Set(),
    fresh: new Set(),
    since: -1,
    reparented: query(world, changed(ChildOf), maybe(Disabled)),
    rebound: query(world, changed(BoundObject), maybe(Disabled)),
    noteForeign: ({ child }) => {
      if (entityShownBy(world, child) === undefined) root.foreign.add(child);
    },
    forgetForeign: ({ child }) => {
      root.foreign.delete(child);
    },
    stops: queries.map((one) => monitor(one, { entered: touch, left: touch }, { yieldExisting: true })),
  };
  state.stops.push(
    addObservers(world, [
      { kind: "restored", definition: Life, target: 0, call: () => touchAll(state), isStopped: false },
    ]),
  );
  keepTicks(world, World3D, "changed", true);
  slot.state = state;
  scene.add(root, ...groups.map(({ object }) => object));
}

function isObjectKind(kind: ObjectKind | GroupKind): kind is ObjectKind {
  return typeof (kind as Partial<ObjectKind>)?.make === "function";
}

function isGroupKind(kind: ObjectKind | GroupKind): kind is GroupKind {
  return typeof (kind as Partial<GroupKind>)?.attach === "function";
}

/** After a restore, all may have other parents, other bound objects and other values. */
function touchAll(state: SceneState): void {
  const { shown, touched, groups } = state;
  state.since = -1;
  for (const group of groups) group.restored();
  for (const one of shown) if (one !== undefined) touched.add(one.entity);
}

/**
 * Brings the scene of a world up to date: call it once a frame, before you render. It calls `propagate`; objects are then made, shown,
 * hidden, moved to other parents, and released with their entities, and get the matrices of those that have moved.
 *
 * @cost what changed since the last call; some 0.2 microseconds for each object that moved.
 * @throws TreelineError `bad-value` if no scene is attached; what `make` and `dispose` throw: the rest is done by the next call.
 */
export function updateScene(world: World): void {
  const state = attachedTo(world);
  settle(state);
  for (const one of state.owners) if (!state.touched.has(one.entity)) pullFrom(state, one);
  if (state.touched.size > 0) settle(state); // observers of what objects have written
  state.transforms.propagate(world);
  writeMatrices(state);
  for (const group of state.groups) group.update();
}

/**
 * Ends `attachScene`. Objects that were made are disposed; those that were bound are what they were before, without the parents that they
 * were given. The scene no longer contains any of them.
 *
 * @cost the objects that are shown.
 * @throws TreelineError `bad-value` if no scene is attached; `disposed` after `disposeWorld`: detach first; the first error of `dispose`, when
 *   all is done.
 */
export function detachScene(world: World): void {
  const state = attachedTo(world);
  for (const stop of state.stops) stop();
  for (const one of [state.reparented, state.rebound]) dispose(one);
  keepTicks(world, state.transforms.World3D, "changed", false);
  const leaving = new Set<Object3D>();
  const errors: unknown[] = [];
  for (const one of state.shown) {
    if (one === undefined) continue;
    try {
      release(state, one, leaving);
    } catch (error) {
      errors.push(error);
    }
  }
  takeAll(leaving);
  for (const group of state.groups) group.end();
  state.root.removeFromParent();
  sceneOf(world).state = undefined;
  if (errors.length > 0) throw errors[0];
}

/**
 * The object that shows an entity: the one that is bound to it, or, after `updateScene`, the one that was made for it.
 *
 * @cost constant.
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function objectOf(world: World, entity: Entity): Object3D | undefined {
  const binding = get(world, entity, BoundObject);
  const { state } = sceneOf(world);
  return binding === undefined ? state && shownAt(state, entity)?.object : binding.object;
}

/**
 * The entity that an object shows, or the nearest object above it: also for the `object` of a hit of a raycaster.
 *
 * @cost the objects above it; for an instance the groups.
 * @param instanceId that of the hit: the entity that is this instance.
 */
export function entityOf(world: World, object: Object3D, instanceId?: number): Entity | undefined {
  if (instanceId !== undefined) {
    const group = sceneOf(world).state?.groups.find((one) => one.object === object);
    const entity = group?.entities[instanceId];
    return entity !== undefined && isAlive(world, entity) ? entity : undefined;
  }
  for (let one: Object3D | null = object; one !== null; one = one.parent) {
    const entity = entityShownBy(world, one);
    if (entity !== undefined) return entity;
  }
  return undefined;
}

/**
 * Writes the position, quaternion and scale of the object of an entity to the entity: after controls, such as gizmos, or an animation
 * have moved the object. Nothing is written if they are those of the entity, or if it has no object in the scene.
 *
 * @cost constant.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-value` if no scene is attached, for numbers that are not finite, and
 *   if something above it is scaled by 0.
 */
export function pull(world: World, entity: Entity): void {
  const state = attachedTo(world);
  objectOf(world, entity); // refuses destroyed ones
  const one = shownAt(state, entity);
  if (one !== undefined) pullFrom(state, one);
}

function entityShownBy(world: World, object: Object3D): Entity | undefined {
  const entity = lastEntities(world).get(object);
  if (entity === undefined || !isAlive(world, entity)) return undefined;
  return objectOf(world, entity) === object ? entity : undefined;
}

function attachedTo(world: World): SceneState {
  return sceneOf(world).state ?? refuse("the world has no scene; call attachScene first");
}
