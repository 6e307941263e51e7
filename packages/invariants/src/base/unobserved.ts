import type { Feature } from "./features.ts";

/**
 * What keeps a world from its short ways for good, once it was used: with listeners, lists or definitions that
 * have entities, reparents, births, clones and deaths go the long way, and most walks have these soon. Parents that are stored
 * as values are in lists, and have short ways of their own.
 */
export const OBSERVING_FEATURES: ReadonlySet<Feature> = new Set<Feature>([
  "siblings",
  "definitions",
  "events",
  "symmetric",
  "hierarchy",
  "entity tags",
]);
