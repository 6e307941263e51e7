export { Local3D, Matrix3D, World3D } from "./3d/components.ts";
export { propagate } from "./3d/propagate.ts";
export { worldOf } from "./3d/world-of.ts";
