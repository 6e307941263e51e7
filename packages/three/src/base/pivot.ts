// What the pivot of an object adds to the position of its entity (`pivotWay`, `partsOf`).
import { type Object3D, Vector3 } from "three";

/*
 * An object with a `pivot` turns and scales about that point: three.js moves it by what the point would else move. Entities have no pivot, so
 * the position of `Local3D` is that of the object and this way.
 */

const way = /* @__PURE__ */ new Vector3();

/** The way by which the pivot of an object moves it, at its rotation and scale; zero without one. The next call returns the same vector. */
export function pivotWay({ pivot, quaternion, scale }: Object3D): Vector3 {
  // Versions of three.js before 0.183 have none.
  if (!pivot) return way.set(0, 0, 0);
  return way.copy(pivot).multiply(scale).applyQuaternion(quaternion).negate().add(pivot);
}

/** Where an object is relative to its parent: what `Local3D` has as position, rotation and scale. */
export function partsOf(object: Object3D): { position: number[]; rotation: number[]; scale: number[] } {
  const { position, quaternion, scale } = object;
  return {
    position: pivotWay(object).add(position).toArray(),
    rotation: quaternion.toArray(),
    scale: scale.toArray(),
  };
}
