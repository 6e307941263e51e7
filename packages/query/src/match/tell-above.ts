import type { Archetype } from "@treeline/core/internal";
import { type AboveTest, namesTarget } from "../term/plan.ts";
import { shapeHas } from "./pairs.ts";
import { MAYBE, NO, type Sight, type Told, tellHasOf, YES } from "./tests.ts";

/** Has an ancestor it, or with `self` who is looked at? */
export function tellAbove(test: AboveTest, shape: Archetype, sight: Sight | undefined): Told {
  if (sight === undefined)
    return test.self && !namesTarget(test) && shapeHas(shape, test.definition) ? YES : MAYBE;
  if (sight.holders[test.way] !== undefined) return YES;
  return test.self ? tellHasOf(test, sight) : NO;
}
