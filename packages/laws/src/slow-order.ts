/** The order in which a question's answers come, said the naive way: of the whole list, and of any two of it. */
import type { OrderBy, Question } from "./slow-question.ts";
import { depthFor } from "./slow-question.ts";
import type { Twin } from "./slow-rules.ts";
import type { SlowWorld } from "./slow-world.ts";
import { aboveOf, get, has, targetsOf } from "./slow-world.ts";

/** Depth first, if there is a cascade; then the field, those without it last; then the index. */
export function inOrder(
  slow: SlowWorld,
  indexOf: (twin: Twin) => number,
  question: Question,
  by: OrderBy,
  twins: readonly Twin[],
): Twin[] {
  const cascade = question.terms.find((term) => term.kind === "cascade");
  const turn = cascade?.desc === true ? -1 : 1;
  const keyOf = (twin: Twin): number => {
    if (!has(slow, twin, by.what)) return Number.POSITIVE_INFINITY;
    const value = Number((get(slow, twin, by.what) as Record<string, number | boolean>)[by.field]);
    return by.desc ? -value : value;
  };
  const compared = (one: number, other: number): number => (one < other ? -1 : one > other ? 1 : 0);
  return [...twins].sort(
    (one, other) =>
      compared(turn * depthFor(slow, question, one), turn * depthFor(slow, question, other)) ||
      compared(keyOf(one), keyOf(other)) ||
      compared(indexOf(one), indexOf(other)),
  );
}

/** The first two that came the wrong way round: nobody before one above it, or with `desc` after it. */
export function wrongTurn(
  slow: SlowWorld,
  { terms }: Question,
  came: readonly Twin[],
): readonly [first: Twin, second: Twin] | undefined {
  const cascade = terms.find((term) => term.kind === "cascade");
  if (cascade === undefined) return undefined;
  for (const twin of came) {
    for (const above of aboveOf(slow, twin, cascade.relation)) {
      if (!came.includes(above)) continue;
      const [first, second] = cascade.desc ? [twin, above] : [above, twin];
      if (came.lastIndexOf(first) > came.indexOf(second)) return [second, first];
    }
  }
  return undefined;
}

/** The group somebody is in: its target of an exclusive relation, or nothing. */
export function groupOf(slow: SlowWorld, twin: Twin, relation: string): Twin | undefined {
  return targetsOf(slow, twin, relation)[0];
}

/** A group that came in two pieces. */
export function tornGroup(
  slow: SlowWorld,
  relation: string,
  came: readonly Twin[],
): Twin | "none" | undefined {
  const ended = new Set<Twin | undefined>();
  let at: Twin | undefined;
  let isFirst = true;
  for (const twin of came) {
    const group = groupOf(slow, twin, relation);
    if (!isFirst && group === at) continue;
    if (!isFirst) ended.add(at);
    if (ended.has(group)) return group ?? "none";
    at = group;
    isFirst = false;
  }
  return undefined;
}
