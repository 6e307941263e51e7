// The components of animated nodes: `Spin`, `Bob`.
import { array, component, f32 } from "treeline";

/** Rotates a node about its own y axis, starting from `rest`. */
export const Spin = component("Spin", { rest: array(f32, 4), radiansPerSecond: f32 });

/** Moves a node up and down around `rest`. */
export const Bob = component("Bob", { rest: array(f32, 3), height: f32, radiansPerSecond: f32 });
