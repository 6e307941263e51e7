/**
 * What walks use of the real world. A feature that is switched off is never chosen: walks go on while something is
 * being built, and whoever hunts a bug may switch off all that has nothing to do with it.
 */
export type Feature =
  /** `Parent(p)` beside `ChildOf(p)`. */
  | "parent storage"
  /** Relations that are symmetric, reflexive, acyclic without being exclusive, or take few sources. */
  | "symmetric"
  | "reflexive"
  | "graphs"
  | "limited subjects"
  /** `targetsOf` and `subjectsOf`. */
  | "targets"
  /** `ancestors`, `descendants`, `children` and `depthOf` along any relation. */
  | "walks"
  /** `Any(t)` and `Any(Any)`. */
  | "wildcards"
  /** Wildcards, two parents: terms that cannot be added. */
  | "bad terms"
  /** Entities as tags. */
  | "entity tags"
  /** `entityOf`, `definitionAt`, and deaths of those who stand for definitions. */
  | "definitions"
  | "clear"
  | "clone"
  /** `removeAll` and `destroyWhere`. */
  | "bulk"
  /** Verbs that order siblings. */
  | "siblings"
  /** The verbs of `hierarchy.ts`. */
  | "hierarchy"
  | "disabled"
  /** Commands inside visits wait for their end. */
  | "deferred"
  /** Listeners: the walk is watched by one that hears everything. */
  | "events";

const FEATURES: ReadonlySet<Feature> = new Set<Feature>([
  "parent storage",
  "symmetric",
  "reflexive",
  "graphs",
  "limited subjects",
  "targets",
  "walks",
  "wildcards",
  "bad terms",
  "entity tags",
  "definitions",
  "clear",
  "clone",
  "bulk",
  "siblings",
  "hierarchy",
  "disabled",
  "deferred",
  "events",
]);

export function isOn(feature: Feature): boolean {
  return FEATURES.has(feature);
}
