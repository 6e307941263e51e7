import { movePlan, tidyEmpty } from "../../graph/graph.ts";
import { isTarget } from "../../id/pair-index.ts";
import { type Archetype, NEEDS_PAIR_VALUES } from "../../storage/archetype.ts";
import { clearField, copyAcross, copyNumbers, copyRow } from "../../storage/copy-rows.ts";
import { note, TARGET_MOVED, VALUE_PARENT_MOVED } from "../../storage/journal.ts";
import { appendRow, NONE, shiftRow, takeRow } from "../../storage/rows.ts";
import type { TableNumber } from "../../storage/table.ts";
import { pairsOfTable } from "../state/targets.ts";
import { pairColumn } from "../state/values.ts";
import type { World } from "../state/world.ts";

/**
 * Moves one entity to another table: its values move with it, new columns get their defaults, and its record and that of the
 * entity that fills its row are updated. Ticks move too, and added and removed components are stamped. The table that it leaves
 * may be dropped.
 */
export function moveEntity(world: World, index: number, to: TableNumber): void {
  const { graph, entities } = world;
  const { tables, archetypes } = graph;
  const from = entities.table[index]!;
  const row = entities.row[index]!;
  const origin = archetypes[tables.archetype[from]!]!;
  const destination = archetypes[tables.archetype[to]!]!;

  const newRow = appendRow(graph, destination, to, index);
  const fromRow = tables.first[from]! + row;
  const toRow = tables.first[to]! + newRow;
  if (origin === destination) copyRow(origin.lanes, fromRow, toRow);
  else {
    const plan = movePlan(origin, destination);
    CHECK: plan.moves = (plan.moves ?? 0) + 1;
    copyAcross(plan, origin.lanes, fromRow, destination.lanes, toRow);
    destination.lanes.tracks?.arrive(origin, fromRow, toRow);
  }
  if (origin.bits !== undefined) world.slots.bits!.copyTo(origin, destination, fromRow, toRow);
  if ((destination.fixedNeeds & NEEDS_PAIR_VALUES) !== 0)
    movePairValues(world, origin, from, fromRow, destination, to, toRow);
  const moved = takeRow(graph, origin, from, row);
  if (moved !== NONE) {
    entities.row[moved] = row;
    if (graph.journal.reading) noteMove(world, moved, origin.hasValueParent);
  }
  entities.table[index] = to;
  entities.row[index] = newRow;
  if (!graph.journal.reading) return;
  noteMove(world, index, origin.hasValueParent || destination.hasValueParent);
  world.slots.markTargets?.(world, index, from);
}

/** Like `moveEntity`, to another table of the same archetype without pairs with data; room in it has been reserved. */
export function moveWithin(world: World, index: number, to: TableNumber): void {
  const { graph, entities } = world;
  const { tables, archetypes, journal } = graph;
  const from = entities.table[index]!;
  const row = entities.row[index]!;
  const newRow = tables.count[to]!;
  const moved = shiftRow(graph, archetypes[tables.archetype[from]!]!, from, row, to);
  entities.table[index] = to;
  entities.row[index] = newRow;
  if (moved !== NONE) entities.row[moved] = row;
  if (moved !== NONE && journal.reading) noteMove(world, moved, false);
  if (journal.reading) noteParent(world, index, false);
}

/** The same for an entity that has another parent now. */
export function noteParent(world: World, index: number, hasValueParent: boolean): void {
  noteMove(world, index, hasValueParent);
  world.slots.markTargets?.(world, index, 0);
}

/**
 * For readers of the journal: an entity has another row, or, if it stores its parent by value (`hasValueParent`), another parent.
 */
export function noteMove({ graph }: World, index: number, hasValueParent: boolean): void {
  if (hasValueParent) note(graph.journal, VALUE_PARENT_MOVED, index);
  if (isTarget(graph.pairs, index)) note(graph.journal, TARGET_MOVED, index);
}

/** After `moveEntity`: drops the table that was left if the rule for empty tables says so. */
export function tidyLeft(world: World, table: TableNumber): void {
  const { graph } = world;
  const { tables, vacated } = graph;
  if (tables.count[table] !== 0 || tables.archetype[table]! < 0 || vacated !== undefined) return;
  tidyEmpty(graph, graph.archetypes[tables.archetype[table]!]!, table);
}

/** Moves the values of pairs; those of new pairs get their defaults. */
function movePairValues(
  world: World,
  origin: Archetype,
  from: TableNumber,
  fromRow: number,
  destination: Archetype,
  to: TableNumber,
  toRow: number,
): void {
  const { lanes } = destination;
  for (const pair of pairsOfTable(world.graph, to)) {
    const source = pairColumn(world, origin, from, pair);
    pairColumn(world, destination, to, pair)?.fields.forEach((field, place) => {
      if (source === undefined) clearField(lanes, field, toRow);
      else copyNumbers(origin.lanes, source.fields[place]!, fromRow, lanes, field, toRow);
    });
  }
}
