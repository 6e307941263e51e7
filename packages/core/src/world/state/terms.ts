import type { Definition, PlainTerm, Term } from "../../id/definition.ts";
import { isLiving } from "../../records/entity-index.ts";
import { collectedObject } from "./collected-values.ts";
import type { World } from "./world.ts";

export function definitionOfTerm(term: PlainTerm): Definition {
  return typeof term === "function" ? (term as Definition) : (term as Term).definition;
}

export function valueOfTerm(term: PlainTerm): unknown {
  return typeof term === "function" ? undefined : (term as Term).value;
}

export function targetOfTerm(term: PlainTerm): number {
  return typeof term === "function" ? 0 : (term as Term).target;
}

/**
 * The same terms with plain copies of their values, after `collectValues`: so deferred values, and values that hooks and
 * observers see first, are written as they were checked.
 */
export function copyTerms({ collected }: World, terms: readonly PlainTerm[]): readonly PlainTerm[] {
  let field = collected.fields;
  let number = collected.count;
  return terms.map((term, at) => {
    const end = collected.ends[collected.terms + at]!;
    const definition = definitionOfTerm(term);
    if (valueOfTerm(term) === undefined || definition.holds !== "fields") return term;
    const value = collectedObject(collected, definition, field, end, number);
    for (; field < end; field++) number += definition.fields[collected.places[field]!]![1].length;
    return { definition, target: targetOfTerm(term), value } as Term as PlainTerm;
  });
}

/**
 * The terms of a deferred command that are still valid: a pair whose target was destroyed in the meantime is left out.
 *
 * @returns `undefined` if such a pair is of a relation that deletes its subjects: then they are destroyed as well.
 */
export function liveTerms(world: World, terms: readonly PlainTerm[]): readonly PlainTerm[] | undefined {
  const isDestroyed = (term: PlainTerm): boolean =>
    definitionOfTerm(term).kind === "relation" && !isLiving(world.entities, targetOfTerm(term));
  const destroyed = terms.filter(isDestroyed);
  if (destroyed.length === 0) return terms;
  const deletes = destroyed.some((term) => definitionOfTerm(term).onTargetDestroy === "delete");
  return deletes && !world.dropsOrphans ? undefined : terms.filter((term) => !isDestroyed(term));
}
