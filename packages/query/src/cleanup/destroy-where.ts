import { ChildOf, type Definition, definitionAt, type World } from "@treeline/core";
import {
  Disabled,
  DisabledTree,
  destroyAll,
  enqueue,
  handleOf,
  mustQueue,
  OrderedChildren,
  Parent,
} from "@treeline/core/internal";
import { answersTo } from "../query/ask/answers.ts";
import { maybe } from "../query/ask/filter-terms.ts";
import type { QueryTerm } from "../term/operators.ts";
import { readTerms, refuse } from "../term/read.ts";

/**
 * The death of all who answer, with all that dies with them, as one death: who holds one of the dying, and dies as well,
 * does not refuse. `destroyWhere(world, ChildOf(ship))` empties ship; without terms everybody dies, the disabled too,
 * except the entities that stand for builtins. Terms are those of `query`, and the disabled answer only if named.
 *
 * Inside a visit it waits for the end, and looks for answers then.
 *
 * Cost: finding the answers, and the dying rows and tables.
 *
 * @returns how many died, those who did not answer themselves included; 0 if it waits.
 * @throws TreelineError `bad-query` or `dead-entity` for what `query` refuses; `refused` if a survivor holds one of the
 *   dying by a relation with `onTargetDeath: "refuse"`, if the policy of a definition refuses, or if a builtin answers;
 *   nothing has changed then. `visiting` in a strict world inside a visit.
 *
 * @example
 * destroyWhere(world, Bullet, not(ChildOf(Any)));
 */
export function destroyWhere(world: World, ...terms: QueryTerm[]): number {
  const isForAll = terms.length === 0;
  const reading = readTerms(world, isForAll ? [maybe(Disabled)] : terms);
  if (reading.plan.isWatching)
    refuse("destroyWhere asks once: changed, added and removed need a query that looks again and again");
  const run = (): number => {
    const found = answersTo(world, reading);
    return destroyAll(world, isForAll ? found.filter((index) => isMortal(world, index)) : found);
  };
  if (!mustQueue(world)) return run();
  enqueue(world, 0, run);
  return 0;
}

/** The entities that stand for these do not die. */
const IMMORTAL: readonly Definition[] = [ChildOf, Parent, OrderedChildren, Disabled, DisabledTree];

function isMortal(world: World, index: number): boolean {
  const definition = definitionAt(world, handleOf(world, index));
  return definition === undefined || !IMMORTAL.includes(definition);
}
