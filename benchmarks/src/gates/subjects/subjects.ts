/** The subject of each gate, by its name. */

import type { Below } from "../../comparison/contestants/treeline/loops.ts";
import type { Subject } from "../../comparison/workloads/subject.ts";
import type { Gate, Works } from "../gates.ts";
import { chaining, churning, destroying, renewing, reparenting, spawning } from "./changes.ts";
import { mixing } from "./families.ts";
import { cascading, reparentingFrames, sinking, taggingAbove } from "./frames.ts";
import { handling } from "./handles.ts";
import { moving, summing, tagged } from "./loops.ts";
import { disabling, ordering } from "./order.ts";
import type { Stage } from "./stage.ts";

type Makers = { readonly [Name in keyof Works]: (stage: Stage, given: Works[Name]) => Subject };

const MAKERS: Makers = {
  spawn: spawning,
  reparent: reparenting,
  churn: churning,
  renew: renewing,
  destroy: destroying,
  chain: chaining,
  handle: handling,
  mix: mixing,
  move: moving,
  sum: summing,
  tagged,
  cascade: cascading,
  frame: reparentingFrames,
  sink: sinking,
  tagAbove: taggingAbove,
  order: ordering,
  disable: disabling,
};

export function subjectOf(work: Gate["work"], given: Gate["given"], below: Below, entities: number): Subject {
  const make = MAKERS[work] as (stage: Stage, given: unknown) => Subject;
  return make({ below, entities }, given);
}
