import { Any, type Asked, type Definition, type World } from "@treeline/core";
import { ANY, type Question, shown } from "@treeline/core/internal";
import { asksShapesOnly, directIn, targetedIn } from "./direct.ts";
import { type Draft, GIFT, holdsValues, isPlainOf, note, questionIn, refuse, TEST } from "./draft.ts";
import { freeWayOf } from "./free-way.ts";
import { keyOfTerms } from "./key.ts";
import { isWrapped, type QueryTerm, type Wrapped } from "./operators.ts";
import { type Gift, isAboutDisabled, namesTarget, type Order, type Plan } from "./plan.ts";
import { aboveGift, asideFor, onGift, placeOf, relationOf } from "./read-others.ts";
import { giftOf, orGift, testOf } from "./read-tests.ts";
import { keyOfTraversals } from "./traversal.ts";
import { isVariable } from "./variable.ts";

/**
 * Reads terms into a plan.
 *
 * @throws TreelineError `bad-query` for what is no term, a relation without target, and operators about what they cannot
 *   be about; `dead-entity` for an entity or target that has not the form of a handle.
 */
export function planOf(world: World, terms: readonly QueryTerm[]): Plan {
  const draft: Draft = {
    world,
    clauses: [],
    tests: [],
    traversals: [],
    ownPairs: new Set(),
    asides: [],
    bonds: [],
    variables: [],
    gifts: [],
    inner: [],
    cascade: 0,
    order: undefined,
    groups: undefined,
    isWatching: false,
    watched: [],
  };
  for (const term of terms) if (isWrapped(term) && term.operator === "cascade") readCascade(draft, term);
  for (const term of terms) readTerm(draft, term);
  for (const name of draft.variables) requireBound(draft, name);
  const { clauses, tests, traversals, cascade, asides, bonds, variables, gifts, order, groups, isWatching } =
    draft;
  const leaves = [...clauses, ...draft.inner];
  const plan = {
    terms,
    clauses,
    tests,
    traversals,
    waysKey: keyOfTraversals(traversals),
    ownPairs: [...draft.ownPairs],
    cascade,
    asides,
    bonds,
    variables,
    gifts,
    order,
    groups,
    isWatching,
    isPlain: asksShapesOnly(draft) && !gifts.some(readsPair),
    targeted: targetedIn(draft),
    direct: directIn(draft),
    watched: draft.watched,
    namesDisabled: leaves.some(isAboutDisabled),
    namesEntity:
      leaves.some((leaf) => namesTarget(leaf) && !isVariable(leaf.target)) ||
      asides.some(({ source }) => source > 0),
    readsPairs: gifts.some(readsPair),
    key: keyOfTerms(world, terms),
  };
  return { ...plan, freeWay: freeWayOf(plan) };
}

function readsPair({ from, definition, of }: Gift): boolean {
  if (from === "first") return of.some((one) => one !== undefined && readsPair(one));
  return from === "own" && definition.kind === "relation";
}

function readTerm(draft: Draft, term: QueryTerm): void {
  if (isVariable(term)) {
    note(draft, term);
    draft.gifts.push({ ...GIFT, from: "variable", place: term });
    return;
  }
  if (!isWrapped(term)) {
    readPlain(draft, term as Asked);
    return;
  }
  const what = term.of[0] as QueryTerm;
  switch (term.operator) {
    case "not":
      if (isPlainOf(what)) {
        const question = questionIn(draft, what);
        if (!isVariable(question.target)) {
          draft.clauses.push({ operator: "not", ...question });
          return;
        }
      }
      draft.tests.push({ ...TEST, kind: "not", of: [testOf(draft, what)] });
      return;
    case "maybe":
      readMaybe(draft, what);
      return;
    case "or":
      readOr(draft, term);
      return;
    case "all":
      if (term.of.length === 0) refuse("all needs terms inside");
      for (const one of term.of) {
        if (isPlainOf(one)) readFilter(draft, one);
        else draft.tests.push(testOf(draft, one));
      }
      return;
    case "up":
    case "selfOrUp":
      readUp(draft, term);
      return;
    case "on":
      readOn(draft, term);
      return;
    case "changed":
    case "added":
    case "removed":
      draft.tests.push(testOf(draft, term));
      return;
    case "orderBy":
      readOrder(draft, term);
      return;
    case "groupBy":
      readGroups(draft, term);
      return;
    default: // cascade was read before
      draft.gifts.push({ ...aboveGift(draft, term), self: false });
  }
}

