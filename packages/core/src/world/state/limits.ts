import { TreelineError } from "../../base/error.ts";
import { isBuiltin } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import { findPair } from "../../id/pair-book.ts";
import { handleAt } from "../../records/entity-index.ts";
import { textOf } from "./require.ts";
import { countSources, hasPairAt } from "./targets.ts";
import type { World } from "./world.ts";

/**
 * Refuses one source too many.
 *
 * @param source the index of the entity that will have the pair; 0 for newborns.
 * @throws TreelineError `full`.
 */
export function requireRoomAt(
  world: World,
  relation: Definition,
  source: number,
  target: number,
  newcomers = 1,
): void {
  const most = relation.maxSources;
  if (most === 0) return;
  const pair = findPair(world.graph.pairs, relation.id, target);
  const present = pair === 0 ? 0 : countSources(world, pair);
  if (present + newcomers <= most || (pair !== 0 && source !== 0 && hasPairAt(world, source, pair))) return;
  throw new TreelineError(
    "full",
    `${textOf(world, handleAt(world.entities, target))} is the target of ${present} entities by ${relation.name}, ` +
      `which takes ${most} at most; remove one of those pairs first`,
  );
}

/**
 * Refuses a parent for an entity that stands for a builtin.
 *
 * @throws TreelineError `refused`.
 */
export function requireParentable(world: World, index: number): void {
  const definition = world.standsFor.get(index);
  if (definition === undefined || !isBuiltin(definition)) return;
  throw new TreelineError("refused", `${definition.name} is a builtin; its entity takes no parent`);
}
