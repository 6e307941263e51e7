// Local transforms for places in the world (`setWorldMatrix`, `reparentInPlaceIn`); throws `bad-value` for flat parents.
import {
  Any,
  add,
  ChildOf,
  type Entity,
  has,
  isAlive,
  Parent,
  remove,
  removeMany,
  reparentMany,
  set,
  TreelineError,
  type World,
} from "@treeline/core";
import { indexOf, requireAlive, shown, textOf } from "@treeline/core/internal";
import type { LocalKind, Space } from "./space.ts";
import { freshMatrix, hasComponent, localKindOf, scratchBase, scratchResult } from "./world-of.ts";

/** @throws TreelineError `dead-entity`; `bad-value` if it is no list of as many numbers, or the entity has no place to write it to. */
export function setWorldMatrix(world: World, space: Space, entity: Entity, matrix: ArrayLike<number>): void {
  const { length } = space.identity;
  const given = matrix as Partial<ArrayLike<unknown>> | undefined;
  let fits = typeof given === "object" && given?.length === length;
  for (let at = 0; fits && at < length; at++) fits = Number.isFinite(given![at]);
  if (!fits) refuse(`setWorld expects a list of ${length} finite numbers, not ${shown(matrix)}`);
  requireAlive(world, entity);
  const kind = localKindOf(world, space, indexOf(entity));
  if (kind === undefined) {
    if (!hasComponent(world, indexOf(entity), space.world))
      refuse(`${textOf(world, entity)} has no transform; add ${space.world.name} to it`);
    set(world, entity, space.world, { matrix } as never);
    return;
  }
  const base = scratchBase(space);
  freshMatrix(world, space, indexOf(entity), false, base);
  if (!space.invert(base)) refuseFlat(world, entity);
  const local = scratchResult(space);
  local.set(matrix);
  space.multiply(local, 0, base, 0, local, 0);
  set(world, entity, kind.component, kind.valueFor(local) as never);
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
  const base = scratchBase(space);
  const matrix = scratchResult(space);
  let hasBase = false;
  const list = Array.isArray(entities) ? (entities as readonly Entity[]) : undefined;
  const moved = list ?? [entities as Entity];
  const kinds: (LocalKind | undefined)[] = [];
  const values: object[] = [];
  for (let at = 0; at < moved.length; at++) {
    const entity = moved[at]!;
    requireAlive(world, entity);
    const kind = localKindOf(world, space, indexOf(entity));
    kinds.push(kind);
    if (kind === undefined) continue;
    if (!hasBase && parent !== undefined) {
      freshMatrix(world, space, indexOf(parent), true, base);
      if (!space.invert(base)) refuseFlat(world, parent);
      hasBase = true;
    }
    freshMatrix(world, space, indexOf(entity), true, matrix);
    if (hasBase) space.multiply(matrix, 0, base, 0, matrix, 0);
    values[at] = kind.valueFor(matrix);
  }
  if (list !== undefined) {
    if (parent === undefined) removeMany(world, list, ChildOf(Any));
    else reparentMany(world, list, parent);
  } else if (parent === undefined) remove(world, entities as Entity, ChildOf(Any));
  else {
    const isByValue = has(world, entities as Entity, Parent(Any));
    add(world, entities as Entity, (isByValue ? Parent : ChildOf)(parent));
  }
  for (let at = 0; at < moved.length; at++) {
    const kind = kinds[at];
    // An observer of the move may have destroyed it, or given it another transform.
    if (
      kind === undefined ||
      !isAlive(world, moved[at]!) ||
      localKindOf(world, space, indexOf(moved[at]!)) !== kind
    )
      continue;
    set(world, moved[at]!, kind.component, values[at] as never);
  }
}

function refuseFlat(world: World, entity: Entity): never {
  refuse(
    `the place of ${textOf(world, entity)} in the world cannot be inverted, since a scale at or above it is 0; set that to another number, or write the local transform`,
  );
}

function refuse(text: string): never {
  throw new TreelineError("bad-value", text);
}
