import { Any, ChildOf, type Definition, type World } from "@treeline/core";
import type { ArchetypeView, Track } from "@treeline/core/internal";
import {
  ANY,
  allArchetypes,
  archetypesOfDefinition,
  archetypeViewAt,
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
  type ParsedTerm,
  type Plan,
  type Reading,
  type Test,
} from "../term/plan.ts";
import { archetypeHas, hasAt } from "./pairs.ts";

// ---- tests ---------------------------------------------------------------------------------------------------------

/** What can be told of a test: it does not hold, it holds, or who is looked at is not known well enough. */
export const NO = 0;
export const YES = 1;
export const MAYBE = 2;
export type Told = typeof NO | typeof YES | typeof MAYBE;

/** What is known of those who may answer, as far as one archetype or one entity tells. */
export class Sight {
  readonly world: World;
  archetype: ArchetypeView;
  /** The index of one entity, with its absolute row; 0: all of the archetype and its ancestors' archetypes are meant. */
  index = 0;
  row = 0;
  /** By way: the archetype of the nearest ancestor that has what is looked for, undefined if there is none; and its row. */
  readonly holders: (ArchetypeView | undefined)[] = [];
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
    this.archetype = allArchetypes(world)[0]!;
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

type Teller<T extends Test> = (test: T, archetype: ArchetypeView, sight?: Sight) => Told;

/** What only some operators ask: they bring it along, `or` and `all` the parts. Functions only; nothing in here is state. */
export const tellers: {
  parts?: Teller<GroupTest>;
  above?: Teller<AboveTest>;
  changed?: Teller<ChangedTest>;
  changedAbove?: Teller<ChangedAboveTest>;
} = {};

/** Of everybody in sight; without sight, of everybody of an archetype, whoever its ancestors are. */
export function tell(test: Test, archetype: ArchetypeView, sight?: Sight): Told {
  switch (test.kind) {
    case "has":
      return tellHas(test, archetype, sight);
    case "above":
      return tellers.above!(test, archetype, sight);
    case "changed":
      return tellers.changed!(test, archetype, sight);
    case "changed above":
      return tellers.changedAbove!(test, archetype, sight);
    case "on":
      return sight === undefined ? MAYBE : sight.found[test.aside] !== 0 ? YES : NO;
    case "not": {
      const told = tell(test.of, archetype, sight);
      return told === MAYBE ? MAYBE : told === YES ? NO : YES;
    }
    default:
      return tellers.parts!(test, archetype, sight);
  }
}

/** All tests together. */
export function tellAll(tests: readonly Test[], archetype: ArchetypeView, sight?: Sight): Told {
  let told: Told = YES;
  for (let at = 0; at < tests.length; at++) {
    const one = tell(tests[at]!, archetype, sight);
    if (one === NO) return NO;
    if (one === MAYBE) told = MAYBE;
  }
  return told;
}

function tellHas(what: ParsedTerm, archetype: ArchetypeView, sight?: Sight): Told {
  const { definition } = what;
  if (definition.storage === "bits") return sight === undefined ? MAYBE : tellBit(definition, sight);
  const has = archetypeHas(archetype, definition);
  if (!namesTarget(what)) return has ? YES : NO;
  if (!has && !definition.reflexive) return NO;
  if (sight === undefined || sight.index === 0) return MAYBE;
  return hasAt(sight.world, sight.index, definition, sight.targetOf(what.target)) ? YES : NO;
}

/** Of the row that is looked at, or of all rows of the archetype: none of them may have the tag now, or all. */
function tellBit(definition: Definition, { archetype, index, row }: Sight): Told {
  if (index !== 0) return archetype.bits?.has(definition, row) ? YES : NO;
  const count = archetype.bits?.count(definition) ?? 0;
  return count === 0 ? NO : count === archetype.rows ? YES : MAYBE;
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
export function matchesArchetype({ clauses, tests, namesDisabled }: Plan, archetype: ArchetypeView): boolean {
  for (const clause of clauses) {
    const { operator, definition, named } = clause;
    if (operator === "not" && !named && archetypeHas(archetype, definition)) return false;
    if (!tellsNothing(clause) && !archetypeHas(archetype, definition)) return false;
  }
  if (tellAll(tests, archetype) === NO) return false;
  // Those that are disabled by a bit of their row are left out row by row.
  return namesDisabled || !hasDefinition(archetype, DisabledTree);
}

/** Where answering archetypes are looked for: those of the rarest definition that is asked for, in order of founding. */
export function candidatesFor(world: World, { clauses }: Plan): readonly ArchetypeView[] {
  let candidates = archetypesOfDefinition(world, Life);
  for (const clause of clauses) {
    const { definition } = clause;
    // Those are in several lists.
    if (definition === Any || definition === ChildOf || tellsNothing(clause)) continue;
    const list = archetypesOfDefinition(world, definition);
    if (list.length < candidates.length) candidates = list;
  }
  return candidates;
}

/** All founded archetypes that answer, in order of founding. */
export function findArchetypes(world: World, plan: Plan): ArchetypeView[] {
  return candidatesFor(world, plan).filter((archetype) => matchesArchetype(plan, archetype));
}

/** Does the living entity at an index answer clauses, and tests of what it has? One in limbo answers nothing yet. */
export function answersAt(world: World, { plan, targets }: Reading, index: number): boolean {
  const archetype = archetypeViewAt(world, index);
  if (tableAt(world, index) === 0 || !matchesArchetype(plan, archetype)) return false;
  const row = rowAt(world, index);
  if (!plan.namesDisabled && archetype.bits?.cutsOut(row)) return false;
  for (let at = 0; at < plan.clauses.length; at++) {
    const { operator, definition, named } = plan.clauses[at]!;
    if (operator === "maybe" || !named) continue;
    if (hasAt(world, index, definition, targets[at]!) !== (operator === "with")) return false;
  }
  const sight =
    plan.tests.length === 0 ? undefined : Object.assign(new Sight(world), { archetype, index, row });
  return tellAll(plan.tests, archetype, sight) === YES;
}

// ---- what operators bring along ----------------------------------------------------------------------------------------

/** Do all parts hold, or any of them? */
export function tellParts({ kind, of }: GroupTest, archetype: ArchetypeView, sight?: Sight): Told {
  if (kind === "all") return tellAll(of, archetype, sight);
  let told: Told = NO;
  for (let at = 0; at < of.length; at++) {
    const one = tell(of[at]!, archetype, sight);
    if (one === YES) return YES;
    if (one === MAYBE) told = MAYBE;
  }
  return told;
}

/** Has an ancestor it, or with `self` who is looked at? */
export function tellAbove(test: AboveTest, archetype: ArchetypeView, sight?: Sight): Told {
  if (sight !== undefined && sight.holders[test.way] !== undefined) return YES;
  const told = test.self ? tellHas(test, archetype, sight) : NO;
  return sight === undefined && told === NO ? MAYBE : told;
}

/** Was it written, did it come or go since the query last looked? */
export function tellChanged(test: ChangedTest, archetype: ArchetypeView, sight?: Sight): Told {
  return tellTrack(test.definition, test.track, archetype, sight);
}

function tellTrack(
  definition: Definition,
  track: Track["kind"],
  archetype: ArchetypeView,
  sight?: Sight,
): Told {
  const isOfBits = definition.storage === "bits";
  const isLost = track === "removed";
  if (!isOfBits && archetypeHas(archetype, definition) === isLost) return NO;
  if (sight === undefined) return MAYBE;
  const { index, row } = sight;
  const from = isLost ? sight.sinceRemoved : sight.since;
  const ticks = trackOf(archetype, definition, track);
  if (ticks === undefined || ticks.last <= from) return NO;
  if (index === 0) return MAYBE;
  if (isOfBits && archetype.bits!.has(definition, row) === isLost) return NO;
  return ticks.rows[row]! > from ? YES : NO;
}

/** The same of the value of the source along a way, or is another one the source? */
export function tellChangedAbove(test: ChangedAboveTest, archetype: ArchetypeView, sight?: Sight): Told {
  if (sight === undefined) return MAYBE;
  const { way, self, definition, note } = test;
  if (self && archetypeHas(archetype, definition)) return tellTrack(definition, "changed", archetype, sight);
  const holder = sight.holders[way];
  if (holder === undefined) return NO;
  const track = trackOf(holder, definition, "changed");
  const isOld = track === undefined || track.last <= sight.since;
  if (sight.index === 0) return isOld && sight.isSteady ? NO : MAYBE;
  if (!isOld && track.rows[sight.holderRow[way]!]! > sight.since) return YES;
  return !sight.isSteady && sight.switchedAt(note, sight.index) > sight.since ? YES : NO;
}
