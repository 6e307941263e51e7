import {
  Any,
  type AnyKindOfRelation,
  type Asked,
  ChildOf,
  type Definition,
  type Entity,
  Parent,
} from "@treeline/core";
import { requireHandle, shown } from "@treeline/core/internal";
import { type Draft, GIFT, holdsValues, note, questionIn, refuse } from "./draft.ts";
import { isWrapped, type QueryTerm, type Wrapped } from "./operators.ts";
import { type Gift, namesTarget } from "./plan.ts";
import { isVariable } from "./variable.ts";

export function relationOf(by: unknown): Definition {
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

/** The place of a way to ancestors in the list of the plan. */
export function placeOf(draft: Draft, term: Wrapped): number {
  const relation = relationOf(term.by);
  const what = questionIn(draft, term.of[0] as Asked);
  if (isVariable(what.target)) refuse(`${term.operator} takes no variables`);
  const self = term.operator === "selfOrUp";
  const known = draft.traversals.findIndex(
    (one) =>
      one.relation === relation && one.what.definition === what.definition && one.what.target === what.target,
  );
  const place = known >= 0 ? known : draft.traversals.push({ relation, what, self }) - 1;
  if (namesTarget(what)) {
    if (known < 0) draft.inner.push({ definition: Any, target: what.target });
    if (self) draft.ownPairs.add(place);
  }
  return place;
}

export function aboveGift(draft: Draft, term: Wrapped): Gift {
  const question = questionIn(draft, term.of[0] as Asked);
  return {
    ...GIFT,
    from: "above",
    ...question,
    place: placeOf(draft, term),
    self: term.operator === "selfOrUp",
  };
}

/** The place of an aside in the list of the plan. */
export function asideFor(draft: Draft, term: Wrapped): number {
  const what = term.of[0] as QueryTerm;
  const isUp = isWrapped(what);
  if (isUp && what.operator !== "up" && what.operator !== "selfOrUp")
    refuse("on takes a plain term, up or selfOrUp");
  const question = questionIn(draft, (isUp ? what.of[0] : what) as Asked);
  const relation = isUp ? relationOf(what.by) : undefined;
  const isSingleton = typeof term.by === "function";
  if (isSingleton && question.definition.kind === "relation") refuse("singleton takes a component or tag");
  if (!isSingleton && !isVariable(term.by)) requireHandle(draft.world, term.by as Entity);
  const source = isSingleton ? 0 : (term.by as number);
  const self = isUp && what.operator === "selfOrUp";
  if (namesTarget(question) && !isVariable(question.target))
    draft.inner.push({ definition: Any, target: question.target });
  for (const one of [source, question.target]) if (isVariable(one)) note(draft, one);
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

export function onGift(draft: Draft, term: Wrapped): Gift | undefined {
  const place = asideFor(draft, term);
  const { question } = draft.asides[place]!;
  return holdsValues(question) ? { ...GIFT, from: "on", ...question, place } : undefined;
}
