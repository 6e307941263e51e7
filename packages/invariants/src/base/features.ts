// Which parts of the real world walks may use (`FEATURES`, `isOn`).

/**
 * Parts of the real world that walks use. A walk never chooses a feature that is switched off, so walks also work while a feature
 * is being built, and you can switch off whatever is unrelated to a bug.
 */
export type Feature =
  /** `Parent(p)` in addition to `ChildOf(p)`. */
  | "parent storage"
  /** Relations that are symmetric, reflexive, acyclic without being exclusive, or that limit the subjects of a target. */
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
  /** Terms that cannot be added: wildcards, two parents. */
  | "bad terms"
  /** Entities as tags. */
  | "entity tags"
  /** `entityOf`, `definitionAt`, and the destruction of component entities. */
  | "definitions"
  | "clear"
  | "clone"
  /** `removeAll` and `destroyWhere`. */
  | "bulk"
  /** Functions that order siblings. */
  | "siblings"
  /** The functions of `hierarchy.ts`. */
  | "hierarchy"
  | "disabled"
  /** Commands inside iterations are deferred to their end. */
  | "deferred"
  /** Observers: one of them observes every event of the walk. */
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
