// What users import for 2D: `Local2D`, `World2D`, and the functions of 3D.
export { Bounds2D, boundsOf, updateBounds, WorldBounds2D } from "./2d/bounds.ts";
export { Local2D, World2D } from "./2d/components.ts";
export { distance, lookAt, type Point2D, rotateWorld, translateWorld } from "./2d/move.ts";
export { propagate } from "./2d/propagate.ts";
export { reparentInPlace, setWorld } from "./2d/set-world.ts";
export { worldOf } from "./2d/world-of.ts";
