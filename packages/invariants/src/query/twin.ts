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
import type { SlowId, Twin } from "../twin/rules.ts";
import type { SlowWorld } from "../twin/world.ts";
import { depthOf, get, has, isAlive, isDisabled, targetsOf } from "../twin/world.ts";

/** Stands for an entity that is set before, or found. */
export type Variable = `$${string}`;

type QuestionTarget = Twin | "Any" | Variable;

/** Something an entity may have; the target may be a variable. */
interface QuestionId {
  readonly what: string;
  readonly target?: QuestionTarget;
}

export type QuestionTerm =
  | ({ readonly kind: "has" } & QuestionId)
  | Above
  | { readonly kind: Happening; readonly what: string }
  /** The value of the nearest above was written, or another one is the nearest. */
  | { readonly kind: "changedAbove"; readonly of: Above }
  | { readonly kind: "variable"; readonly variable: Variable }
  /** The term is asked of this one instead of the entity that answers. */
  | { readonly kind: "on"; readonly source: Twin | Variable; readonly term: QuestionTerm }
  /** The component of the entity that stands for its definition. */
  | { readonly kind: "singleton"; readonly what: string }
  | { readonly kind: "not" | "maybe"; readonly term: QuestionTerm }
  | { readonly kind: "or" | "all"; readonly terms: readonly QuestionTerm[] };

/** Looks at the nearest one above. Of `cascade`: `desc` means deepest first. */
export type Above =
  | ({ readonly kind: "up" | "selfOrUp"; readonly relation: string } & SlowId)
  | { readonly kind: "cascade"; readonly what: string; readonly relation: string; readonly desc: boolean };

/** What may have happened to somebody since the question was last asked. */
export type Happening = "changed" | "added" | "removed";

export interface Question {
  readonly terms: readonly QuestionTerm[];
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
  readonly given: readonly unknown[];
}

/** What a question is asked with. */
export interface Asking {
  readonly slow: SlowWorld;
  /** Entity index of the real world: targets are tried in this order. */
  readonly indexOf: (twin: Twin) => number;
  /** Has it happened since the question was last asked? */
  readonly hasHappened: (kind: Happening, twin: Twin, what: string) => boolean;
  /** The same of the value of who is the nearest now. */
  readonly hasChangedAbove: (twin: Twin, of: Above, holder: Twin | undefined) => boolean;
}

type Bindings = ReadonlyMap<Variable, Twin>;

/** Everybody who answers, once for each way of putting entities for the variables. */
export function answersTo(asking: Asking, question: Question): Match[] {
  const { terms } = question;
  const showsDisabled = namesDisabled(terms);
  const found: Match[] = [];
  for (const twin of asking.slow.living.keys()) {
    if (!showsDisabled && isDisabled(asking.slow, twin)) continue;
    for (const bindings of everyBinding(asking, twin, question)) {
      found.push({
        twin,
        bindings,
        given: terms.filter(givesOne).map((term) => givenBy(asking, twin, bindings, term)),
      });
    }
  }
  return found;
}

/** How deep somebody is for the order of the question: the longest way along its cascade's relation. */
export function depthFor(slow: SlowWorld, { terms }: Question, twin: Twin): number {
  const cascade = terms.find((term) => term.kind === "cascade");
  return cascade === undefined ? 0 : depthOf(slow, twin, cascade.relation);
}

// ---- variables ---------------------------------------------------------------------------------------------------

