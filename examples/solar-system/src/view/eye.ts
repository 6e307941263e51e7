// From where the camera looks (`Eye`, `aim`), how it is turned, and how far away it begins (`focusOn`).
import type { PerspectiveCamera } from "three";
import { type Entity, get, type World } from "treeline";
import { Body, Hull } from "../model/bodies.ts";
import { placeOf } from "../model/move-below.ts";
import { AU } from "../model/orbits.ts";

/** From where the camera looks: it goes along with an entity. */
export interface Eye {
  focus: Entity;
  /** In metres. */
  distance: number;
  /** About the north of the Earth's orbit, and up from its plane, in radians. */
  yaw: number;
  pitch: number;
}

const NEAREST = 5;
const FARTHEST = 200 * AU;
/** How many radii away one looks at a body first. */
const RADII = 6;
const CRAFT_DISTANCE = 60;

/** Looks at an entity from where all of it is seen. */
export function focusOn(eye: Eye, world: World, entity: Entity): void {
  eye.focus = entity;
  eye.distance = firstDistance(world, entity);
}

function firstDistance(world: World, entity: Entity): number {
  const body = get(world, entity, Body);
  if (body !== undefined) return body.radius * RADII;
  return get(world, entity, Hull) === undefined ? 8 * AU : CRAFT_DISTANCE;
}

/** @param by above 0 for farther away. */
export function zoom(eye: Eye, by: number): void {
  eye.distance = Math.min(Math.max(eye.distance * 1.5 ** by, NEAREST), FARTHEST);
}

/** Turns the eye about its focus. */
export function turn(eye: Eye, right: number, up: number): void {
  eye.yaw += right;
  eye.pitch = Math.min(Math.max(eye.pitch + up, -1.55), 1.55);
}

/** Puts the camera where the eye is now. Its place has 64 bits, as that of everything it looks at. */
export function aim(camera: PerspectiveCamera, eye: Eye, world: World): void {
  const [x, y, z] = placeOf(world, eye.focus);
  const flat = Math.cos(eye.pitch) * eye.distance;
  camera.position.set(
    x + Math.sin(eye.yaw) * flat,
    y - Math.cos(eye.yaw) * flat,
    z + Math.sin(eye.pitch) * eye.distance,
  );
  camera.lookAt(x, y, z);
  camera.updateMatrixWorld();
}
