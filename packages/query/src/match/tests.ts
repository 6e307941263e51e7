import type { Definition, World } from "@treeline/core";
import { ANY, type Archetype } from "@treeline/core/internal";
import {
  type AboveTest,
  type ChangedAboveTest,
  type ChangedTest,
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

type Teller<T extends Test> = (test: T, shape: Archetype, sight: Sight | undefined) => Told;

/** What only some operators ask: they bring it along. Functions only; nothing in here is state. */
export interface Tellers {
  /** Brought by `or` and `all`. */
  parts: Teller<GroupTest> | undefined;
  /** Brought by `up` and `selfOrUp`. */
  above: Teller<AboveTest> | undefined;
  /** Brought by `changed`, `added` and `removed`. */
  changed: Teller<ChangedTest> | undefined;
  changedAbove: Teller<ChangedAboveTest> | undefined;
}

export const tellers: Tellers = {
  parts: undefined,
  above: undefined,
  changed: undefined,
  changedAbove: undefined,
};

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
      return tellers.above!(test, shape, sight);
    case "changed":
      return tellers.changed!(test, shape, sight);
    case "changed above":
      return tellers.changedAbove!(test, shape, sight);
    case "on":
      return sight === undefined ? MAYBE : sight.truths[test.aside] ? YES : NO;
    case "not": {
      const told = tell(test.of, shape, sight);
      return told === MAYBE ? MAYBE : told === YES ? NO : YES;
    }
    default:
      return tellers.parts!(test, shape, sight);
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

function tellHas(what: Question, shape: Archetype): Told {
  const { definition } = what;
  if (definition.storage === "bits") return MAYBE;
  if (namesTarget(what)) return shapeHas(shape, definition) || definition.reflexive ? MAYBE : NO;
  return shapeHas(shape, definition) ? YES : NO;
}

/** Of who is in sight: the entity that is looked at, or all of the archetype. */
export function tellHasOf(what: Question, sight: Sight): Told {
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
