import {
  Any,
  type Asked,
  type Definition,
  type Entity,
  type Term,
  TreelineError,
  type World,
} from "@treeline/core";
import { ANY, isInternal, questionOf, shown } from "@treeline/core/internal";
import { isWrapped, type Operator, type Plain, type QueryTerm, type Wrapped } from "./operators.ts";
import type {
  Aside,
  Bond,
  Clause,
  FreeWay,
  Gift,
  Grouping,
  Order,
  Plan,
  Question,
  Test,
  Traversal,
  Watched,
} from "./plan.ts";
import { isVariable } from "./variable.ts";

/** A plan while it is read. */
export interface Draft {
  readonly world: World;
  readonly clauses: Clause[];
  readonly targets: number[];
  readonly tests: Test[];
  readonly traversals: Traversal[];
  readonly ownPairs: number[];
  readonly asides: Aside[];
  readonly bonds: Bond[];
  readonly variables: number[];
  readonly gifts: Gift[];
  readonly watched: Watched[];
  /** All that is asked of those who are visited, and targets: they may name who is disabled, or an entity. */
  readonly named: Question[];
  cascade: -1 | 0 | 1;
  order: Order | undefined;
  groups: Grouping | undefined;
}

/** How a term with an operator is read. The operator brings it along when it makes the term. */
export interface Reader {
  /** Reads what has to be known before all other terms. */
  readonly lead?: (draft: Draft, term: Wrapped) => void;
  /** Adds what is asked for; without it the test is added, if there can be one. */
  readonly demand?: (draft: Draft, term: Wrapped) => void;
  /** The term as a part of others: undefined if it cannot be one. */
  readonly test?: (draft: Draft, term: Wrapped) => Test;
  /** What it hands over; undefined for nothing. */
  readonly gift?: (draft: Draft, term: Wrapped) => Gift | undefined;
  /** Of terms about ancestors: what they look for, and along which way. */
  readonly way?: (draft: Draft, term: Wrapped) => AskedAbove;
}

/** What a term looks for above; and its way in the list of the plan. */
export interface AskedAbove extends Question {
  readonly way: number;
  /** Who has it itself is its own source. */
  readonly self: boolean;
}

/** What variables need besides. They bring it along. */
export interface VariableReader {
  /** All who are visited have to have a pair with a variable. */
  readonly demandPair: (draft: Draft, question: Question) => void;
  /** @throws TreelineError `bad-query` for one that no term finds. */
  readonly requireBound: (draft: Draft, variable: number) => void;
  readonly freeWayOf: (plan: Omit<Plan, "freeWay">) => FreeWay | undefined;
}

type Readers = { [Op in Operator]?: Reader } & { variable?: VariableReader };

/** By operator: nothing until one is called for the first time. Functions only; nothing in here is state. */
export const readers: Readers = {};

export function refuse(why: string): never {
  throw new TreelineError("bad-query", why);
}

/** Each once. */
export function note(list: number[], number: number): void {
  if (!list.includes(number)) list.push(number);
}

export function isPlain(what: QueryTerm | undefined | null): what is Asked {
  return !isWrapped(what) && !isVariable(what);
}

/** Is there something to hand over? */
export function holdsValues({ definition, target }: Question): boolean {
  if (definition.kind === "tag" || definition === Any || target === ANY) return false;
  return definition.kind !== "relation" ? true : definition.holds !== "nothing";
}

/** Reads a component, tag, pair or entity; a pair may have a variable, which is noted. */
export function questionIn({ world, variables }: Draft, what: QueryTerm | undefined | null): Question {
  if (typeof what === "number") return questionOf(world, what as Entity);
  if (isWrapped(what)) {
    return refuse(
      `${what.operator}(...) cannot stand inside this operator; put a component, tag, pair or entity there`,
    );
  }
  const definition = (typeof what === "function" ? what : (what as Term | undefined | null)?.definition) as
    | Definition
    | undefined;
  if (definition?.kind === undefined || isInternal(definition)) {
    return refuse(`${shown(what)} is no component, tag, pair or entity; is it imported in a circle?`);
  }
  if (typeof what === "function") {
    if (definition.kind !== "relation") return questionOf(world, what as Asked);
    refuse(`${definition.name} needs a target: ${definition.name}(entity) or ${definition.name}(Any)`);
  }
  const { target, value } = what as unknown as Term;
  if (value !== undefined) {
    refuse(`a question compares no values: ask for ${definition.name}, and look at its value in the visit`);
  }
  if (!isVariable(target)) return questionOf(world, what as Asked);
  if (definition === Any) refuse("Any(variable) would be any relation; name the relation");
  note(variables, target);
  return { definition, target };
}

/** The same for what is asked of those who are visited. */
export function namedIn(draft: Draft, what: QueryTerm | undefined | null): Question {
  const question = questionIn(draft, what);
  draft.named.push(question);
  return question;
}

/** @returns its place. Archetypes do not tell who has a tag that is stored as bits: that is tested. */
export function addClause(draft: Draft, operator: Clause["operator"], question: Question): number {
  const { definition, target } = question;
  const named = definition.kind === "relation" && target !== ANY;
  if (definition.storage === "bits" && operator !== "maybe") {
    const has: Test = { kind: "has", ...question };
    draft.tests.push(operator === "with" ? has : { kind: "not", of: has });
  }
  draft.targets.push(target);
  return draft.clauses.push({ operator, definition, named }) - 1;
}

/** All have to have it. */
export function demandPlain(draft: Draft, what: Plain): Question {
  const question = namedIn(draft, what);
  if (isVariable(question.target)) readers.variable!.demandPair(draft, question);
  else addClause(draft, "with", question);
  return question;
}

/** How a term is read that no operator of this package made: not at all. */
const UNKNOWN: Reader = {};

export function readerOf({ operator }: Wrapped): Reader {
  return readers[operator] ?? UNKNOWN;
}

/** Any part of a question, as a tree. */
export function testOf(draft: Draft, term: QueryTerm): Test {
  if (isVariable(term)) refuse("a variable stands for an entity; it cannot be inside not, or, all");
  if (!isWrapped(term)) return { kind: "has", ...namedIn(draft, term) };
  const { test } = readerOf(term);
  if (test === undefined) refuse(`${term.operator} cannot be inside not, or, all`);
  return test(draft, term);
}

/** What a term or an alternative hands over; undefined for nothing. */
export function giftOf(draft: Draft, term: QueryTerm): Gift | undefined {
  if (isVariable(term)) return { from: "variable", variable: term };
  if (isWrapped(term)) return readerOf(term).gift?.(draft, term);
  const question = questionIn(draft, term);
  return holdsValues(question) ? { from: "own", ...question } : undefined;
}
