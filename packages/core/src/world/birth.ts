import { ChildOf, Parent } from "../id/builtins.ts";
import { indexOf } from "../id/entity.ts";
import { findPair, isTarget } from "../id/pair-book.ts";
import { PAIR_EXCLUSIVE } from "../id/pair-traits.ts";
import { renewOrder, takeIndex } from "../records/entity-index.ts";
import { LOOSE_MOVED, note, TARGET_MOVED } from "../storage/journal.ts";
import { clearRow } from "../storage/lanes.ts";
import { appendRow } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { stampBorn } from "../storage/tracks.ts";
import { rememberOrder } from "./adding-order.ts";
import { turnBit } from "./bit-tags.ts";
import { react } from "./change-type.ts";
import { bitTagsOf, definitionOfTerm, type PlainTerm, targetOfTerm, writeTermValues } from "./destination.ts";
import { settleDisabled } from "./disabled.ts";
import { prepareList, relink } from "./family.ts";
import { followTarget } from "./pair.ts";
import { mirrorBonds } from "./symmetric.ts";
import { pairAt } from "./targets.ts";
import type { World } from "./world.ts";

/**
 * Gives a newborn its row in the table that was found for it, with its values.
 *
 * @param unborn the index that it got inside a visit, or 0.
 * @returns its index.
 */
export function giveBirth(
  world: World,
  shape: Shape,
  table: TableNumber,
  loose: PairNumber,
  terms: readonly PlainTerm[],
  unborn: number,
): number {
  const { graph, entities } = world;
  if (loose !== 0) prepareList(world, loose, true);
  const index = unborn === 0 ? takeIndex(entities) : unborn;
  giveRow(world, shape, table, index);
  if (shape.lanes.plan.columns.length > 0) writeTermValues(world, shape, index, terms);
  for (const tag of bitTagsOf(terms)) turnBit(world, index, tag, true);
  settleDisabled(world, index, graph.tables.parentPair[table]! + loose);
  if (hasCompany(world, shape, table)) welcome(world, shape, index, loose, terms);
  if (unborn !== 0 && isTarget(graph.pairs, index)) followTargets(world, shape, index);
  return index;
}

/** A last row in a table with room, with default values. */
export function giveRow(world: World, shape: Shape, table: TableNumber, index: number): void {
  const { graph, entities } = world;
  const row = appendRow(world.rows, shape, table, index);
  entities.table[index] = table;
  entities.row[index] = row;
  renewOrder(entities, index);
  const { lanes } = shape;
  const at = graph.tables.first[table]! + row;
  if (lanes.plan.columns.length > 0) clearRow(lanes, at);
  if (lanes.tracks !== undefined) stampBorn(lanes.tracks, at, at + 1);
}

/** Is there anything besides its row that a newborn of a table takes part in? */
export function hasCompany({ graph }: World, shape: Shape, table: TableNumber): boolean {
  return graph.links.used || shape.isSpecial || shape.isSymmetric || graph.tables.pairs[table]! > 1;
}

/** Lets a newborn take its place in lists, in orders of adding, and in symmetric relations. */
export function welcome(
  world: World,
  shape: Shape,
  index: number,
  loose: PairNumber,
  terms: readonly PlainTerm[],
): void {
  const { graph, entities } = world;
  const table = entities.table[index]!;
  const parentPair = graph.tables.parentPair[table]! + loose;
  if (graph.links.used) relink(world, index, { before: 0, after: parentPair, place: 0 }, loose !== 0);
  if (loose !== 0) note(graph.journal, LOOSE_MOVED, index);
  if (graph.tables.pairs[table]! > 1) rememberBirth(world, index, terms);
  if (shape.isSpecial) react(world, index, graph.root, shape);
  if (shape.isSymmetric) mirrorBonds(world, index, []);
}

/** Somebody was born before its target was: the records of pairs, and readers of the journal, follow now. */
function followTargets(world: World, shape: Shape, index: number): void {
  note(world.graph.journal, TARGET_MOVED, index);
  for (const relation of new Set(shape.definitions)) {
    if (!relation.keepsDepth) continue;
    const stored = relation === Parent ? ChildOf : relation;
    followTarget(world, stored, index, pairAt(world, index, stored));
  }
}

function rememberBirth(world: World, index: number, terms: readonly PlainTerm[]): void {
  const { pairs } = world.graph;
  const added: PairNumber[] = [];
  for (const term of terms) {
    const { id, kind, pairTraits } = definitionOfTerm(term);
    if (kind !== "relation" || (pairTraits & PAIR_EXCLUSIVE) !== 0) continue;
    added.push(findPair(pairs, id, indexOf(targetOfTerm(term))));
  }
  if (added.length > 1) rememberOrder(world, index, added);
}
