// `remove`, `clear`; fast paths for components without effects and for bits (`removeComponent`).
import { warn } from "../../base/warn.ts";
import { isInternal } from "../../id/builtins.ts";
import { addRequired, type Definition, isDefinition } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { isLiving } from "../../records/entity-index.ts";
import { hasDefinition, NEEDS_BUILTIN } from "../../storage/archetype.ts";
import type { PairNumber } from "../../storage/table.ts";
import { changeArchetype, changeEntity, losePairs } from "../change/change-entity.ts";
import { archetypeLeft, goalAt, lose, losePairOf, NEEDS_BITS, needsFor } from "../change/goal.ts";
import { deferCommand, mustDefer } from "../state/lock.ts";
import { type Change, NO_CHANGES } from "../state/plans.ts";
import {
  definitionOf,
  matchingPairsAt,
  type ParsedTerm,
  parseTerm,
  type TermPattern,
} from "../state/read-entity.ts";
import { requireAlive, textAt } from "../state/require.ts";
import { parentPairAt } from "../state/targets.ts";
import { archetypeAt, definitionsAt, hasAt } from "../state/values.ts";
import { type World, worldState } from "../state/world.ts";

/**
 * Removes components, tags and pairs from an entity in one change; a wildcard removes all pairs that it matches: `ChildOf(Any)`
 * makes a child a root, `Any(ship)` removes every pair whose target is ship, `Any(Any)` removes all pairs. It is not an error if
 * the entity does not have one of them, or one is given twice. What a component requires stays when it is removed, and can be removed
 * alone, of which development builds warn. Inside an iteration the call is deferred to the end of the iteration.
 *
 * @cost one move of its row, whatever the number of terms.
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-term` if one of `what` is not a component, tag or pair; `iterating` in a strict world inside an iteration; and what a `check` hook throws when the parent changes.
 *   Nothing has changed then.
 *
 * @example
 * remove(world, ship, Velocity, Selected, Targets(Any));
 */
export function remove(world: World, entity: Entity, ...what: TermPattern[]): void {
  const only = what[0]!;
  const isOne = what.length === 1;
  CHECK: if (isOne && world.slots && world.deferDepth === 0 && isLiving(world.entities, entity))
    warnOfRequired(world, indexOf(entity), what);
  if (isOne && world.slots?.turnTag?.(world, entity, only, false) === true) return;
  requireAlive(world, entity);
  if (isOne && world.slots.sparsePairs?.removeAlone(world, [indexOf(entity)], only) === true) return;
  if (isOne && world.deferDepth === 0) {
    const definition = typeof only === "function" ? definitionOf(world, only as Definition) : undefined;
    if (definition !== undefined && definition.kind !== "relation")
      removeComponent(world, indexOf(entity), definition);
    else removeMatching(world, indexOf(entity), parseTerm(world, only));
  } else removeList(world, entity, what);
}

/** Apart from `remove`: a closure would allocate the captured variables in every call. */
function removeList(world: World, entity: Entity, what: readonly TermPattern[]): void {
  const parsed = what.map((one) => parseTerm(world, one));
  const run = (): void => {
    if (!isLiving(world.entities, entity)) return;
    if (parsed.length === 1) removeMatching(world, indexOf(entity), parsed[0]!);
    else removeTogether(world, indexOf(entity), parsed);
  };
  if (world.deferDepth !== 0 && mustDefer(world)) {
    deferCommand(world, indexOf(entity), run);
    for (const one of parsed) world.slots.pending?.give(world, [entity], [], one);
  } else run();
}

/** Removes what several terms match, in one change. */
function removeTogether(world: World, index: number, parsed: readonly ParsedTerm[]): void {
  const lost = new Set<PairNumber>();
  const definitions: Definition[] = [];
  for (const term of parsed) {
    if (term.definition.kind !== "relation") definitions.push(term.definition);
    else for (const pair of matchingPairsAt(world, index, term)) lost.add(pair);
  }
  const pairs = [...lost];
  const calls = checkLosses(world, index, pairs, definitions);
  CHECK: warnOfRequired(world, index, definitions);
  const goal = goalAt(world, index);
  for (const pair of pairs) losePairOf(world, goal, pair);
  for (const definition of definitions) lose(world, goal, definition);
  changeEntity(world, index, goal, undefined, calls);
}

export function removeMatching(world: World, index: number, parsed: ParsedTerm): void {
  const { definition } = parsed;
  CHECK: warnOfRequired(world, index, [definition]);
  if (definition.kind !== "relation") removeComponent(world, index, definition);
  else removePairs(world, index, matchingPairsAt(world, index, parsed));
}

/** By names of what was removed and of what requires it: each warning comes once. */
const warnedOf = /* @__PURE__ */ worldState(() => new Set<string>());

/** For development builds: warns if an entity loses what something that it keeps requires. @param lost any values. */
export function warnOfRequired(world: World, index: number, lost: readonly unknown[]): void {
  const kept = definitionsAt(world, index).filter((one) => one.requires && !lost.includes(one));
  for (const what of kept.length === 0 ? [] : lost) {
    if (!isDefinition(what) || what.kind === "relation" || !hasAt(world, index, what)) continue;
    if (hasDefinition(archetypeLeft(world, index, archetypeAt(world, index), what), what)) continue; // it inherits it again
    const keeper = kept.find((one) => addRequired([one]).includes(what))?.name;
    const key = `${what.name} of ${keeper}`;
    if (keeper === undefined || warnedOf(world).has(key)) continue;
    warnedOf(world).add(key);
    warn(
      `${textAt(world, index)} loses ${what.name} and keeps ${keeper}, which requires it: remove ${keeper} as well, ` +
        `remove(world, entity, ${keeper}, ${what.name}), or add ${what.name} again`,
    );
  }
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
  if (lost.length > 0) losePairs(world, index, lost, checkLosses(world, index, lost));
}

/** Calls `check` hooks if an entity loses its parent, except those of components that it loses as well. */
function checkLosses(
  world: World,
  index: number,
  lost: readonly PairNumber[],
  definitions: readonly Definition[] = [],
): readonly Change[] {
  const isChecked = archetypeAt(world, index).hooked.length > 0 && lost.includes(parentPairAt(world, index));
  const { changes, scopes } = world.slots;
  return (
    scopes?.checkLosses(world, [index], () => lost, definitions).get(index) ??
    (isChecked ? changes!.checkParent(world, index, undefined, definitions) : NO_CHANGES)
  );
}

/**
 * Removes everything from an entity: components, tags, pairs, its parent and its name. It stays alive, its handle stays
 * valid, and its children stay its children. Inside an iteration the call is deferred to the end of the iteration.
 *
 * @cost one move of its row, and the pairs of the entity.
 * @throws TreelineError `dead-entity` if the entity is not alive; `iterating` in a strict world inside an iteration.
 */
export function clear(world: World, entity: Entity): void {
  requireAlive(world, entity);
  if (world.deferDepth !== 0 && mustDefer(world)) {
    deferCommand(world, indexOf(entity), () => {
      if (isLiving(world.entities, entity)) clearNow(world, indexOf(entity));
    });
    const given = world.slots.pending?.given;
    if (given?.has(indexOf(entity))) given.set(indexOf(entity), []);
  } else clearNow(world, indexOf(entity));
}

function clearNow(world: World, index: number): void {
  const goal = goalAt(world, index);
  for (const definition of definitionsAt(world, index)) {
    if (!isInternal(definition)) lose(world, goal, definition);
  }
  goal.count = 0;
  goal.parentPair = 0;
  changeEntity(world, index, goal);
}
