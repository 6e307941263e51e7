// Moves a row with values, bits and ticks to another archetype, and an entity to another table (`moveEntity`); drops the table left (`tidyLeft`).
import { movePlan, tidyEmpty } from "../../graph/graph.ts";
import { type Archetype, NEEDS_PAIR_VALUES } from "../../storage/archetype.ts";
import { clearField, copyAcross, copyNumbers, copyRow } from "../../storage/copy-rows.ts";
import { ENTITY_CHANGED, note } from "../../storage/journal.ts";
import { appendRow, enter, leave, takeRow } from "../../storage/rows.ts";
import type { TableNumber } from "../../storage/table.ts";
import { pairsOfTable } from "../state/targets.ts";
import { pairColumn } from "../state/values.ts";
import type { World } from "../state/world.ts";

/**
 * Moves one entity to another table: within its archetype the row stays, to another one its values move with it, new columns get their
 * defaults, and its record and that of the entity that fills its row are updated. Ticks move too, and added and removed components are
 * stamped. The table that it leaves may be dropped: see `tidyLeft`.
 */
export function moveEntity(world: World, index: number, to: TableNumber): void {
  const { graph, entities } = world;
  const { tables, archetypes } = graph;
  const from = entities.table[index]!;
  const origin = archetypes[tables.archetype[from]!]!;
  const destination = archetypes[tables.archetype[to]!]!;
  // Pairs with data have their columns in the order of the pairs of the table.
  if (origin !== destination || (origin.fixedNeeds & NEEDS_PAIR_VALUES) !== 0)
    moveRow(world, index, origin, destination, from, to);
  if (origin.hasPairs) leave(graph, origin, from, index);
  if (destination.hasPairs) enter(graph, destination, to, index);
  entities.table[index] = to;
  if (!graph.journal.reading) return;
  noteMove(world, index);
  world.slots.markTargets?.(world, index, from);
}

function moveRow(
  world: World,
  index: number,
  origin: Archetype,
  destination: Archetype,
  from: TableNumber,
  to: TableNumber,
): void {
  const { graph, entities } = world;
  const row = entities.row[index]!;
  const newRow = appendRow(graph, destination, index);
  if (origin === destination) copyRow(origin.lanes, row, newRow);
  else {
    const plan = movePlan(origin, destination);
    CHECK: plan.moves = (plan.moves ?? 0) + 1;
    copyAcross(plan, origin.lanes, row, destination.lanes, newRow);
    destination.lanes.tracks?.arrive(origin, row, newRow);
  }
  if (origin.bits !== undefined) world.slots.bits!.copyTo(origin, destination, row, newRow);
  if ((destination.fixedNeeds & NEEDS_PAIR_VALUES) !== 0)
    movePairValues(world, origin, from, row, destination, to, newRow);
  entities.row[index] = newRow;
  takeRow(graph, origin, row);
}

/** For readers of the journal: an entity has another type, parent or row. */
export function noteMove({ graph }: World, index: number): void {
  note(graph.journal, ENTITY_CHANGED, index);
}

/** The same for an entity that has another parent now. */
export function noteParent(world: World, index: number): void {
  noteMove(world, index);
  world.slots.markTargets?.(world, index, 0);
}

/** After `moveEntity`: drops the table that was left if the rule for empty tables says so. */
export function tidyLeft(world: World, table: TableNumber): void {
  const { graph } = world;
  const { tables, vacated } = graph;
  if (tables.count[table] !== 0 || tables.archetype[table]! < 0 || tables.pairs[table] === 0) return;
  if (vacated !== undefined) return;
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
