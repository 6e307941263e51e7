import type { World } from "@treeline/core";
import { ANY, archetypeAt, rowAt, tableAt } from "@treeline/core/internal";
import type { Reading } from "../term/plan.ts";
import { matchesShape } from "./archetypes.ts";
import { hasAt } from "./pairs.ts";
import { tellAll, YES } from "./tests.ts";

/** Does the living entity at an index answer clauses, and tests of what it has? One in limbo answers nothing yet. */
export function answersAt(world: World, { plan, targets }: Reading, index: number): boolean {
  const shape = archetypeAt(world, index);
  if (tableAt(world, index) === 0 || !matchesShape(plan, shape)) return false;
  const row = rowAt(world, index);
  if (!plan.namesDisabled && shape.bits?.cutsOut(row)) return false;
  for (const [at, { operator, definition, named }] of plan.clauses.entries()) {
    if (operator === "maybe" || !named) continue;
    if (hasAt(world, index, definition, targets[at]!) !== (operator === "with")) return false;
  }
  const sight = {
    world,
    truths: [],
    since: 0,
    sinceRemoved: 0,
    shape,
    holders: [],
    index,
    row,
    holderRows: [],
    switchedAt: () => 0,
    isSteady: false,
    targetOf: () => ANY,
  };
  return tellAll(plan.tests, shape, sight) === YES;
}
