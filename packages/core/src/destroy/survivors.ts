import { TreelineError } from "../base/error.ts";
import { PAIR_DELETES, PAIR_REFUSES } from "../id/definition.ts";
import { handleAt } from "../records/entity-index.ts";
import { textOf } from "../world/state/require.ts";
import { sourceIndexes } from "../world/state/targets.ts";
import { shapeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { type DeletionSet, survivorsOf } from "./deletion-set.ts";

/**
 * Looks for what refuses the destruction. Nothing is changed.
 *
 * @throws TreelineError `refused` if an entity that lives on has one of the destroyed by a relation that refuses, or a
 *   definition that does, or if a builtin would be destroyed.
 */
export function requireNoRefusal(world: World, set: DeletionSet): void {
  const { pairs } = world.graph;
  const { standing } = world.slots;
  for (const pair of set.pairs) {
    if ((pairs.traits[pair]! & PAIR_REFUSES) === 0) continue;
    const [source] = survivorsOf(world, set, sourceIndexes(world, pair));
    if (source === undefined) continue;
    const target = textOf(world, handleAt(world.entities, pairs.target[pair]!));
    const subject = textOf(world, handleAt(world.entities, source));
    const relation = shapeAt(world, source).definitions.find(({ id }) => id === pairs.relation[pair]);
    throw new TreelineError(
      "refused",
      `${subject} holds ${target} by ${relation!.name}, which refuses its death; remove that pair first`,
    );
  }
  for (const definition of set.definitions) {
    standing!.requireMortal(definition);
    if (definition.onDeath !== "refuse") continue;
    const [user] = survivorsOf(world, set, standing!.usersOf(world, definition));
    if (user === undefined) continue;
    throw new TreelineError(
      "refused",
      `${textOf(world, handleAt(world.entities, user))} has ${definition.name}, whose policy refuses the death of the ` +
        "entity that stands for it; remove it first",
    );
  }
}

/** Removes pairs that point at the destroyed, and the definitions that go, from all entities that live on. */
export function removeFromSurvivors(world: World, set: DeletionSet): void {
  const { pairs } = world.graph;
  const { standing } = world.slots;
  for (const pair of set.pairs) {
    if ((pairs.traits[pair]! & PAIR_DELETES) !== 0) continue;
    for (const source of survivorsOf(world, set, sourceIndexes(world, pair)))
      world.slots.changes!.losePair(world, source, pair);
  }
  for (const definition of set.definitions) {
    for (const user of survivorsOf(world, set, standing!.usersOf(world, definition)))
      standing!.withdraw(world, user, definition);
  }
}
