import { TreelineError } from "../../base/error.ts";
import { ChildOf, Parent } from "../../id/builtins.ts";
import { type Definition, Is, type PlainTerm, type SpawnTerm, type Term } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { isLiving } from "../../records/entity-index.ts";
import type { PairNumber } from "../../storage/table.ts";
import { requireAlive } from "../state/require.ts";
import type { World } from "../state/world.ts";
import { wantPair } from "./goal.ts";
import { ensurePair } from "./pair.ts";

export type { PlainTerm, SpawnTerm };

/**
 * Puts terms in place of entities: the definition that an entity stands for, or the entity as a tag.
 *
 * @returns `terms` itself if there is no entity among them.
 */
export function plainTerms(world: World, terms: readonly SpawnTerm[]): readonly PlainTerm[] {
  for (let at = 0; at < terms.length; at++) {
    if (typeof terms[at] === "number") return terms.map((term) => plainTerm(world, term));
  }
  return terms as readonly PlainTerm[];
}

function plainTerm(world: World, term: SpawnTerm): PlainTerm {
  if (typeof term !== "number") return term;
  requireAlive(world, term);
  const definition = world.standsFor.get(indexOf(term));
  return (definition ?? { definition: Is, target: term, value: undefined }) as PlainTerm;
}

export function definitionOfTerm(term: PlainTerm): Definition {
  return typeof term === "function" ? (term as Definition) : (term as Term).definition;
}

export function valueOfTerm(term: PlainTerm): unknown {
  return typeof term === "function" ? undefined : (term as Term).value;
}

export function targetOfTerm(term: PlainTerm): number {
  return typeof term === "function" ? 0 : (term as Term).target;
}

/** Is it a parent, in one of the two storages? */
export function isParental(definition: Definition): boolean {
  return definition === ChildOf || definition === Parent;
}

/** Refuses ChildOf and Parent in one call. */
export function refuseTwoParents(terms: readonly PlainTerm[]): void {
  const parents = terms.filter((term) => isParental(definitionOfTerm(term)));
  if (parents.length < 2) return;
  throw new TreelineError("bad-term", "an entity has one parent: give ChildOf or Parent, not both");
}

export function refuseTwice(definition: Definition): never {
  throw new TreelineError("bad-term", `${definition.name} is given twice in one call; give it once`);
}

/** Those of the terms that are tags stored as bits. */
export function bitTagsOf(terms: readonly PlainTerm[]): readonly Definition[] {
  return terms.map(definitionOfTerm).filter(({ storage }) => storage === "bits");
}

/** Interns the pairs among the terms into `graph.wanted`; a parent that is stored as a value is none of them. */
export function wantPairsOfTerms(world: World, terms: readonly PlainTerm[]): number {
  let count = 0;
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.kind !== "relation" || definition === Parent) continue;
    count = wantPair(world, ensurePair(world, definition, indexOf(targetOfTerm(term))), count);
  }
  return count;
}

/** The pair of the parent that terms want to be stored as a value, interned; 0 if there is none. */
export function loosePairOfTerms(world: World, terms: readonly PlainTerm[]): PairNumber {
  for (const term of terms) {
    if (definitionOfTerm(term) === Parent) return ensurePair(world, Parent, indexOf(targetOfTerm(term)));
  }
  return 0;
}

export function parentOfTerms(terms: readonly PlainTerm[]): Entity | undefined {
  for (let at = 0; at < terms.length; at++) {
    if (isParental(definitionOfTerm(terms[at]!))) return targetOfTerm(terms[at]!) as Entity;
  }
  return undefined;
}

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
