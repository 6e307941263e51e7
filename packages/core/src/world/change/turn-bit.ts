// Adds and removes what bits and sparse storage keep (`bitWork`); the short way of `add` and `remove` for it (`turnTag`).
import type { Definition, PlainTerm } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { isTarget } from "../../id/pair-index.ts";
import { isLiving } from "../../records/entity-index.ts";
import { type Archetype, NEEDS_HOOKS, NEEDS_LIMITS, NEEDS_OBSERVERS } from "../../storage/archetype.ts";
import { type BitColumn, flip, isSet, setBits } from "../../storage/bits.ts";
import { BIT_TURNED, note } from "../../storage/journal.ts";
import type { Lanes } from "../../storage/lanes.ts";
import { sparseWorkOf } from "../../storage/sparse.ts";
import { markTurned } from "../../storage/tracks.ts";
import { noteUse } from "../state/one-definition.ts";
import type { Group, Turn } from "../state/plans.ts";
import { archetypeAt, hasBitAt, rowAt } from "../state/values.ts";
import type { BitWork, World } from "../state/world.ts";
import { NEEDS_BITS, needsFor } from "./goal.ts";
import { definitionOfTerm } from "./terms.ts";

/** What changes tags stored as bits, and sparse definitions, in all worlds. */
export const bitWork: BitWork = { turn, turnNew, copyTo, repeat, add, reserve, prepare };

function turn(world: World, index: number, turned: readonly Turn[]): void {
  for (const { definition, on, target } of turned) {
    if (target) {
      sparseWorkOf(definition)!.turnPair!(world, index, definition, target, on);
      continue;
    }
    if (hasBitAt(world, index, definition) === on) continue;
    const row = rowAt(world, index);
    turnRows(world, archetypeAt(world, index), definition, row, row + 1, on);
    noteTurned(world, index);
  }
}

function turnNew(
  world: World,
  archetype: Archetype,
  definitions: readonly Definition[],
  first: number,
  end: number,
  terms: readonly PlainTerm[],
): void {
  // A relation is listed once for each of its pairs.
  for (const definition of new Set(definitions)) {
    turnRows(world, archetype, definition, first, end, true);
    sparseWorkOf(definition)?.give?.(world, archetype.lanes.i32[first]!, definition, terms);
  }
}

/** For adjacent rows of one archetype. */
function turnRows(
  world: World,
  archetype: Archetype,
  definition: Definition,
  first: number,
  end: number,
  on: boolean,
): void {
  CHECK: noteUse(world, definition);
  sparseWorkOf(definition)?.turn(world.graph, definition, archetype.lanes.i32, first, end, on);
  setBits(archetype, definition, first, end, on);
  const { tracks } = archetype.lanes;
  if (tracks !== undefined) markTurned(tracks, definition, first, end, on);
}

function copyTo(origin: Archetype, destination: Archetype, from: number, to: number): void {
  origin.bits!.copyTo(destination, from, to);
}

function repeat(
  { graph }: World,
  { lanes }: Archetype,
  definitions: readonly Definition[],
  first: number,
  end: number,
): void {
  for (const definition of new Set(definitions))
    sparseWorkOf(definition)?.repeat(graph, definition, lanes.i32, first, end);
}

function add(world: World, index: number, terms: readonly PlainTerm[], needs: number): boolean {
  const definition = definitionOfTerm(terms[0]!);
  if (needs === NEEDS_BITS && terms.length === 1 && definition.storage === "bits") {
    turn(world, index, [{ definition, on: true }]);
    return true;
  }
  reserve(world, terms, 1);
  return false;
}

/** @param wanted how many places of each definition are to come, so far. */
function reserve(
  { graph }: World,
  terms: readonly PlainTerm[],
  count: number,
  wanted: Map<Definition, number> = new Map(),
): void {
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    const sparse = sparseWorkOf(definition);
    if (sparse === undefined) continue;
    const all = (wanted.get(definition) ?? 0) + count;
    wanted.set(definition, all);
    sparse.reserve(graph, definition, all);
  }
}

function prepare(world: World, groups: readonly Group[]): number {
  const wanted = new Map<Definition, number>();
  let needs = 0;
  for (const { plan, terms, indexes } of groups) {
    for (const tag of plan.tags) {
      needs |= needsFor(world, tag) & (NEEDS_HOOKS | NEEDS_OBSERVERS);
      if (tag.maxSubjects > 0) needs |= NEEDS_LIMITS;
    }
    if (plan.tags.length > 0) reserve(world, terms, indexes.length, wanted);
  }
  return needs;
}

/**
 * The whole of `add` and `remove` for one tag stored as bits, or one sparse definition without a value, where nothing has hooks,
 * observers or an iteration, and a neighbour has had it.
 *
 * @param what any value.
 * @returns false, with nothing changed, if more is needed.
 */
export function turnTag(world: World, entity: Entity, what: unknown, on: boolean): boolean {
  const { graph, entities } = world;
  if (world.deferDepth !== 0 || !isLiving(entities, entity)) return false;
  const { tables } = graph;
  const index = indexOf(entity);
  const table = entities.table[index]!;
  const { bits, lanes }: Archetype = graph.archetypes[tables.archetype[table]!]!;
  const column = bits?.columnToTurn(what);
  if (column === undefined || !isPlain(world, column)) return false;
  const row = entities.row[index]!;
  if (isSet(column.words, row) === on) return true;
  const { sparse } = column;
  if (sparse !== undefined && !sparse.turnOne(graph, column.definition, index, on)) return false;
  flip(column, row, on);
  if (lanes.tracks !== undefined || graph.journal.reading) noteFlip(world, lanes, column, index, row, on);
  return true;
}

/** Has a definition neither hooks nor observers? */
export function isPlain(world: World, column: BitColumn): boolean {
  return column.plainEpoch === world.events.epoch || findPlain(world, column);
}

function findPlain(world: World, column: BitColumn): boolean {
  if (needsFor(world, column.definition) !== NEEDS_BITS) return false;
  column.plainEpoch = world.events.epoch;
  return true;
}

/** What has to be told of a bit that has been changed. */
export function noteFlip(
  world: World,
  { tracks }: Lanes,
  { definition }: BitColumn,
  index: number,
  row: number,
  on: boolean,
): void {
  if (tracks !== undefined) markTurned(tracks, definition, row, row + 1, on);
  noteTurned(world, index);
}

function noteTurned({ graph }: World, index: number): void {
  const { journal, pairs } = graph;
  if (journal.reading && isTarget(pairs, index)) note(journal, BIT_TURNED, index);
}