function requireBound({ bonds }: Draft, variable: number): void {
  const isBound = bonds.some(({ source, target }) => source === variable || target === variable);
  if (!isBound)
    refuse("a variable needs a term that finds it: a pair such as ChildOf(variable), or on(variable, ...)");
}

// ---- terms about who is visited ----------------------------------------------------------------------------------

function readPlain(draft: Draft, what: Asked): void {
  const question = readFilter(draft, what);
  if (holdsValues(question)) draft.gifts.push({ ...GIFT, ...question });
}

function readFilter(draft: Draft, what: Asked): Question {
  const question = questionIn(draft, what);
  const { definition, target } = question;
  if (isVariable(target)) {
    note(draft, target);
    // A reflexive pair is nobody's shape: everybody has it with themselves.
    const clause = definition.reflexive
      ? -1
      : draft.clauses.push({ operator: "with", definition, target: ANY }) - 1;
    draft.bonds.push({ source: 0, definition, target, clause });
  } else draft.clauses.push({ operator: "with", definition, target });
  return question;
}

function readMaybe(draft: Draft, what: QueryTerm): void {
  if (isPlainOf(what)) {
    const question = questionIn(draft, what);
    if (isVariable(question.target)) note(draft, question.target);
    else draft.clauses.push({ operator: "maybe", ...question });
    const gift = { ...GIFT, ...question };
    if (holdsValues(question)) draft.gifts.push(gift);
    else draft.gifts.push({ ...gift, from: "mark", test: testOf(draft, what) });
    return;
  }
  if (!isWrapped(what) || !["up", "selfOrUp", "on"].includes(what.operator)) {
    refuse("maybe takes a component, a tag, a pair, up, selfOrUp or on");
  }
  const gift = giftOf(draft, what);
  draft.gifts.push(gift ?? { ...GIFT, from: "mark", test: testOf(draft, what) });
}

function readOr(draft: Draft, term: Wrapped): void {
  draft.tests.push(testOf(draft, term));
  const gift = orGift(draft, term);
  if (gift !== undefined) draft.gifts.push(gift);
}

function readUp(draft: Draft, term: Wrapped): void {
  draft.tests.push(testOf(draft, term));
  const gift = giftOf(draft, term);
  if (gift !== undefined) draft.gifts.push(gift);
}

function readCascade(draft: Draft, term: Wrapped): void {
  const { definition } = questionIn(draft, term.of[0] as Asked);
  if (definition.kind !== "component" || definition.holds === "nothing") {
    refuse(`cascade(${definition.name}) needs a component that has values`);
  }
  const direction = term.isDescending ? -1 : 1;
  const first = draft.traversals[0];
  placeOf(draft, term);
  if (draft.cascade === 0) draft.cascade = direction;
  else if (draft.cascade !== direction || first!.relation !== relationOf(term.by)) {
    refuse("cascade terms of one query go along one relation in one direction");
  }
}

function readOn(draft: Draft, term: Wrapped): void {
  const place = asideFor(draft, term);
  const { source, question, relation } = draft.asides[place]!;
  const joins = relation === undefined && (isVariable(source) || isVariable(question.target));
  if (joins) draft.bonds.push({ source, ...question, clause: -1 });
  else draft.tests.push({ ...TEST, kind: "on", place });
  const gift = onGift(draft, term);
  if (gift !== undefined) draft.gifts.push(gift);
}

// ---- order and groups --------------------------------------------------------------------------------------------

function readOrder(draft: Draft, { of, by, isDescending }: Wrapped): void {
  if (draft.order !== undefined) refuse("a query takes one orderBy");
  const { definition, target } = questionIn(draft, of[0] as Asked);
  const isFunction = typeof by === "function";
  const field = definition.fields.find(([name]) => name === by)?.[1];
  if (definition.kind !== "component" || definition.holds === "nothing")
    refuse("orderBy takes a component that has values");
  if (!isFunction && (field === undefined || field.isList || field.kind === "entity")) {
    refuse(
      `orderBy(${definition.name}, ${shown(by)}) needs the name of a field that holds one number, or a comparison`,
    );
  }
  draft.order = { definition, target, by: by as Order["by"], isDescending };
}

function readGroups(draft: Draft, { by }: Wrapped): void {
  if (draft.groups !== undefined) refuse("a query takes one groupBy");
  const { kind, exclusive, name } = by as Definition;
  if (kind !== undefined && (kind !== "relation" || !exclusive || by === Any)) {
    refuse(`groupBy(${name}) needs an exclusive relation, or a function of the entity`);
  }
  draft.groups = by;
}
