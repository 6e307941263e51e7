// `destroyWhere`, `removeAll`: what a list of terms destroys, or a term removes; keeps builtins; refuses `changed` terms.
import { definitionAt, type TermPattern, type World } from "@treeline/core";
import { Disabled, destroyAll, indexOf, isBuiltin, parseTerm, removeFromAll } from "@treeline/core/internal";
import { entities } from "../iterate/collect.ts";
import { maybe } from "../query/build/filter-terms.ts";
import { runOnce } from "../query/build/query.ts";
import type { QueryTerm } from "../term/operators.ts";
import { readTerms, refuse } from "../term/read.ts";
import { changeOrDefer } from "../tree/move.ts";

/**
 * Destroys all entities that match, with everything that is destroyed with them, as one destruction: a relation that refuses is
 * ignored if its subject is destroyed as well. `destroyWhere(world, ChildOf(ship))` destroys everything below the ship; without
 * terms it destroys all entities, the disabled too, except the component entities of builtins. Terms are those of `query`, and
 * disabled entities match only if a term names that.
 *
 * Inside an iteration it is deferred to the end, and evaluated then.
 *
 * @cost finding the matches, and the rows and tables that are destroyed.
 * @returns how many entities were destroyed, those that do not match themselves included; 0 if it is deferred.
 * @throws TreelineError `bad-query`, `bad-term` or `dead-entity` for what `query` refuses; `refused` if a remaining entity targets a
 *   destroyed one by a relation with `onTargetDestroy: "refuse"`, if the policy of a definition refuses, or if a builtin matches;
 *   nothing has changed then. `iterating` in a strict world inside an iteration.
 *
 * @example
 * destroyWhere(world, Bullet, not(ChildOf(Any)));
 */
export function destroyWhere(world: World, ...terms: QueryTerm[]): number {
  const isForAll = terms.length === 0;
  const reading = readTerms(world, isForAll ? [maybe(Disabled)] : terms);
  if (reading.plan.isWatching)
    refuse("destroyWhere runs once: changed, added and removed need a query that is read repeatedly");
  let destroyed = 0;
  changeOrDefer(world, 0, () => {
    const found = new Set(runOnce(world, reading, entities));
    for (const entity of isForAll ? found : []) {
      const definition = definitionAt(world, entity);
      if (definition !== undefined && isBuiltin(definition)) found.delete(entity);
    }
    destroyed = destroyAll(world, [...found].map(indexOf));
  });
  return destroyed;
}

/**
 * Removes a component, tag or pair from every entity that has it; with wildcards everything they match. It destroys nothing:
 * `removeAll(world, ChildOf(ship))` makes the ship's children roots, in both storages.
 *
 * @cost one move per entity that has it.
 * @throws TreelineError `bad-term` for anything that is not a component, tag or pair; `dead-entity` for a target that
 *   cannot be a handle; what a `check` hook throws when entities become roots, such as `name-taken`; `iterating` in a strict
 *   world inside an iteration, otherwise it is deferred to the end. Nothing has changed then. `capacity` if memory ends half way.
 */
export function removeAll(world: World, what: TermPattern): void {
  const parsed = parseTerm(world, what);
  changeOrDefer(world, 0, () => removeFromAll(world, parsed));
}
