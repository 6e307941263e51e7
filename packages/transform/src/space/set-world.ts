import {
  Any,
  add,
  ChildOf,
  type Entity,
  isAlive,
  Parent,
  remove,
  removeMany,
  reparentMany,
  set,
  TreelineError,
  type World,
} from "@treeline/core";
import {
  archetypeViewAt,
  hasDefinition,
  indexOf,
  requireAlive,
  shown,
  textOf,
} from "@treeline/core/internal";
import type { LocalKind, Space } from "./space.ts";
import { freshMatrix } from "./world-of.ts";

/** @throws TreelineError `dead-entity`; `bad-value` if it is no list of as many numbers, or the entity has no place to write it to. */
export function setWorldMatrix(world: World, space: Space, entity: Entity, matrix: ArrayLike<number>): void {
  const { length } = space.identity;
  const given = matrix as Partial<ArrayLike<unknown>> | undefined;
  let fits = typeof given === "object" && given?.length === length;
  for (let at = 0; fits && at < length; at++) fits = Number.isFinite(given![at]);
  if (!fits) refuse(`setWorld expects a list of ${length} finite numbers, not ${shown(matrix)}`);
  requireAlive(world, entity);
  const kind = localKindOf(world, space, entity);
  if (kind === undefined) {
    if (!hasDefinition(archetypeViewAt(world, indexOf(entity)), space.world))
      refuse(`${textOf(world, entity)} has no transform; add ${space.world.name} to it`);
    set(world, entity, space.world, { matrix } as never);
    return;
  }
  const base = space.identity.slice();
  freshMatrix(world, space, indexOf(entity), false, base);
  if (!space.invert(base)) refuseFlat(world, entity);
  write(world, space, entity, kind, base, Float64Array.from(matrix));
}

/**
 * Gives entities another parent, or none, and keeps them where they are in the world.
 *
 * @throws TreelineError as `reparentMany`; `bad-value` if the world transform of the parent has no inverse.
 */
export function reparentInPlaceIn(
  world: World,
  space: Space,
  entities: Entity | readonly Entity[],
  parent: Entity | undefined,
): void {
  if (parent !== undefined) requireAlive(world, parent);
  const base = space.identity.slice();
  let hasBase = false;
  const list = Array.isArray(entities) ? (entities as readonly Entity[]) : undefined;
  const moved = list ?? [entities as Entity];
  const places: Float64Array[] = [];
  for (let at = 0; at < moved.length; at++) {
    const entity = moved[at]!;
    requireAlive(world, entity);
    if (localKindOf(world, space, entity) === undefined) {
      places.push(base);
      continue;
    }
    if (!hasBase && parent !== undefined) {
      freshMatrix(world, space, indexOf(parent), true, base);
      if (!space.invert(base)) refuseFlat(world, parent);
    }
    hasBase = true;
    const place = space.identity.slice();
    freshMatrix(world, space, indexOf(entity), true, place);
    places.push(place);
  }
  if (list !== undefined) {
    if (parent === undefined) removeMany(world, list, ChildOf(Any));
    else reparentMany(world, list, parent);
  } else if (parent === undefined) remove(world, entities as Entity, ChildOf(Any));
  else {
    const { hasValueParent } = archetypeViewAt(world, indexOf(entities as Entity));
    add(world, entities as Entity, (hasValueParent ? Parent : ChildOf)(parent));
  }
  for (let at = 0; at < moved.length; at++) {
    if (!isAlive(world, moved[at]!)) continue; // an observer of the move has destroyed it
    const kind = localKindOf(world, space, moved[at]!);
    if (kind !== undefined) write(world, space, moved[at]!, kind, base, places[at]!);
  }
}

/** The local transform by which an entity is placed. */
function localKindOf(world: World, { locals }: Space, entity: Entity): LocalKind | undefined {
  const archetype = archetypeViewAt(world, indexOf(entity));
  for (let at = 0; at < locals.length; at++)
    if (hasDefinition(archetype, locals[at]!.component)) return locals[at];
  return undefined;
}

/** @param inverse of what the local transform is relative to. @param matrix in the world; it is overwritten. */
function write(
  world: World,
  { multiply }: Space,
  entity: Entity,
  { component, valueFor }: LocalKind,
  inverse: Float64Array,
  matrix: Float64Array,
): void {
  multiply(matrix, 0, inverse, 0, matrix, 0);
  set(world, entity, component, valueFor(matrix) as never);
}

function refuseFlat(world: World, entity: Entity): never {
  refuse(
    `the place of ${textOf(world, entity)} in the world cannot be inverted, since a scale at or above it is 0; set that to another number, or write the local transform`,
  );
}

function refuse(text: string): never {
  throw new TreelineError("bad-value", text);
}
