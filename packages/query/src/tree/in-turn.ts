import type { Entity, World } from "@treeline/core";
import { destroyAll, enqueue, indexOf, isLiving, mustQueue } from "@treeline/core/internal";

/**
 * Makes a change at once, or inside a visit when that ends.
 *
 * @param touched the index of the one entity that it changes; 0 for several, or if it looks at others.
 * @throws TreelineError `visiting` inside a visit of a strict world.
 */
export function inTurn(world: World, touched: number, change: () => void): void {
  if (world.visits !== 0 && mustQueue(world)) enqueue(world, touched, change);
  else change();
}

/** What becomes of those who should have got a parent that died before the visit ended: the rule for ChildOf. */
export function missParent(world: World, entities: readonly Entity[]): void {
  if (world.dropsDeadParents) return;
  destroyAll(
    world,
    entities.filter((entity) => isLiving(world.entities, entity)).map((entity) => indexOf(entity)),
  );
}
