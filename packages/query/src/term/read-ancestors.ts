import { Any, type AnyKindOfRelation, ChildOf, type Definition } from "@treeline/core";
import { Parent, shown } from "@treeline/core/internal";
import { type AskedAbove, type Draft, holdsValues, note, questionIn, type Reader, refuse } from "./draft.ts";
import type { Wrapped } from "./operators.ts";
import { type Gift, namesTarget } from "./plan.ts";
import { isVariable } from "./variable.ts";

/** The relation that a term goes along. @throws TreelineError `bad-query` for one that cannot be followed. */
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

/** Equal ways stand in the list of the plan once. */
function wayFor(draft: Draft, { operator, of, by }: Wrapped): AskedAbove {
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

function giftFrom(draft: Draft, term: Wrapped): Gift | undefined {
  const above = wayFor(draft, term);
  return holdsValues(above) ? { from: "above", ...above } : undefined;
}

/** Reads `up` and `selfOrUp`. */
export const upReader: Reader = {
  test: (draft, term) => ({ kind: "above", ...wayFor(draft, term) }),
  gift: giftFrom,
  way: wayFor,
};

/** Reads `cascade`, which leaves nobody out. Its way is the first of all: it says which row is how deep. */
export const cascadeReader: Reader = {
  lead(draft, term) {
    const { definition } = questionIn(draft, term.of[0]);
    if (definition.kind !== "component" || definition.holds === "nothing") {
      refuse(`cascade(${definition.name}) needs a component that has values`);
    }
    const direction = term.isDescending ? -1 : 1;
    const { way } = wayFor(draft, term);
    if (draft.cascade === 0) draft.cascade = direction;
    else if (draft.cascade !== direction || draft.traversals[0]!.relation !== draft.traversals[way]!.relation)
      refuse("cascade terms of one query go along one relation in one direction");
  },
  gift: giftFrom,
  way: wayFor,
};
