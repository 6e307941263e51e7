// Which features keep a world off its fast paths for good (`OBSERVING_FEATURES`).
import type { Feature } from "./features.ts";

/**
 * Features that keep a world off its fast paths for good once they were used. With observers, ordered lists or component
 * entities, reparents, spawns, clones and destructions take the slow path, and most walks soon have these. Parents stored by
 * value are in lists, and have fast paths of their own.
 */
export const OBSERVING_FEATURES: ReadonlySet<Feature> = new Set<Feature>([
  "siblings",
  "definitions",
  "events",
  "symmetric",
  "hierarchy",
  "entity tags",
]);
