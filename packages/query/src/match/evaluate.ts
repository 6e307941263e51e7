// Which archetypes are tested (`candidatesFor`) and match (`matchesArchetype`), and entities (`matchesAt`); `YES`, `NO` or `MAYBE` (`evaluate`).
import { Any, type Definition, type World } from "@treeline/core";
import type { ArchetypeView, Track } from "@treeline/core/internal";
import {
  ANY,
  allArchetypes,
  archetypesOfDefinition,
  archetypeViewAt,
  ChildOf,
  DisabledTree,
  hasDefinition,
  inherits,
  Life,
  Prefab,
  rowAt,
  tableAt,
  trackOf,
} from "@treeline/core/internal";
import {
  type AboveTest,
  type ChangedAboveTest,
  type ChangedBelowTest,
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

/** The result of a test: it does not hold, it holds, or the context does not decide it. */
export const NO = 0;
export const YES = 1;
export const MAYBE = 2;
export type Truth = typeof NO | typeof YES | typeof MAYBE;

/** What is known of possible matches: of all rows of one archetype, or of one entity. */
export class MatchContext {
  readonly world: World;
  archetype: ArchetypeView;
  /** The index of one entity, with its absolute row; 0 means all rows of the archetype with these archetypes of sources. */
  index = 0;
  row = 0;
  /** By path: the archetype of the source, undefined if there is none; and its row. */
  readonly sources: (ArchetypeView | undefined)[] = [];
  readonly sourceRow: number[] = [];
  /** By fixed source: the index of the entity that has what is required of a given one; 0 if there is none. */
  readonly found: number[] = [];
  /** By term about what is below changes: the entities below them. */
  readonly below: Below[] = [];
  /** The tick after which changes are unread; of removals also the one at which the query began. */
  since = 0;
  began = 0;
  /** By index, another tick for entities that have been enabled since the last read. */
  enabled: ReadonlyMap<number, number> | undefined = undefined;
  /** No entity got another source since the query last read changes, and none has been enabled. */
  isSteady = false;

  constructor(world: World) {
    this.world = world;
    this.archetype = allArchetypes(world)[0]!;
  }

  /** The tick at which an entity got another source, by watched term. */
  switchedAt(_note: number, _index: number): number {
    return 0;
  }

  /** The handle itself, or the one that a variable is bound to; ANY if it is free. */
  targetOf(end: number): number {
    return Math.max(end, ANY);
  }
}

/** Entities that are found once each, by index, and of which some are entered once. Reused without being cleared. */
export class Below {
  /** Those found, in order; only the first `length` are valid. */
  readonly indexes: number[] = [];
  length = 0;
  /** By entity index: a multiple of FLAGS for the round, with its flags. */
  private rounds: Float64Array<ArrayBuffer> = new Float64Array(0);
  private round = 0;

  /** Forgets all. @param entities indexes are below this number. */
  begin(entities: number): void {
    this.length = 0;
    this.round += FLAGS;
    if (this.rounds.length < entities) this.rounds = new Float64Array(entities + (entities >> 1));
  }

  has(index: number): boolean {
    return (this.flagsOf(index) & FOUND) !== 0;
  }

  add(index: number): void {
    const flags = this.flagsOf(index);
    if ((flags & FOUND) !== 0) return;
    this.rounds[index] = this.round + (flags | FOUND);
    this.indexes[this.length++] = index;
  }

  /** @returns false if it was entered before. */
  enter(index: number): boolean {
    const flags = this.flagsOf(index);
    this.rounds[index] = this.round + (flags | ENTERED);
    return (flags & ENTERED) === 0;
  }

  private flagsOf(index: number): number {
    return Math.max(0, this.rounds[index]! - this.round); // former rounds are smaller
  }
}

const FOUND = 1;
const ENTERED = 2;
const FLAGS = 4;

/** What only inherited values need: installed with prefabs. */
export const matching: {
  changedInherited?: (
    definition: Definition,
    archetype: ArchetypeView,
    from: number,
    context: MatchContext,
  ) => Truth;
} = {};

type Evaluator<T extends Test> = (test: T, archetype: ArchetypeView, context?: MatchContext) => Truth;

/** By kind, tests that only some operators make: these install them. Only functions, no state. */
export const evaluators: {
  [Kind in Exclude<Test["kind"], "has" | "on" | "not">]?: Evaluator<Extract<Test, { readonly kind: Kind }>>;
} = {};

/** For all rows of the context; without a context, for all rows of an archetype, whatever their ancestors are. */
export function evaluate(test: Test, archetype: ArchetypeView, context?: MatchContext): Truth {
  switch (test.kind) {
    case "has":
      return evaluateHas(test, archetype, context);
    case "above":
      return evaluators.above!(test, archetype, context);
    case "changed":
      return evaluators.changed!(test, archetype, context);
    case "on":
      return context === undefined ? MAYBE : context.found[test.fixed] !== 0 ? YES : NO;
    case "not": {
      const truth = evaluate(test.of, archetype, context);
      return truth === MAYBE ? MAYBE : truth === YES ? NO : YES;
    }
    default:
      return evaluators[test.kind]!(test as never, archetype, context);
  }
}

/** Do all tests hold? */
export function evaluateAll(tests: readonly Test[], archetype: ArchetypeView, context?: MatchContext): Truth {
  let truth: Truth = YES;
  for (let at = 0; at < tests.length; at++) {
    const one = evaluate(tests[at]!, archetype, context);
    if (one === NO) return NO;
    if (one === MAYBE) truth = MAYBE;
  }
  return truth;
}

function evaluateHas(what: ParsedTerm, archetype: ArchetypeView, context?: MatchContext): Truth {
  const { definition } = what;
  const has = evaluateBare(definition, archetype, context);
  if (!namesTarget(what)) return has;
  if (has === NO && !definition.reflexive) return NO;
  if (context === undefined || context.index === 0) return MAYBE;
  return hasAt(context.world, context.index, definition, context.targetOf(what.target)) ? YES : NO;
}

/**
 * The same without targets: does the archetype have it, or, if it belongs to rows, the row of the context, or all rows? `Any` pair may
 * be a sparse one.
 */
function evaluateBare(definition: Definition, archetype: ArchetypeView, context?: MatchContext): Truth {
  if (archetypeHas(archetype, definition)) return YES;
  if (definition.storage === "table" && definition !== Any) return NO;
  if (context === undefined) return MAYBE;
  return archetype.bits?.shareWith(definition, context.index === 0 ? undefined : context.row) ?? NO;
}

// ---- archetypes and entities ---------------------------------------------------------------------------------------

/** A target has the pair of a reflexive relation with itself, whatever its archetype; tags in bits and sparse pairs belong to rows. */
function ignoresArchetype({ operator, definition, named }: Clause): boolean {
  if (definition.storage !== "table" || definition === Any) return true;
  return operator !== "with" || (definition.reflexive && named);
}

/**
 * Does the archetype match the plan, as far as archetypes decide? Targets are ignored here: a pair with a target requires the
 * relation, `not` of one requires nothing. Disabled entities and prefabs match only if the plan names that.
 */
export function matchesArchetype(plan: Plan, archetype: ArchetypeView): boolean {
  const { clauses, tests, namesDisabled, namesPrefab } = plan;
  for (const clause of clauses) {
    const { operator, definition, named } = clause;
    if (operator === "not" && !named && archetypeHas(archetype, definition)) return false;
    if (!ignoresArchetype(clause) && !archetypeHas(archetype, definition)) return false;
  }
  if (evaluateAll(tests, archetype) === NO) return false;
  // Entities that are disabled by a bit of their row are left out row by row.
  if (!namesPrefab && hasDefinition(archetype, Prefab)) return false;
  return namesDisabled || !hasDefinition(archetype, DisabledTree);
}

/** Does the cut of a plan leave a row? */
export function isLeft({ cut }: Plan, { bits }: ArchetypeView, row: number): boolean {
  return bits?.leaves(cut, row) ?? cut.bare === YES;
}

/** The archetypes to search: those of the rarest required definition, in order of founding. */
export function candidatesFor(world: World, { clauses }: Plan): readonly ArchetypeView[] {
  let candidates = archetypesOfDefinition(world, Life);
  for (const clause of clauses) {
    const { definition } = clause;
    // Those of ChildOf are in several lists.
    if (definition === ChildOf || ignoresArchetype(clause)) continue;
    const list = archetypesOfDefinition(world, definition);
    if (list.length < candidates.length) candidates = list;
  }
  return candidates;
}

/** All founded archetypes that match, in order of founding. */
export function findArchetypes(world: World, plan: Plan): ArchetypeView[] {
  return candidatesFor(world, plan).filter((archetype) => matchesArchetype(plan, archetype));
}

/** Does the living entity at an index match clauses, and tests of what it has? A pending spawn does not match yet. */
export function matchesAt(world: World, { plan, targets }: Reading, index: number): boolean {
  const archetype = archetypeViewAt(world, index);
  if (tableAt(world, index) === 0 || !matchesArchetype(plan, archetype)) return false;
  const row = rowAt(world, index);
  if (!isLeft(plan, archetype, row)) return false;
  for (let at = 0; at < plan.clauses.length; at++) {
    const { operator, definition, named } = plan.clauses[at]!;
    if (operator === "maybe" || !named) continue;
    if (hasAt(world, index, definition, targets[at]!) !== (operator === "with")) return false;
  }
  const context =
    plan.tests.length === 0 ? undefined : Object.assign(new MatchContext(world), { archetype, index, row });
  return evaluateAll(plan.tests, archetype, context) === YES;
}

// ---- installed by operators --------------------------------------------------------------------------------------------

/** Do all parts hold, or any of them? */
export function evaluateParts(
  { kind, of }: GroupTest,
  archetype: ArchetypeView,
  context?: MatchContext,
): Truth {
  if (kind === "all") return evaluateAll(of, archetype, context);
  let truth: Truth = NO;
  for (let at = 0; at < of.length; at++) {
    const one = evaluate(of[at]!, archetype, context);
    if (one === YES) return YES;
    if (one === MAYBE) truth = MAYBE;
  }
  return truth;
}

/** Does an ancestor have it, or with `self` the entity itself? */
export function evaluateAbove(test: AboveTest, archetype: ArchetypeView, context?: MatchContext): Truth {
  if (context !== undefined && context.sources[test.path] !== undefined) return YES;
  const truth = test.self ? evaluateHas(test, archetype, context) : NO;
  return context === undefined && truth === NO ? MAYBE : truth;
}

/** Was it written, added or removed since the query last read changes? */
export function evaluateChanged(test: ChangedTest, archetype: ArchetypeView, context?: MatchContext): Truth {
  return evaluateTrack(test.definition, test.track, archetype, context);
}

/** The kind of the ticks that decide: an entity without a target of the relation has lost it. */
export function kindIn(
  archetype: ArchetypeView,
  definition: Definition,
  track: Track["kind"],
  context?: MatchContext,
): Track["kind"] {
  return track === "retargeted" && evaluateBare(definition, archetype, context) === NO ? "removed" : track;
}

/** The tick after which changes are unread, of the one entity or of all rows. */
function sinceOf({ enabled, index, since }: MatchContext): number {
  return enabled?.get(index) ?? since;
}

function evaluateTrack(
  definition: Definition,
  track: Track["kind"],
  archetype: ArchetypeView,
  context?: MatchContext,
): Truth {
  const kind = kindIn(archetype, definition, track, context);
  const isLost = kind === "removed";
  const isInherited = archetype.inherited.includes(definition);
  if (isInherited ? kind === "added" : evaluateBare(definition, archetype, context) === (isLost ? YES : NO))
    return NO;
  if (context === undefined) return MAYBE;
  const { index, row } = context;
  const since = sinceOf(context);
  const from = isLost ? Math.max(since, context.began) : since;
  if (isInherited && !isLost) return matching.changedInherited!(definition, archetype, from, context);
  const ticks = trackOf(archetype, definition, kind);
  if (ticks === undefined || ticks.last <= from) return NO;
  if (index === 0) return MAYBE;
  return ticks.rows[row]! > from ? YES : NO;
}

/** Was the value of the source along a path written since then, or is the source another one? */
export function evaluateChangedAbove(
  test: ChangedAboveTest,
  archetype: ArchetypeView,
  context?: MatchContext,
): Truth {
  if (context === undefined) return MAYBE;
  const { path, self, definition, note } = test;
  const { isSteady } = context;
  const own = self ? evaluateBare(definition, archetype, context) : NO;
  if (own === MAYBE) return MAYBE;
  if (own === YES) return evaluateTrack(definition, "changed", archetype, context);
  const source = context.sources[path];
  if (source === undefined) return NO;
  const track = trackOf(source, definition, "changed");
  const since = sinceOf(context);
  const isOld = track === undefined || track.last <= since;
  if (inherits(source, definition)) {
    const row = context.sourceRow[path]!;
    if (context.index === 0) return MAYBE;
    const above = { ...context, index: source.lanes.i32[row]!, row } as MatchContext;
    if (matching.changedInherited!(definition, source, since, above) === YES) return YES;
  } else if (context.index === 0) return isOld && isSteady ? NO : MAYBE;
  if (!isOld && track.rows[context.sourceRow[path]!]! > since) return YES;
  return !isSteady && context.switchedAt(note, context.index) > since ? YES : NO;
}

/** Did an ancestor change since then? */
export function evaluateChangedBelow(
  { place }: ChangedBelowTest,
  _: ArchetypeView,
  context?: MatchContext,
): Truth {
  if (context === undefined) return MAYBE;
  const found = context.below[place]!;
  if (context.index === 0) return found.length === 0 ? NO : MAYBE;
  return found.has(context.index) ? YES : NO;
}
