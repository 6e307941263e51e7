import type { World } from "@treeline/core";
import type { Query } from "../src/index.ts";
import { type Batches, currentBatches as batchesWith } from "../src/query/batches/batches.ts";
import { keyOfTraversals, type Traversal } from "../src/term/plan.ts";

/** The batches of a list of traversals, as they are now. */
export function currentBatches(world: World, traversals: readonly Traversal[]): Batches {
  return batchesWith(world, traversals, keyOfTraversals(traversals));
}

/** Grows whenever the batches of a query are filed again: a cost that no public function returns. */
export function versionOfBatches({ world, plan }: Query): number {
  return currentBatches(world, plan.traversals).version;
}
