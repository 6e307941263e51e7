import { Any, ChildOf } from "@treeline/core";
import { Parent } from "@treeline/core/internal";
import type { Gift, Plan } from "./plan.ts";

type Shortcuts = "isPlain" | "targeted" | "byRow" | "direct";
type Bare = Omit<Plan, Shortcuts | "freeWay">;

/** What a plan lets its visits leave out. */
export function shortcutsOf(plan: Bare): Pick<Plan, Shortcuts> {
  const { clauses, bonds } = plan;
  const targeted = clauses.flatMap(({ operator, named }, place) => {
    if (operator === "maybe") return [];
    return named || bonds.some((bond) => bond.clause === place) ? [place] : [];
  });
  const isBare = asksClausesOnly(plan);
  const isPlain = isBare && bonds.length === 0 && clauses.every(({ named }) => !named) && !plan.readsPairs;
  const direct =
    isBare && targeted.length === 1 && bonds.every(({ clause }) => clause >= 0) ? targeted[0]! : -1;
  const isFound = direct >= 0 && isFoundByPair(clauses[direct]!);
  const asked = targeted.map((place) => clauses[place]!.definition);
  const isLoose = asked.some((one) => one === ChildOf || one === Parent || one === Any);
  const byRow = asked.some(({ reflexive }) => reflexive) ? "always" : isLoose ? "loose" : "never";
  return { targeted, byRow, isPlain, direct: isFound ? direct : -1 };
}

/** With one variable at most, and in no order. */
function asksClausesOnly(plan: Bare): boolean {
  const { tests, traversals, asides, bonds, variables, order, groups } = plan;
  if (tests.length > 0 || traversals.length > 0 || asides.length > 0) return false;
  return bonds.length === variables.length && bonds.length < 2 && order === undefined && groups === undefined;
}

/** Others have the pair of a reflexive relation too, and `Any` is many pairs. */
function isFoundByPair({ operator, definition }: Plan["clauses"][number]): boolean {
  return operator === "with" && !definition.reflexive && definition !== Any;
}

/** Are values of pairs of those who are visited handed over? */
export function readsPair(gift: Gift): boolean {
  if (gift.from === "first") return gift.of.some((one) => one !== undefined && readsPair(one));
  return gift.from === "own" && gift.definition.kind === "relation";
}
