/**
 * Queries of every kind over the naive twin, as plain data, evaluated exhaustively: every living twin, with every living twin for
 * every variable. The code is written to be verified by reading; it is slow.
 *
 * What a query means:
 * - `has`, also inside groups, is `has` of the twin's world. A target "Any" matches once per entity; a variable once per target.
 * - `up` tests all entities above along a relation, without the entity itself; `selfOrUp` tests the entity first. The nearest
 *   that has the term is the source. Targets are tried in order of their entity indexes, each branch to its end before the next.
 *   Without a source the entity does not match. `cascade` does the same, but only orders; it filters nothing.
 * - `maybe` filters nothing; for terms without values it outputs `true` or `undefined`. `or` outputs the value of its first term
 *   that matches. `all` has no output. A variable as a term outputs its entity.
 * - A variable takes every entity that a pair or a term `on` it allows; bound to an entity that is not alive, the query has no
 *   matches. Inside `not`, `maybe` and `or` it has the value that the other terms have given it.
 * - Disabled entities match only if a term names `Disabled` or `DisabledTree`; terms about other entities do not count. This
 *   concerns only the entities that match: sources, and the entities of `on` and of variables, may be disabled.
 */

import { carriesValue } from "../step/vocabulary.ts";
import type { NaiveId, Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { aboveOf, depthOf, get, has, isAlive, isDisabled, targetsOf } from "../twin/world.ts";

/** A placeholder for an entity that is bound in advance, or found. */
export type Variable = `$${string}`;

type QueryTarget = Twin | "Any" | Variable;

/** Something that an entity may have; the target may be a variable. */
interface QueryId {
  readonly what: string;
  readonly target?: QueryTarget;
}

export type QueryTerm =
  | ({ readonly kind: "has" } & QueryId)
  | Above
  | { readonly kind: ChangeKind; readonly what: string }
  /** The value of the nearest source was written, or the nearest source is another one. */
  | { readonly kind: "changedAbove"; readonly of: Above }
  /** An entity above changed in one of these ways. */
  | { readonly kind: "below"; readonly change: ChangeKind; readonly what: string; readonly relation: string }
  | { readonly kind: "variable"; readonly variable: Variable }
  /** Evaluates the term for this entity instead of the one that matches. */
  | { readonly kind: "on"; readonly source: Twin | Variable; readonly term: QueryTerm }
  /** The component of the component entity of its own definition. */
  | { readonly kind: "singleton"; readonly what: string }
  | { readonly kind: "not" | "maybe"; readonly term: QueryTerm }
  | { readonly kind: "or" | "all"; readonly terms: readonly QueryTerm[] }
  /** There are no entities for the local variables so that all terms match; `$this` is the entity itself. */
  | { readonly kind: "none"; readonly locals: readonly Variable[]; readonly terms: readonly QueryTerm[] }
  /** An ancestor has a pair with the entity of the variable; it may find the variable. */
  | { readonly kind: "upTo"; readonly what: string; readonly variable: Variable; readonly relation: string };

/** Finds the nearest source. Of `cascade`: `desc` means deepest first. */
export type Above =
  | ({ readonly kind: "up" | "selfOrUp"; readonly relation: string } & NaiveId)
  | { readonly kind: "cascade"; readonly what: string; readonly relation: string; readonly desc: boolean };

/** What may have changed since the last read of the query. */
export type ChangeKind = "changed" | "added" | "removed";

export interface QueryDescription {
  readonly terms: readonly QueryTerm[];
  /** Variables that are bound in advance: no other entity is tried. */
  readonly bound?: Readonly<Record<Variable, Twin>>;
  /** The first decides, for equal values the next. */
  readonly orderBy?: readonly OrderBy[];
  /** An exclusive relation, or the name of a function: see `GROUPINGS`. */
  readonly groupBy?: string;
  /** An exclusive relation that is traversable: matches are in document order of its trees. Not with `orderBy`. */
  readonly inOrder?: string;
}

/** Orders by a field of integers or booleans; or by the text of an object component, then the field is empty. */
export interface OrderBy {
  readonly what: string;
  readonly field: string;
  readonly desc: boolean;
  /** Orders by the value of the nearest source. */
  readonly above?: { readonly kind: "up" | "selfOrUp"; readonly relation: string };
  /** Orders with a function that compares two values. Objects are always ordered with one. */
  readonly compares?: boolean;
}

export interface Match {
  readonly twin: Twin;
  /** The entities of the variables, in the order of the query. */
  readonly bindings: ReadonlyMap<Variable, Twin>;
  /** One for each term that has an output. */
  readonly outputs: readonly unknown[];
}

/** The context of a query. */
export interface QueryContext {
  readonly naive: NaiveWorld;
  /** Entity index of the real world: targets are tried in this order. */
  readonly indexOf: (twin: Twin) => number;
  /** Has this changed since the last read of the query? */
  readonly hasChanged: (kind: ChangeKind, twin: Twin, what: string) => boolean;
  /** The same for the value of the current nearest source. */
  readonly hasChangedAbove: (twin: Twin, of: Above, source: Twin | undefined) => boolean;
  /** The same for a match that was disabled at the last read: since an earlier one. */
  readonly changesOf?: (twin: Twin) => Pick<QueryContext, "hasChanged" | "hasChangedAbove"> | undefined;
}

type Bindings = ReadonlyMap<Variable, Twin>;

/** All matches: an entity once for each assignment of the variables. */
export function matchesOf(given: QueryContext, description: QueryDescription): Match[] {
  const { terms } = description;
  const showsDisabled = namesDisabled(terms);
  const found: Match[] = [];
  for (const twin of given.naive.living.keys()) {
    if (!showsDisabled && isDisabled(given.naive, twin)) continue;
    const context: QueryContext = { ...given, ...given.changesOf?.(twin) };
    for (const bindings of everyBinding(context, twin, description, new Map([["$this", twin]]))) {
      found.push({
        twin,
        bindings,
        outputs: terms.filter(hasOutput).map((term) => outputOf(context, twin, bindings, term)),
      });
    }
  }
  return found;
}

/** The depth for the order of the query: the longest path along the relation of its cascade. */
export function depthFor(naive: NaiveWorld, { terms }: QueryDescription, twin: Twin): number {
  const cascade = terms.find((term) => term.kind === "cascade");
  return cascade === undefined ? 0 : depthOf(naive, twin, cascade.relation);
}

// ---- variables ---------------------------------------------------------------------------------------------------

/** Variables that a term names anywhere. */
export function variablesOf(term: QueryTerm): Variable[] {
  switch (term.kind) {
    case "on":
      return [...(isVariable(term.source) ? [term.source] : []), ...variablesOf(term.term)];
    case "not":
    case "maybe":
      return variablesOf(term.term);
    case "or":
    case "all":
      return term.terms.flatMap(variablesOf);
    case "none":
      return term.terms.flatMap(variablesOf).filter((one) => one !== "$this" && !term.locals.includes(one));
    case "variable":
    case "upTo":
      return [term.variable];
    case "has":
      return isVariable(term.target) ? [term.target] : [];
    default:
      return [];
  }
}

/** In the order of the query. */
export function variablesIn(terms: readonly QueryTerm[]): Variable[] {
  return [...new Set(terms.flatMap(variablesOf))];
}

export function isVariable(target: unknown): target is Variable {
  return typeof target === "string" && target.startsWith("$");
}

/**
 * All assignments of living entities to the variables for which all terms match; bound variables keep their entities. Assigns one
 * variable after the other, and drops an assignment as soon as a term whose variables are all assigned does not match.
 */
function everyBinding(
  context: QueryContext,
  twin: Twin,
  { terms, bound = {} }: QueryDescription,
  given: Bindings,
): Bindings[] {
  const alive = [...context.naive.living.keys()];
  const allowed = (binding: Bindings): boolean =>
    terms.every((term) => {
      const isAssigned = variablesOf(term).every((variable) => binding.has(variable));
      return !isAssigned || evaluate(context, twin, binding, term);
    });
  let found: Bindings[] = [given].filter(allowed);
  for (const variable of variablesIn(terms)) {
    if (given.has(variable)) continue;
    const set = bound[variable];
    const candidates = set === undefined ? alive : alive.filter((one) => one === set);
    found = found
      .flatMap((binding) => candidates.map((one) => new Map(binding).set(variable, one)))
      .filter(allowed);
  }
  return found;
}

function targetIn(bindings: Bindings, target: QueryTarget | undefined): Twin | "Any" | undefined {
  if (!isVariable(target)) return target;
  const twin = bindings.get(target);
  if (twin === undefined) throw new Error(`no entity is assigned to ${target}`);
  return twin;
}

function idIn(bindings: Bindings, { what, target }: QueryId): NaiveId {
  const twin = targetIn(bindings, target);
  return twin === undefined ? { what } : { what, target: twin };
}

// ---- does a term match? ------------------------------------------------------------------------------------------

function evaluate(context: QueryContext, twin: Twin, bindings: Bindings, term: QueryTerm): boolean {
  const { naive } = context;
  switch (term.kind) {
    case "has": {
      const { what, target } = idIn(bindings, term);
      return has(naive, twin, what, target);
    }
    case "up":
    case "selfOrUp":
      return entityFor(context, twin, term) !== undefined;
    case "changed":
    case "added":
    case "removed":
      return context.hasChanged(term.kind, twin, term.what);
    case "changedAbove":
      return context.hasChangedAbove(twin, term.of, entityFor(context, twin, term.of));
    case "below":
      return aboveOf(naive, twin, term.relation).some((above) =>
        context.hasChanged(term.change, above, term.what),
      );
    case "on": {
      const source = targetIn(bindings, term.source) as Twin;
      return isAlive(naive, source) && evaluate(context, source, bindings, term.term);
    }
    case "singleton": {
      const componentEntity = naive.componentEntities.get(term.what);
      return componentEntity !== undefined && has(naive, componentEntity, term.what);
    }
    case "none":
      return everyBinding(context, twin, term, bindings).length === 0;
    case "upTo": {
      const target = bindings.get(term.variable);
      return aboveOf(naive, twin, term.relation).some((above) => has(naive, above, term.what, target));
    }
    case "not":
      return !evaluate(context, twin, bindings, term.term);
    case "or":
      return term.terms.some((part) => evaluate(context, twin, bindings, part));
    case "all":
      return term.terms.every((part) => evaluate(context, twin, bindings, part));
    case "maybe":
    case "cascade":
    case "variable":
      return true;
  }
}

// ---- up ----------------------------------------------------------------------------------------------------------

/** The nearest entity that has what the term requires. */
export function entityFor(
  context: Pick<QueryContext, "naive" | "indexOf">,
  twin: Twin,
  term: Above,
): Twin | undefined {
  const target = term.kind === "cascade" ? undefined : term.target;
  if (term.kind === "selfOrUp" && has(context.naive, twin, term.what, target)) return twin;
  return sourceAbove(context, twin, term.what, target, term.relation);
}

/** Follows the branch of the first target to its end before the second target. */
function sourceAbove(
  context: Pick<QueryContext, "naive" | "indexOf">,
  twin: Twin,
  what: string,
  target: Twin | "Any" | undefined,
  relation: string,
): Twin | undefined {
  const { naive, indexOf } = context;
  const above = targetsOf(naive, twin, relation).sort((one, other) => indexOf(one) - indexOf(other));
  for (const next of above) {
    const source = has(naive, next, what, target) ? next : sourceAbove(context, next, what, target, relation);
    if (source !== undefined) return source;
  }
  return undefined;
}

// ---- outputs -----------------------------------------------------------------------------------------------------

/** Does the term pass an argument? */
export function hasOutput(term: QueryTerm): boolean {
  switch (term.kind) {
    case "maybe":
    case "variable":
      return true;
    case "on":
      return hasOutput(term.term);
    case "or":
      return term.terms.some(hasOutput);
    case "cascade":
    case "singleton":
      return carriesValue(term.what);
    case "has":
    case "up":
    case "selfOrUp":
      return term.target !== "Any" && carriesValue(term.what);
    default:
      return false;
  }
}

function outputOf(context: QueryContext, twin: Twin, bindings: Bindings, term: QueryTerm): unknown {
  const { naive } = context;
  switch (term.kind) {
    case "has":
      return valueIn(naive, twin, idIn(bindings, term));
    case "up":
    case "selfOrUp":
    case "cascade": {
      const source = entityFor(context, twin, term);
      return source === undefined ? undefined : valueIn(naive, source, term);
    }
    case "on":
      return outputOf(context, targetIn(bindings, term.source) as Twin, bindings, term.term);
    case "singleton":
      return valueIn(naive, naive.componentEntities.get(term.what)!, term);
    case "variable":
      return bindings.get(term.variable);
    case "maybe":
      if (!evaluate(context, twin, bindings, term.term)) return undefined;
      return hasOutput(term.term) ? outputOf(context, twin, bindings, term.term) : true;
    case "or": {
      const part = term.terms.find((one) => evaluate(context, twin, bindings, one))!;
      return hasOutput(part) ? outputOf(context, twin, bindings, part) : undefined;
    }
    default:
      return undefined;
  }
}

/** An entity that matches only because a relation is reflexive has no values of the pair. */
function valueIn(
  naive: NaiveWorld,
  twin: Twin,
  { what, target }: { readonly what: string; readonly target?: Twin | "Any" },
): unknown {
  return has(naive, twin, what, target) ? get(naive, twin, what, target as Twin | undefined) : undefined;
}

// ---- what is named -----------------------------------------------------------------------------------------------

/** Does a term, including those in groups, name `Disabled` or `DisabledTree`? */
export function namesDisabled(terms: readonly QueryTerm[]): boolean {
  return terms.some((term) => {
    switch (term.kind) {
      case "or":
      case "all":
      case "none":
        return namesDisabled(term.terms);
      case "not":
      case "maybe":
        return namesDisabled([term.term]);
      case "has":
      case "changed":
      case "added":
      case "removed":
        return term.what === "Disabled" || term.what === "DisabledTree";
      default:
        return false; // concerns other entities
    }
  });
}

/** Does a term require changes since the last read? */
export function isWatching(terms: readonly QueryTerm[]): boolean {
  return watchedIn(terms).length > 0;
}

/** What the change terms are about. */
export function watchedIn(terms: readonly QueryTerm[]): string[] {
  return terms.flatMap((term) => {
    switch (term.kind) {
      case "or":
      case "all":
        return watchedIn(term.terms);
      case "not":
      case "maybe":
        return watchedIn([term.term]);
      case "changed":
      case "added":
      case "removed":
      case "below":
        return [term.what];
      case "changedAbove":
        return [term.of.what];
      default:
        return [];
    }
  });
}
