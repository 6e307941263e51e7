// `removeMany`: which pairs each entity of a list loses, and which hooks are asked.
import type { Entity } from "../id/entity.ts";
import { goalAt, lose, losePairOf } from "../world/change/goal.ts";
import { requireMoves } from "../world/change/hook-calls.ts";
import type { Goal } from "../world/state/plans.ts";
import { matchingPairsAt, type ParsedTerm, parseTerm, type TermPattern } from "../world/state/read-entity.ts";
import { parentPairAt } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";
import { warnOfRequired } from "../world/verb/remove.ts";
import { changeList, NOTHING } from "./change-list.ts";
import { changeOrDefer, indexesIn } from "./list.ts";

/**
 * Removes a component, tag or pair from several entities, or all pairs that a wildcard matches: `remove` for each in the order of the
 * list, but all or nothing. One that is listed twice counts once. `removeMany(world, list, ChildOf(Any))` makes roots of them.
 *
 * `check` hooks are called for all before the first one changes. Observers are notified entity by entity; the changes that they make
 * follow at the end. Inside an iteration it is deferred to the end, without those that are destroyed by then.
 *
 * @cost as `remove` for each, but destinations are found once for each table that the entities leave.
 * @throws TreelineError `bad-value` if it is no list; `dead-entity` if one of it is not alive; `bad-term` as `remove`; `capacity`;
 *   `iterating` in a strict world inside an iteration; and what a `check` hook throws when parents change. Nothing has changed then.
 *
 * @example
 * removeMany(world, selection, Selected);
 */
export function removeMany(world: World, entities: readonly Entity[], what: TermPattern): void {
  const parsed = parseTerm(world, what);
  const indexes = indexesIn(world, "removeMany", entities);
  changeOrDefer(world, indexes, (isLeft) => {
    removeFromList(world, isLeft ? indexes.filter((_, place) => isLeft(place)) : indexes, parsed);
  });
  world.slots.pending?.give(world, entities, [], parsed);
}

/** Removes what a term matches from the entities at some indexes, in their order: all or nothing. */
function removeFromList(world: World, indexes: readonly number[], parsed: ParsedTerm): void {
  const { definition } = parsed;
  const isPair = definition.kind === "relation";
  const lostBy = (index: number) => matchingPairsAt(world, index, parsed);
  const goalOf = (index: number): Goal => {
    const lost = isPair ? lostBy(index) : [];
    const goal = goalAt(world, index);
    if (isPair) for (const pair of lost) losePairOf(world, goal, pair);
    else lose(world, goal, definition);
    return goal;
  };
  CHECK: for (const index of indexes) warnOfRequired(world, index, [definition]);
  let calls: ReturnType<typeof requireMoves> = new Map();
  if (isPair) {
    const orphans = new Map<number, undefined>();
    for (const index of indexes) {
      const parent = parentPairAt(world, index);
      if (parent !== 0 && lostBy(index).includes(parent)) orphans.set(index, undefined);
    }
    calls = world.slots.scopes?.checkLosses(world, indexes, lostBy) ?? requireMoves(world, orphans);
  }
  /** Entities of one table lose the same pairs of it; whether they lose their parent is their own. */
  const keyOf = (index: number, table: number): number => {
    const parent = isPair ? world.entities.family[index]! : 0;
    return table * 2 + (parent !== 0 && lostBy(index).includes(parent) ? 1 : 0);
  };
  changeList(world, { indexes, keyOf, goalOf, termsOf: NOTHING, calls });
}
