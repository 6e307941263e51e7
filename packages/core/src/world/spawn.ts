import { TreelineError } from "../base/error.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import { Parent } from "../id/builtins.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt, hasRoomFor, renewOrder, takeIndex } from "../records/entity-index.ts";
import { appendRow, makeRoomFor } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { stampBorn } from "../storage/tracks.ts";
import { tellSetTerms } from "./add.ts";
import { giveBirth, giveRow, hasCompany, welcome } from "./birth.ts";
import {
  checkPlanned,
  gatherPlanned,
  isUnheard,
  keepPlan,
  knownPlan,
  remember,
  rememberedTable,
  writeGathered,
  writePlanned,
} from "./birth-plan.ts";
import {
  checkTerm,
  definitionOfTerm,
  loosePairOfTerms,
  looseTableFor,
  type PlainTerm,
  parentOfTerms,
  plainTerms,
  type SpawnTerm,
  shapeOfTerms,
  targetOfTerm,
  valueOfTerm,
  wantPairsOfTerms,
} from "./destination.ts";
import { disableNewborns, isDisabling } from "./disabled.ts";
import { foresee, hasListeners, tellAll } from "./facts.ts";
import { joinFamily, prepareList } from "./family.ts";
import { isFollowed, withRoomForBirths } from "./followers.ts";
import {
  askHooks,
  askTogether,
  type Change,
  givenChange,
  NO_CHANGES,
  tellWritten,
  tellWrittenAlone,
} from "./hook-calls.ts";
import { hooksOf } from "./hooks.ts";
import { keptTerms, settledTerms } from "./kept-terms.ts";
import { enterLimbo, isInLimbo, leaveLimbo } from "./limbo.ts";
import { requireRoomAt } from "./limits.ts";
import { enqueue, insideVisit, mustQueue, whileChanging } from "./lock.ts";
import { ensurePair, spareTableFor } from "./pair.ts";
import { requireAlive } from "./require.ts";
import { termsInScope } from "./scope.ts";
import { liveTerms } from "./term-deaths.ts";
import { wholeValue } from "./values.ts";
import type { BirthPlan, World } from "./world.ts";

/**
 * Gives birth to an entity, straight into the table of its whole type: no intermediate moves.
 *
 * Inside a visit the entity is alive at once, and gets what the terms say when the visit ends; it appears in no visit
 * until then. Inside `withScope` of names it becomes a child of the scope, unless a parent is given.
 *
 * @param terms components, tags, components with values, pairs, entities as tags. Each may be given once.
 * @throws TreelineError `dead-entity` if a target is not alive; `bad-term` for a term that cannot be added or is given
 *   twice; `bad-value` for a value that does not fit; `full` if a target takes no more sources; `capacity` when
 *   16,777,215 entities live; `visiting` in a strict world inside a visit; and what a component's `check` hook throws,
 *   such as `name-taken`. Nothing has changed then.
 *
 * @example
 * const ship = spawn(world, Name("Ship"), Position({ x: 1, y: 2 }), Velocity);
 * const cockpit = spawn(world, Name("Cockpit"), ChildOf(ship));
 */
export function spawn(world: World, ...terms: SpawnTerm[]): Entity {
  return spawnOf(world, world.scope === undefined ? terms : termsInScope(world, terms));
}

function spawnOf(world: World, terms: readonly SpawnTerm[]): Entity {
  const plan = world.visits === 0 ? knownPlan(world, terms) : undefined;
  if (plan !== undefined && isUnheard(world, plan)) {
    return bearPlanned(world, plan, terms as readonly PlainTerm[]);
  }
  const given = plainTerms(world, terms);
  const shape = shapeOfBirth(world, given);
  if (world.visits !== 0 && mustQueue(world)) return spawnLater(world, given);
  if (given === terms && plan === undefined) keepPlan(world, shape, given);
  return bear(world, shape, given, 0);
}

/** As `spawn`, but at once inside a visit as well, and in no scope: for verbs that are several births. */
export function spawnNow(world: World, terms: readonly PlainTerm[]): Entity {
  return bear(world, shapeOfBirth(world, terms), terms, 0);
}

/** Checks whatever is to be checked before hooks are asked. */
function shapeOfBirth(world: World, terms: readonly PlainTerm[]): Shape {
  for (let at = 0; at < terms.length; at++) checkTerm(world, terms[at]!);
  const shape = shapeOfTerms(world, terms);
  requireRoomForEntities(world, 1);
  return shape;
}

