/**
 * Which parts of questions the real world can be asked. What is not in the list is never asked: walks go on while the
 * engine is being built, and whoever hunts a bug may take out all that has nothing to do with it.
 */
export type QuestionFeature =
  /** `not` of everything that filters. */
  | "groups"
  | "or"
  /** `maybe` of tags and pairs. */
  | "marks"
  | "up"
  /** `cascade` along other relations, downwards, and several in one question. */
  | "cascades"
  | "on"
  | "variables"
  | "orderBy"
  | "groupBy"
  | "changes"
  /** `changed` of `up`, `selfOrUp` and `cascade`. */
  | "changes above"
  /** Visits. */
  | "eachLevel"
  /** Depths of stretches and levels in questions with variables. */
  | "depths of joins"
  | "rows"
  | "counts"
  | "parts";

const LANDED: ReadonlySet<QuestionFeature> = new Set<QuestionFeature>([
  "groups",
  "or",
  "marks",
  "up",
  "cascades",
  "on",
  "variables",
  "orderBy",
  "groupBy",
  "changes",
  "changes above",
  "eachLevel",
  "depths of joins",
  "rows",
  "counts",
  "parts",
]);

export function isAskable(feature: QuestionFeature): boolean {
  return LANDED.has(feature);
}
