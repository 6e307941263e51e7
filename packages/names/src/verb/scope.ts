import type { Entity, World } from "@treeline/core";
import { insideScope } from "@treeline/core/internal";

/**
 * Runs a function; entities that are spawned in it become children of `parent`: by `spawn`, `spawnMany`, `clone` and
 * `ensurePath`, also in functions that it calls, but not in observers and hooks. An entity that is given a parent keeps that
 * one. Look-ups without `from` start at `parent` too. Scopes nest, and end when the function returns or throws; what an
 * async function does after its first `await` is outside the scope.
 *
 * @param parent `undefined` for the roots: this leaves another scope.
 * @returns what the function returns.
 * @throws TreelineError `dead-entity` if the parent is not alive, also from a spawn in the scope after the parent has been
 *   destroyed; and what the function throws.
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
