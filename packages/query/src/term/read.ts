// How terms become a plan (`readTerms`), which shortcuts it takes (`takeShortcuts`); operators register `readers`; throws `bad-query` (`refuse`).
import type { Definition, Entity, Term, TermPattern, World } from "@treeline/core";
import { Any, TreelineError } from "@treeline/core";
import {
  Disabled,
  DisabledFromAbove,
  DisabledTree,
  isInternal,
  Prefab,
  parseTerm,
  requireAlive,
  shown,
  slotsOf,
  termAdvice,
  worldState,
} from "@treeline/core/internal";
import type { Operator, Plain, QueryTerm, Wrapped } from "./operators.ts";
import { isVariable, isWrapped } from "./operators.ts";
import type { Above, Clause, Output, ParsedTerm, Reading, Test } from "./plan.ts";
import { Draft, keyOfTraversals, leavesOf, namesTarget, outputOf } from "./plan.ts";
import { keyOfTerms } from "./text.ts";

/** How a term with an operator is read. The operator installs it when it makes the term. */
export interface Reader {
  /** Reads what must be known before all other terms. */
  readonly lead?: (draft: Draft, term: Wrapped) => void;
  /** Adds requirements and outputs; without it the test is added, if there can be one. */
  readonly demand?: (draft: Draft, term: Wrapped) => void;
  /** The term as a part of others; without it, the term cannot be one. */
  readonly test?: (draft: Draft, term: Wrapped) => Test;
  /** Of terms about ancestors: what they require, and along which path. */
  readonly path?: (draft: Draft, term: Wrapped) => Above;
}

/** What variables need in addition. They install it. */
export interface VariableReader {
  /** All matches must have a pair with a variable. */
  readonly demandPair: (draft: Draft, parsed: ParsedTerm) => void;
  /** @throws TreelineError `bad-query` for a variable that no term finds. */
  readonly finish: (draft: Draft) => void;
}

/** What `$this` needs in addition. */
export interface OwnReader {
  readonly variable: number;
  /** The operand of a `not`, if it names the entity itself or, inside of another one that does, variables of its own. */
  readonly existsIn: (draft: Draft, term: QueryTerm) => Test | undefined;
}

/** By operator: empty until the operator is called for the first time. Only functions, no state. */
export const readers: { [Op in Operator]?: Reader } & {
  variable?: VariableReader;
  /** Installed by `$this`, which it is about. */
  own?: OwnReader;
} = {};

/** Makes the term of an operator, and installs its reader. */
export function wrap<Op extends Operator, Row>(
  operator: Op,
  reader: Reader,
  of: readonly QueryTerm[],
  by: unknown = undefined,
  isDescending = false,
): Wrapped<Op, Row> {
  readers[operator as Operator] = reader;
  return { operator, of, by, isDescending } as Wrapped<Op, Row>;
}

/**
 * @param draft for inner terms: it has the variables that outer ones find.
 * @throws TreelineError `bad-query` for what is not a term, a relation without target, and operators with operands that they
 *   do not accept; `bad-term` for an entity without `asTag`; `dead-entity` for a target that does not have the form of a handle.
 */
export function readTerms(
  world: World,
  terms: readonly QueryTerm[],
  draft: Draft = new Draft(world, terms),
): Reading {
  for (const term of terms) if (isWrapped(term)) readerOf(term).lead?.(draft, term);
  for (const term of terms) demand(draft, term);
  draft.leaves = draft.tests.flatMap(leavesOf);
  CHECK: noteRelations(draft);
  // Disabled entities are excluded by bits as well; in a search inside of another query that query decides about them.
  if (!draft.namesDisabled && draft.given.length === 0) draft.cut.excluded.push(Disabled, DisabledFromAbove);
  draft.pathsKey = keyOfTraversals(draft.traversals);
  takeShortcuts(draft);
  if (draft.variables.length > 0) readers.variable!.finish(draft);
  return { terms, plan: draft, targets: draft.targets, key: keyOfTerms(world, terms) };
}

/** For development builds: what queries of a world have named. */
const namedInQueries = /* @__PURE__ */ worldState((_, extension) => {
  extension.namedByQueries = new Set<Definition>();
  return extension.namedByQueries;
});

