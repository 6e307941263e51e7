import {
  Any,
  type AnyKindOfRelation,
  type Asked,
  ChildOf,
  type Definition,
  type Entity,
  Parent,
  type Term,
  TreelineError,
  type World,
} from "@treeline/core";
import { ANY, isInternal, questionOf, shown } from "@treeline/core/internal";
import { requireHandle } from "./handle.ts";
import { keyOfTerms } from "./key.ts";
import { isWrapped, type Plain, type QueryTerm, type Wrapped } from "./operators.ts";
import {
  type Aside,
  type Bond,
  type Clause,
  type Gift,
  type Grouping,
  isAboutDisabled,
  keyOfTraversals,
  type Leaf,
  leavesOf,
  namesTarget,
  type Order,
  type Question,
  type Reading,
  type Test,
  type Traversal,
  type Watched,
} from "./plan.ts";
import { readsPair, shortcutsOf } from "./shortcuts.ts";
import { isVariable } from "./variable.ts";

/** A plan while it is read. */
interface Draft {
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
  for (const term of terms) if (isWrapped(term) && term.operator === "cascade") readCascade(draft, term);
  for (const term of terms) readTerm(draft, term);
  for (const variable of draft.variables) requireBound(draft, variable);
  const { clauses, tests, traversals, ownPairs, asides, bonds, variables, gifts, watched, named } = draft;
  const { cascade, order, groups } = draft;
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
  return {
    terms,
    plan: Object.assign(plan, shortcutsOf(plan)),
    targets: draft.targets,
    key: keyOfTerms(world, terms),
  };
}

const NO_LEAVES: Leaf[] = [];

/** Each once. */
function note(list: number[], number: number): void {
  if (!list.includes(number)) list.push(number);
}

export function refuse(why: string): never {
  throw new TreelineError("bad-query", why);
}

/** Adds what a term asks for, and what it hands over. */
function readTerm(draft: Draft, term: QueryTerm): void {
  const operator = isWrapped(term) ? term.operator : undefined;
  switch (operator) {
    case "orderBy":
      readOrder(draft, term as Wrapped);
      return;
    case "groupBy":
      readGroups(draft, term as Wrapped);
      return;
    case "maybe":
      readMaybe(draft, (term as Wrapped).of[0]!);
      return;
    case "or": {
      const test = testOf(draft, term);
      draft.tests.push(test);
      addGift(draft, firstOf(draft, term as Wrapped, test));
      return;
    }
    default:
      if (isPlain(term)) {
        const question = demandPlain(draft, term);
        if (holdsValues(question)) draft.gifts.push({ from: "own", ...question });
        return;
      }
      demand(draft, term);
      addGift(draft, giftOf(draft, term));
  }
}

function addGift({ gifts }: Draft, gift: Gift | undefined): void {
  if (gift !== undefined) gifts.push(gift);
}

function requireBound({ bonds }: Draft, variable: number): void {
  if (bonds.some(({ source, target }) => source === variable || target === variable)) return;
  refuse("a variable needs a term that finds it: a pair such as ChildOf(variable), or on(variable, ...)");
}

// ---- components, tags, pairs and entities ------------------------------------------------------------------------

function isPlain(what: QueryTerm | undefined | null): what is Asked {
  return !isWrapped(what) && !isVariable(what);
}

function holdsValues({ definition, target }: Question): boolean {
  if (definition.kind === "tag" || definition === Any || target === ANY) return false;
  return definition.kind !== "relation" ? true : definition.holds !== "nothing";
}

