import { type Definition, Parent } from "@treeline/core";
import { Life } from "@treeline/core/internal";
import type { FreeWay, Gift, Plan, Test } from "./plan.ts";
import { keyOfTraversals } from "./traversal.ts";
import { isVariable } from "./variable.ts";

/** Undefined if variables have to be searched for while they are free. */
export function freeWayOf(plan: Omit<Plan, "freeWay">): FreeWay | undefined {
  const { variables, bonds, traversals } = plan;
  const variable = variables[0];
  if (variable === undefined || variables.length > 1) return undefined;
  if (plan.isWatching || plan.readsPairs || plan.order !== undefined || plan.groups !== undefined)
    return undefined;
  const gates: Definition[] = [];
  let relation: Definition | undefined;
  for (const { source, definition, target, clause } of bonds) {
    if (source === variable && target === 0 && definition.kind !== "relation") gates.push(definition);
    else if (source === 0 && target === variable && relation === undefined && clause >= 0)
      relation = definition;
    else return undefined;
  }
  if (relation === undefined || !relation.keepsDepth || relation === Parent) return undefined;
  if (plan.tests.some((test) => namesVariable(plan, test)) || plan.gifts.some((gift) => asks(plan, gift))) {
    return undefined;
  }
  const all = [...traversals, { relation, what: { definition: Life, target: 0 }, self: false }];
  return { variable, traversals: all, key: keyOfTraversals(all), gates };
}

function namesVariable(plan: Omit<Plan, "freeWay">, { kind, place, target, of }: Test): boolean {
  if (kind === "on") {
    const { source, question } = plan.asides[place]!;
    return isVariable(source) || isVariable(question.target);
  }
  return isVariable(target) || of.some((part) => namesVariable(plan, part));
}

/** Hangs what is handed over on the variable otherwise than by its entity or one of its components? */
function asks(plan: Omit<Plan, "freeWay">, { from, target, place, test, of }: Gift): boolean {
  if (from === "on" && plan.asides[place]!.relation !== undefined && isVariable(plan.asides[place]!.source)) {
    return true;
  }
  if (from !== "variable" && isVariable(target)) return true;
  if (test !== undefined && namesVariable(plan, test)) return true;
  return of.some((one) => one !== undefined && asks(plan, one));
}
