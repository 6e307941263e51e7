import type { Entity, World } from "@treeline/core";
import { insideScope } from "@treeline/core/internal";

/**
 * Runs a function in which whatever is spawned becomes a child of `parent`: by `spawn`, `spawnMany`, `clone` and
 * `ensurePath`, also from functions that it calls; but not by listeners and hooks. Who is given a parent of its own
 * keeps that one. Look-ups without `from` start there too. Scopes nest, and end with the function, errors included;
 * what an async function does after its first `await` is outside.
 *
 * @param parent `undefined` for the roots: a way out of another scope.
 * @returns what the function returns.
 * @throws TreelineError `dead-entity` if the parent is not alive, as does whatever would be spawned below it once it is
 *   dead; and what the function throws.
 *
 * @example
 * withScope(world, ship, () => {
 *   spawn(world, Name("Cockpit"));
 *   spawnCargo(world); // crates and all
 * });
 */
export function withScope<Result>(world: World, parent: Entity | undefined, run: () => Result): Result {
  return insideScope(world, parent, run);
}
