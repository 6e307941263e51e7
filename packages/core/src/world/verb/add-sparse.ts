import type { Definition, SpawnTerm, Term } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { isLiving } from "../../records/entity-index.ts";
import { NEEDS_BITS, needsFor } from "../change/goal.ts";
import { turnTag } from "../change/turn-bit.ts";
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
  const { collected, entities, events, graph } = world;
  const store = graph.sparse[definition.id];
  if (store === undefined || world.deferDepth !== 0 || !isLiving(entities, entity)) return value;
  if (
    (definition.hooks !== undefined || events.observed.length > 0) &&
    needsFor(world, definition) !== NEEDS_BITS
  )
    return value;
  const end = collectOne(collected, definition, value);
  const { fields, count } = collected;
  const place = store.count;
  // A getter may have changed what was just tested.
  if (!turnTag(world, entity, definition, true, value !== undefined) || store.count === place) {
    const isObject = value !== undefined && definition.holds === "fields";
    return isObject ? collectedObject(collected, definition, fields, end, count) : value;
  }
  if (value === undefined) return ADDED;
  const { lanes } = store;
  const column = store.column!;
  if (column.objectSlot >= 0) lanes.objects[column.objectSlot]![place] = value;
  else writeFields(collected, fields, end, count, lanes, column, place);
  return ADDED;
}
