import { TreelineError } from "../base/error.ts";
import { shown } from "../base/shown.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import type { Entity } from "../id/entity.ts";
import { indexOf } from "../id/entity.ts";
import { handleAt, renewOrder, takeIndex } from "../records/entity-index.ts";
import { repeatRow } from "../storage/copy-rows.ts";
import { clearRow } from "../storage/lanes.ts";
import { appendRows } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import { stampBorn } from "../storage/tracks.ts";
import { hasCompany, welcome } from "./birth.ts";
import { turnBits } from "./bit-tags.ts";
import {
  bitTagsOf,
  checkTerm,
  loosePairOfTerms,
  looseTableFor,
  type PlainTerm,
  plainTerms,
  type SpawnTerm,
  shapeOfTerms,
  wantPairsOfTerms,
  writeTermValues,
} from "./destination.ts";
import { disableNewborns, isDisabling } from "./disabled.ts";
import { hasListeners } from "./facts.ts";
import { prepareList } from "./family.ts";
import { isFollowed, withRoomForBirths } from "./followers.ts";
import { NO_CHANGES, tellWritten } from "./hook-calls.ts";
import { keptTerms, settledTerms } from "./kept-terms.ts";
import { enterLimbo, isInLimbo, leaveLimbo } from "./limbo.ts";
import { enqueue, insideVisit, mustQueue, whileChanging } from "./lock.ts";
import { termsInScope } from "./scope.ts";
import { askForBirths, bearAsked, requireRoomForEntities, requireRoomForSources } from "./spawn.ts";
import { liveTerms } from "./term-deaths.ts";
import type { World } from "./world.ts";

/**
 * Gives birth to `count` entities of one type at once; all start with the same values, unless hooks give them others.
 * The hooks of all of them are asked before the first one is born: `checkMoves` for all at once, or else `check` for
 * each.
 *
 * @returns the handles, in order of birth.
 * @throws TreelineError as `spawn`; `bad-value` unless `count` is a whole number of 0 or more.
 */
export function spawnMany(world: World, count: number, ...terms: SpawnTerm[]): Entity[] {
  if (!Number.isInteger(count) || count < 0) {
    throw new TreelineError("bad-value", `spawnMany takes a whole number of 0 or more, not ${shown(count)}`);
  }
  const given = plainTerms(world, termsInScope(world, terms));
  for (const term of given) checkTerm(world, term);
  const shape = shapeOfTerms(world, given);
  if (count === 0) return [];
  requireRoomForEntities(world, count);
  if (world.visits !== 0 && mustQueue(world)) return spawnManyLater(world, count, given);
  const settled = hasListeners(world) || isFollowed(world, shape) ? settledTerms(world, given) : given;
  if (hasListeners(world)) return bearOneByOne(world, shape, settled, new Array<number>(count).fill(0));
  if (shape.isLimited) requireRoomForSources(world, settled, count);
  return shape.hooked.length === 0
    ? bearAtOnce(world, shape, count, settled)
    : bearAtOnceAsked(world, shape, count, settled);
}

/** Nobody listens: hooks are told when all are born. */
function bearAtOnceAsked(world: World, shape: Shape, count: number, terms: readonly PlainTerm[]): Entity[] {
  const asked = askForBirths(world, shape, terms, count);
  const born = bearAtOnce(world, shape, count, terms);
  insideVisit(world, () => {
    whileChanging(world, () => {
      for (let at = 0; at < count; at++) tellWritten(world, indexOf(born[at]!), asked[at]!);
    });
  });
  return born;
}

/** All hooks are asked, and room is made, before the first birth. */
function bearOneByOne(
  world: World,
  shape: Shape,
  terms: readonly PlainTerm[],
  unborn: readonly number[],
): Entity[] {
  if (shape.isLimited) requireRoomForSources(world, terms, unborn.length);
  const asked = askForBirths(world, shape, terms, unborn.length);
  return insideVisit(world, () => {
    const births = [{ shape, terms, unborn }];
    return withRoomForBirths(world, births, (indexes) =>
      whileChanging(world, () =>
        indexes.map((index, at) => bearAsked(world, shape, terms, index, asked[at]!)),
      ),
    );
  });
}

function bearAtOnce(world: World, shape: Shape, count: number, terms: readonly PlainTerm[]): Entity[] {
  if (isFollowed(world, shape)) return bearFollowed(world, shape, count, terms);
  return bearAlike(world, shape, count, terms);
}

function bearAlike(world: World, shape: Shape, count: number, terms: readonly PlainTerm[]): Entity[] {
  const { graph, entities } = world;
  const pairs = shape.hasPairs ? wantPairsOfTerms(world, terms) : 0;
  const loose = shape.isLoose ? loosePairOfTerms(world, terms) : 0;
  const table =
    loose === 0
      ? roomyTableFor(graph, shape, pairs, count, 0)
      : looseTableFor(world, shape, pairs, count, 0, loose);
  if (loose !== 0) prepareList(world, loose, true);
  const row = appendRows(world.rows, shape, table, count);
  const first = graph.tables.first[table]! + row;
  const { lanes } = shape;
  const { i32 } = lanes;
  const born = new Array<Entity>(count);
  for (let at = 0; at < count; at++) {
    const index = takeIndex(entities);
    entities.table[index] = table;
    entities.row[index] = row + at;
    renewOrder(entities, index);
    i32[first + at] = index;
    born[at] = handleAt(entities, index);
  }
  if (lanes.plan.columns.length > 0) {
    clearRow(lanes, first);
    writeTermValues(world, shape, indexOf(born[0]!), terms);
    repeatRow(lanes, first, count);
  }
  if (lanes.tracks !== undefined) stampBorn(lanes.tracks, first, first + count);
  for (const tag of bitTagsOf(terms)) turnBits(world, shape, tag, first, first + count, true);
  if (isDisabling(world, graph.tables.parentPair[table]! + loose))
    disableNewborns(world, indexOf(born[0]!), count);
  if (hasCompany(world, shape, table)) {
    for (const entity of born) welcome(world, shape, indexOf(entity), loose, terms);
  }
  return born;
}

/** One by one, with room for all newborns and for whom they bring along. */
function bearFollowed(world: World, shape: Shape, count: number, terms: readonly PlainTerm[]): Entity[] {
  const births = [{ shape, terms, unborn: new Array<number>(count).fill(0) }];
  return withRoomForBirths(world, births, (unborn) =>
    unborn.map((index) => bearAsked(world, shape, terms, index, NO_CHANGES)),
  );
}

function spawnManyLater(world: World, count: number, terms: readonly PlainTerm[]): Entity[] {
  const unborn = Array.from({ length: count }, () => enterLimbo(world));
  const kept = keptTerms(terms);
  enqueue(world, 0, () => {
    const live = liveTerms(world, kept);
    try {
      if (live !== undefined) bearOneByOne(world, shapeOfTerms(world, live), live, unborn);
    } finally {
      for (const index of unborn) if (isInLimbo(world, index)) leaveLimbo(world, index);
    }
  });
  return unborn.map((index) => handleAt(world.entities, index));
}
