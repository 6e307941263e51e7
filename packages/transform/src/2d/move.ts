// `translateWorld`, `rotateWorld`, `lookAt` (the x axis), `distance`.
import type { Entity, World } from "@treeline/core";
import { setWorldMatrix } from "../space/set-world.ts";
import { space } from "./components.ts";
import { worldOf } from "./world-of.ts";

/** A position or a direction in the world: x y. */
export type Point2D = readonly [x: number, y: number];

/**
 * Moves an entity along the axes of the world, whatever its ancestors do. Cost and errors: as `setWorld`.
 *
 * @cost as `setWorld`.
 * @param by how far, in units of the world.
 * @throws TreelineError as `setWorld`.
 */
export function translateWorld(world: World, entity: Entity, by: Point2D): void {
  const matrix = worldOf(world, entity);
  matrix[4]! += by[0];
  matrix[5]! += by[1];
  setWorldMatrix(world, space, entity, matrix);
}

/**
 * Turns an entity about its own position in the world. Cost and errors: as `setWorld`.
 *
 * @cost as `setWorld`.
 * @param by an angle in radians, from the x axis of the world to its y axis.
 * @throws TreelineError as `setWorld`.
 */
export function rotateWorld(world: World, entity: Entity, by: number): void {
  const matrix = worldOf(world, entity);
  const cosine = Math.cos(by);
  const sine = Math.sin(by);
  for (let at = 0; at < 4; at += 2) {
    const x = matrix[at]!;
    const y = matrix[at + 1]!;
    matrix[at] = cosine * x - sine * y;
    matrix[at + 1] = sine * x + cosine * y;
  }
  setWorldMatrix(world, space, entity, matrix);
}

/**
 * Turns an entity so that its x axis points at a place. It keeps its position in the world. Nothing changes if the place is that
 * position.
 *
 * @cost as `setWorld`.
 * @param target an entity, or a position in the world.
 * @throws TreelineError as `setWorld`, also for the target.
 *
 * @example
 * lookAt(world, turret, enemy);
 */
export function lookAt(world: World, entity: Entity, target: Entity | Point2D): void {
  const matrix = worldOf(world, entity);
  const [x, y] = typeof target === "number" ? positionOf(world, target) : target;
  const east = x - matrix[4]!;
  const south = y - matrix[5]!;
  if (east === 0 && south === 0) return;
  rotateWorld(world, entity, Math.atan2(south, east) - Math.atan2(matrix[1]!, matrix[0]!));
}

/**
 * How far two entities are from one another in the world, at this moment.
 *
 * @cost as `worldOf` of both.
 * @throws TreelineError `dead-entity` if one of them is not alive.
 */
export function distance(world: World, one: Entity, other: Entity): number {
  const [a, b] = positionOf(world, one);
  const [x, y] = positionOf(world, other);
  return Math.hypot(a - x, b - y);
}

function positionOf(world: World, entity: Entity): Point2D {
  const matrix = worldOf(world, entity);
  return [matrix[4]!, matrix[5]!];
}
