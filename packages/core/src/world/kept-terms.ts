import type { Definition, Term } from "../id/definition.ts";
import { checkTerm, definitionOfTerm, type PlainTerm, targetOfTerm, valueOfTerm } from "./destination.ts";
import type { World } from "./world.ts";

/**
 * What waits until the end of a visit is written as it was checked: the objects that carry its fields may have been filled
 * anew by then, or be row views that were turned on.
 */
export function keptTerms(terms: readonly PlainTerm[]): readonly PlainTerm[] {
  return terms.map((term) => {
    const definition = definitionOfTerm(term);
    const value = valueOfTerm(term);
    if (value === undefined || definition.holds !== "fields") return term;
    const target = targetOfTerm(term);
    return { definition, target, value: keptValue(definition, value) } as Term as PlainTerm;
  });
}

/**
 * The same for several who are born together: getters run now, and may change the world or throw; not while room is held, or
 * when some are born already. What they answer is checked once more, and so are targets.
 *
 * @throws TreelineError as `checkTerm` does, and what a getter throws.
 */
export function settledTerms(world: World, terms: readonly PlainTerm[]): readonly PlainTerm[] {
  const kept = keptTerms(terms);
  if (kept.some((term, at) => term !== terms[at])) for (const term of kept) checkTerm(world, term);
  return kept;
}

/** A copy of a checked value: of its given fields. JavaScript values are what they are. */
export function keptValue({ holds, fields }: Definition, value: unknown): unknown {
  if (value === undefined || holds !== "fields") return value;
  const given = value as { readonly [name: string]: unknown };
  const copy: { [name: string]: unknown } = {};
  for (const [name, { kind, isList }] of fields) {
    const field = given[name];
    if (field !== undefined) copy[name] = isList ? Array.prototype.slice.call(field) : field;
    else if (kind === "entity" && name in given) copy[name] = undefined;
  }
  return copy;
}
