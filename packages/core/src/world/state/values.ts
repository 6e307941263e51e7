// In which column and row a value is (`valueAt`, `rowAt`); reads and copies values (`copyValue`); which tags a row has (`hasAt`).
import { isInternal } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import { indexOf } from "../../id/entity.ts";
import type { Field, Numbers } from "../../id/field.ts";
import { findPair } from "../../id/pair-index.ts";
import { isLiving } from "../../records/entity-index.ts";
import { type Archetype, columnOf, hasDefinition, NEEDS_PAIR_VALUES } from "../../storage/archetype.ts";
import { clearRow } from "../../storage/copy-rows.ts";
import {
  type Column,
  type LaneField,
  Lanes,
  numbersOf,
  planLanes,
  replaceLanes,
  type ValuePlace,
} from "../../storage/lanes.ts";
import { plainMemory } from "../../storage/memory.ts";
import type { SparseWork } from "../../storage/sparse.ts";
import type { TableNumber } from "../../storage/table.ts";
import { collectOne, writeFields } from "./collected-values.ts";
import { observedOf } from "./event-list.ts";
import { NO_TAGS } from "./plans.ts";
import { definitionOfTerm, valueOfTerm } from "./terms.ts";
import type { World, WorldState } from "./world.ts";

/** The column of a pair in an archetype. The columns of a relation's pairs are in the order of the pairs in the table's type. */
export function pairColumn(
  world: World,
  archetype: Archetype,
  table: TableNumber,
  pair: number,
): Column | undefined {
  const { tables, records, pairs } = world.graph;
  const relation = pairs.relation[pair]!;
  const first = tables.nodes[table]!;
  const end = first + tables.pairs[table]!;
  let occurrence = 0;
  let node = first;
  for (; node < end && records.nodePair[node] !== pair; node++)
    if (pairs.relation[records.nodePair[node]!] === relation) occurrence++;
  if (node === end) return undefined;
  for (const column of archetype.lanes.plan.columns)
    if (column.definition.id === relation && column.occurrence === occurrence) return column;
  return undefined;
}

/** Where the own value of a component or pair of the entity at an index is; `undefined` if it has none. */
export function valueAt(
  world: World,
  index: number,
  definition: Definition,
  target: number,
): ValuePlace | undefined {
  const sparse = definition.store as SparseWork | undefined;
  let found: ValuePlace | undefined;
  if (sparse !== undefined) found = sparse.valueAt(world, definition, index, target);
  else {
    const archetype = archetypeAt(world, index);
    const column =
      definition.kind === "relation"
        ? pairColumnAt(world, index, archetype, definition, target)
        : columnOf(archetype, definition);
    if (column !== undefined) return { lanes: archetype.lanes, column, row: rowAt(world, index) };
  }
  return found ?? world.slots.pending?.placeOf(world, index, definition, target);
}

/** `placeOf` of the slot `pending`. */
export function placeOfPending(
  world: World,
  index: number,
  definition: Definition,
  target: number,
): ValuePlace | undefined {
  const terms = world.slots.pending!.termsOf(world, index, definition, target);
  if (terms === undefined || definition.holds === "nothing") return undefined;
  const lanes = new Lanes(planLanes([{ definition, occurrence: 0 }]), plainMemory());
  replaceLanes(lanes, 16);
  clearRow(lanes, 0);
  const place = { lanes, column: lanes.plan.columns[0]!, row: 0 };
  for (const value of terms.map(valueOfTerm)) if (value !== undefined) writeTo(world, place, value);
  return place;
}

/** The same, or where the value is that it inherits: only to be read. */
export function seenAt(
  world: World,
  index: number,
  definition: Definition,
  target: number,
): ValuePlace | undefined {
  return (
    valueAt(world, index, definition, target) ?? world.slots.prefabs?.inheritedAt(world, index, definition)
  );
}

/** The column of the pair of an entity with a living target. */
export function pairColumnAt(
  world: World,
  index: number,
  archetype: Archetype,
  definition: Definition,
  target: number,
): Column | undefined {
  const { graph, entities } = world;
  if ((archetype.fixedNeeds & NEEDS_PAIR_VALUES) === 0 || !isLiving(entities, target)) return undefined;
  const pair = findPair(graph.pairs, definition.id, indexOf(target));
  return pair === 0 ? undefined : pairColumn(world, archetype, entities.table[index]!, pair);
}

export function rowAt(world: World, index: number): number {
  return world.entities.row[index]!;
}

export function archetypeAt(world: World, index: number): Archetype {
  const { graph, entities } = world;
  return graph.archetypes[graph.tables.archetype[entities.table[index]!]!]!;
}

/** Writes the given fields of a plain value; the other fields keep their values. The value counts as changed in any case. */
export function writeValue(world: World, index: number, place: ValuePlace, value: unknown): void {
  noteWritten(world, index, place.column.definition);
  writeTo(world, place, value);
}

function writeTo({ collected }: World, { lanes, column, row }: ValuePlace, value: unknown): void {
  const { definition, objectSlot } = column;
  if (objectSlot >= 0) lanes.objects[objectSlot]![row] = value;
  else {
    const end = collectOne(collected, definition, value);
    writeFields(collected, collected.fields, end, collected.count, lanes, column, row);
  }
}

