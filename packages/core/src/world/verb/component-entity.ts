// Makes the component entity of a definition (`entityOf`), lists the entities that have it (`usersOf`); throws `refused` for entities of builtins.
import { shown, TreelineError } from "../../base/error.ts";
import { ChildOf, ComponentEntity, isBuiltin, isInternal, Parent } from "../../id/builtins.ts";
import { ANY, Any, type Definition, Is, isDefinition } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { isLiving } from "../../records/entity-index.ts";
import { losePair } from "../change/change-entity.ts";
import { insertOne } from "../change/insert.ts";
import { installChanges } from "../change/install.ts";
import { defer, mustDefer, spawnDeferred } from "../state/lock.ts";
import { noteUse, requireOneOfEachName } from "../state/one-definition.ts";
import { orderedPairsAt } from "../state/targets.ts";
import type { World } from "../state/world.ts";
import { removeMatching } from "./remove.ts";
import { planOf, requireRoomForEntities } from "./spawn.ts";

/**
 * The component entity of a definition in this world, created by the first call: with it a definition can be named, have
 * values, be a target or a parent. When it is destroyed, the policy of the definition (`withPolicy`) says what happens to the
 * entities that have the definition; the definition itself stays usable, and the next call creates another entity.
 *
 * @cost constant; the first call spawns an entity.
 * @throws TreelineError `bad-term` if `definition` is not a component, tag or relation; `capacity`; `iterating` in a strict
 *   world inside an iteration; `bad-definition` as `spawn`.
 *
 * @example
 * set(world, entityOf(world, Frozen), Label, "cannot move");
 */
export function entityOf(world: World, definition: Definition): Entity {
  if (!isDefinition(definition) || definition === Any || definition === Is || isInternal(definition)) {
    const text = isDefinition(definition) ? (definition as Definition).name : shown(definition);
    throw new TreelineError(
      "bad-term",
      `${text} is not a component, tag or relation that can have an entity`,
    );
  }
  const known = world.componentEntities.get(definition.id);
  if (known !== undefined) return known;
  CHECK: requireOneOfEachName(world, [definition]);
  requireRoomForEntities(world, 1);
  installChanges(world.slots);
  const create = (index: number): Entity =>
    insertOne(world, planOf(world, [ComponentEntity]), [ComponentEntity], index);
  // An observer that observes the spawn may call `entityOf` too.
  if (world.deferDepth === 0 || !mustDefer(world))
    return defer(world, () => link(world, create(0), definition));
  const [spawned] = spawnDeferred(world, 1, false, [], (_, __, indexes) => {
    const index = indexes[0]!;
    try {
      create(index);
    } catch (error) {
      world.componentEntities.delete(definition.id);
      world.definitionsByEntity.delete(index);
      throw error;
    }
  });
  return link(world, spawned!, definition);
}

function link(world: World, entity: Entity, definition: Definition): Entity {
  world.slots.componentEntities ??= { requireDestroyable, usersOf, removeFromUsers };
  CHECK: noteUse(world, definition);
  world.componentEntities.set(definition.id, entity);
  world.definitionsByEntity.set(indexOf(entity), definition);
  return entity;
}

/** Removes a definition from an entity. Of a symmetric relation only this side is removed: the other side has its own call. */
function removeFromUsers(world: World, index: number, definition: Definition): void {
  if (!definition.symmetric) removeMatching(world, index, { definition, target: ANY });
  else for (const pair of orderedPairsAt(world, index, definition)) losePair(world, index, pair);
}

/** @throws TreelineError `refused` for a builtin. */
export function requireDestroyable(definition: Definition): void {
  if (!isBuiltin(definition)) return;
  throw new TreelineError("refused", `${definition.name} is a builtin; its entity cannot be destroyed`);
}

/** The indexes of all entities that have a definition, or a pair of it. A fresh list. */
export function usersOf(world: World, definition: Definition): number[] {
  const { graph } = world;
  const { componentIndex } = graph;
  const found: number[] = [];
  if (definition.storage !== "table") {
    for (const archetype of graph.founded) {
      for (const row of archetype.bits?.rowsWith(definition) ?? []) found.push(archetype.lanes.i32[row]!);
    }
    return found;
  }
  const archetypes = [
    ...(componentIndex.get(definition.id) ?? []),
    ...(definition === ChildOf ? (componentIndex.get(Parent.id) ?? []) : []),
  ];
  for (const { lanes, rows } of archetypes) for (let row = 0; row < rows; row++) found.push(lanes.i32[row]!);
  return found;
}

/**
 * The definition whose component entity this is; `undefined` for all other entities, and for one that is not alive.
 *
 * @cost constant.
 */
export function definitionAt(world: World, entity: Entity): Definition | undefined {
  return isLiving(world.entities, entity) ? world.definitionsByEntity.get(indexOf(entity)) : undefined;
}

/** The component entity of a definition, if it has been created. */
export function knownEntityOf(world: World, definition: Definition): Entity | undefined {
  return world.componentEntities.get(definition.id);
}