/** For development builds: notes the relations that terms follow, as `parsedIn` notes what they name. */
function noteRelations({ world, traversals, fixedSources, joins, leaves, siblings, groups }: Draft): void {
  const named = namedInQueries(world);
  for (const one of [...traversals, ...fixedSources, ...leaves])
    if ("relation" in one && one.relation !== undefined) named.add(one.relation);
  for (const { above } of joins) if (above !== undefined) named.add(above);
  if (siblings !== undefined) named.add(siblings);
  if (groups?.by === "target") named.add(groups.relation);
}

/** Adds what a term requires, and its output. */
function demand(draft: Draft, term: QueryTerm): void {
  if (isVariable(term)) {
    addOnce(draft.variables, term);
    draft.outputs.push({ kind: "variable", variable: term });
  } else if (!isWrapped(term)) addOutput(draft, outputOf({ kind: "has", ...demandPlain(draft, term) }));
  else {
    const reader = readerOf(term);
    if (reader.demand !== undefined) reader.demand(draft, term);
    else demandTest(draft, testOf(draft, term));
  }
}

/** What iterations of the plan may leave out. */
function takeShortcuts(draft: Draft): void {
  const { clauses, joins, tests, traversals, fixedSources, variables, isSorted } = draft;
  const targeted = [...clauses.keys()].filter((place) => {
    const { operator, named } = clauses[place]!;
    return operator !== "maybe" && (named || joins.some(({ clause }) => clause === place));
  });
  draft.targeted = targeted;

  // With clauses only, one variable at most, and in no order.
  if (tests.length > 0 || traversals.length > 0 || fixedSources.length > 0) return;
  if (joins.length !== variables.length || joins.length > 1 || isSorted) return;
  draft.isPlain = joins.length === 0 && clauses.every(({ named }) => !named) && !draft.readsPairs;
  if (targeted.length !== 1 || joins.some(({ clause }) => clause < 0)) return;
  const { operator, definition } = clauses[targeted[0]!]!;
  // Others have the pair of a reflexive relation too, `Any` is many pairs, and sparse ones are in no table.
  const { reflexive, store } = definition;
  if (operator === "with" && !reflexive && !store && definition !== Any) draft.direct = targeted[0]!;
}

// ---- what readers are made of -------------------------------------------------------------------------------------

export function refuse(why: string): never {
  throw new TreelineError("bad-query", why);
}

/** For queries, which accept handles that are not alive. @throws TreelineError `dead-entity` for what cannot be a handle. */
export function requireHandle(world: World, entity: number, advice?: string): void {
  if (!Number.isSafeInteger(entity) || entity <= 0) requireAlive(world, entity as Entity, advice);
}

/** Adds a number to a list without duplicates. */
export function addOnce(list: number[], number: number): void {
  if (!list.includes(number)) list.push(number);
}

/** The place of an element in a list without duplicates, to which it is added if need be. @param keys that decide equality. */
export function placeOf<One>(list: One[], one: One, keys: readonly (keyof One)[]): number {
  const known = list.findIndex((other) => keys.every((key) => other[key] === one[key]));
  return known < 0 ? list.push(one) - 1 : known;
}

export function isPlain(what: QueryTerm | undefined | null): what is TermPattern {
  return !isWrapped(what) && !isVariable(what);
}

/** A term that no operator of this package made has an empty reader. */
export function readerOf({ operator }: Wrapped): Reader {
  return readers[operator] ?? {};
}

