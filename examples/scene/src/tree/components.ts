import { array, component, f32 } from "@treeline/core";

/** The transform of a node relative to its parent, as three parts; nodes with a matrix do not have it. */
export const Local = component("Local", {
  translation: array(f32, 3),
  /** Quaternion x, y, z, w; used as it is, never normalised. */
  rotation: array(f32, 4),
  scale: array(f32, 3),
});

/** The same as one matrix, column by column: computed from `Local` in every frame, or read from the file and never changed. */
export const LocalMatrix = component("LocalMatrix", { m: array(f32, 16) });

/** The transform of a node in the world: the parent's world matrix times its own local matrix. */
export const WorldMatrix = component("WorldMatrix", { m: array(f32, 16) });

/** Rotates a node about its own y axis, starting from `rest`. */
export const Spin = component("Spin", { rest: array(f32, 4), radiansPerSecond: f32 });

/** Moves a node up and down around `rest`. */
export const Bob = component("Bob", { rest: array(f32, 3), height: f32, radiansPerSecond: f32 });
