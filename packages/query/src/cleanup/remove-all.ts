import type { Asked, World } from "@treeline/core";
import { enqueue, mustQueue, questionOf, removeFromAll } from "@treeline/core/internal";

/**
 * Takes a component, tag or pair off everybody who has it; with wildcards everything they mean. Nobody dies:
 * `removeAll(world, ChildOf(ship))` makes roots of ship's children, in both storages.
 *
 * Cost: one move for each entity that has it.
 *
 * @throws TreelineError `bad-term` for what is no component, tag, pair or entity; `dead-entity` for a target that can be no
 *   handle; what a `check` hook throws when entities become roots, such as `name-taken`; `visiting` in a strict world
 *   inside a visit, else it waits for the end of that. Nothing has changed then.
 */
export function removeAll(world: World, what: Asked): void {
  const question = questionOf(world, what);
  if (mustQueue(world)) enqueue(world, 0, () => removeFromAll(world, question));
  else removeFromAll(world, question);
}
