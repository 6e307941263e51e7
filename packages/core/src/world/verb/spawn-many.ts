import { TreelineError } from "../../base/error.ts";
import { shown } from "../../base/shown.ts";
import type { Entity } from "../../id/entity.ts";
import { handleAt } from "../../records/entity-index.ts";
import { NEEDS_HOOKS, NEEDS_OBSERVERS } from "../../storage/needs.ts";
import { type PlainTerm, plainTerms, type SpawnTerm } from "../change/destination.ts";
import { insertGroups, needsOfPlan } from "../change/insert.ts";
import { termsInScope } from "../change/scope.ts";
import { checkTerms, gatherTerms, keptTerms, knownPlan, newPlan } from "../change/spawn-plan.ts";
import { liveTerms } from "../change/term-deaths.ts";
import { enterLimbo, isInLimbo, leaveLimbo } from "../state/limbo.ts";
import { enqueue, mustQueue } from "../state/lock.ts";
import type { World } from "../state/world.ts";
import { requireRoomForEntities } from "./spawn.ts";

/**
 * Spawns `count` entities of one type at once; all start with the same values, unless hooks give them others.
 * The hooks of all of them are asked before the first one is spawned: `checkMoves` for all at once, or else `check` for
 * each.
 *
 * @returns the handles, in order of spawning.
 * @throws TreelineError as `spawn`; `bad-value` unless `count` is a whole number of 0 or more.
 */
export function spawnMany(world: World, count: number, ...terms: SpawnTerm[]): Entity[] {
  if (!Number.isInteger(count) || count < 0) {
    throw new TreelineError("bad-value", `spawnMany takes a whole number of 0 or more, not ${shown(count)}`);
  }
  const given = plainTerms(world, termsInScope(world, terms));
  checkTerms(given);
  gatherTerms(world, given);
  const plan = knownPlan(world, given) ?? newPlan(world, given);
  if (count === 0) return [];
  requireRoomForEntities(world, count);
  if (world.visits !== 0 && mustQueue(world)) {
    const kept = keptTerms(world, given);
    const indexes = Array.from({ length: count }, () => enterLimbo(world));
    enqueue(world, 0, () => insertDeferred(world, kept, indexes));
    return indexes.map((index) => handleAt(world.entities, index));
  }
  const indexes = new Array<number>(count).fill(0);
  const isTold = (needsOfPlan(world, plan) & (NEEDS_HOOKS | NEEDS_OBSERVERS)) !== 0;
  return insertGroups(world, [{ plan, terms: isTold ? keptTerms(world, given) : given, indexes }]);
}

/** The end of deferral: entities get what the terms say, or are gone again. */
function insertDeferred(world: World, terms: readonly PlainTerm[], indexes: number[]): void {
  try {
    const live = liveTerms(world, terms);
    if (live === undefined) return;
    gatherTerms(world, live);
    const plan = knownPlan(world, live) ?? newPlan(world, live);
    insertGroups(world, [{ plan, terms: keptTerms(world, live), indexes }]);
  } finally {
    for (const index of indexes) if (isInLimbo(world, index)) leaveLimbo(world, index);
  }
}
