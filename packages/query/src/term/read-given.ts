import { Any, type Entity } from "@treeline/core";
import { type Draft, holdsValues, note, questionIn, type Reader, refuse } from "./draft.ts";
import { requireHandle } from "./handle.ts";
import { isWrapped, type Wrapped } from "./operators.ts";
import { namesTarget } from "./plan.ts";
import { relationOf } from "./read-ancestors.ts";
import { isVariable } from "./variable.ts";

/** Reads `on` and `singleton`. */
export const givenReader: Reader = {
  demand(draft, term) {
    const aside = asideFor(draft, term);
    const { source, question, relation } = draft.asides[aside]!;
    const joins = relation === undefined && (isVariable(source) || isVariable(question.target));
    if (joins) draft.bonds.push({ source, ...question, clause: -1 });
    else draft.tests.push({ kind: "on", aside });
  },
  test: (draft, term) => ({ kind: "on", aside: asideFor(draft, term) }),
  gift(draft, term) {
    const aside = asideFor(draft, term);
    const { question } = draft.asides[aside]!;
    return holdsValues(question) ? { from: "on", ...question, aside } : undefined;
  },
};

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
