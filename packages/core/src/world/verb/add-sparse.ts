// The short way of `add` for one sparse component with its value (`addSparse`).
import type { Definition, SpawnTerm, Term } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { isLiving } from "../../records/entity-index.ts";
import type { Archetype } from "../../storage/archetype.ts";
import { flip, isSet } from "../../storage/bits.ts";
import { clearRow } from "../../storage/copy-rows.ts";
import { hasRoom, takePlace } from "../../storage/sparse.ts";
import { isPlain, noteFlip, turnTag } from "../change/turn-bit.ts";
import { collectedObject, collectOne, writeFields } from "../state/collected-values.ts";
import type { World } from "../state/world.ts";
import { addList } from "./add.ts";

/** What `addAtOnce` returns if nothing is left to do. */
const ADDED: unique symbol = /* @__PURE__ */ Symbol();

/** Adds a value of a sparse component. */
export function addSparse(world: World, entity: Entity, definition: Definition, value: unknown): void {
  const left = addAtOnce(world, entity, definition, value);
  if (left !== ADDED) addList(world, entity, [{ definition, target: 0, value: left } as Term as SpawnTerm]);
}

/**
 * The whole of `add` for one sparse component with its value, where nothing has hooks, observers or an iteration, there is room,
 * and a neighbour has had it.
 *
 * @returns ADDED; or what is still to be added in the usual way, with each value read once.
 */
function addAtOnce(world: World, entity: Entity, definition: Definition, value: unknown): unknown {
  if (value === undefined) return turnTag(world, entity, definition, true) ? ADDED : value;
  const { collected, entities, graph } = world;
  if (world.deferDepth !== 0 || !isLiving(entities, entity)) return value;
  const end = collectOne(collected, definition, value);
  const { fields, count } = collected;
  const store = graph.sparse[definition.id];
  const index = indexOf(entity);
  // A getter may have changed what was just tested.
  if (store !== undefined && world.deferDepth === 0 && entities.handles[index] === entity) {
    const { tables } = graph;
    const table = entities.table[index]!;
    const archetype: Archetype = graph.archetypes[tables.archetype[table]!]!;
    const column = archetype.bits?.columnToTurn(definition);
    const row = entities.row[index]!;
    if (column !== undefined && isPlain(world, column) && hasRoom(store) && !isSet(column.words, row)) {
      const { lanes } = store;
      const own = store.column!;
      const place = takePlace(store, index);
      flip(column, row, true);
      if (archetype.lanes.tracks !== undefined || graph.journal.reading)
        noteFlip(world, archetype.lanes, column, index, row, true);
      if (own.objectSlot >= 0) lanes.objects[own.objectSlot]![place] = value;
      else {
        if (end - fields < own.fields.length) clearRow(lanes, place);
        writeFields(collected, fields, end, count, lanes, own, place);
      }
      return ADDED;
    }
  }
  return definition.holds === "fields" ? collectedObject(collected, definition, fields, end, count) : value;
}
