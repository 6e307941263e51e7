/**
 * Questions of every kind to the naive twin, as plain data, and their answers by trying everything: every living twin,
 * with every living twin for every variable. Meant to be believed by reading; nothing here is quick.
 *
 * What a question means:
 * - `has`, also inside groups, asks what `has` of the twin's world asks. A target "Any" is met once per entity; a
 *   variable once per target.
 * - `up` looks at everybody above, along a relation, and not at the one it starts from; `selfOrUp` at that one first.
 *   The nearest with it is the holder. Targets are tried in order of their entity indexes, each line to its end before the next.
 *   Without a holder there is no answer. `cascade` is the same and filters nothing; it orders.
 * - `maybe` filters nothing; of what has no values it tells `true` or `undefined`. `or` hands over the value of the first
 *   of its terms that holds. `all` hands over nothing. A variable as a term hands over what it stands for.
 * - A variable stands for everybody in turn whom a pair or a term `on` it allows; set to somebody dead, it lets nobody answer.
 *   Inside `not`, `maybe` and `or` it is what the others have made it.
 * - Who is disabled answers only if a term names `Disabled` or `DisabledTree`, but not in what is asked of others. That is
 *   about the entities that answer: holders, sources of terms and what variables stand for may be disabled.
 */

import { carriesValue } from "../step/vocabulary.ts";
import type { NaiveId, Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { depthOf, get, has, isAlive, isDisabled, targetsOf } from "../twin/world.ts";

/** Stands for an entity that is set before, or found. */
export type Variable = `$${string}`;

type QueryTarget = Twin | "Any" | Variable;

/** Something an entity may have; the target may be a variable. */
interface QueryId {
  readonly what: string;
  readonly target?: QueryTarget;
}

export type QueryTerm =
  | ({ readonly kind: "has" } & QueryId)
  | Above
  | { readonly kind: ChangeKind; readonly what: string }
  /** The value of the nearest above was written, or another one is the nearest. */
  | { readonly kind: "changedAbove"; readonly of: Above }
  | { readonly kind: "variable"; readonly variable: Variable }
  /** The term is asked of this one instead of the entity that answers. */
  | { readonly kind: "on"; readonly source: Twin | Variable; readonly term: QueryTerm }
  /** The component of the entity that stands for its definition. */
  | { readonly kind: "singleton"; readonly what: string }
  | { readonly kind: "not" | "maybe"; readonly term: QueryTerm }
  | { readonly kind: "or" | "all"; readonly terms: readonly QueryTerm[] };

/** Looks at the nearest one above. Of `cascade`: `desc` means deepest first. */
export type Above =
  | ({ readonly kind: "up" | "selfOrUp"; readonly relation: string } & NaiveId)
  | { readonly kind: "cascade"; readonly what: string; readonly relation: string; readonly desc: boolean };

/** What may have happened to somebody since the question was last asked. */
export type ChangeKind = "changed" | "added" | "removed";

export interface QueryDescription {
  readonly terms: readonly QueryTerm[];
  /** What is set before asking: nothing else is tried for these. */
  readonly bound?: Readonly<Record<Variable, Twin>>;
  readonly orderBy?: OrderBy;
  /** An exclusive relation, or the name of a function: see `GROUPINGS`. */
  readonly groupBy?: string;
}

/** By a field that holds whole numbers or truth values; or by the text of an object, then the field is empty. */
export interface OrderBy {
  readonly what: string;
  readonly field: string;
  readonly desc: boolean;
  /** Through a function that compares two values. Objects are always ordered so. */
  readonly compares?: boolean;
}

export interface Match {
  readonly twin: Twin;
  /** What its variables stand for, in the order of the question. */
  readonly bindings: ReadonlyMap<Variable, Twin>;
  /** One for each term that has values. */
  readonly outputs: readonly unknown[];
}

/** What a question is asked with. */
export interface QueryContext {
  readonly naive: NaiveWorld;
  /** Entity index of the real world: targets are tried in this order. */
  readonly indexOf: (twin: Twin) => number;
  /** Has it happened since the question was last asked? */
  readonly hasChanged: (kind: ChangeKind, twin: Twin, what: string) => boolean;
  /** The same of the value of who is the nearest now. */
  readonly hasChangedAbove: (twin: Twin, of: Above, source: Twin | undefined) => boolean;
}

type Bindings = ReadonlyMap<Variable, Twin>;

/** Everybody who answers, once for each way of putting entities for the variables. */
export function matchesOf(context: QueryContext, description: QueryDescription): Match[] {
  const { terms } = description;
  const showsDisabled = namesDisabled(terms);
  const found: Match[] = [];
  for (const twin of context.naive.living.keys()) {
    if (!showsDisabled && isDisabled(context.naive, twin)) continue;
    for (const bindings of everyBinding(context, twin, description)) {
      found.push({
        twin,
        bindings,
        outputs: terms.filter(hasOutput).map((term) => outputOf(context, twin, bindings, term)),
      });
    }
  }
  return found;
}

/** How deep somebody is for the order of the question: the longest way along its cascade's relation. */
export function depthFor(naive: NaiveWorld, { terms }: QueryDescription, twin: Twin): number {
  const cascade = terms.find((term) => term.kind === "cascade");
  return cascade === undefined ? 0 : depthOf(naive, twin, cascade.relation);
}

// ---- variables ---------------------------------------------------------------------------------------------------

/** Variables that a term names in any place. */
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
    case "variable":
      return [term.variable];
    case "has":
      return isVariable(term.target) ? [term.target] : [];
    default:
      return [];
  }
}

