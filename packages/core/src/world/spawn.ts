import { TreelineError } from "../base/error.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import { CHILD_OF } from "../id/builtins.ts";
import type { Entity } from "../id/entity.ts";
import { handleAt, hasRoomFor, renewOrder, takeIndex } from "../records/entity-index.ts";
import { clearRow, copyRow } from "../storage/lanes.ts";
import { appendRow, appendRows } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import {
  checkTerm,
  definitionOfTerm,
  type SpawnTerm,
  shapeOfTerms,
  targetOfTerm,
  valueOfTerm,
  wantPairsOfTerms,
  writeTermValues,
} from "./destination.ts";
import { askHooks, type Change, tellWritten } from "./hooks.ts";
import { release } from "./release.ts";
import { requireNoVisit } from "./require.ts";
import { wholeValue } from "./values.ts";
import type { World } from "./world.ts";

/**
 * Gives birth to an entity, straight into the table of its whole type: no intermediate moves.
 *
 * @param terms components, tags, components with values, pairs. Each may be given once.
 * @throws TreelineError `visiting` inside a visit; `dead-entity` if a target is not alive; `bad-term` for a term that
 *   cannot be added or is given twice; `bad-value` for a value that does not fit; `capacity` when 16,777,215
 *   entities live; and what a component's `check` hook throws, such as `name-taken`. Nothing has changed then.
 *
 * @example
 * const ship = spawn(world, Name("Ship"), Position({ x: 1, y: 2 }), Velocity);
 * const cockpit = spawn(world, Name("Cockpit"), ChildOf(ship));
 */
export function spawn(world: World, ...terms: SpawnTerm[]): Entity {
  // Check everything ...
  requireNoVisit(world);
  for (const term of terms) checkTerm(world, term);
  const shape = shapeOfTerms(world, terms);
  requireRoomForEntities(world, 1);
  const changes = shape.hooked.length > 0 ? askForBirth(world, terms) : NO_CHANGES;

  // ... find the table ...
  const { graph, entities } = world;
  const table = roomyTableFor(graph, shape, shape.hasPairs ? wantPairsOfTerms(world, terms) : 0, 1, 0);

  // ... and only then give birth.
  const index = takeIndex(entities);
  const row = appendRow(world.rows, shape, table, index);
  entities.table[index] = table;
  entities.row[index] = row;
  renewOrder(entities, index);
  const { lanes } = shape;
  if (lanes.plan.columns.length > 0) {
    clearRow(lanes, graph.tables.first[table]! + row);
    writeTermValues(world, shape, index, terms);
  }
  if (changes.length > 0) tellWritten(world, index, changes);
  return handleAt(entities, index);
}

const NO_CHANGES: readonly Change[] = [];

function askForBirth(world: World, terms: readonly SpawnTerm[]): readonly Change[] {
  const parent = terms.find((term) => definitionOfTerm(term).id === CHILD_OF);
  const changes = terms
    .filter((term) => definitionOfTerm(term).hooks !== undefined)
    .map((term) => {
      const definition = definitionOfTerm(term);
      return { definition, value: wholeValue(world, 0, definition, valueOfTerm(term)) };
    });
  askHooks(world, undefined, changes, parent && (targetOfTerm(parent) as Entity));
  return changes;
}

function requireRoomForEntities(world: World, count: number): void {
  if (hasRoomFor(world.entities, count)) return;
  throw new TreelineError("capacity", "a world holds 16,777,215 entities; destroy some first");
}

/**
 * Gives birth to `count` entities of one type at once; all start with the same values.
 * Components with hooks take part one by one: if one is refused, all are taken back.
 *
 * @returns the handles, in order of birth.
 * @throws TreelineError as `spawn`; `bad-value` unless `count` is a whole number of 0 or more.
 */
export function spawnMany(world: World, count: number, ...terms: SpawnTerm[]): Entity[] {
  requireNoVisit(world);
  if (!Number.isInteger(count) || count < 0) {
    throw new TreelineError("bad-value", `spawnMany takes a whole number of 0 or more, not ${String(count)}`);
  }
  for (const term of terms) checkTerm(world, term);
  const shape = shapeOfTerms(world, terms);
  if (count === 0) return [];
  requireRoomForEntities(world, count);
  return shape.hooked.length > 0 ? spawnOneByOne(world, count, terms) : spawnBulk(world, shape, count, terms);
}

function spawnOneByOne(world: World, count: number, terms: readonly SpawnTerm[]): Entity[] {
  const born: Entity[] = [];
  try {
    for (let at = 0; at < count; at++) born.push(spawn(world, ...terms));
  } catch (error) {
    for (const entity of born) release(world, entity);
    throw error;
  }
  return born;
}

function spawnBulk(world: World, shape: Shape, count: number, terms: readonly SpawnTerm[]): Entity[] {
  const { graph, entities } = world;
  const table = roomyTableFor(graph, shape, wantPairsOfTerms(world, terms), count, 0);
  const row = appendRows(world.rows, shape, table, count);
  const first = graph.tables.first[table]! + row;
  const { lanes } = shape;
  const born: Entity[] = [];
  for (let at = 0; at < count; at++) {
    const index = takeIndex(entities);
    entities.table[index] = table;
    entities.row[index] = row + at;
    renewOrder(entities, index);
    if (at === 0) {
      clearRow(lanes, first);
      writeTermValues(world, shape, index, terms);
    } else copyRow(lanes, first, first + at);
    lanes.i32[first + at] = index;
    born.push(handleAt(entities, index));
  }
  return born;
}
