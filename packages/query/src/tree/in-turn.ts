import type { World } from "@treeline/core";
import { enqueue, mustQueue } from "@treeline/core/internal";

/**
 * Makes a change at once, or inside a visit when that ends.
 *
 * @param touched the index of the one entity that it changes; 0 for several, or if it looks at others.
 * @throws TreelineError `visiting` inside a visit of a strict world.
 */
export function inTurn(world: World, touched: number, change: () => void): void {
  if (mustQueue(world)) enqueue(world, touched, change);
  else change();
}
