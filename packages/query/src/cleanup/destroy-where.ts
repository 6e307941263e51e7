import { definitionAt, type TermPattern, type World } from "@treeline/core";
import { Disabled, destroyAll, indexOf, isBuiltin, parseTerm, removeFromAll } from "@treeline/core/internal";
import { entities } from "../iterate/collect.ts";
import { maybe } from "../query/build/filter-terms.ts";
import { runOnce } from "../query/build/query.ts";
import type { QueryTerm } from "../term/operators.ts";
import { readTerms, refuse } from "../term/read.ts";
import { inTurn } from "../tree/move.ts";

/**
 * The death of all who answer, with all that dies with them, as one death: who holds one of the dying, and dies as well,
 * does not refuse. `destroyWhere(world, ChildOf(ship))` empties ship; without terms everybody dies, the disabled too,
 * except the entities that stand for builtins. Terms are those of `query`, and the disabled answer only if named.
 *
 * Inside a visit it waits for the end, and looks for answers then. Cost: finding the answers, and the dying rows and tables.
 *
 * @returns how many died, those who did not answer themselves included; 0 if it waits.
 * @throws TreelineError `bad-query` or `dead-entity` for what `query` refuses; `refused` if a survivor holds one of the
 *   dying by a relation with `onTargetDestroy: "refuse"`, if the policy of a definition refuses, or if a builtin answers;
 *   nothing has changed then. `iterating` in a strict world inside a visit.
 *
 * @example
 * destroyWhere(world, Bullet, not(ChildOf(Any)));
 */
export function destroyWhere(world: World, ...terms: QueryTerm[]): number {
  const isForAll = terms.length === 0;
  const reading = readTerms(world, isForAll ? [maybe(Disabled)] : terms);
  if (reading.plan.isWatching)
    refuse("destroyWhere asks once: changed, added and removed need a query that looks again and again");
  let died = 0;
  inTurn(world, 0, () => {
    const found = new Set(runOnce(world, reading, entities));
    for (const entity of isForAll ? found : []) {
      const definition = definitionAt(world, entity);
      if (definition !== undefined && isBuiltin(definition)) found.delete(entity);
    }
    died = destroyAll(world, [...found].map(indexOf));
  });
  return died;
}

/**
 * Takes a component, tag or pair off everybody who has it; with wildcards everything they mean. Nobody dies:
 * `removeAll(world, ChildOf(ship))` makes roots of ship's children, in both storages. Cost: one move for each who has it.
 *
 * @throws TreelineError `bad-term` for what is no component, tag, pair or entity; `dead-entity` for a target that can be no
 *   handle; what a `check` hook throws when entities become roots, such as `name-taken`; `iterating` in a strict world
 *   inside a visit, else it waits for the end of that. Nothing has changed then. `capacity` if memory ends half way.
 */
export function removeAll(world: World, what: TermPattern): void {
  const parsed = parseTerm(world, what);
  inTurn(world, 0, () => removeFromAll(world, parsed));
}
