import type { Asked } from "@treeline/core";
import { ADDED, CHANGED, type Question, REMOVED } from "@treeline/core/internal";
import { type Draft, GIFT, holdsValues, isPlainOf, note, questionIn, refuse, TEST } from "./draft.ts";
import { isWrapped, type QueryTerm, type Wrapped } from "./operators.ts";
import type { Gift, Test } from "./plan.ts";
import { aboveGift, asideFor, onGift, placeOf } from "./read-others.ts";
import { isVariable } from "./variable.ts";

/** Any part of a question, as a tree. */
export function testOf(draft: Draft, term: QueryTerm): Test {
  if (isVariable(term)) refuse("a variable stands for an entity; it cannot be inside not, or, all");
  if (!isWrapped(term)) {
    const question = questionIn(draft, term as Asked);
    if (isVariable(question.target)) note(draft, question.target);
    draft.inner.push(question);
    return { ...TEST, kind: "has", ...question };
  }
  const { operator, of } = term;
  switch (operator) {
    case "not":
    case "all":
    case "or":
      if (of.length === 0) refuse(`${operator} needs terms inside`);
      return {
        ...TEST,
        kind: operator === "or" ? "any" : operator,
        of: of.map((one) => testOf(draft, one)),
      };
    case "up":
    case "selfOrUp": {
      const { definition, target } = questionIn(draft, of[0] as Asked);
      return {
        ...TEST,
        kind: "above",
        definition,
        target,
        place: placeOf(draft, term),
        self: operator === "selfOrUp",
      };
    }
    case "on":
      return { ...TEST, kind: "on", place: asideFor(draft, term) };
    case "changed":
    case "added":
    case "removed":
      return changeOf(draft, term);
    default:
      return refuse(`${operator} cannot be inside not, or, all`);
  }
}

export function changeOf(draft: Draft, { operator, of }: Wrapped): Test {
  draft.isWatching = true;
  const what = of[0] as QueryTerm;
  const isAbove = isWrapped(what) && ["up", "selfOrUp", "cascade"].includes(what.operator);
  const inner = isAbove ? (what as Wrapped).of[0] : what;
  const { definition, target } = questionIn(draft, inner as Asked);
  if (definition.kind === "relation" || (operator === "changed" && definition.holds === "nothing")) {
    refuse(
      `${operator}(${definition.name}) needs a component${operator === "changed" ? " that has values" : " or tag"}`,
    );
  }
  if (!isAbove) draft.inner.push({ definition, target });
  if (isAbove && operator !== "changed")
    refuse(`${operator} is about entities themselves; use changed(up(...))`);
  const note = isAbove ? watch(draft, what as Wrapped, { definition, target }) : -1;
  return {
    ...TEST,
    kind: "changed",
    note,
    definition,
    target,
    place: isAbove ? placeOf(draft, what as Wrapped) : -1,
    self: isAbove && (what as Wrapped).operator === "selfOrUp",
    track: operator === "changed" ? CHANGED : operator === "added" ? ADDED : REMOVED,
  };
}

/** The place of a way among those of which changes are asked. */
export function watch(draft: Draft, term: Wrapped, question: Question): number {
  const place = placeOf(draft, term);
  const self = term.operator === "selfOrUp";
  const known = draft.watched.findIndex((one) => one.place === place && one.self === self);
  if (known >= 0) return known;
  return draft.watched.push({ place, self, definition: question.definition }) - 1;
}

/** What an alternative hands over; undefined for nothing. */
export function giftOf(draft: Draft, term: QueryTerm): Gift | undefined {
  if (isPlainOf(term)) {
    const question = questionIn(draft, term);
    return holdsValues(question) ? { ...GIFT, ...question } : undefined;
  }
  if (!isWrapped(term)) return undefined;
  if (term.operator === "up" || term.operator === "selfOrUp") {
    return holdsValues(questionIn(draft, term.of[0] as Asked)) ? aboveGift(draft, term) : undefined;
  }
  if (term.operator === "or") return orGift(draft, term);
  return term.operator === "on" ? onGift(draft, term) : undefined;
}

export function orGift(draft: Draft, term: Wrapped): Gift | undefined {
  const of = term.of.map((one) => giftOf(draft, one));
  if (of.every((gift) => gift === undefined)) return undefined;
  return { ...GIFT, from: "first", test: testOf(draft, term), of };
}
