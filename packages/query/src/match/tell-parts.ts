import type { Archetype } from "@treeline/core/internal";
import type { GroupTest } from "../term/plan.ts";
import { MAYBE, NO, type Sight, type Told, tell, tellAll, YES } from "./tests.ts";

/** Do all parts hold, or any of them? */
export function tellParts({ kind, of }: GroupTest, shape: Archetype, sight: Sight | undefined): Told {
  if (kind === "all") return tellAll(of, shape, sight);
  let told: Told = NO;
  for (let at = 0; at < of.length; at++) {
    const one = tell(of[at]!, shape, sight);
    if (one === YES) return YES;
    if (one === MAYBE) told = MAYBE;
  }
  return told;
}
