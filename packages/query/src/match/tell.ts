import type { Definition, World } from "@treeline/core";
import { ANY, CHANGED, countBits, hasBit, REMOVED, type Shape, trackOf } from "@treeline/core/internal";
import { namesTarget, type Test } from "../term/plan.ts";
import { hasAt } from "./has-at.ts";
import { shapeHas } from "./shape-has.ts";

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
  shape: Shape;
  /** Shapes of the nearest ancestors that have what the plan's ways look for; undefined where there is none. */
  holders: readonly (Shape | undefined)[];
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
 * Of everybody in sight; without sight, of everybody of a shape, whoever its ancestors are.
 *
 * Cost: the parts of the test; for a pair with a target a look at the entity's pairs.
 */
export function tell(test: Test, shape: Shape, sight: Sight | undefined): Told {
  switch (test.kind) {
    case "has":
      return sight === undefined ? tellHas(test, shape) : tellHasOf(test, sight);
    case "above":
      if (sight !== undefined) return tellAbove(test, sight);
      return test.self && !namesTarget(test) && shapeHas(shape, test.definition) ? YES : MAYBE;
    case "changed":
      if (sight !== undefined)
        return test.place < 0 ? tellChanged(test, sight) : tellChangedAbove(test, sight);
      if (test.place >= 0 || test.definition.storage === "bits") return MAYBE;
      return shapeHas(shape, test.definition) === (test.track === REMOVED) ? NO : MAYBE;
    case "on":
      return sight === undefined ? MAYBE : sight.truths[test.place] ? YES : NO;
    case "not": {
      const told = tell(test.of[0]!, shape, sight);
      return told === MAYBE ? MAYBE : told === YES ? NO : YES;
    }
    default:
      return tellOfParts(test, shape, sight);
  }
}

function tellOfParts({ kind, of }: Test, shape: Shape, sight: Sight | undefined): Told {
  const decides = kind === "any" ? YES : NO;
  let told: Told = kind === "any" ? NO : YES;
  for (let at = 0; at < of.length; at++) {
    const one = tell(of[at]!, shape, sight);
    if (one === decides) return decides;
    if (one === MAYBE) told = MAYBE;
  }
  return told;
}

function tellHas(test: Test, shape: Shape): Told {
  const { definition } = test;
  if (definition.storage === "bits") return MAYBE;
  if (namesTarget(test)) return shapeHas(shape, definition) || definition.reflexive ? MAYBE : NO;
  return shapeHas(shape, definition) ? YES : NO;
}

function tellHasOf(test: Test, sight: Sight): Told {
  const told = tellHas(test, sight.shape);
  if (told !== MAYBE) return told;
  if (test.definition.storage === "bits") return tellBit(test.definition, sight);
  if (sight.index === 0) return told;
  const target = test.target < ANY ? sight.targetOf(test.target) : test.target;
  return hasAt(sight.world, sight.index, test.definition, target) ? YES : NO;
}

/** Of the row that is looked at, or of all rows of the shape: none of them may have the tag now, or all. */
function tellBit(definition: Definition, { shape, index, row }: Sight): Told {
  if (index !== 0) return hasBit(shape, definition, row) ? YES : NO;
  const count = countBits(shape, definition);
  return count === 0 ? NO : count === shape.rows ? YES : MAYBE;
}

function tellAbove(test: Test, sight: Sight): Told {
  if (sight.holders[test.place] !== undefined) return YES;
  return test.self ? tellHasOf(test, sight) : NO;
}

function tellChanged(test: Test, { shape, index, row, since, sinceRemoved }: Sight): Told {
  const isOfBits = test.definition.storage === "bits";
  if (!isOfBits && shapeHas(shape, test.definition) === (test.track === REMOVED)) return NO;
  const from = test.track === REMOVED ? sinceRemoved : since;
  const track = trackOf(shape, test.definition, test.track as typeof CHANGED);
  if (track === undefined || track.last <= from) return NO;
  if (index === 0) return MAYBE;
  if (isOfBits && hasBit(shape, test.definition, row) === (test.track === REMOVED)) return NO;
  return track.rows[row]! > from ? YES : NO;
}

function tellChangedAbove(test: Test, sight: Sight): Told {
  const { place, self, definition, note } = test;
  if (self) {
    const own = tellHasOf(test, sight);
    if (own === YES) return tellChanged(test, sight);
    if (own === MAYBE) return MAYBE;
  }
  const holder = sight.holders[place];
  if (holder === undefined) return NO;
  const track = trackOf(holder, definition, CHANGED);
  const isOld = track === undefined || track.last <= sight.since;
  if (sight.index === 0) return isOld && sight.isSteady ? NO : MAYBE;
  if (!isOld && track.rows[sight.holderRows[place]!]! > sight.since) return YES;
  return sight.switchedAt(note, sight.index) > sight.since ? YES : NO;
}