/** The short way for a list of definitions that was seen before. */
function bearPlanned(world: World, plan: BirthPlan, terms: readonly PlainTerm[]): Entity {
  // Check everything, and only then give birth.
  const { pairAt } = plan;
  const gathering = gatherPlanned(world, plan, terms);
  if (gathering === 0) checkPlanned(world, plan, terms);
  else if (pairAt >= 0) requireAlive(world, targetOfTerm(terms[pairAt]!) as Entity);
  requireRoomForEntities(world, 1);
  return plan.isHooked
    ? bearPlannedAsked(world, plan, terms, gathering)
    : handleAt(world.entities, givePlannedBirth(world, plan, terms, gathering));
}

function bearPlannedAsked(
  world: World,
  plan: BirthPlan,
  terms: readonly PlainTerm[],
  gathering: number,
): Entity {
  const changes = askForBirth(world, plan.shape, terms);
  const index = givePlannedBirth(world, plan, terms, gathering);
  const born = handleAt(world.entities, index); // whoever is told may queue its death
  tellWrittenAlone(world, index, changes);
  return born;
}

/** @param gathering of the values, if they are still gathered. @returns the index of the newborn. */
function givePlannedBirth(
  world: World,
  plan: BirthPlan,
  terms: readonly PlainTerm[],
  gathering: number,
): number {
  const { graph, entities } = world;
  const { shape, pairAt } = plan;
  const loose = shape.isLoose ? ensurePair(world, Parent, indexOf(targetOfTerm(terms[pairAt]!))) : 0;
  const table = loose === 0 ? plannedTable(world, plan, terms) : looseTableFor(world, shape, 0, 1, 0, loose);
  if (loose !== 0) prepareList(world, loose, true);

  const index = takeIndex(entities);
  if (gathering !== 0 && gathering === world.gathered.times) {
    const row = appendRow(world.rows, shape, table, index);
    entities.table[index] = table;
    entities.row[index] = row;
    renewOrder(entities, index);
    const at = graph.tables.first[table]! + row;
    writeGathered(world, plan, at);
    if (shape.lanes.tracks !== undefined) stampBorn(shape.lanes.tracks, at, at + 1);
  } else {
    giveRow(world, shape, table, index);
    writePlanned(world, plan, index, terms);
  }
  if (loose !== 0) joinFamily(world, index, loose);
  else if (hasCompany(world, shape, table)) welcome(world, shape, index, 0, terms);
  const parentPair = graph.tables.parentPair[table]! + loose;
  if (isDisabling(world, parentPair)) disableNewborns(world, index, 1);
  return index;
}

/** The table for a planned newborn, with room for it: the one of the last time, if it is the same again. */
function plannedTable(world: World, plan: BirthPlan, terms: readonly PlainTerm[]): TableNumber {
  const { shape, pairAt } = plan;
  const known = pairAt < 0 ? shape.plainTable : rememberedTable(world, plan, targetOfTerm(terms[pairAt]!));
  if (known !== 0) {
    makeRoomFor(world.rows, shape, known, 1);
    return known;
  }
  const spare = pairAt < 0 ? 0 : spareTableFor(world, shape, indexOf(targetOfTerm(terms[pairAt]!)));
  const table =
    spare !== 0
      ? spare
      : roomyTableFor(world.graph, shape, pairAt < 0 ? 0 : wantPairsOfTerms(world, terms), 1, 0);
  remember(world, plan, table);
  return table;
}

/** Birth of one entity whose terms have been checked. @returns its handle, which is stale if a listener destroyed it. */
export function bear(world: World, shape: Shape, terms: readonly PlainTerm[], unborn: number): Entity {
  if (shape.isLimited) requireRoomForSources(world, terms, 1);
  return bearAsked(world, shape, terms, unborn, askForBirth(world, shape, terms));
}

/** The same, after everything has been checked and hooks have been asked. */
export function bearAsked(
  world: World,
  shape: Shape,
  terms: readonly PlainTerm[],
  unborn: number,
  changes: readonly Change[],
): Entity {
  if (isFollowed(world, shape)) return bearFollowed(world, shape, terms, unborn, changes);
  return bearAs(world, shape, terms, unborn, changes);
}

function bearAs(
  world: World,
  shape: Shape,
  terms: readonly PlainTerm[],
  unborn: number,
  changes: readonly Change[],
): Entity {
  const count = shape.hasPairs ? wantPairsOfTerms(world, terms) : 0;
  const loose = shape.isLoose ? loosePairOfTerms(world, terms) : 0;
  const table =
    loose === 0
      ? roomyTableFor(world.graph, shape, count, 1, 0)
      : looseTableFor(world, shape, count, 1, 0, loose);

  if (hasListeners(world)) return bearLoudly(world, { shape, table, loose, terms, unborn, changes });
  const index = giveBirth(world, shape, table, loose, terms, unborn);
  const born = handleAt(world.entities, index);
  if (changes.length > 0) tellWrittenAlone(world, index, changes);
  return born;
}

