import type { World } from "@treeline/core";
import {
  type Draft,
  demandPlain,
  giftOf,
  holdsValues,
  isPlain,
  note,
  readerOf,
  readers,
  testOf,
} from "./draft.ts";
import { keyOfTerms } from "./key.ts";
import { isWrapped, type QueryTerm, type Wrapped } from "./operators.ts";
import {
  type Gift,
  isAboutDisabled,
  keyOfTraversals,
  type Leaf,
  leavesOf,
  namesTarget,
  type Reading,
} from "./plan.ts";
import { readsPair, shortcutsOf } from "./shortcuts.ts";
import { isVariable } from "./variable.ts";

/**
 * Reads terms.
 *
 * @throws TreelineError `bad-query` for what is no term, a relation without target, and operators about what they cannot
 *   be about; `dead-entity` for an entity or target that has not the form of a handle.
 */
export function readTerms(world: World, terms: readonly QueryTerm[]): Reading {
  const draft: Draft = {
    world,
    clauses: [],
    targets: [],
    tests: [],
    traversals: [],
    ownPairs: [],
    asides: [],
    bonds: [],
    variables: [],
    gifts: [],
    watched: [],
    named: [],
    cascade: 0,
    order: undefined,
    groups: undefined,
  };
  for (const term of terms) if (isWrapped(term)) readerOf(term).lead?.(draft, term);
  for (const term of terms) readTerm(draft, term);
  for (const variable of draft.variables) readers.variable!.requireBound(draft, variable);
  const { clauses, tests, traversals, ownPairs, asides, bonds, variables, gifts, watched, named } = draft;
  const { targets, cascade, order, groups } = draft;
  const leaves = tests.length === 0 ? NO_LEAVES : tests.flatMap(leavesOf);
  const plan = {
    clauses,
    tests,
    leaves,
    traversals,
    waysKey: keyOfTraversals(traversals),
    ownPairs,
    cascade,
    asides,
    bonds,
    variables,
    gifts,
    order,
    groups,
    watched,
    isWatching: leaves.some(({ kind }) => kind === "changed" || kind === "changed above"),
    namesDisabled: named.some(isAboutDisabled),
    namesEntity:
      named.some((one) => namesTarget(one) && !isVariable(one.target)) ||
      asides.some(({ source }) => source > 0),
    readsPairs: gifts.some(readsPair),
  };
  const shortcuts = shortcutsOf(plan);
  const freeWay = variables.length === 0 ? undefined : readers.variable!.freeWayOf({ ...plan, ...shortcuts });
  return {
    terms,
    plan: Object.assign(plan, shortcuts, { freeWay }),
    targets,
    key: keyOfTerms(world, terms),
  };
}

const NO_LEAVES: Leaf[] = [];

/** Adds what a term asks for, and what it hands over. */
function readTerm(draft: Draft, term: QueryTerm): void {
  let gift: Gift | undefined;
  if (isPlain(term)) {
    const question = demandPlain(draft, term);
    if (holdsValues(question)) gift = { from: "own", ...question };
  } else {
    if (isVariable(term)) note(draft.variables, term);
    else demand(draft, term as Wrapped);
    gift = giftOf(draft, term);
  }
  if (gift !== undefined) draft.gifts.push(gift);
}

function demand(draft: Draft, term: Wrapped): void {
  const reader = readerOf(term);
  if (reader.demand !== undefined) reader.demand(draft, term);
  else if (reader.lead === undefined) draft.tests.push(testOf(draft, term));
}
