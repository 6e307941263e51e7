// The same in 64 bits, for large worlds.
export type { Point3D, Quaternion } from "./3d/in-space.ts";
export { Bounds3D, boundsOf, updateBounds, WorldBounds3D } from "./3d-f64/bounds.ts";
export { Local3D, Matrix3D, World3D } from "./3d-f64/components.ts";
export {
  distance,
  lookAt,
  propagate,
  reparentInPlace,
  rotateWorld,
  setWorld,
  translateWorld,
  worldOf,
} from "./3d-f64/functions.ts";
