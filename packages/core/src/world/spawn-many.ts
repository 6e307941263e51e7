import { TreelineError } from "../base/error.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import type { Entity } from "../id/entity.ts";
import { indexOf } from "../id/entity.ts";
import { handleAt, isLiving, renewOrder, takeIndex } from "../records/entity-index.ts";
import { repeatRow } from "../storage/copy-rows.ts";
import { clearRow } from "../storage/lanes.ts";
import { appendRows } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import { hasCompany, welcome } from "./birth.ts";
import {
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
import { hasListeners } from "./facts.ts";
import { prepareList } from "./family.ts";
import { enterLimbo, isInLimbo, leaveLimbo } from "./limbo.ts";
import { enqueue, mustQueue } from "./lock.ts";
import { release } from "./release.ts";
import { bear, requireRoomForEntities, requireRoomForSources } from "./spawn.ts";
import { liveTerms } from "./term-deaths.ts";
import type { World } from "./world.ts";

/**
 * Gives birth to `count` entities of one type at once; all start with the same values. Components with hooks take part
 * one by one, as do all while somebody listens: if one is refused, all are taken back.
 *
 * @returns the handles, in order of birth.
 * @throws TreelineError as `spawn`; `bad-value` unless `count` is a whole number of 0 or more.
 */
export function spawnMany(world: World, count: number, ...terms: SpawnTerm[]): Entity[] {
  if (!Number.isInteger(count) || count < 0) {
    throw new TreelineError("bad-value", `spawnMany takes a whole number of 0 or more, not ${String(count)}`);
  }
  const given = plainTerms(world, terms);
  for (const term of given) checkTerm(world, term);
  const shape = shapeOfTerms(world, given);
  if (count === 0) return [];
  requireRoomForEntities(world, count);
  if (world.visits !== 0 && mustQueue(world)) return spawnManyLater(world, count, given);
  if (shape.isLimited) requireRoomForSources(world, given, count);
  if (shape.hooked.length > 0 || hasListeners(world)) return bearOneByOne(world, shape, count, given);
  return bearAtOnce(world, shape, count, given);
}

function bearOneByOne(world: World, shape: Shape, count: number, terms: readonly PlainTerm[]): Entity[] {
  const born: Entity[] = [];
  try {
    for (let at = 0; at < count; at++) born.push(handleAt(world.entities, bear(world, shape, terms, 0)));
  } catch (error) {
    takeBack(world, born);
    throw error;
  }
  return born;
}

function bearAtOnce(world: World, shape: Shape, count: number, terms: readonly PlainTerm[]): Entity[] {
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
  if (hasCompany(world, shape, table)) {
    for (const entity of born) welcome(world, shape, indexOf(entity), loose, terms);
  }
  return born;
}

function spawnManyLater(world: World, count: number, terms: readonly PlainTerm[]): Entity[] {
  const unborn = Array.from({ length: count }, () => handleAt(world.entities, enterLimbo(world)));
  enqueue(world, 0, () => {
    const live = liveTerms(world, terms);
    try {
      if (live === undefined) return;
      const shape = shapeOfTerms(world, live);
      if (shape.isLimited) requireRoomForSources(world, live, count);
      for (const entity of unborn) bear(world, shape, live, indexOf(entity));
    } catch (error) {
      takeBack(world, unborn);
      throw error;
    } finally {
      if (live === undefined) takeBack(world, unborn);
    }
  });
  return unborn;
}

/** Ends the lives of newborns after one of them was refused. */
function takeBack(world: World, born: readonly Entity[]): void {
  for (const entity of born) {
    if (!isLiving(world.entities, entity)) continue;
    if (isInLimbo(world, indexOf(entity))) leaveLimbo(world, indexOf(entity));
    else release(world, entity);
  }
}
