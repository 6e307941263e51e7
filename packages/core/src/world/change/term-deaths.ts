import { isLiving } from "../../records/entity-index.ts";
import type { World } from "../state/world.ts";
import { definitionOfTerm, type PlainTerm, targetOfTerm } from "./destination.ts";

/**
 * What is left of terms that waited until the end of a visit: a pair whose target has died meanwhile is left out.
 *
 * @returns `undefined` if such a pair is of a relation that deletes its sources: then they die as well.
 */
export function liveTerms(world: World, terms: readonly PlainTerm[]): readonly PlainTerm[] | undefined {
  const isDead = (term: PlainTerm): boolean =>
    definitionOfTerm(term).kind === "relation" && !isLiving(world.entities, targetOfTerm(term));
  if (!terms.some(isDead)) return terms;
  const isDeadly = ({ onTargetDeath }: { readonly onTargetDeath: string }): boolean =>
    onTargetDeath === "delete" && !world.dropsDeadParents;
  if (terms.some((term) => isDead(term) && isDeadly(definitionOfTerm(term)))) return undefined;
  return terms.filter((term) => !isDead(term));
}
