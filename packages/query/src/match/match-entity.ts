import { has, type Pair, type World } from "@treeline/core";
import { ANY, enabledOf, handleAt, isCut, isInLimbo, isUsed, rowAt, shapeAt } from "@treeline/core/internal";
import { namesTarget, type Plan } from "../term/plan.ts";
import { matchesShape } from "./match-shape.ts";
import { tell, YES } from "./tell.ts";

/** Does the living entity at an index answer a plan of clauses, and tests of what it has? One in limbo answers nothing yet. */
export function answersAt(world: World, plan: Plan, index: number): boolean {
  const shape = shapeAt(world, index);
  if (isInLimbo(world, index) || !matchesShape(plan, shape)) return false;
  if (!plan.namesDisabled && isCut(shape) && !isUsed(enabledOf(shape), rowAt(world, index))) return false;
  const entity = handleAt(world.entities, index);
  for (const clause of plan.clauses) {
    if (clause.operator === "maybe" || !namesTarget(clause)) continue;
    if (has(world, entity, clause as unknown as Pair) !== (clause.operator === "with")) return false;
  }
  const sight = {
    world,
    truths: [],
    since: 0,
    sinceRemoved: 0,
    shape,
    holders: [],
    index,
    row: rowAt(world, index),
    holderRows: [],
    switchedAt: () => 0,
    isSteady: false,
    targetOf: () => ANY,
  };
  return plan.tests.every((test) => tell(test, shape, sight) === YES);
}