/** Reads a component, tag, pair or entity; a pair may have a variable, which is noted. */
function questionIn({ world, variables }: Draft, what: QueryTerm | undefined | null): Question {
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
function namedIn(draft: Draft, what: QueryTerm | undefined | null): Question {
  const question = questionIn(draft, what);
  draft.named.push(question);
  return question;
}

/** All have to hold what is no plain term: by a clause or bond, if that can tell it, else by a test. */
function demand(draft: Draft, term: QueryTerm): void {
  if (isVariable(term)) note(draft.variables, term);
  if (!isWrapped(term)) return;
  const { operator, of } = term;
  if (operator === "cascade") return; // filters nothing
  if (operator === "all") {
    if (of.length === 0) refuse("all needs terms inside");
    for (const one of of) {
      if (isPlain(one)) demandPlain(draft, one);
      else draft.tests.push(testOf(draft, one));
    }
  } else if (operator === "not" && isPlain(of[0])) demandNot(draft, of[0]);
  else if (operator === "on") demandOf(draft, term);
  else draft.tests.push(testOf(draft, term));
}

function addClause(draft: Draft, operator: Clause["operator"], { definition, target }: Question): number {
  const named = definition.kind === "relation" && target !== ANY;
  draft.targets.push(target);
  return draft.clauses.push({ operator, definition, named }) - 1;
}

function demandPlain(draft: Draft, what: Plain): Question {
  const question = namedIn(draft, what);
  const { definition, target } = question;
  if (!isVariable(target)) {
    addClause(draft, "with", question);
    return question;
  }
  // A reflexive pair is nobody's archetype: everybody has it with themselves.
  const clause = definition.reflexive ? -1 : addClause(draft, "with", { definition, target: ANY });
  draft.bonds.push({ source: 0, definition, target, clause });
  return question;
}

function demandNot(draft: Draft, what: Plain): void {
  const question = namedIn(draft, what);
  if (!isVariable(question.target)) addClause(draft, "not", question);
  else draft.tests.push({ kind: "not", of: { kind: "has", ...question } });
}

function demandOf(draft: Draft, term: Wrapped): void {
  const aside = asideFor(draft, term);
  const { source, question, relation } = draft.asides[aside]!;
  const joins = relation === undefined && (isVariable(source) || isVariable(question.target));
  if (joins) draft.bonds.push({ source, ...question, clause: -1 });
  else draft.tests.push({ kind: "on", aside });
}

function readMaybe(draft: Draft, what: QueryTerm): void {
  if (isPlain(what)) {
    const question = namedIn(draft, what);
    if (!isVariable(question.target)) addClause(draft, "maybe", question);
    const gift: Gift = holdsValues(question)
      ? { from: "own", ...question }
      : { from: "mark", test: { kind: "has", ...question } };
    draft.gifts.push(gift);
    return;
  }
  if (!isWrapped(what) || !["up", "selfOrUp", "on"].includes(what.operator)) {
    refuse("maybe takes a component, a tag, a pair, up, selfOrUp or on");
  }
  draft.gifts.push(giftOf(draft, what) ?? { from: "mark", test: testOf(draft, what) });
}

// ---- tests -------------------------------------------------------------------------------------------------------

/** Any part of a question, as a tree. */
function testOf(draft: Draft, term: QueryTerm): Test {
  if (isVariable(term)) refuse("a variable stands for an entity; it cannot be inside not, or, all");
  if (!isWrapped(term)) return { kind: "has", ...namedIn(draft, term) };
  const { operator, of } = term;
  switch (operator) {
    case "not":
      return { kind: "not", of: testOf(draft, of[0]!) };
    case "all":
    case "or":
      if (of.length === 0) refuse(`${operator} needs terms inside`);
      return { kind: operator === "or" ? "any" : "all", of: of.map((one) => testOf(draft, one)) };
    case "up":
    case "selfOrUp":
      return { kind: "above", ...wayFor(draft, term) };
    case "on":
      return { kind: "on", aside: asideFor(draft, term) };
    case "changed":
    case "added":
    case "removed":
      return changeOf(draft, term, of[0]!);
    default:
      return refuse(`${operator} cannot be inside not, or, all`);
  }
}

function changeOf(draft: Draft, { operator }: Wrapped, what: QueryTerm): Test {
  const above = isWrapped(what) && ["up", "selfOrUp", "cascade"].includes(what.operator) ? what : undefined;
  const question = questionIn(draft, above === undefined ? what : above.of[0]);
  const { definition } = question;
  if (definition.kind === "relation" || (operator === "changed" && definition.holds === "nothing")) {
    refuse(
      `${operator}(${definition.name}) needs a component${operator === "changed" ? " that has values" : " or tag"}`,
    );
  }
  if (above === undefined) {
    draft.named.push(question);
    const track = operator === "changed" ? "changed" : operator === "added" ? "added" : "removed";
    return { kind: "changed", definition, track };
  }
  if (operator !== "changed") refuse(`${operator} is about entities themselves; use changed(up(...))`);
  const way = wayFor(draft, above);
  return { kind: "changed above", ...way, note: watch(draft, way) };
}

/** The place of a way among those of which changes are asked. */
function watch({ watched }: Draft, { way, self, definition }: Watched): number {
  const known = watched.findIndex((one) => one.way === way && one.self === self);
  return known >= 0 ? known : watched.push({ way, self, definition }) - 1;
}

// ---- ancestors and given entities --------------------------------------------------------------------------------

function relationOf(by: unknown): Definition {
  const relation = (by ?? ChildOf) as AnyKindOfRelation;
  if (relation?.kind !== "relation" || relation === Any || !relation.traversable || relation === Parent) {
    refuse(
      relation === Parent
        ? "ChildOf covers both storages of parents; use it in place of Parent"
        : `${relation?.name ?? shown(by)} cannot be followed; define it as a relation with traversable: true`,
    );
  }
  return relation;
}

/** What a term looks for above, and its way in the list of the plan. */
function wayFor(draft: Draft, { operator, of, by }: Wrapped): Question & { way: number; self: boolean } {
  const relation = relationOf(by);
  const what = questionIn(draft, of[0]);
  const { definition, target } = what;
  if (isVariable(target)) refuse(`${operator} takes no variables`);
  const self = operator === "selfOrUp";
  const { traversals } = draft;
  const known = traversals.findIndex(
    (one) => one.relation === relation && one.what.definition === definition && one.what.target === target,
  );
  const way = known >= 0 ? known : traversals.push({ relation, what, self }) - 1;
  if (namesTarget(what)) {
    draft.named.push({ definition: Any, target });
    if (self) note(draft.ownPairs, way);
  }
  return { definition, target, way, self };
}

/** The place of what is asked of a given entity in the list of the plan. */
function asideFor(draft: Draft, { of, by }: Wrapped): number {
  const what = of[0];
  const above = isWrapped(what) ? what : undefined;
  if (above !== undefined && above.operator !== "up" && above.operator !== "selfOrUp")
    refuse("on takes a plain term, up or selfOrUp");
  if (isVariable(by)) note(draft.variables, by);
  const question = questionIn(draft, above === undefined ? what : above.of[0]);
  const relation = above === undefined ? undefined : relationOf(above.by);
  const isSingleton = typeof by === "function";
  if (isSingleton && question.definition.kind === "relation") refuse("singleton takes a component or tag");
  if (!isSingleton && !isVariable(by)) requireHandle(draft.world, by as Entity);
  const source = isSingleton ? 0 : (by as number);
  const self = above?.operator === "selfOrUp";
  if (namesTarget(question)) draft.named.push({ definition: Any, target: question.target });
  const known = draft.asides.findIndex(
    (one) =>
      one.source === source &&
      one.relation === relation &&
      one.self === self &&
      one.question.definition === question.definition &&
      one.question.target === question.target,
  );
  return known >= 0 ? known : draft.asides.push({ source, question, relation, self }) - 1;
}

function readCascade(draft: Draft, term: Wrapped): void {
  const { definition } = questionIn(draft, term.of[0]);
  if (definition.kind !== "component" || definition.holds === "nothing") {
    refuse(`cascade(${definition.name}) needs a component that has values`);
  }
  const direction = term.isDescending ? -1 : 1;
  const { way } = wayFor(draft, term);
  if (draft.cascade === 0) draft.cascade = direction;
  else if (draft.cascade !== direction || draft.traversals[0]!.relation !== draft.traversals[way]!.relation) {
    refuse("cascade terms of one query go along one relation in one direction");
  }
}

// ---- what is handed over -----------------------------------------------------------------------------------------

/** What a term or an alternative hands over; undefined for nothing. */
function giftOf(draft: Draft, term: QueryTerm): Gift | undefined {
  if (isVariable(term)) return { from: "variable", variable: term };
  if (!isWrapped(term)) {
    const question = questionIn(draft, term);
    return holdsValues(question) ? { from: "own", ...question } : undefined;
  }
  switch (term.operator) {
    case "cascade":
    case "up":
    case "selfOrUp": {
      const way = wayFor(draft, term);
      return holdsValues(way) ? { from: "above", ...way } : undefined;
    }
    case "or":
      return firstOf(draft, term, testOf(draft, term));
    case "on": {
      const aside = asideFor(draft, term);
      const { question } = draft.asides[aside]!;
      return holdsValues(question) ? { from: "on", ...question, aside } : undefined;
    }
    default:
      return undefined;
  }
}

/** @param test of the alternatives. */
function firstOf(draft: Draft, { of }: Wrapped, test: Test): Gift | undefined {
  const gifts = of.map((one) => giftOf(draft, one));
  if (test.kind !== "any" || gifts.every((gift) => gift === undefined)) return undefined;
  return { from: "first", tests: test.of, of: gifts };
}

// ---- order and groups --------------------------------------------------------------------------------------------

function readOrder(draft: Draft, { of, by, isDescending }: Wrapped): void {
  if (draft.order !== undefined) refuse("a query takes one orderBy");
  const { definition, target } = questionIn(draft, of[0]);
  const field = definition.fields.find(([name]) => name === by)?.[1];
  if (definition.kind !== "component" || definition.holds === "nothing")
    refuse("orderBy takes a component that has values");
  if (typeof by !== "function" && (field === undefined || field.isList || field.kind === "entity")) {
    refuse(
      `orderBy(${definition.name}, ${shown(by)}) needs the name of a field that holds one number, or a comparison`,
    );
  }
  draft.order = { definition, target, by: by as Order["by"], isDescending };
}

function readGroups(draft: Draft, { by }: Wrapped): void {
  if (draft.groups !== undefined) refuse("a query takes one groupBy");
  const relation = by as Definition;
  const { kind, exclusive, name } = relation;
  if (kind === undefined) {
    draft.groups = { by: "key", keyOf: by as () => unknown };
    return;
  }
  if (kind !== "relation" || !exclusive || by === Any) {
    refuse(`groupBy(${name}) needs an exclusive relation, or a function of the entity`);
  }
  draft.groups = { by: "target", relation };
}
