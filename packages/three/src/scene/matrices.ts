// Which matrices are written to objects, and what objects write to entities (`pullFrom`).
import { get, has, type Numbers, parentOf, set } from "@treeline/core";
import { columnsOf } from "@treeline/core/internal";
import { Matrix4, type Object3D } from "three";
import { partsOf, pivotWay } from "../base/pivot.ts";
import type { Parts } from "../base/transforms.ts";
import { eachWritten } from "../base/written-rows.ts";
import type { SceneState, Shown } from "./scene-state.ts";
import { shownAt } from "./structure.ts";

/** Writes the matrices of objects whose entities have moved. */
export function writeMatrices(state: SceneState): void {
  const { world, transforms, shown, fresh, special } = state;
  const { Local3D, World3D } = transforms;
  /** Those whose local transform is not that of the entity. */
  const indirect: Shown[] = [];
  const write = (one: Shown, matrix: Numbers, place: number, parts: Parts | undefined, row: number): void => {
    copyMatrix(matrix, place, one.elements);
    if (!one.hasLocal) return;
    if (parts !== undefined && isDirect(state, one)) writeParts(one.object, parts, row);
    else indirect.push(one);
  };
  state.since = eachWritten(world, World3D, state.since, (archetype, first, end) => {
    const { matrix } = columnsOf(archetype, World3D) as { readonly matrix: Numbers };
    const parts = columnsOf(archetype, Local3D) as Parts | undefined;
    const { i32 } = archetype.lanes;
    for (let row = first; row < end; row++) {
      const one = shown[i32[row]!];
      if (one === undefined) continue;
      write(one, matrix, row * 16, parts, row);
      if (fresh.size > 0) fresh.delete(one);
    }
  });
  for (const one of fresh)
    write(one, get(world, one.entity, World3D)!.matrix, 0, get(world, one.entity, Local3D), 0);
  fresh.clear();
  for (const { object } of indirect) writeRelative(object);
  for (const { object } of special) updateAlone(object);
}

/**
 * Writes the position, quaternion and scale of the object of an entity to the entity: after controls, such as gizmos, or an animation
 * have moved the object. Nothing is written if they are those of the entity, or if it has no object in the scene.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-value` for numbers that are not finite, and if something above it is
 *   scaled by 0.
 */
export function pullFrom(state: SceneState, one: Shown): void {
  const { world, transforms } = state;
  const { Local3D, World3D, setWorld } = transforms;
  const { object, entity } = one;
  // What others move by its matrix alone has nothing new in its parts.
  if (!one.before.matrix && state.owners.has(one)) decompose(object);
  if (has(world, entity, Local3D) && isDirect(state, one)) {
    const old = get(world, entity, Local3D)!;
    const parts = partsOf(object);
    if (
      !isSame(old.position, parts.position) ||
      !isSame(old.rotation, parts.rotation) ||
      !isSame(old.scale, parts.scale)
    )
      set(world, entity, Local3D, parts);
    return;
  }
  object.updateMatrix();
  const matrix = new Matrix4().multiplyMatrices(matrixAbove(object), object.matrix);
  if (!isSame(get(world, entity, World3D)!.matrix, matrix.elements)) setWorld(world, entity, matrix.elements);
}

/** Are the numbers the same, in the bits that are stored? */
function isSame(stored: Numbers, given: ArrayLike<number>): boolean {
  const round = stored instanceof Float32Array ? Math.fround : Number;
  for (let at = 0; at < stored.length; at++) if (stored[at] !== round(given[at]!)) return false;
  return true;
}

/** Is the local transform of the entity that of its object? */
function isDirect(state: SceneState, { entity, object }: Shown): boolean {
  const above = parentOf(state.world, entity);
  return object.parent === (above === undefined ? state.root : shownAt(state, above)?.object);
}

function copyMatrix(from: Numbers, at: number, into: number[]): void {
  for (let place = 0; place < 16; place++) into[place] = from[at + place]!;
}

function writeParts(object: Object3D, { position, rotation, scale }: Parts, row: number): void {
  const { quaternion } = object;
  const [three, four] = [row * 3, row * 4];
  object.position.set(position[three]!, position[three + 1]!, position[three + 2]!);
  object.scale.set(scale[three]!, scale[three + 1]!, scale[three + 2]!);
  const [x, y, z, w] = [rotation[four]!, rotation[four + 1]!, rotation[four + 2]!, rotation[four + 3]!];
  // Angles are computed from each quaternion that is set.
  if (quaternion.x !== x || quaternion.y !== y || quaternion.z !== z || quaternion.w !== w)
    quaternion.set(x, y, z, w);
  if (object.pivot) object.position.sub(pivotWay(object));
  object.updateMatrix();
}

/** Computes what is relative to the parent in three.js from both places in the world. */
function writeRelative(object: Object3D): void {
  object.matrix.copy(matrixAbove(object)).invert().multiply(object.matrixWorld);
  decompose(object);
}

/** Reads the parts of an object from its matrix, as near as they can be. */
export function decompose(object: Object3D): void {
  object.matrix.decompose(object.position, object.quaternion, object.scale);
  object.position.sub(pivotWay(object));
}

function matrixAbove({ parent }: Object3D): Matrix4 {
  if (parent === null) return new Matrix4();
  parent.updateWorldMatrix(true, false);
  return parent.matrixWorld;
}

const NONE: Object3D[] = [];

/** What a camera, a skin or a source of sound does beside its matrix, without what is below it. */
function updateAlone(object: Object3D): void {
  const { children } = object;
  object.children = NONE;
  try {
    object.updateMatrixWorld();
  } finally {
    object.children = children;
  }
}
