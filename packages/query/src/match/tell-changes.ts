import type { Definition } from "@treeline/core";
import { type Archetype, type Track, trackOf } from "@treeline/core/internal";
import type { ChangedAboveTest, ChangedTest } from "../term/plan.ts";
import { shapeHas } from "./pairs.ts";
import { MAYBE, NO, type Sight, type Told, YES } from "./tests.ts";

/** Was it written, did it come or go since the query last looked? */
export function tellChanged(
  { definition, track }: ChangedTest,
  shape: Archetype,
  sight: Sight | undefined,
): Told {
  if (sight !== undefined) return tellTrack(definition, track, sight);
  if (definition.storage === "bits") return MAYBE;
  return shapeHas(shape, definition) === (track === "removed") ? NO : MAYBE;
}

function tellTrack(definition: Definition, kind: Track["kind"], sight: Sight): Told {
  const { shape, index, row } = sight;
  const isOfBits = definition.storage === "bits";
  if (!isOfBits && shapeHas(shape, definition) === (kind === "removed")) return NO;
  const from = kind === "removed" ? sight.sinceRemoved : sight.since;
  const track = trackOf(shape, definition, kind);
  if (track === undefined || track.last <= from) return NO;
  if (index === 0) return MAYBE;
  if (isOfBits && shape.bits!.has(definition, row) === (kind === "removed")) return NO;
  return track.rows[row]! > from ? YES : NO;
}

/** The same of the value of the source along a way, or is another one the source? */
export function tellChangedAbove(test: ChangedAboveTest, _shape: Archetype, sight: Sight | undefined): Told {
  if (sight === undefined) return MAYBE;
  const { way, self, definition, note } = test;
  if (self && shapeHas(sight.shape, definition)) return tellTrack(definition, "changed", sight);
  const holder = sight.holders[way];
  if (holder === undefined) return NO;
  const track = trackOf(holder, definition, "changed");
  const isOld = track === undefined || track.last <= sight.since;
  if (sight.index === 0) return isOld && sight.isSteady ? NO : MAYBE;
  if (!isOld && track.rows[sight.holderRows[way]!]! > sight.since) return YES;
  return sight.switchedAt(note, sight.index) > sight.since ? YES : NO;
}
