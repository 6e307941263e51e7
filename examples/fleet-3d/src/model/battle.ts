// What hits, bursting, docking and leaving change (`hit`, `explode`, `dock`, `leave`).
import {
  add,
  children,
  descendants,
  destroy,
  type Entity,
  get,
  has,
  Name,
  parentOf,
  remove,
  set,
  type World,
} from "treeline";
import { reparentInPlace, worldOf } from "treeline/transform/3d";
import { Debris, Docked, Health, Ship, Tint, Turning } from "./definitions.ts";

/** The seconds for which debris is seen. */
const DEBRIS_SECONDS = 30;

/** The ship that something is a part of, or the ship itself. */
export function shipOf(world: World, entity: Entity): Entity | undefined {
  let one: Entity | undefined = entity;
  while (one !== undefined && !has(world, one, Ship)) one = parentOf(world, one);
  return one;
}

/**
 * A shot hits a part: it gets darker. At 0 points it breaks off with all that is below it, and stays where it is in the world. Without
 * its hull a ship bursts.
 */
export function hit(world: World, part: Entity, damage: number): void {
  const health = get(world, part, Health);
  if (health === undefined) return;
  const points = Math.max(0, health.points - damage);
  set(world, part, Health, { points });
  const [red, green, blue] = get(world, part, Tint)!.color;
  set(world, part, Tint, { color: [red! * 0.8, green! * 0.5, blue! * 0.5] });
  if (points > 0 || has(world, part, Debris)) return;
  const ship = shipOf(world, part);
  if (ship === undefined || parentOf(world, part) === ship) explode(world, ship ?? part);
  else breakOff(world, part, worldOf(world, ship));
}

/** Each part of a ship flies off on its own, from where it is. The ship is gone. */
export function explode(world: World, ship: Entity): void {
  const center = worldOf(world, ship);
  const parts = [...descendants(world, ship)];
  for (const part of parts) remove(world, part, Name); // names are unique among roots, too
  reparentInPlace(world, parts, undefined);
  for (const part of parts) drift(world, part, center);
  destroy(world, ship);
}

function breakOff(world: World, part: Entity, center: ArrayLike<number>): void {
  remove(world, part, Name);
  reparentInPlace(world, part, undefined);
  drift(world, part, center);
}

/** Away from a matrix, the faster the farther. */
function drift(world: World, part: Entity, center: ArrayLike<number>): void {
  const place = worldOf(world, part);
  const velocity = [12, 13, 14].map((at) => (place[at]! - center[at]!) * 0.4);
  remove(world, part, Turning);
  add(world, part, Debris({ velocity, spin: velocity[0]! * 0.3, left: DEBRIS_SECONDS }));
}

/** A ship on its course becomes a child of the dock, and stays where it is: then it only has to come to the place 0 0 0. */
export function dock(world: World, ship: Entity, at: Entity): void {
  reparentInPlace(world, ship, at);
  add(world, ship, Docked);
}

export function leave(world: World, ship: Entity): void {
  reparentInPlace(world, ship, undefined);
  remove(world, ship, Docked);
}

export function isFree(world: World, at: Entity): boolean {
  return children(world, at).length === 0;
}
