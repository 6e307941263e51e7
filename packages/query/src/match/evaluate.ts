import { Any, ChildOf, type Definition, type World } from "@treeline/core";
import type { Archetype, Track } from "@treeline/core/internal";
import {
  ANY,
  archetypeAt,
  archetypesOf,
  archetypesWith,
  DisabledTree,
  hasDefinition,
  Life,
  rowAt,
  tableAt,
  trackOf,
} from "@treeline/core/internal";
import {
  type AboveTest,
  type ChangedAboveTest,
  type ChangedTest,
  type Clause,
  type GroupTest,
  namesTarget,
  type Plan,
  type Question,
  type Reading,
  type Test,
} from "../term/plan.ts";
import { hasAt, shapeHas } from "./pairs.ts";

// ---- tests ---------------------------------------------------------------------------------------------------------

/** What can be told of a test: it does not hold, it holds, or who is looked at is not known well enough. */
export const NO = 0;
export const YES = 1;
export const MAYBE = 2;
export type Told = typeof NO | typeof YES | typeof MAYBE;

/** What is known of those who may answer, as far as one archetype or one entity tells. */
export class Sight {
  readonly world: World;
  shape: Archetype;
  /** The index of one entity, with its absolute row; 0: all of the shape and its ancestors' shapes are meant. */
  index = 0;
  row = 0;
  /** By way: the shape of the nearest ancestor that has what is looked for, undefined if there is none; and its row. */
  readonly holders: (Archetype | undefined)[] = [];
  readonly holderRow: number[] = [];
  /** By aside: the index of the entity that has what is asked of a given one; 0 if there is none. */
  readonly found: number[] = [];
  /** Ticks after which changes, additions and removals are news. */
  since = 0;
  sinceRemoved = 0;
  /** Nobody got another holder since the last look. */
  isSteady = false;

  constructor(world: World) {
    this.world = world;
    this.shape = archetypesOf(world)[0]!;
  }

  /** The tick at which an entity got another holder, by what is watched. */
  switchedAt(_note: number, _index: number): number {
    return 0;
  }

  /** The handle that is meant by one, or by a variable: what that stands for, or ANY for none in particular. */
  targetOf(end: number): number {
    return Math.max(end, ANY);
  }
}

type Teller<T extends Test> = (test: T, shape: Archetype, sight?: Sight) => Told;

/** What only some operators ask: they bring it along, `or` and `all` the parts. Functions only; nothing in here is state. */
export const tellers: {
  parts?: Teller<GroupTest>;
  above?: Teller<AboveTest>;
  changed?: Teller<ChangedTest>;
  changedAbove?: Teller<ChangedAboveTest>;
} = {};

/** Of everybody in sight; without sight, of everybody of an archetype, whoever its ancestors are. */
export function tell(test: Test, shape: Archetype, sight?: Sight): Told {
  switch (test.kind) {
    case "has":
      return tellHas(test, shape, sight);
    case "above":
      return tellers.above!(test, shape, sight);
    case "changed":
      return tellers.changed!(test, shape, sight);
    case "changed above":
      return tellers.changedAbove!(test, shape, sight);
    case "on":
      return sight === undefined ? MAYBE : sight.found[test.aside] !== 0 ? YES : NO;
    case "not": {
      const told = tell(test.of, shape, sight);
      return told === MAYBE ? MAYBE : told === YES ? NO : YES;
    }
    default:
      return tellers.parts!(test, shape, sight);
  }
}

/** All tests together. */
export function tellAll(tests: readonly Test[], shape: Archetype, sight?: Sight): Told {
  let told: Told = YES;
  for (let at = 0; at < tests.length; at++) {
    const one = tell(tests[at]!, shape, sight);
    if (one === NO) return NO;
    if (one === MAYBE) told = MAYBE;
  }
  return told;
}

function tellHas(what: Question, shape: Archetype, sight?: Sight): Told {
  const { definition } = what;
  if (definition.storage === "bits") return sight === undefined ? MAYBE : tellBit(definition, sight);
  const has = shapeHas(shape, definition);
  if (!namesTarget(what)) return has ? YES : NO;
  if (!has && !definition.reflexive) return NO;
  if (sight === undefined || sight.index === 0) return MAYBE;
  return hasAt(sight.world, sight.index, definition, sight.targetOf(what.target)) ? YES : NO;
}

/** Of the row that is looked at, or of all rows of the archetype: none of them may have the tag now, or all. */
function tellBit(definition: Definition, { shape, index, row }: Sight): Told {
  if (index !== 0) return shape.bits?.has(definition, row) ? YES : NO;
  const count = shape.bits?.count(definition) ?? 0;
  return count === 0 ? NO : count === shape.rows ? YES : MAYBE;
}

// ---- archetypes and entities ---------------------------------------------------------------------------------------

/** A target has the pair of a reflexive relation with itself, whatever its archetype; and tags in bits are had by rows. */
function tellsNothing({ operator, definition, named }: Clause): boolean {
  if (definition.storage === "bits") return true;
  return operator !== "with" || (definition.reflexive && named);
}

