// What dragging a body to another parent does (`moveBelow`); where an entity is (`placeOf`).
import { type Entity, has, remove, type World } from "treeline";
import { reparentInPlace, worldOf } from "treeline/transform/3d-f64";
import { Orbit } from "./orbits.ts";

/** In metres from the Sun, at J2000's axes: x to the vernal equinox, z to the north of the Earth's orbit. */
export type Place = readonly [x: number, y: number, z: number];

/** Where an entity is now, also if `propagate` has not been called yet. */
export function placeOf(world: World, entity: Entity): Place {
  const matrix = worldOf(world, entity);
  return [matrix[12]!, matrix[13]!, matrix[14]!];
}

/**
 * Puts an entity below another parent, with all that is below it. It stays where it is, and then goes along with its parent instead of
 * going round the former one.
 *
 * @returns by how many metres it has been moved: what is lost by rounding.
 * @throws TreelineError `cycle` if the parent is the entity or below it, `name-taken` if a child of the parent has its name.
 */
export function moveBelow(world: World, entity: Entity, parent: Entity): number {
  const before = placeOf(world, entity);
  reparentInPlace(world, entity, parent);
  if (has(world, entity, Orbit)) remove(world, entity, Orbit);
  const after = placeOf(world, entity);
  return Math.hypot(after[0] - before[0], after[1] - before[1], after[2] - before[2]);
}
