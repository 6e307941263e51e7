import { requireMoves } from "../destroy/remove-all.ts";
import { ChildOf } from "../id/builtins.ts";
import { type Entity, type EntityIndex, indexOf } from "../id/entity.ts";
import { loseParent } from "../world/change/change-entity.ts";
import { insideVisit, whileChanging } from "../world/state/lock.ts";
import { NO_CHANGES } from "../world/state/plans.ts";
import { parentIndexAt } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";
import { requirePlace } from "../world/verb/add.ts";
import { reparent } from "../world/verb/reparent.ts";

/**
 * Gives several entities other parents, or none, as one change, now: everything is checked before the first one moves, and who leaves
 * makes room for who comes. They come to the end of their new families. Who has that parent already stays where it is.
 *
 * @param moves living entities, each once, with their new parents; `undefined` makes roots of them.
 * @throws TreelineError `cycle`, `refused`, `full`, and what a `check` hook throws. Nothing has changed then.
 */
export function moveAll(world: World, moves: readonly (readonly [Entity, Entity | undefined])[]): void {
  const parents = new Map<EntityIndex, Entity | undefined>();
  for (const [entity, parent] of moves) {
    const index = indexOf(entity);
    const target = parent === undefined ? 0 : indexOf(parent);
    if (parentIndexAt(world, index) === target) continue;
    if (target !== 0) requirePlace(world, index, ChildOf, target);
    parents.set(index, parent);
  }
  const asked = requireMoves(world, parents);
  insideVisit(world, () =>
    whileChanging(world, () => {
      for (const [index, parent] of parents) {
        const calls = asked.get(index) ?? NO_CHANGES;
        if (parent === undefined) loseParent(world, index, calls);
        else reparent(world, index, indexOf(parent), 0, calls);
      }
    }),
  );
}
