import { isInternal } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { isLiving } from "../../records/entity-index.ts";
import { NEEDS_BUILTIN } from "../../storage/archetype.ts";
import type { PairNumber } from "../../storage/table.ts";
import { changeArchetype, changeEntity, losePairs } from "../change/change-entity.ts";
import { archetypeLeft, goalAt, lose, NEEDS_BITS, needsFor } from "../change/goal.ts";
import { deferCommand, mustDefer } from "../state/lock.ts";
import { NO_CHANGES } from "../state/plans.ts";
import {
  definitionOf,
  matchingPairsAt,
  type ParsedTerm,
  parseTerm,
  type TermPattern,
} from "../state/read-entity.ts";
import { requireAlive } from "../state/require.ts";
import { parentPairAt } from "../state/targets.ts";
import { archetypeAt, definitionsAt } from "../state/values.ts";
import type { World } from "../state/world.ts";

/**
 * Removes a component, tag or pair from an entity; a wildcard removes all pairs that it matches: `ChildOf(Any)` makes a
 * child a root, `Any(ship)` removes every pair whose target is ship, `Any(Any)` removes all pairs. It is not an error if
 * the entity does not have it. Inside an iteration the call is deferred to the end of the iteration.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` if `what` is not a component, tag, pair or
 *   entity; `iterating` in a strict world inside an iteration; and what a `check` hook throws when the parent changes.
 *   Nothing has changed then.
 */
export function remove(world: World, entity: Entity, what: TermPattern): void {
  if (world.slots?.turnTag?.(world, entity, what, false) === true) return;
  requireAlive(world, entity);
  if (world.deferDepth === 0 && typeof what === "function") {
    const definition = definitionOf(what as Definition);
    if (definition.kind !== "relation") {
      removeComponent(world, indexOf(entity), definition);
      return;
    }
  }
  const parsed = parseTerm(world, what);
  if (world.deferDepth !== 0 && mustDefer(world)) deferRemoval(world, entity, parsed);
  else removeMatching(world, indexOf(entity), parsed);
}

/** Apart from `remove`: a closure would allocate the captured variables in every call. */
function deferRemoval(world: World, entity: Entity, parsed: ParsedTerm): void {
  deferCommand(world, indexOf(entity), () => {
    if (isLiving(world.entities, entity)) removeMatching(world, indexOf(entity), parsed);
  });
}

export function removeMatching(world: World, index: number, parsed: ParsedTerm): void {
  const { definition } = parsed;
  if (definition.kind !== "relation") removeComponent(world, index, definition);
  else removePairs(world, index, matchingPairsAt(world, index, parsed));
}

function removeComponent(world: World, index: number, definition: Definition): void {
  const needs = needsFor(world, definition);
  if (needs === 0) {
    const was = archetypeAt(world, index);
    const archetype = archetypeLeft(world, index, was, definition);
    changeArchetype(world, index, archetype);
    if (archetype !== was && (was.fixedNeeds & NEEDS_BUILTIN) !== 0)
      world.slots.prefabs?.reacted(world, index, was, archetype);
    return;
  }
  if (needs === NEEDS_BITS) {
    world.slots.bits!.turn(world, index, [{ definition, on: false }]);
    return;
  }
  const goal = goalAt(world, index);
  lose(world, goal, definition);
  changeEntity(world, index, goal);
}

/** Removes pairs from an entity that has them; calls `check` hooks first if the entity becomes a root. */
function removePairs(world: World, index: number, lost: readonly PairNumber[]): void {
  if (lost.length === 0) return;
  const isChecked = archetypeAt(world, index).hooked.length > 0 && lost.includes(parentPairAt(world, index));
  const { changes, scopes } = world.slots;
  const calls =
    scopes?.checkLosses(world, [index], () => lost).get(index) ??
    (isChecked ? changes!.checkParent(world, index, undefined) : NO_CHANGES);
  losePairs(world, index, lost, calls);
}

/**
 * Removes everything from an entity: components, tags, pairs, its parent and its name. It stays alive, its handle stays
 * valid, and its children stay its children. Inside an iteration the call is deferred to the end of the iteration.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `iterating` in a strict world inside an iteration.
 */
export function clear(world: World, entity: Entity): void {
  requireAlive(world, entity);
  if (world.deferDepth !== 0 && mustDefer(world)) {
    deferCommand(world, indexOf(entity), () => {
      if (isLiving(world.entities, entity)) clearNow(world, indexOf(entity));
    });
  } else clearNow(world, indexOf(entity));
}

function clearNow(world: World, index: number): void {
  const goal = goalAt(world, index);
  for (const definition of definitionsAt(world, index)) {
    if (!isInternal(definition)) lose(world, goal, definition);
  }
  goal.count = 0;
  goal.valuePair = 0;
  changeEntity(world, index, goal);
}
