import type { World } from "@treeline/core";
import { type Stretches, currentStretches as stretchesWith } from "../src/query/batches/stretches.ts";
import { keyOfTraversals, type Traversal } from "../src/term/plan.ts";

/** The stretches of a list of traversals, as they are now. */
export function currentStretches(world: World, traversals: readonly Traversal[]): Stretches {
  return stretchesWith(world, traversals, keyOfTraversals(traversals));
}