/** The same with room for whom it brings along. */
function bearFollowed(
  world: World,
  shape: Shape,
  terms: readonly PlainTerm[],
  unborn: number,
  changes: readonly Change[],
): Entity {
  return insideVisit(world, () => {
    const settled = settledTerms(world, terms);
    return withRoomForBirths(world, [{ shape, terms: settled, unborn: [unborn] }], ([index]) =>
      bearAsked(world, shape, settled, index!, changes),
    );
  });
}

/** What was found for a newborn. */
interface Birth {
  readonly shape: Shape;
  readonly table: TableNumber;
  readonly loose: PairNumber;
  readonly terms: readonly PlainTerm[];
  readonly unborn: number;
  readonly changes: readonly Change[];
}

function bearLoudly(world: World, { shape, table, loose, terms, unborn, changes }: Birth): Entity {
  return insideVisit(world, () => {
    const index = giveBirth(world, shape, table, loose, terms, unborn);
    whileChanging(world, () => tellWritten(world, index, changes));
    tellAll(world, foresee(world, index, 0, world.entities.table[index]!, loose).added);
    tellSetTerms(world, index, terms, changes);
    return handleAt(world.entities, index);
  });
}

function spawnLater(world: World, terms: readonly PlainTerm[]): Entity {
  const index = enterLimbo(world);
  const kept = keptTerms(terms);
  enqueue(world, index, () => bearLater(world, kept, index));
  return handleAt(world.entities, index);
}

/** The end of limbo: a birth, or the end of a life that has hardly begun. */
function bearLater(world: World, terms: readonly PlainTerm[], index: number): void {
  const live = liveTerms(world, terms);
  if (live === undefined) {
    leaveLimbo(world, index);
    return;
  }
  try {
    bear(world, shapeOfTerms(world, live), live, index);
  } catch (error) {
    if (isInLimbo(world, index)) leaveLimbo(world, index);
    throw error;
  }
}

/** Asks the hooks of a newborn. @returns what they will be told when it is born. */
export function askForBirth(world: World, shape: Shape, terms: readonly PlainTerm[]): readonly Change[] {
  if (shape.hooked.length === 0) return NO_CHANGES;
  const changes = changesOfBirth(world, shape, terms);
  askHooks(world, undefined, changes, parentOfTerms(terms));
  return changes;
}

/** The same for newborns that share their terms, all at once. */
export function askForBirths(
  world: World,
  shape: Shape,
  terms: readonly PlainTerm[],
  count: number,
): readonly (readonly Change[])[] {
  if (count === 1) return [askForBirth(world, shape, terms)];
  const births = Array.from({ length: count }, () => changesOfBirth(world, shape, terms));
  if (shape.hooked.length === 0) return births;
  requireTellingApart(shape);
  const parent = parentOfTerms(terms);
  const batches = births[0]!.map(({ definition }, place) => {
    const changes = births.map((birth) => birth[place]!);
    return { definition, changes, moves: changes.map(({ value }) => ({ entity: undefined, value, parent })) };
  });
  askTogether(world, batches);
  return births;
}

/** @throws TreelineError `name-taken` if newborns would share what tells one from another, and no hook sees to it. */
function requireTellingApart({ hooked }: Shape): void {
  const blind = hooked.find((definition) => {
    const { identifies, checkMoves } = hooksOf(definition);
    return identifies !== undefined && checkMoves === undefined;
  });
  if (blind === undefined) return;
  throw new TreelineError(
    "name-taken",
    `${blind.name} tells entities apart, so newborns cannot share one; spawn them one by one, or give it a ` +
      "`checkMoves` hook",
  );
}

function changesOfBirth(world: World, shape: Shape, terms: readonly PlainTerm[]): readonly Change[] {
  const changes = new Array<Change>(shape.hooked.length);
  let count = 0;
  for (let at = 0; at < terms.length; at++) {
    const definition = definitionOfTerm(terms[at]!);
    if (definition.hooks === undefined) continue;
    const value = wholeValue(world, 0, definition, valueOfTerm(terms[at]!));
    changes[count++] = givenChange(definition, value, undefined);
  }
  return changes;
}

/** @throws TreelineError `full`. */
export function requireRoomForSources(world: World, terms: readonly PlainTerm[], newcomers: number): void {
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.maxSources > 0) {
      requireRoomAt(world, definition, 0, indexOf(targetOfTerm(term)), newcomers);
    }
  }
}

/** @throws TreelineError `capacity`. */
export function requireRoomForEntities(world: World, count: number): void {
  if (hasRoomFor(world.entities, count)) return;
  throw new TreelineError("capacity", "a world holds 16,777,215 entities; destroy some first");
}
