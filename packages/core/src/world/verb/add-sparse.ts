import type { Definition, SpawnTerm, Term } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { NO_DEFAULT } from "../../id/field.ts";
import { isLiving } from "../../records/entity-index.ts";
import { insertPlace, placeIn } from "../../storage/sparse.ts";
import { NEEDS_BITS, needsFor } from "../change/goal.ts";
import { collectedObject, collectOne, writeFields } from "../state/collected-values.ts";
import { archetypeAt, rowAt } from "../state/values.ts";
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
 * The whole of `add` for one sparse component with its value, where nothing has hooks, observers, ticks or an iteration, there is
 * room, and a neighbour has had it.
 *
 * @returns ADDED; or what is still to be added in the usual way, with each value read once.
 */
function addAtOnce(world: World, entity: Entity, definition: Definition, value: unknown): unknown {
  const { collected, events, graph, entities } = world;
  const store = graph.sparse[definition.id];
  if (store === undefined || world.deferDepth !== 0 || !isLiving(entities, entity)) return value;
  const { count: places, lanes } = store;
  const index = indexOf(entity);
  const archetype = archetypeAt(world, index);
  const bit = archetype.bits?.columnOf(definition);
  const isUsual = bit !== undefined && archetype.lanes.tracks === undefined && !graph.journal.reading;
  if (!isUsual || places === lanes.capacity || placeIn(store, index) >= 0) return value;
  if (value === undefined && definition.fields[0]?.[1] === NO_DEFAULT) return value;
  const { epoch } = events;
  if (bit.plainEpoch !== epoch) {
    if (needsFor(world, definition) !== NEEDS_BITS) return value;
    bit.plainEpoch = epoch;
  }
  const row = rowAt(world, index);
  const end = collectOne(collected, definition, value);
  const { fields, count } = collected;
  // A getter may have changed what was just tested.
  const isSame = store.count === places && entities.handles[index] === entity && events.epoch === epoch;
  if (!isSame || archetypeAt(world, index) !== archetype || rowAt(world, index) !== row) {
    const isObject = value !== undefined && definition.holds === "fields";
    return isObject ? collectedObject(collected, definition, fields, end, count) : value;
  }
  archetype.bits!.turn(bit, row, true);
  const place = insertPlace(store, index);
  if (value === undefined) return ADDED;
  const column = store.column!;
  if (column.objectSlot >= 0) lanes.objects[column.objectSlot]![place] = value;
  else writeFields(collected, fields, end, count, lanes, column, place);
  return ADDED;
}
