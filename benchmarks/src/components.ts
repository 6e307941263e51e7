import { component, f32 } from "@treeline/core";

const PLANE = { x: f32, y: f32 };

export const Position = component("Position", PLANE);
export const Velocity = component("Velocity", PLANE);
/** Where a node lies, seen from its parent ... */
export const Local = component("Local", PLANE);
/** ... and seen from the root. */
export const World = component("World", PLANE);
