import type { Definition } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { isTarget } from "../../id/pair-index.ts";
import { isLiving } from "../../records/entity-index.ts";
import type { Archetype } from "../../storage/archetype.ts";
import { BIT_TURNED, note } from "../../storage/journal.ts";
import { sparseWorkOf } from "../../storage/sparse.ts";
import { archetypeAt, hasBitAt, rowAt, turnBits } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { NEEDS_BITS, needsFor } from "./goal.ts";

/** Gives the entity at an index a tag that is stored as bits, or removes it. Does not notify observers; the row does not move. */
export function turnBit(world: World, index: number, definition: Definition, on: boolean): void {
  if (hasBitAt(world, index, definition) === on) return;
  const row = rowAt(world, index);
  turnBits(world, archetypeAt(world, index), definition, row, row + 1, on);
  noteTurned(world, index);
}

/**
 * The whole of `add` and `remove` for one tag stored as bits, or one sparse definition without a value, where nothing has hooks, observers or an iteration, and a neighbour
 * has had it.
 *
 * @returns false, with nothing changed, if more is needed.
 */
export function turnTag(world: World, entity: Entity, what: unknown, on: boolean): boolean {
  const definition = (what ?? undefined) as Definition | undefined;
  const { graph, entities } = world;
  const storage = definition?.storage;
  if ((storage !== "bits" && storage !== "sparse") || world.deferDepth !== 0 || !isLiving(entities, entity))
    return false;
  const index = indexOf(entity);
  const { tables } = graph;
  const table = entities.table[index]!;
  const archetype: Archetype = graph.archetypes[tables.archetype[table]!]!;
  const column = archetype.bits?.columnOf(definition!);
  if (column === undefined) return false;
  const { epoch } = world.events;
  if (column.plainEpoch !== epoch) {
    if (needsFor(world, definition!) !== NEEDS_BITS) return false;
    column.plainEpoch = epoch;
  }
  const sparse = sparseWorkOf(definition);
  if (on && sparse?.hasRoom(graph, definition!) === false) return false;
  const row = tables.first[table]! + entities.row[index]!;
  if (!archetype.bits!.turn(column, row, on)) return true;
  sparse?.turn(graph, definition!, archetype.lanes.i32, row, row + 1, on);
  archetype.lanes.tracks?.turned(definition!, row, row + 1, on);
  if (graph.journal.reading) noteTurned(world, index);
  return true;
}

function noteTurned({ graph }: World, index: number): void {
  const { journal, pairs } = graph;
  if (journal.reading && isTarget(pairs, index)) note(journal, BIT_TURNED, index);
}