/** In the order of the question. */
export function variablesIn(terms: readonly QueryTerm[]): Variable[] {
  return [...new Set(terms.flatMap(variablesOf))];
}

export function isVariable(target: unknown): target is Variable {
  return typeof target === "string" && target.startsWith("$");
}

/**
 * All ways to put living entities for the variables, for which all terms hold; those that are set stay what they are. One
 * variable after the other: a way that a term does not allow is given up as soon as all that the term names are put.
 */
function everyBinding(
  context: QueryContext,
  twin: Twin,
  { terms, bound = {} }: QueryDescription,
): Bindings[] {
  const alive = [...context.naive.living.keys()];
  const allowed = (binding: Bindings): boolean =>
    terms.every((term) => {
      const isPut = variablesOf(term).every((variable) => binding.has(variable));
      return !isPut || evaluate(context, twin, binding, term);
    });
  let found: Bindings[] = [new Map<Variable, Twin>()].filter(allowed);
  for (const variable of variablesIn(terms)) {
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
  if (twin === undefined) throw new Error(`nothing is put for ${target}`);
  return twin;
}

function idIn(bindings: Bindings, { what, target }: QueryId): NaiveId {
  const twin = targetIn(bindings, target);
  return twin === undefined ? { what } : { what, target: twin };
}

// ---- does a term hold? -------------------------------------------------------------------------------------------

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
    case "on": {
      const source = targetIn(bindings, term.source) as Twin;
      return isAlive(naive, source) && evaluate(context, source, bindings, term.term);
    }
    case "singleton": {
      const componentEntity = naive.componentEntities.get(term.what);
      return componentEntity !== undefined && has(naive, componentEntity, term.what);
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

/** The nearest who has what the term looks for. */
export function entityFor(
  context: Pick<QueryContext, "naive" | "indexOf">,
  twin: Twin,
  term: Above,
): Twin | undefined {
  const target = term.kind === "cascade" ? undefined : term.target;
  if (term.kind === "selfOrUp" && has(context.naive, twin, term.what, target)) return twin;
  return sourceAbove(context, twin, term.what, target, term.relation);
}

/** The first target's line is exhausted before the second is looked at. */
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

// ---- what is handed over -----------------------------------------------------------------------------------------

/** Does it hand over an argument? */
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

/** Who answers only because a relation is reflexive has no values of the pair. */
function valueIn(
  naive: NaiveWorld,
  twin: Twin,
  { what, target }: { readonly what: string; readonly target?: Twin | "Any" },
): unknown {
  return has(naive, twin, what, target) ? get(naive, twin, what, target as Twin | undefined) : undefined;
}

// ---- who is meant ------------------------------------------------------------------------------------------------

/** Does one of the terms, in groups too, say something about who is disabled? */
export function namesDisabled(terms: readonly QueryTerm[]): boolean {
  return terms.some((term) => {
    switch (term.kind) {
      case "or":
      case "all":
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
        return false; // asked of others
    }
  });
}

/** Does one of the terms ask for what has happened since the last look? */
export function isWatching(terms: readonly QueryTerm[]): boolean {
  return watchedIn(terms).length > 0;
}

/** What such terms are about. */
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
        return [term.what];
      case "changedAbove":
        return [term.of.what];
      default:
        return [];
    }
  });
}
