import { Any, ChildOf, type Definition } from "@treeline/core";
import { Life, Parent } from "@treeline/core/internal";
import { type FreeWay, type Gift, keyOfTraversals, type Leaf, leavesOf, type Plan } from "./plan.ts";
import { isVariable } from "./variable.ts";

type Shortcuts = "isPlain" | "targeted" | "byRow" | "direct" | "freeWay";

/** What a plan lets its visits leave out. */
export function shortcutsOf(plan: Omit<Plan, Shortcuts>): Pick<Plan, Shortcuts> {
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
  return { targeted, byRow, isPlain, direct: isFound ? direct : -1, freeWay: freeWayOf(plan) };
}

/** With one variable at most, and in no order. */
function asksClausesOnly(plan: Omit<Plan, Shortcuts>): boolean {
  const { tests, traversals, asides, bonds, variables, order, groups } = plan;
  if (tests.length > 0 || traversals.length > 0 || asides.length > 0) return false;
  return bonds.length === variables.length && bonds.length < 2 && order === undefined && groups === undefined;
}

/** Others have the pair of a reflexive relation too, and `Any` is many pairs. */
function isFoundByPair({ operator, definition }: Plan["clauses"][number]): boolean {
  return operator === "with" && !definition.reflexive && definition !== Any;
}

/** Undefined if variables have to be searched for while they are free. */
function freeWayOf(plan: Omit<Plan, Shortcuts>): FreeWay | undefined {
  const { variables, bonds, traversals, leaves, gifts } = plan;
  const variable = variables[0];
  if (variable === undefined || variables.length > 1 || plan.isWatching || plan.readsPairs) return undefined;
  if (plan.order !== undefined || plan.groups !== undefined) return undefined;
  const gates: Definition[] = [];
  let relation: Definition | undefined;
  for (const { source, definition, target, clause } of bonds) {
    if (definition.storage === "bits") return undefined;
    if (source === variable && target === 0 && definition.kind !== "relation") gates.push(definition);
    else if (source === 0 && target === variable && relation === undefined && clause >= 0)
      relation = definition;
    else return undefined;
  }
  if (relation === undefined || !relation.keepsDepth || relation === Parent) return undefined;
  if (leaves.some((leaf) => namesVariable(plan, leaf)) || gifts.some((gift) => asksMore(plan, gift)))
    return undefined;
  const all = [...traversals, { relation, what: { definition: Life, target: 0 }, self: false }];
  return { variable, traversals: all, key: keyOfTraversals(all), gates };
}

function namesVariable({ asides }: Pick<Plan, "asides">, leaf: Leaf): boolean {
  if (leaf.kind === "changed") return false;
  if (leaf.kind !== "on") return isVariable(leaf.target);
  const { source, question } = asides[leaf.aside]!;
  return isVariable(source) || isVariable(question.target);
}

/** Hangs what is handed over on the variable otherwise than by its entity or one of its components? */
function asksMore(plan: Pick<Plan, "asides">, gift: Gift): boolean {
  switch (gift.from) {
    case "variable":
      return false;
    case "mark":
      return leavesOf(gift.test).some((leaf) => namesVariable(plan, leaf));
    case "first":
      return (
        gift.tests.flatMap(leavesOf).some((leaf) => namesVariable(plan, leaf)) ||
        gift.of.some((one) => one !== undefined && asksMore(plan, one))
      );
    case "on": {
      const { relation, source } = plan.asides[gift.aside]!;
      return isVariable(gift.target) || (relation !== undefined && isVariable(source));
    }
    default:
      return isVariable(gift.target);
  }
}

/** Are values of pairs of those who are visited handed over? */
export function readsPair(gift: Gift): boolean {
  if (gift.from === "first") return gift.of.some((one) => one !== undefined && readsPair(one));
  return gift.from === "own" && gift.definition.kind === "relation";
}
