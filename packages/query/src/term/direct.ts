import { Any } from "@treeline/core";
import type { Draft } from "./draft.ts";
import { type Clause, namesTarget } from "./plan.ts";

/** The places of clauses that ask for a target, named or variable. */
export function targetedIn({ clauses, bonds }: Draft): number[] {
  return clauses.flatMap((clause, place) => {
    if (clause.operator === "maybe") return [];
    return namesTarget(clause) || bonds.some((bond) => bond.clause === place) ? [place] : [];
  });
}

/** The place of the one clause whose sources answer, as far as their shapes do; -1 if more is asked. */
export function directIn(draft: Draft): number {
  const { clauses, bonds } = draft;
  const targeted = targetedIn(draft);
  if (!isBare(draft) || targeted.length !== 1 || bonds.some(({ clause }) => clause < 0)) return -1;
  const place = targeted[0]!;
  return isFoundBySources(clauses[place]!) ? place : -1;
}

/** Are all rows of the answering shapes meant? Whether values of pairs are read is asked elsewhere. */
export function asksShapesOnly(draft: Draft): boolean {
  return draft.clauses.every((clause) => !namesTarget(clause)) && draft.bonds.length === 0 && isBare(draft);
}

/** Nothing is asked for but clauses, with one variable at most, and in no order. */
function isBare({ tests, traversals, asides, bonds, variables, order, groups, isWatching }: Draft): boolean {
  if (tests.length > 0 || traversals.length > 0 || asides.length > 0 || isWatching) return false;
  return bonds.length === variables.length && bonds.length < 2 && order === undefined && groups === undefined;
}

/** Others have the pair of a reflexive relation too, and `Any` is many pairs. */
function isFoundBySources({ operator, definition }: Clause): boolean {
  return operator === "with" && !definition.reflexive && definition !== Any;
}
