import { TreelineError } from "../base/error.ts";
import { ChildOf, isBuiltin } from "../id/builtins.ts";
import { ANY, type Definition } from "../id/definition.ts";
import { PAIR_DELETES, PAIR_REFUSES } from "../id/pair-traits.ts";
import { handleAt } from "../records/entity-index.ts";
import type { PairNumber } from "../storage/table.ts";
import { loosenOneSide } from "../world/change/effects.ts";
import { keptChanges } from "../world/change/hook-calls.ts";
import { textOf } from "../world/state/require.ts";
import { pairsAt, sourceIndexes } from "../world/state/targets.ts";
import { shapeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { removeAsked, removePairs } from "../world/verb/remove.ts";
import { type DeletionSet, survivorsOf } from "./deletion-set.ts";
import { usersOf } from "./users.ts";

/**
 * Looks for what refuses the destruction. Nothing is changed.
 *
 * @throws TreelineError `refused` if an entity that lives on has one of the destroyed by a relation that refuses, or a
 *   definition that does, or if a builtin would be destroyed.
 */
export function requireNoRefusal(world: World, set: DeletionSet): void {
  const { pairs } = world.graph;
  for (const pair of set.pairs) {
    if ((pairs.traits[pair]! & PAIR_REFUSES) === 0) continue;
    const [source] = survivorsOf(world, set, sourceIndexes(world, pair));
    if (source === undefined) continue;
    const target = textOf(world, handleAt(world.entities, pairs.target[pair]!));
    const subject = textOf(world, handleAt(world.entities, source));
    throw new TreelineError(
      "refused",
      `${subject} holds ${target} by ${relationOf(world, source, pair).name}, which refuses its death; ` +
        "remove that pair first",
    );
  }
  for (const definition of set.definitions) {
    requireMortal(definition);
    if (definition.onDeath !== "refuse") continue;
    const [user] = survivorsOf(world, set, usersOf(world, definition));
    if (user === undefined) continue;
    throw new TreelineError(
      "refused",
      `${textOf(world, handleAt(world.entities, user))} has ${definition.name}, whose policy refuses the death of the ` +
        "entity that stands for it; remove it first",
    );
  }
}

/** @throws TreelineError `refused` for a builtin. */
export function requireMortal(definition: Definition): void {
  if (!isBuiltin(definition)) return;
  throw new TreelineError("refused", `${definition.name} is a builtin; the entity that stands for it stays`);
}

/** Removes pairs that point at the destroyed, and the definitions that go, from all entities that live on. */
export function removeFromSurvivors(world: World, set: DeletionSet): void {
  const { pairs } = world.graph;
  for (const pair of set.pairs) {
    if ((pairs.traits[pair]! & PAIR_DELETES) !== 0) continue;
    const target = pairs.target[pair]!;
    for (const source of survivorsOf(world, set, sourceIndexes(world, pair)))
      removePair(world, source, pair, target);
  }
  for (const definition of set.definitions) {
    for (const user of survivorsOf(world, set, usersOf(world, definition))) {
      if (!definition.symmetric) removeAsked(world, user, { definition, target: ANY });
      else
        for (const pair of pairsAt(world, user, definition))
          removePair(world, user, pair, pairs.target[pair]!);
    }
  }
}

/** Removes one side of a pair alone: the other one is destroyed, or has its own turn. No hook is asked whether it may. */
export function removePair(world: World, source: number, pair: PairNumber, target: number): void {
  const relation = relationOf(world, source, pair);
  if (relation.symmetric) loosenOneSide(world, relation, source, target);
  else removePairs(world, source, [pair], keptChanges(world, shapeAt(world, source), source));
}

function relationOf(world: World, source: number, pair: PairNumber): Definition {
  const id = world.graph.pairs.relation[pair]!;
  return shapeAt(world, source).definitions.find((definition) => definition.id === id) ?? ChildOf;
}
