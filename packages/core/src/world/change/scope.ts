import { ChildOf } from "../../id/builtins.ts";
import type { Entity } from "../../id/entity.ts";
import { requireAlive } from "../state/require.ts";
import type { World } from "../state/world.ts";
import { definitionOfTerm, isParental, type PlainTerm, type SpawnTerm } from "./destination.ts";
import { bringTree } from "./pair.ts";

/** The parent of those who are born without one of their own; `undefined` if they are roots, as they are mostly. */
export function scopeOf(world: World): Entity | undefined {
  return world.scope;
}

/**
 * Runs a function, and whom `spawn`, `spawnMany` and `clone` give birth to meanwhile without a parent of its own
 * becomes a child of `parent`, by ChildOf; `undefined` means no parent again. Whoever waits for the end of a visit
 * keeps the parent of the moment of its call. Hooks and listeners are called outside of any scope.
 *
 * @returns what the function returns.
 * @throws TreelineError `dead-entity` if the parent is not alive; and what the function throws: the scope is as it was
 *   then.
 */
export function insideScope<Result>(world: World, parent: Entity | undefined, run: () => Result): Result {
  if (parent !== undefined) requireAlive(world, parent);
  world.slots.termsInScope ??= termsInScope;
  bringTree(world.slots);
  const { scope } = world;
  world.scope = parent;
  try {
    return run();
  } finally {
    world.scope = scope;
  }
}

/** The terms of a birth, with the parent of the scope unless they name one. */
function termsInScope({ scope }: World, terms: readonly SpawnTerm[]): readonly SpawnTerm[] {
  return scope === undefined || terms.some(namesParent) ? terms : [...terms, ChildOf(scope)];
}

/** Takes what is no term as well: it is refused elsewhere. */
function namesParent(term: SpawnTerm | undefined | null): boolean {
  if (term === undefined || term === null || typeof term === "number") return false;
  return isParental(definitionOfTerm(term as PlainTerm));
}
