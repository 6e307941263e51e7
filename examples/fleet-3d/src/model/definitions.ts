// The components and tags of ships and docks, and the `kinds` of parts.
import { array, component, f32, tag } from "treeline";

/** The root of a ship: it has a place and a name, and its parts are below it. */
export const Ship = tag("Ship");

/** A place of the station at which one ship can be. */
export const Dock = tag("Dock");

/** The circle that a ship flies around the station: it is at `angle` (radians) at the moment 0. */
export const Course = component("Course", { radius: f32, height: f32, angle: f32, speed: f32 });

/** A ship below a dock. */
export const Docked = tag("Docked");

/** What a part can still take. */
export const Health = component("Health", { points: 100 });

/** The colour of a part: red, green and blue from 0 to 1. */
export const Tint = component("Tint", { color: array(f32, 3, [1, 1, 1]) });

/** A turret turns all the time: radians a second. */
export const Turning = component("Turning", { speed: f32 });

/** What is left of a ship: metres a second, radians a second, and the seconds until it is gone. */
export const Debris = component("Debris", { velocity: array(f32, 3), spin: f32, left: f32 });

/** The kinds of parts. All parts of a kind are drawn as instances of one mesh. */
export const kinds = {
  Hull: tag("Hull"),
  Section: tag("Section"),
  Wing: tag("Wing"),
  Flap: tag("Flap"),
  Engine: tag("Engine"),
  Nozzle: tag("Nozzle"),
  Missile: tag("Missile"),
  Turret: tag("Turret"),
  Barrel: tag("Barrel"),
  Bridge: tag("Bridge"),
  Window: tag("Window"),
  Fin: tag("Fin"),
  Antenna: tag("Antenna"),
  Ring: tag("Ring"),
  Arm: tag("Arm"),
} as const;

export type KindName = keyof typeof kinds;
