import type { Definition, Entity, Term, TermPattern, World } from "@treeline/core";
import { Any, ChildOf, TreelineError } from "@treeline/core";
import {
  Disabled,
  DisabledTree,
  isInternal,
  Parent,
  parseTerm,
  requireAlive,
  shown,
} from "@treeline/core/internal";
import type { Operator, Plain, QueryTerm, Wrapped } from "./operators.ts";
import { isVariable, isWrapped } from "./operators.ts";
import type { Above, Clause, Output, ParsedTerm, Reading, Test } from "./plan.ts";
import { Draft, keyOfTraversals, leavesOf, namesTarget, outputOf } from "./plan.ts";
import { keyOfTerms } from "./text.ts";

/** How a term with an operator is read. The operator brings it along when it makes the term. */
export interface Reader {
  /** Reads what has to be known before all other terms. */
  readonly lead?: (draft: Draft, term: Wrapped) => void;
  /** Adds what is asked for and handed over; without it the test is added, if there can be one. */
  readonly demand?: (draft: Draft, term: Wrapped) => void;
  /** The term as a part of others; without it, it cannot be one. */
  readonly test?: (draft: Draft, term: Wrapped) => Test;
  /** Of terms about ancestors: what they look for, and along which way. */
  readonly path?: (draft: Draft, term: Wrapped) => Above;
}

/** What variables need besides. They bring it along. */
export interface VariableReader {
  /** All who are visited have to have a pair with a variable. */
  readonly demandPair: (draft: Draft, parsed: ParsedTerm) => void;
  /** @throws TreelineError `bad-query` for a variable that no term finds. */
  readonly finish: (draft: Draft) => void;
}

/** By operator: nothing until one is called for the first time. Functions only; nothing in here is state. */
export const readers: { [Op in Operator]?: Reader } & { variable?: VariableReader } = {};

/** What operators make. It brings along how it is read. */
export function wrap<Op extends Operator, Row>(
  operator: Op,
  reader: Reader,
  of: readonly QueryTerm[],
  by: unknown = undefined,
  isDescending = false,
): Wrapped<Op, Row> {
  readers[operator as Operator] = reader;
  return { operator, of, by, isDescending };
}

/**
 * @throws TreelineError `bad-query` for what is no term, a relation without target, and operators about what they cannot be
 *   about; `dead-entity` for an entity or target that has not the form of a handle.
 */
export function readTerms(world: World, terms: readonly QueryTerm[]): Reading {
  const draft = new Draft(world);
  for (const term of terms) if (isWrapped(term)) readerOf(term).lead?.(draft, term);
  for (const term of terms) demand(draft, term);
  draft.leaves = draft.tests.flatMap(leavesOf);
  draft.pathsKey = keyOfTraversals(draft.traversals);
  takeShortcuts(draft);
  if (draft.variables.length > 0) readers.variable!.finish(draft);
  return { terms, plan: draft, targets: draft.targets, key: keyOfTerms(world, terms) };
}

/** Adds what a term asks for, and what it hands over. */
function demand(draft: Draft, term: QueryTerm): void {
  if (isVariable(term)) {
    note(draft.variables, term);
    draft.outputs.push({ kind: "variable", variable: term });
  } else if (!isWrapped(term)) give(draft, outputOf({ kind: "has", ...demandPlain(draft, term) }));
  else {
    const reader = readerOf(term);
    if (reader.demand !== undefined) reader.demand(draft, term);
    else demandTest(draft, testOf(draft, term));
  }
}

/** What a plan lets its visits leave out. */
function takeShortcuts(draft: Draft): void {
  const { clauses, joins, tests, traversals, fixedSources, variables, order, groups } = draft;
  const targeted = [...clauses.keys()].filter((place) => {
    const { operator, named } = clauses[place]!;
    return operator !== "maybe" && (named || joins.some(({ clause }) => clause === place));
  });
  const asked = targeted.map((place) => clauses[place]!.definition);
  draft.targeted = targeted;
  if (asked.some(({ reflexive }) => reflexive)) draft.byRow = "always";
  else if (asked.some((one) => one === ChildOf || one === Parent || one === Any)) draft.byRow = "loose";

  // With clauses only, one variable at most, and in no order.
  if (tests.length > 0 || traversals.length > 0 || fixedSources.length > 0) return;
  if (joins.length !== variables.length || joins.length > 1 || order !== undefined || groups !== undefined)
    return;
  draft.isPlain = joins.length === 0 && clauses.every(({ named }) => !named) && !draft.readsPairs;
  if (targeted.length !== 1 || joins.some(({ clause }) => clause < 0)) return;
  const { operator, definition } = clauses[targeted[0]!]!;
  // Others have the pair of a reflexive relation too, and `Any` is many pairs.
  if (operator === "with" && !definition.reflexive && definition !== Any) draft.direct = targeted[0]!;
}