/** The value of a component or pair of the entity at an index was written. */
export function noteWritten(world: World, index: number, definition: Definition): void {
  archetypeAt(world, index).lanes.tracks?.written(definition, rowAt(world, index));
}

/** The public form of one field of one row. A list is returned as a copy, or copied into `into`. */
export function readField(
  world: World,
  lanes: Lanes,
  field: LaneField,
  row: number,
  into?: unknown,
): unknown {
  const at = field.lane * lanes.stride + row * field.length;
  return readCell(world, field, numbersOf(lanes, field), at, into);
}

/** The same from a place of a column on. */
export function readCell(
  world: World,
  field: Field,
  cells: Numbers | unknown[],
  at: number,
  into?: unknown,
): unknown {
  const { kind, rule } = field;
  if (rule.read !== undefined) return rule.read(cells, at, into);
  return kind === "entity" && !isLiving(world.entities, cells[at] as number) ? undefined : cells[at];
}

/**
 * A new copy of the value in a column. The first two fields are stored in a line each: V8 makes a store fast if it always sees
 * one name, and most programs read few components often.
 */
export function copyValue(world: World, { lanes, column, row }: ValuePlace): unknown {
  if (column.objectSlot >= 0) return lanes.objects[column.objectSlot]![row];
  const copy: { [name: string]: unknown } = {};
  const { fields } = column;
  for (let place = 0; place < fields.length; place++) {
    const field = fields[place]!;
    const value =
      field.kind === "f32" && !field.isList
        ? lanes.f32[field.lane * lanes.stride + row]
        : readField(world, lanes, field, row);
    if (place > 1) copy[field.name] = value;
    else if (place > 0) copy[fields[1]!.name] = value;
    else copy[fields[0]!.name] = value;
  }
  return copy;
}

/** The value of a component of the entity at an index, if the entity has or inherits it. */
export function readValue(world: World, index: number, definition: Definition): unknown {
  const place = seenAt(world, index, definition, 0);
  return place && copyValue(world, place);
}

/**
 * The whole value that an entity will have after the given fields of a plain value are written; index 0 means an entity that is
 * about to be spawned. For a definition without fields, it is the given value itself, or its default.
 */
export function wholeValue(world: World, index: number, definition: Definition, given: unknown): unknown {
  if (definition.holds !== "fields") return given === undefined ? definition.fields[0]?.[1].initial : given;
  const before = index === 0 ? undefined : readValue(world, index, definition);
  return Object.assign((before ?? defaultsOf(definition)) as object, given);
}

function defaultsOf({ fields }: Definition): unknown {
  const defaults: { [name: string]: unknown } = {};
  for (const [name, { kind, isList, initial }] of fields)
    defaults[name] = isList ? (initial as Numbers).slice() : kind === "entity" ? undefined : initial;
  return defaults;
}

/** The components with hooks that the entity at an index has. */
export function hookedAt(world: World, index: number): readonly Definition[] {
  const { hooked, bits } = archetypeAt(world, index);
  return bits?.hookedAt(rowAt(world, index)) ?? hooked;
}

/** Does the entity at an index have a component or tag? */
export function hasAt(world: World, index: number, definition: Definition): boolean {
  const isThere =
    definition.storage === "table"
      ? hasDefinition(archetypeAt(world, index), definition)
      : hasBitAt(world, index, definition);
  return isThere || world.slots.pending?.termsOf(world, index, definition) !== undefined;
}

/** The same for one that is stored by row. */
export function hasBitAt(world: World, index: number, definition: Definition): boolean {
  return archetypeAt(world, index).bits?.has(definition, rowAt(world, index)) ?? false;
}

/** The definitions that the entity at an index has, in the order of definition; a relation with data once per pair. */
export function definitionsAt(world: World, index: number): readonly Definition[] {
  const given = world.slots.pending?.given.get(index)?.map(definitionOfTerm);
  return withBitTags(archetypeAt(world, index), given ? [...new Set(given)] : bitTagsAt(world, index));
}

/** The tags and sparse components that the entity at an index has as bits, except those that are internal to core. */
export function bitTagsAt(world: World, index: number): readonly Definition[] {
  const { bits } = archetypeAt(world, index);
  if (bits === undefined) return NO_TAGS;
  const row = rowAt(world, index);
  const tags = bits.columns.map(({ definition }) => definition);
  return tags.filter((tag) => !isInternal(tag) && bits.has(tag, row));
}

/** The definitions of an archetype together with what one of its entities has as bits, in the order of definition. */
export function withBitTags({ definitions }: Archetype, tags: readonly Definition[]): readonly Definition[] {
  if (tags.length === 0) return definitions;
  const orderOf = ({ kind, id }: Definition): number => (kind === "relation" ? -id : id);
  return [...definitions, ...tags].sort((one, other) => orderOf(one) - orderOf(other));
}

/** Is there an observer of a tag that rows of the archetype have as bits? */
export function hasObservedTags({ events }: WorldState, { bits }: Archetype): boolean {
  if (bits === undefined) return false;
  return bits.columns.some(({ definition, count }) => count > 0 && observedOf(events, definition) !== 0);
}
