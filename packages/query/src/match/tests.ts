import type { Definition, World } from "@treeline/core";
import { ANY, type Archetype, type Track, trackOf } from "@treeline/core/internal";
import {
  type AboveTest,
  type ChangedAboveTest,
  type GroupTest,
  namesTarget,
  type Question,
  type Test,
} from "../term/plan.ts";
import { hasAt, shapeHas } from "./pairs.ts";

/** What can be told of a test: it does not hold, it holds, or who is looked at is not known well enough. */
export const NO = 0;
export const YES = 1;
export const MAYBE = 2;
export type Told = typeof NO | typeof YES | typeof MAYBE;

/** What is known of those who may answer. */
export interface Sight {
  readonly world: World;
  /** Whether what is asked of given entities holds, by place in the plan's asides. */
  readonly truths: readonly boolean[];
  /** Ticks after which changes, additions and removals are news. */
  since: number;
  sinceRemoved: number;
  shape: Archetype;
  /** Shapes of the nearest ancestors that have what the plan's ways look for; undefined where there is none. */
  holders: readonly (Archetype | undefined)[];
  /** The index of one entity, with its absolute row; 0: all of the shape and its ancestors' shapes are meant. */
  index: number;
  row: number;
  /** Rows of that entity's ancestors. */
  readonly holderRows: number[];
  /** The tick at which an entity got another holder, by what is watched. */
  readonly switchedAt: (note: number, index: number) => number;
  /** Nobody got another holder since the last look. */
  isSteady: boolean;
  /** The handle a variable stands for; ANY for none in particular. */
  readonly targetOf: (variable: number) => number;
}

/**
 * Of everybody in sight; without sight, of everybody of an archetype, whoever its ancestors are.
 *
 * Cost: the parts of the test; for a pair with a target a look at the entity's pairs.
 */
export function tell(test: Test, shape: Archetype, sight: Sight | undefined): Told {
  switch (test.kind) {
    case "has":
      return sight === undefined ? tellHas(test, shape) : tellHasOf(test, sight);
    case "above":
      if (sight !== undefined) return tellAbove(test, sight);
      return test.self && !namesTarget(test) && shapeHas(shape, test.definition) ? YES : MAYBE;
    case "changed":
      if (sight !== undefined) return tellTrack(test.definition, test.track, sight);
      if (test.definition.storage === "bits") return MAYBE;
      return shapeHas(shape, test.definition) === (test.track === "removed") ? NO : MAYBE;
    case "changed above":
      return sight === undefined ? MAYBE : tellChangedAbove(test, sight);
    case "on":
      return sight === undefined ? MAYBE : sight.truths[test.aside] ? YES : NO;
    case "not": {
      const told = tell(test.of, shape, sight);
      return told === MAYBE ? MAYBE : told === YES ? NO : YES;
    }
    default:
      return tellOfParts(test, shape, sight);
  }
}

/** All tests together. */
export function tellAll(tests: readonly Test[], shape: Archetype, sight: Sight | undefined): Told {
  let told: Told = YES;
  for (let at = 0; at < tests.length; at++) {
    const one = tell(tests[at]!, shape, sight);
    if (one === NO) return NO;
    if (one === MAYBE) told = MAYBE;
  }
  return told;
}

function tellOfParts({ kind, of }: GroupTest, shape: Archetype, sight: Sight | undefined): Told {
  if (kind === "all") return tellAll(of, shape, sight);
  let told: Told = NO;
  for (let at = 0; at < of.length; at++) {
    const one = tell(of[at]!, shape, sight);
    if (one === YES) return YES;
    if (one === MAYBE) told = MAYBE;
  }
  return told;
}

function tellHas(what: Question, shape: Archetype): Told {
  const { definition } = what;
  if (definition.storage === "bits") return MAYBE;
  if (namesTarget(what)) return shapeHas(shape, definition) || definition.reflexive ? MAYBE : NO;
  return shapeHas(shape, definition) ? YES : NO;
}

function tellHasOf(what: Question, sight: Sight): Told {
  const told = tellHas(what, sight.shape);
  if (told !== MAYBE) return told;
  if (what.definition.storage === "bits") return tellBit(what.definition, sight);
  if (sight.index === 0) return told;
  const target = what.target < ANY ? sight.targetOf(what.target) : what.target;
  return hasAt(sight.world, sight.index, what.definition, target) ? YES : NO;
}

/** Of the row that is looked at, or of all rows of the archetype: none of them may have the tag now, or all. */
function tellBit(definition: Definition, { shape, index, row }: Sight): Told {
  if (index !== 0) return shape.bits?.has(definition, row) ? YES : NO;
  const count = shape.bits?.count(definition) ?? 0;
  return count === 0 ? NO : count === shape.rows ? YES : MAYBE;
}

function tellAbove(test: AboveTest, sight: Sight): Told {
  if (sight.holders[test.way] !== undefined) return YES;
  return test.self ? tellHasOf(test, sight) : NO;
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

function tellChangedAbove(test: ChangedAboveTest, sight: Sight): Told {
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