// ---- what readers are made of -------------------------------------------------------------------------------------

export function refuse(why: string): never {
  throw new TreelineError("bad-query", why);
}

/** For questions: nobody has a pair with the dead. @throws TreelineError `dead-entity` for what can be no handle at all. */
export function requireHandle(world: World, entity: number): void {
  if (!Number.isSafeInteger(entity) || entity <= 0) requireAlive(world, entity as Entity);
}

/** Each once. */
export function note(list: number[], number: number): void {
  if (!list.includes(number)) list.push(number);
}

/** The place of one in a list in which none stands twice. @param keys in which equal ones are equal. */
export function placeOf<One>(list: One[], one: One, keys: readonly (keyof One)[]): number {
  const known = list.findIndex((other) => keys.every((key) => other[key] === one[key]));
  return known < 0 ? list.push(one) - 1 : known;
}

export function isPlain(what: QueryTerm | undefined | null): what is TermPattern {
  return !isWrapped(what) && !isVariable(what);
}

/** A term that no operator of this package made is not read at all. */
export function readerOf({ operator }: Wrapped): Reader {
  return readers[operator] ?? {};
}

/** Reads a component, tag, pair or entity; a pair may have a variable, which is noted. */
export function parsedIn({ world, variables }: Draft, what: QueryTerm | undefined | null): ParsedTerm {
  if (typeof what === "number") return parseTerm(world, what as Entity);
  const rule = "cannot stand inside this operator; put a component, tag, pair or entity there";
  if (isWrapped(what)) refuse(`${what.operator}(...) ${rule}`);
  const isBare = typeof what === "function";
  const named = isBare ? what : (what as Term | undefined | null)?.definition;
  const definition = named as Definition | undefined;
  if (definition?.kind === undefined || isInternal(definition))
    refuse(`${shown(what)} is no component, tag, pair or entity; is it imported in a circle?`);
  if (isBare && definition.kind === "relation")
    refuse(`${definition.name} needs a target: ${definition.name}(entity) or ${definition.name}(Any)`);
  if (isBare) return parseTerm(world, what as TermPattern);
  const { target, value } = what as unknown as Term;
  if (value !== undefined)
    refuse(`a question compares no values: ask for ${definition.name}, and look at its value in the visit`);
  if (!isVariable(target)) return parseTerm(world, what as TermPattern);
  if (definition === Any) refuse("Any(variable) would be any relation; name the relation");
  note(variables, target);
  return { definition, target };
}

/** The same for what is asked of those who are visited. */
export function namedIn(draft: Draft, what: QueryTerm | undefined | null): ParsedTerm {
  const parsed = parsedIn(draft, what);
  const { definition, target } = parsed;
  draft.namesDisabled ||= definition === Disabled || definition === DisabledTree;
  draft.namesEntity ||= namesTarget(parsed) && !isVariable(target);
  return parsed;
}

/** @returns its place. Archetypes do not tell who has a tag that is stored as bits: that is tested. */
export function addClause(draft: Draft, operator: Clause["operator"], parsed: ParsedTerm): number {
  const { definition, target } = parsed;
  if (definition.storage === "bits" && operator !== "maybe") {
    const has: Test = { kind: "has", ...parsed };
    draft.tests.push(operator === "with" ? has : { kind: "not", of: has });
  }
  draft.targets.push(target);
  return draft.clauses.push({ operator, definition, named: namesTarget(parsed) }) - 1;
}

/** All have to have it. */
export function demandPlain(draft: Draft, what: Plain): ParsedTerm {
  const parsed = namedIn(draft, what);
  if (isVariable(parsed.target)) readers.variable!.demandPair(draft, parsed);
  else addClause(draft, "with", parsed);
  return parsed;
}

/** It has to hold, and its value is handed over. */
export function demandTest(draft: Draft, test: Test): void {
  draft.tests.push(test);
  give(draft, outputOf(test));
}

/** Hands something over. */
export function give(draft: Draft, output: Output | undefined): void {
  if (output === undefined) return;
  draft.outputs.push(output);
  draft.readsPairs ||= readsPair(output);
}

function readsPair(output: Output): boolean {
  if (output.kind === "first") return output.of.some((one) => one !== undefined && readsPair(one));
  return output.kind === "has" && output.definition.kind === "relation";
}

export function testOf(draft: Draft, term: QueryTerm): Test {
  if (isVariable(term)) refuse("a variable stands for an entity; it cannot be inside not, or, all");
  if (!isWrapped(term)) return { kind: "has", ...namedIn(draft, term) };
  const { test } = readerOf(term);
  if (test === undefined) refuse(`${term.operator} cannot be inside not, or, all`);
  return test(draft, term);
}