/** Reads a component, a tag, a pair or an entity as a tag; a variable of a pair is added to the draft. */
export function parsedIn({ world, variables }: Draft, what: QueryTerm | undefined | null): ParsedTerm {
  if (typeof what === "number") return parseTerm(world, what as never); // which refuses it
  if (isWrapped(what)) {
    let text = `${what.operator}(...) cannot be inside this operator`;
    CHECK: text += "; it accepts a component, a tag, a pair or asTag(entity)";
    refuse(text);
  }
  const isBare = typeof what === "function";
  const named = isBare ? what : (what as Term | undefined | null)?.definition;
  const definition = named as Definition | undefined;
  CHECK: if (Array.isArray(what)) refuse("a list is not a term; spread it: query(world, ...terms)");
  if (definition?.kind === undefined || isInternal(definition)) refuseNoTerm(what);
  if (isBare && definition.kind === "relation") refuseBare(definition);
  CHECK: namedInQueries(world).add(definition);
  if (isBare) return parseTerm(world, what as TermPattern);
  const { target, value } = what as unknown as Term;
  if (value !== undefined) {
    let text = `a query cannot compare values of ${definition.name}`;
    CHECK: text = `a query cannot compare values: use ${definition.name}, and compare its value in the callback`;
    refuse(text);
  }
  if (!isVariable(target)) return parseTerm(world, what as TermPattern);
  if (definition === Any) refuse("Any(variable) would match any relation; name the relation");
  addOnce(variables, target);
  return { definition, target };
}

function refuseBare({ name }: Definition): never {
  let text = `${name} needs a target`;
  CHECK: text += `: ${name}(entity) or ${name}(Any)`;
  refuse(text);
}

function refuseNoTerm(what: unknown): never {
  let text = `${shown(what)} is not a component, tag or pair`;
  CHECK: text += `; ${termAdvice(what, "query")}`;
  refuse(text);
}

/** The same for requirements of the matches themselves. */
export function namedIn(draft: Draft, what: QueryTerm | undefined | null): ParsedTerm {
  const parsed = parsedIn(draft, what);
  const { definition, target } = parsed;
  draft.namesDisabled ||= definition === Disabled || definition === DisabledTree;
  draft.namesPrefab ||= definition === Prefab;
  draft.namesEntity ||= namesTarget(parsed) && !isVariable(target);
  return parsed;
}

/**
 * @returns its place. Tags that are stored as bits also cut the rows of archetypes. Any pair at all is a test: that may be a sparse
 * one, which archetypes do not know.
 */
export function addClause(draft: Draft, operator: Clause["operator"], parsed: ParsedTerm): number {
  const { definition, target } = parsed;
  const named = namesTarget(parsed);
  if (definition === Any && !named && operator !== "maybe") {
    const has: Test = { kind: "has", ...parsed };
    return draft.tests.push(operator === "with" ? has : { kind: "not", of: has });
  }
  if (definition.storage !== "table" && !(named && (operator === "not" || definition.reflexive))) {
    const { cut, world } = draft;
    definition.installs?.(slotsOf(world));
    if (operator === "not") cut.excluded.push(definition);
    else if (operator === "with") {
      cut.required.push(definition);
      cut.bare = 0;
    }
  }
  draft.targets.push(target);
  return draft.clauses.push({ operator, definition, named }) - 1;
}

/** All matches must have it. */
export function demandPlain(draft: Draft, what: Plain): ParsedTerm {
  const parsed = namedIn(draft, what);
  if (isVariable(parsed.target)) readers.variable!.demandPair(draft, parsed);
  else addClause(draft, "with", parsed);
  return parsed;
}

/** The test must hold, and its value is an output. */
export function demandTest(draft: Draft, test: Test): void {
  draft.tests.push(test);
  addOutput(draft, outputOf(test));
}

/** Adds something that is passed to callbacks. */
export function addOutput(draft: Draft, output: Output | undefined): void {
  if (output === undefined) return;
  draft.outputs.push(output);
  draft.readsPairs ||= readsPair(output);
}

function readsPair(output: Output): boolean {
  if (output.kind === "first") return output.of.some((one) => one !== undefined && readsPair(one));
  return output.kind === "has" && output.definition.kind === "relation";
}

export function testOf(draft: Draft, term: QueryTerm): Test {
  if (isVariable(term)) {
    let text = "a variable cannot be inside not, or, all";
    CHECK: text = "a variable is an entity; it cannot be inside not, or, all";
    refuse(text);
  }
  if (!isWrapped(term)) return { kind: "has", ...namedIn(draft, term) };
  const { test } = readerOf(term);
  if (test === undefined) refuse(`${term.operator} cannot be inside not, or, all`);
  return test(draft, term);
}
