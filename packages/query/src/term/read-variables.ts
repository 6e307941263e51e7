import type { Definition } from "@treeline/core";
import { ANY, Life, Parent } from "@treeline/core/internal";
import { addClause, refuse, type VariableReader } from "./draft.ts";
import { type FreeWay, type Gift, keyOfTraversals, type Leaf, leavesOf, type Plan } from "./plan.ts";
import { isVariable } from "./variable.ts";

/** Reads variables. */
export const variableReader: VariableReader = {
  demandPair(draft, { definition, target }) {
    // A reflexive pair is nobody's archetype: everybody has it with themselves.
    const clause = definition.reflexive ? -1 : addClause(draft, "with", { definition, target: ANY });
    draft.bonds.push({ source: 0, definition, target, clause });
  },
  requireBound({ bonds }, variable) {
    if (bonds.some(({ source, target }) => source === variable || target === variable)) return;
    refuse("a variable needs a term that finds it: a pair such as ChildOf(variable), or on(variable, ...)");
  },
  freeWayOf,
};

/** Undefined if variables have to be searched for while they are free. */
function freeWayOf(plan: Omit<Plan, "freeWay">): FreeWay | undefined {
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
