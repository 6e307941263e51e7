// `withScope`, `withoutScope`: pass the parent of spawned entities to core.
import type { Entity, World } from "@treeline/core";
import { insideScope, requireAlive } from "@treeline/core/internal";

/**
 * Runs a function; entities that are spawned in it become children of `parent`: by `spawn`, `spawnMany`, `clone` and
 * `ensurePath`, also in functions that it calls, but not in observers and hooks. An entity that is given a parent keeps that
 * one. Look-ups without `from` start at `parent` too. Scopes nest, and end when the function returns or throws; what an
 * async function does after its first `await` is outside the scope.
 *
 * @cost constant, and the function.
 * @returns what the function returns.
 * @throws TreelineError `dead-entity` if the parent is not alive or is `undefined`, also from a spawn in the scope after the
 *   parent has been destroyed; and what the function throws.
 *
 * @example
 * withScope(world, ship, () => {
 *   spawn(world, Name("Cockpit"));
 *   spawnCargo(world); // crates and all
 * });
 */
export function withScope<Result>(world: World, parent: Entity, run: () => Result): Result {
  requireAlive(world, parent, "pass a parent, or call withoutScope(world, run) to leave a scope");
  return insideScope(world, parent, run);
}

/**
 * Runs a function outside of any scope: entities that are spawned in it become roots, and look-ups begin at the roots.
 *
 * @cost constant, and the function.
 * @returns what the function returns.
 * @throws what the function throws.
 *
 * @example
 * withoutScope(world, () => spawn(world, Name("Settings")));
 */
export function withoutScope<Result>(world: World, run: () => Result): Result {
  return insideScope(world, undefined, run);
}
