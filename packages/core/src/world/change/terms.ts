// Checks the terms of a change (`bad-term`): which there may be, which differ; and lists the pairs among them.
import { TreelineError } from "../../base/error.ts";
import { ChildOf, isInternal, Parent } from "../../id/builtins.ts";
import {
  ANY,
  Any,
  type Definition,
  PAIR_EXCLUSIVE,
  type PlainTerm,
  type SpawnTerm,
  type Term,
} from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { findPair } from "../../id/pair-index.ts";
import type { SparseWork } from "../../storage/sparse.ts";
import type { PairNumber } from "../../storage/table.ts";
import { refuseTerm } from "../state/require.ts";
import { rememberOrder } from "../state/targets.ts";
import { definitionOfTerm, targetOfTerm } from "../state/terms.ts";
import type { World } from "../state/world.ts";
import { wantPair } from "./goal.ts";
import { ensurePair } from "./pair.ts";

export {
  copyTerms,
  definitionOfTerm,
  isWhole,
  liveTerms,
  targetOfTerm,
  valueOfTerm,
} from "../state/terms.ts";

/** Replaces entities as tags by what they mean. Returns a new list only if there are any. */
export function plainTerms(world: World, terms: readonly SpawnTerm[]): readonly PlainTerm[] {
  for (let at = 0; at < terms.length; at++) {
    // Any value may be passed. No function of its own: every spawn comes here.
    if ((terms[at] as Partial<Term> | null)?.definition?.meaning !== undefined)
      return (terms as readonly (Term | null)[]).map(
        (term) => (term?.definition?.meaning?.(world, term.target) ?? term) as unknown as PlainTerm,
      );
  }
  return terms as readonly PlainTerm[];
}

/** Is it one of the two parent relations, ChildOf or Parent? */
export function isParental(definition: Definition): boolean {
  return definition === ChildOf || definition === Parent;
}

/**
 * Refuses terms that cannot be added; not needed for terms of a known plan.
 *
 * @param hasHidden they may name hidden definitions. @throws TreelineError `bad-term`.
 */
export function checkTerms(world: World, terms: readonly SpawnTerm[], hasHidden = false): void {
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as PlainTerm | undefined | null;
    const definition = term && definitionOfTerm(term);
    if (definition?.kind === undefined || (!hasHidden && isInternal(definition))) refuseTerm(world, term);
    if (definition.kind === "relation" && typeof term === "function") refusePair(definition, 0);
  }
}

export function refusePair(definition: Definition, target: number): never {
  const isAny = definition === Any || target === ANY;
  let text = isAny ? "Any is only for queries and remove" : `${definition.name} needs a target`;
  CHECK: text += isAny ? "; add a pair with an entity: ChildOf(entity)" : `: ${definition.name}(entity)`;
  throw new TreelineError("bad-term", text);
}

/** @throws TreelineError `bad-term` for a term that appears twice, and for two parents. */
export function requireDifferent(terms: readonly PlainTerm[]): void {
  for (let at = 0; at < terms.length; at++) {
    const definition = definitionOfTerm(terms[at]!);
    if ((definition.store as SparseWork | undefined)?.requireDifferent?.(terms)) return;
    for (let other = 0; other < at; other++) {
      const earlier = definitionOfTerm(terms[other]!);
      const isOther = definition.kind === "relation" && !definition.exclusive;
      if (earlier === definition) {
        if (isOther && targetOfTerm(terms[other]!) !== targetOfTerm(terms[at]!)) continue;
        throw new TreelineError("bad-term", `${definition.name} appears twice; pass it once`);
      }
      if (isParental(definition) && isParental(earlier)) {
        let text = "an entity has one parent";
        CHECK: text += ", by ChildOf or Parent";
        throw new TreelineError("bad-term", text);
      }
    }
  }
}

/** Interns the pairs among the terms into `graph.wanted`, except that of the parent. @returns how many. */
export function wantPairsOfTerms(world: World, terms: readonly PlainTerm[]): number {
  let count = 0;
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.kind !== "relation" || isParental(definition) || definition.storage !== "table") continue;
    count = wantPair(world, ensurePair(world, definition, indexOf(targetOfTerm(term))), count);
  }
  return count;
}

export function parentOfTerms(terms: readonly PlainTerm[]): Entity | undefined {
  for (let at = 0; at < terms.length; at++) {
    if (isParental(definitionOfTerm(terms[at]!))) return targetOfTerm(terms[at]!) as Entity;
  }
  return undefined;
}

/** Remembers the order in which an entity got its pairs of relations with many targets. */
export function keepAddingOrder(world: World, index: number, terms: readonly PlainTerm[]): void {
  const { pairs } = world.graph;
  const added: PairNumber[] = [];
  for (let at = 0; at < terms.length; at++) {
    const { id, kind, pairTraits, storage } = definitionOfTerm(terms[at]!);
    if (kind !== "relation" || (pairTraits & PAIR_EXCLUSIVE) !== 0 || storage !== "table") continue;
    added.push(findPair(pairs, id, indexOf(targetOfTerm(terms[at]!) as Entity)));
  }
  if (added.length > 1) rememberOrder(world, index, added);
}
