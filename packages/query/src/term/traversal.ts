import type { Definition } from "@treeline/core";
import type { Question } from "@treeline/core/internal";

/** A way from entities to their sources: the nearest ancestor along a relation that has something. */
export interface Traversal {
  readonly relation: Definition;
  readonly what: Question;
  /** The first term that goes this way is `selfOrUp`: who has it itself is its own source, wherever no term is named. */
  readonly self: boolean;
}

/** Equal lists of ways have equal keys. */
export function keyOfTraversals(traversals: readonly Traversal[]): string {
  return traversals
    .map(({ relation, what }) => `${relation.id} ${what.definition.id} ${what.target}`)
    .join(", ");
}
