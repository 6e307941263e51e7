// What users import for 3D: `Local3D`, `World3D`, `propagate`, `worldOf`, `setWorld`, `reparentInPlace`.
export { Bounds3D, boundsOf, updateBounds, WorldBounds3D } from "./3d/bounds.ts";
export { Local3D, Matrix3D, World3D } from "./3d/components.ts";
export type { Point3D, Quaternion } from "./3d/in-space.ts";
export { distance, lookAt, rotateWorld, translateWorld } from "./3d/move.ts";
export { propagate } from "./3d/propagate.ts";
export { reparentInPlace, setWorld } from "./3d/set-world.ts";
export { worldOf } from "./3d/world-of.ts";
