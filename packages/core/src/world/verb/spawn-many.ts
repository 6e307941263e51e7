import { shown, TreelineError } from "../../base/error.ts";
import type { Entity } from "../../id/entity.ts";
import { handleAt } from "../../records/entity-index.ts";
import { plainTerms, type SpawnTerm } from "../change/destination.ts";
import { insertGroups } from "../change/insert.ts";
import { checkTerms, keptTerms } from "../change/spawn-plan.ts";
import { enterLimbo } from "../state/limbo.ts";
import { mustQueue } from "../state/lock.ts";
import type { World } from "../state/world.ts";
import { bearLater, planOf, requireRoomForEntities } from "./spawn.ts";

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
  const given = plainTerms(
    world,
    world.scope === undefined ? terms : world.slots.termsInScope!(world, terms),
  );
  checkTerms(given);
  const plan = planOf(world, given);
  if (count === 0) return [];
  requireRoomForEntities(world, count);
  if (world.visits !== 0 && mustQueue(world)) {
    const indexes = Array.from({ length: count }, () => enterLimbo(world));
    bearLater(world, indexes, 0, keptTerms(world, given), (live) => {
      insertGroups(world, [{ plan: planOf(world, live), terms: live, indexes }]);
    });
    return indexes.map((index) => handleAt(world.entities, index));
  }
  const indexes = new Array<number>(count).fill(0);
  return insertGroups(world, [{ plan, terms: given, indexes }]);
}
