import { array, component, f32 } from "@treeline/core";

/** Where a node stands relative to its parent, as three parts; nodes given by a matrix do not have it. */
export const Local = component("Local", {
  translation: array(f32, 3),
  /** Quaternion x, y, z, w; used as it stands, never normalised. */
  rotation: array(f32, 4),
  scale: array(f32, 3),
});

/** The same as one matrix, column by column: made from `Local` every frame, or given by the file and left alone. */
export const LocalMatrix = component("LocalMatrix", { m: array(f32, 16) });

/** Where a node stands in the world: the parent's world matrix times its own local one. */
export const WorldMatrix = component("WorldMatrix", { m: array(f32, 16) });

/** Turns a node about its own y axis, starting from `rest`. */
export const Spin = component("Spin", { rest: array(f32, 4), radiansPerSecond: f32 });

/** Moves a node up and down around `rest`. */
export const Bob = component("Bob", { rest: array(f32, 3), height: f32, radiansPerSecond: f32 });
