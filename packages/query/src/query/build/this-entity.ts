// `$this`: which operand becomes a search, and which variables are its own (`existsIn`).
import type { Variable } from "@treeline/core";
import { Disabled } from "@treeline/core/internal";
import { evaluators } from "../../match/evaluate.ts";
import { isVariable, isWrapped, type QueryTerm } from "../../term/operators.ts";
import { Draft, type Test } from "../../term/plan.ts";
import { addOnce, readerOf, readers, readTerms, refuse, testOf } from "../../term/read.ts";
import { evaluateExists, searchFor } from "../joins/exists.ts";
import { variable } from "./other-entity-terms.ts";
import { createQuery } from "./query.ts";

/**
 * The entity that matches, as a variable inside `not`. A `not` that names it may have variables of its own, which no term outside
 * of `not` names: it then excludes entities for which there are others so that all inner terms hold. The same variable in two
 * `not` is two. `not` and `or` may be nested inside; changes are refused, and `$this` outside of `not`, with `bad-query`.
 *
 * @cost for each row that the other terms leave, a search that starts from that row and ends at the first entities that fit.
 * @example
 * const child = variable("child");
 * query(world, not(all(on(child, ChildOf($this)), on(child, Position)))); // entities without a child that has a Position
 */
export const $this: Variable = /* @__PURE__ */ createThis();

function createThis(): Variable {
  const own = variable("$this");
  evaluators.exists = evaluateExists;
  readers.own = { variable: own, existsIn };
  return own;
}

/** The operand of a `not` as a search. */
function existsIn(draft: Draft, term: QueryTerm): Test | undefined {
  const used = variablesOf(term, true);
  const outside = [...draft.given, ...draft.terms.flatMap((one) => variablesOf(one, true))];
  const variables = used.filter((one) => one !== $this && !outside.includes(one));
  if (!used.includes($this) && (draft.given.length === 0 || variables.length === 0)) return undefined;
  if (isWrapped(term) && term.operator === "or")
    return { kind: "any", of: term.of.map((one) => existsIn(draft, one) ?? testOf(draft, one)) };
  for (const one of variablesOf(term, false)) if (outside.includes(one)) addOnce(draft.variables, one);
  const parts = isWrapped(term) && term.operator === "all" ? term.of : [term];
  for (const one of parts)
    if (isVariable(one) || (isWrapped(one) && readerOf(one).test === undefined)) testOf(draft, one); // refuses it
  const { world } = draft;
  const plan = new Draft(world, parts);
  plan.given = [...outside, $this];
  const reading = readTerms(world, parts, plan);
  if (plan.isWatching) refuse("changes cannot be inside a not with variables of its own");
  draft.namesEntity ||= plan.namesEntity;
  draft.namesDisabled ||= plan.namesDisabled;
  draft.namesPrefab ||= plan.namesPrefab;
  plan.namesDisabled = true; // whether the entity may be disabled, or a prefab, is decided outside
  plan.namesPrefab = true;
  const holds = searchFor(createQuery(world, reading), $this);
  return { kind: "exists", definition: Disabled, variables, holds };
}

/** Variables that a term names. @param findable leaves those out that only a `not` names. */
function variablesOf(term: QueryTerm, findable: boolean): number[] {
  if (isVariable(term)) return [term];
  if (!isWrapped(term)) {
    const { target } = ((term as object | undefined) ?? {}) as { readonly target?: number };
    return isVariable(target) ? [target] : [];
  }
  const { operator, of, by } = term;
  if (findable && operator === "not") return [];
  return [...(isVariable(by) ? [by] : []), ...of.flatMap((one) => variablesOf(one, findable))];
}
