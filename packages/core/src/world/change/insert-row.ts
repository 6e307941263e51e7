import { LAST_ORDER } from "../../base/limits.ts";
import { PAIR_EXCLUSIVE } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { findPair, isTarget } from "../../id/pair-book.ts";
import { renewOrder, takeIndex } from "../../records/entity-index.ts";
import { note, TARGET_MOVED } from "../../storage/journal.ts";
import { clearRow } from "../../storage/lanes.ts";
import { appendRow } from "../../storage/rows.ts";
import { NEEDS_ADDING_ORDER } from "../../storage/shape.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { stampBorn } from "../../storage/tracks.ts";
import type { SpawnPlan } from "../state/plans.ts";
import { rememberOrder } from "../state/targets.ts";
import type { World } from "../state/world.ts";
import { definitionOfTerm, type PlainTerm, targetOfTerm } from "./destination.ts";
import { writeTerms, writeWhole } from "./spawn-plan.ts";

/**
 * Gives an entity its row, with the values that `gatherTerms` has read last, and its place among siblings that store their
 * parent by value. Room in the table has been made, and the list of such siblings.
 *
 * @param valuePair the pair of its parent if it is stored by value, else 0.
 * @param pending its index if it is in limbo, else 0.
 * @returns its index.
 */
export function insertRow(
  world: World,
  plan: SpawnPlan,
  terms: readonly PlainTerm[],
  table: TableNumber,
  valuePair: PairNumber,
  pending: number,
): number {
  const { graph, entities } = world;
  const { shape } = plan;
  const index = pending === 0 ? takeIndex(entities) : pending;
  const row = appendRow(world.graph, shape, table, index);
  entities.table[index] = table;
  entities.row[index] = row;
  if (entities.lastOrder === LAST_ORDER) renewOrder(entities, index);
  else entities.order[index] = ++entities.lastOrder;
  const { lanes } = shape;
  const at = graph.tables.first[table]! + row;
  if (lanes.tracks !== undefined) stampBorn(lanes.tracks, at, at + 1);
  const isWhole = plan.flatLanes.length > 0 && writeWhole(world, plan, terms.length, at);
  if (!isWhole && lanes.plan.columns.length > 0) {
    clearRow(lanes, at);
    writeTerms(world, shape, terms, table, at);
  }
  if (valuePair !== 0) world.slots.linkLast!(world, valuePair, index);
  if ((shape.fixedNeeds & NEEDS_ADDING_ORDER) !== 0 && graph.tables.pairs[table]! > 1)
    keepAddingOrder(world, index, terms);
  if (pending !== 0 && isTarget(graph.pairs, index)) {
    note(graph.journal, TARGET_MOVED, index);
    world.slots.followTargets?.(world, shape, index);
  }
  return index;
}

/** In which order an entity got its pairs of relations with many targets. */
export function keepAddingOrder(world: World, index: number, terms: readonly PlainTerm[]): void {
  const { pairs } = world.graph;
  const added: PairNumber[] = [];
  for (let at = 0; at < terms.length; at++) {
    const { id, kind, pairTraits } = definitionOfTerm(terms[at]!);
    if (kind !== "relation" || (pairTraits & PAIR_EXCLUSIVE) !== 0) continue;
    added.push(findPair(pairs, id, indexOf(targetOfTerm(terms[at]!) as Entity)));
  }
  if (added.length > 1) rememberOrder(world, index, added);
}