/** Variables that a term names in any place. */
export function variablesOf(term: QuestionTerm): Variable[] {
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
export function variablesIn(terms: readonly QuestionTerm[]): Variable[] {
  return [...new Set(terms.flatMap(variablesOf))];
}

export function isVariable(target: unknown): target is Variable {
  return typeof target === "string" && target.startsWith("$");
}

/**
 * All ways to put living entities for the variables, for which all terms hold; those that are set stay what they are. One
 * variable after the other: a way that a term does not allow is given up as soon as all that the term names are put.
 */
function everyBinding(asking: Asking, twin: Twin, { terms, bound = {} }: Question): Bindings[] {
  const everybody = [...asking.slow.living.keys()];
  const allowed = (way: Bindings): boolean =>
    terms.every((term) => {
      const isPut = variablesOf(term).every((variable) => way.has(variable));
      return !isPut || holds(asking, twin, way, term);
    });
  let ways: Bindings[] = [new Map<Variable, Twin>()].filter(allowed);
  for (const variable of variablesIn(terms)) {
    const set = bound[variable];
    const candidates = set === undefined ? everybody : everybody.filter((one) => one === set);
    ways = ways.flatMap((way) => candidates.map((one) => new Map(way).set(variable, one))).filter(allowed);
  }
  return ways;
}

function put(bindings: Bindings, target: QuestionTarget | undefined): Twin | "Any" | undefined {
  if (!isVariable(target)) return target;
  const twin = bindings.get(target);
  if (twin === undefined) throw new Error(`nothing is put for ${target}`);
  return twin;
}

function idIn(bindings: Bindings, { what, target }: QuestionId): SlowId {
  const twin = put(bindings, target);
  return twin === undefined ? { what } : { what, target: twin };
}

// ---- does a term hold? -------------------------------------------------------------------------------------------

function holds(asking: Asking, twin: Twin, bindings: Bindings, term: QuestionTerm): boolean {
  const { slow } = asking;
  switch (term.kind) {
    case "has": {
      const { what, target } = idIn(bindings, term);
      return has(slow, twin, what, target);
    }
    case "up":
    case "selfOrUp":
      return entityFor(asking, twin, term) !== undefined;
    case "changed":
    case "added":
    case "removed":
      return asking.hasHappened(term.kind, twin, term.what);
    case "changedAbove":
      return asking.hasChangedAbove(twin, term.of, entityFor(asking, twin, term.of));
    case "on": {
      const source = put(bindings, term.source) as Twin;
      return isAlive(slow, source) && holds(asking, source, bindings, term.term);
    }
    case "singleton": {
      const standing = slow.stands.get(term.what);
      return standing !== undefined && has(slow, standing, term.what);
    }
    case "not":
      return !holds(asking, twin, bindings, term.term);
    case "or":
      return term.terms.some((part) => holds(asking, twin, bindings, part));
    case "all":
      return term.terms.every((part) => holds(asking, twin, bindings, part));
    case "maybe":
    case "cascade":
    case "variable":
      return true;
  }
}

// ---- up ----------------------------------------------------------------------------------------------------------

/** The nearest who has what the term looks for. */
export function entityFor(
  asking: Pick<Asking, "slow" | "indexOf">,
  twin: Twin,
  term: Above,
): Twin | undefined {
  const target = term.kind === "cascade" ? undefined : term.target;
  if (term.kind === "selfOrUp" && has(asking.slow, twin, term.what, target)) return twin;
  return sourceAbove(asking, twin, term.what, target, term.relation);
}

/** The first target's line is exhausted before the second is looked at. */
function sourceAbove(
  asking: Pick<Asking, "slow" | "indexOf">,
  twin: Twin,
  what: string,
  target: Twin | "Any" | undefined,
  relation: string,
): Twin | undefined {
  const { slow, indexOf } = asking;
  const above = targetsOf(slow, twin, relation).sort((one, other) => indexOf(one) - indexOf(other));
  for (const next of above) {
    const holder = has(slow, next, what, target) ? next : sourceAbove(asking, next, what, target, relation);
    if (holder !== undefined) return holder;
  }
  return undefined;
}

// ---- what is handed over -----------------------------------------------------------------------------------------

/** Does it hand over an argument? */
export function givesOne(term: QuestionTerm): boolean {
  switch (term.kind) {
    case "maybe":
    case "variable":
      return true;
    case "on":
      return givesOne(term.term);
    case "or":
      return term.terms.some(givesOne);
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

function givenBy(asking: Asking, twin: Twin, bindings: Bindings, term: QuestionTerm): unknown {
  const { slow } = asking;
  switch (term.kind) {
    case "has":
      return valueIn(slow, twin, idIn(bindings, term));
    case "up":
    case "selfOrUp":
    case "cascade": {
      const holder = entityFor(asking, twin, term);
      return holder === undefined ? undefined : valueIn(slow, holder, term);
    }
    case "on":
      return givenBy(asking, put(bindings, term.source) as Twin, bindings, term.term);
    case "singleton":
      return valueIn(slow, slow.stands.get(term.what)!, term);
    case "variable":
      return bindings.get(term.variable);
    case "maybe":
      if (!holds(asking, twin, bindings, term.term)) return undefined;
      return givesOne(term.term) ? givenBy(asking, twin, bindings, term.term) : true;
    case "or": {
      const part = term.terms.find((one) => holds(asking, twin, bindings, one))!;
      return givesOne(part) ? givenBy(asking, twin, bindings, part) : undefined;
    }
    default:
      return undefined;
  }
}

/** Who answers only because a relation is reflexive has no values of the pair. */
function valueIn(
  slow: SlowWorld,
  twin: Twin,
  { what, target }: { readonly what: string; readonly target?: Twin | "Any" },
): unknown {
  return has(slow, twin, what, target) ? get(slow, twin, what, target as Twin | undefined) : undefined;
}

// ---- who is meant ------------------------------------------------------------------------------------------------

/** Does one of the terms, in groups too, say something about who is disabled? */
export function namesDisabled(terms: readonly QuestionTerm[]): boolean {
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
export function isWatching(terms: readonly QuestionTerm[]): boolean {
  return watchedIn(terms).length > 0;
}

/** What such terms are about. */
export function watchedIn(terms: readonly QuestionTerm[]): string[] {
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
