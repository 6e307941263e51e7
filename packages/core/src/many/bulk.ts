// What entities that are appended by tables have in common: `isAppendable`, `needsMoreBelow`, hooks that take lists (`acceptSpawned`).
import { type Definition, PAIR_SPREADS } from "../id/definition.ts";
import { type Archetype, NEEDS_HOOKS, NEEDS_TICKS } from "../storage/archetype.ts";
import type { PairNumber } from "../storage/table.ts";
import { callAcceptList } from "../world/change/hook-calls.ts";
import { type AcceptedList, hooksOf } from "../world/state/hooks.ts";
import { needsOf } from "../world/state/needs-of.ts";
import type { World } from "../world/state/world.ts";

/** NEEDS_ bits of rows that are appended by table. */
const BULK: number = NEEDS_TICKS | NEEDS_HOOKS;

/** Can rows be appended by table, because none needs a stage of its own, and only one component has hooks, which take lists? */
export function isAppendable(world: World, archetype: Archetype): boolean {
  const { hooked } = archetype;
  if ((needsOf(world, archetype) & ~BULK) !== 0) return false;
  if (hooked.length === 0) return true;
  return (
    hooked.length === 1 && hooksOf(hooked[0]!).acceptList !== undefined && world.slots.scopes === undefined
  );
}

/** Are new children below the pair of a parent disabled from above, or parts of a prefab? */
export function needsMoreBelow({ graph }: World, pair: PairNumber): boolean {
  return (graph.pairs.traits[pair]! & PAIR_SPREADS) !== 0;
}

/** Calls the hooks for lists of a component of entities that are about to be spawned. @param parents by place; 0 for roots. */
export function acceptSpawned(
  world: World,
  definition: Definition,
  values: readonly unknown[],
  parents: Int32Array,
): AcceptedList<unknown> {
  return callAcceptList(
    world,
    hooksOf(definition).acceptList!,
    new Int32Array(parents.length),
    values,
    parents,
  );
}