/**
 * Does the archetype answer the plan, as far as it can tell? Targets are not seen here: a pair with a target asks for the
 * relation, `not` of one asks for nothing. What is disabled answers only if the plan names that.
 */
export function matchesShape({ clauses, tests, namesDisabled }: Plan, shape: Archetype): boolean {
  for (const clause of clauses) {
    const { operator, definition, named } = clause;
    if (operator === "not" && !named && shapeHas(shape, definition)) return false;
    if (!tellsNothing(clause) && !shapeHas(shape, definition)) return false;
  }
  if (tellAll(tests, shape) === NO) return false;
  // Those that are disabled by a bit of their row are left out row by row.
  return namesDisabled || !hasDefinition(shape, DisabledTree);
}

/** Where answering archetypes are looked for: those of the rarest definition that is asked for, in order of founding. */
export function candidatesFor(world: World, { clauses }: Plan): readonly Archetype[] {
  let candidates = archetypesWith(world, Life);
  for (const clause of clauses) {
    const { definition } = clause;
    // Those are in several lists.
    if (definition === Any || definition === ChildOf || tellsNothing(clause)) continue;
    const list = archetypesWith(world, definition);
    if (list.length < candidates.length) candidates = list;
  }
  return candidates;
}

/** All founded archetypes that answer, in order of founding. */
export function matchingShapes(world: World, plan: Plan): Archetype[] {
  return candidatesFor(world, plan).filter((shape) => matchesShape(plan, shape));
}

/** Does the living entity at an index answer clauses, and tests of what it has? One in limbo answers nothing yet. */
export function answersAt(world: World, { plan, targets }: Reading, index: number): boolean {
  const shape = archetypeAt(world, index);
  if (tableAt(world, index) === 0 || !matchesShape(plan, shape)) return false;
  const row = rowAt(world, index);
  if (!plan.namesDisabled && shape.bits?.cutsOut(row)) return false;
  for (let at = 0; at < plan.clauses.length; at++) {
    const { operator, definition, named } = plan.clauses[at]!;
    if (operator === "maybe" || !named) continue;
    if (hasAt(world, index, definition, targets[at]!) !== (operator === "with")) return false;
  }
  const sight = plan.tests.length === 0 ? undefined : Object.assign(new Sight(world), { shape, index, row });
  return tellAll(plan.tests, shape, sight) === YES;
}

// ---- what operators bring along ----------------------------------------------------------------------------------------

/** Do all parts hold, or any of them? */
export function tellParts({ kind, of }: GroupTest, shape: Archetype, sight?: Sight): Told {
  if (kind === "all") return tellAll(of, shape, sight);
  let told: Told = NO;
  for (let at = 0; at < of.length; at++) {
    const one = tell(of[at]!, shape, sight);
    if (one === YES) return YES;
    if (one === MAYBE) told = MAYBE;
  }
  return told;
}

/** Has an ancestor it, or with `self` who is looked at? */
export function tellAbove(test: AboveTest, shape: Archetype, sight?: Sight): Told {
  if (sight !== undefined && sight.holders[test.way] !== undefined) return YES;
  const told = test.self ? tellHas(test, shape, sight) : NO;
  return sight === undefined && told === NO ? MAYBE : told;
}

/** Was it written, did it come or go since the query last looked? */
export function tellChanged(test: ChangedTest, shape: Archetype, sight?: Sight): Told {
  return tellTrack(test.definition, test.track, shape, sight);
}

function tellTrack(definition: Definition, track: Track["kind"], shape: Archetype, sight?: Sight): Told {
  const isOfBits = definition.storage === "bits";
  const isLost = track === "removed";
  if (!isOfBits && shapeHas(shape, definition) === isLost) return NO;
  if (sight === undefined) return MAYBE;
  const { index, row } = sight;
  const from = isLost ? sight.sinceRemoved : sight.since;
  const ticks = trackOf(shape, definition, track);
  if (ticks === undefined || ticks.last <= from) return NO;
  if (index === 0) return MAYBE;
  if (isOfBits && shape.bits!.has(definition, row) === isLost) return NO;
  return ticks.rows[row]! > from ? YES : NO;
}

/** The same of the value of the source along a way, or is another one the source? */
export function tellChangedAbove(test: ChangedAboveTest, shape: Archetype, sight?: Sight): Told {
  if (sight === undefined) return MAYBE;
  const { way, self, definition, note } = test;
  if (self && shapeHas(shape, definition)) return tellTrack(definition, "changed", shape, sight);
  const holder = sight.holders[way];
  if (holder === undefined) return NO;
  const track = trackOf(holder, definition, "changed");
  const isOld = track === undefined || track.last <= sight.since;
  if (sight.index === 0) return isOld && sight.isSteady ? NO : MAYBE;
  if (!isOld && track.rows[sight.holderRow[way]!]! > sight.since) return YES;
  return !sight.isSteady && sight.switchedAt(note, sight.index) > sight.since ? YES : NO;
}
