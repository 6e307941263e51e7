// `field`: reads and writes one field (`Access`), each kind in a line of its own; `setWhole` writes where hooks, observers or deferral matter.
import { shortened, shown, TreelineError } from "../../base/error.ts";
import type { Component, Definition } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import type { Field, KindName } from "../../id/field.ts";
import { isLiving } from "../../records/entity-index.ts";
import { columnOf } from "../../storage/archetype.ts";
import { type FieldColumn, FieldColumns, keepColumn } from "../../storage/field-columns.ts";
import { numbersOf } from "../../storage/lanes.ts";
import { sparseWorkOf } from "../../storage/sparse.ts";
import { CHANGED, isTracked } from "../../storage/tracks.ts";
import { requireFits } from "../state/collected-values.ts";
import { OBSERVES, observedOf } from "../state/event-list.ts";
import { mustDeferWrite } from "../state/lock.ts";
import type { InitIn, ValueIn } from "../state/read-entity.ts";
import { requireAlive } from "../state/require.ts";
import { archetypeAt, noteWritten, readCell, seenAt, wholeValue } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { patch, set } from "./set.ts";

/** Reads and writes one field of a component, of any entity in any world. `field` makes it. */
export interface FieldAccess<Value = unknown, Init = Value> {
  /**
   * The value of the field; of an `array` field a new copy. Allocates nothing for one number.
   *
   * @returns `undefined` if the entity does not have the component.
   * @throws TreelineError `dead-entity` if the entity is not alive.
   */
  get(world: World, entity: Entity): Value | undefined;
  /**
   * Writes the field, like `set` with this field alone: with hooks, observers and ticks, deferred in the same cases, and
   * it adds the component, with the defaults of its other fields, if the entity does not have it.
   *
   * @throws TreelineError `bad-value` if the value does not fit, `undefined` included, as with `set`; otherwise as `set`.
   */
  set(world: World, entity: Entity, value: Init): void;
}

/** What may be written to a field: `undefined` only if it can also be read. */
type InitOfField<Value, Init> = undefined extends Value ? Init : Exclude<Init, undefined>;

/**
 * Prepares reading and writing one field of a component, without an object and without a look-up of its name. Make it once, at
 * module level: it is valid in all worlds.
 *
 * @cost a read and a write of a number take a third of a `get` and a `set`; fields that are lists as long as those.
 * @param place of an `array` field: only the number at this place, from 0. Without it, the whole list.
 * @throws TreelineError `bad-term` if `component` is not a component with fields; `bad-value` if it has no such field, or the
 *   field no such place.
 *
 * @example
 * const x = field(Position, "x");
 * x.set(world, ship, 5);
 * console.log(x.get(world, ship)); // 5
 *
 * const height = field(Matrix, "cells", 13); // one number of a list
 */
export function field<T extends Component<object>, Name extends keyof ValueIn<T> & keyof InitIn<T> & string>(
  component: T,
  name: Name,
): FieldAccess<ValueIn<T>[Name], InitOfField<ValueIn<T>[Name], InitIn<T>[Name]>>;
export function field<T extends Component<object>, Name extends keyof ValueIn<T> & keyof InitIn<T> & string>(
  component: T,
  name: ValueIn<T>[Name] extends { readonly BYTES_PER_ELEMENT: number } ? Name : never,
  place: number,
): FieldAccess<number>;
export function field(component: Component, name: string, place?: number): FieldAccess {
  const { kind, holds, fields } = (component ?? {}) as Partial<Definition>;
  if (kind !== "component" || holds !== "fields") {
    const text = typeof component === "function" ? (component as Definition).name : shown(component);
    throw new TreelineError("bad-term", `field needs a component with fields, not ${text}`);
  }
  const at = fields!.findIndex(([own]) => own === name);
  const found = fields![at]?.[1];
  if (found === undefined) {
    const own = fields!.map(([one]) => one).join(", ");
    throw new TreelineError(
      "bad-value",
      `${component.name} has no field ${shortened(`${name}`)}; it has ${own}`,
    );
  }
  const isPlace = Number.isInteger(place) && place! >= 0 && place! < found.length;
  if (place !== undefined && !(found.isList && isPlace)) {
    const places = found.isList ? `places 0 to ${found.length - 1}` : "no places: it is not a list";
    throw new TreelineError("bad-value", `${component.name}.${name} has ${places}; got ${shown(place)}`);
  }
  const sparse = sparseWorkOf(component)?.access;
  if (sparse !== undefined) return sparse(component, at, place) as FieldAccess;
  const isNumber = !found.isList;
  if (isNumber && found.kind === "f32") return new F32Access(component, at, undefined);
  if (isNumber && found.kind === "f64") return new F64Access(component, at, undefined);
  return new Access(component, at, place);
}

/** How each kind is read and written; a list, and whatever has no number here, as `get` and `set` do. */
const KINDS: readonly KindName[] = ["f32", "f64", "i32", "u32", "i16", "u16", "i8", "u8", "bool", "entity"];
const BOOL = 8;
const ENTITY = 9;
const OTHER = -1;

/** Fields of all kinds have this class, and each kind its own line: so the engine compiles fast code for every one of them. */
export class Access implements FieldAccess {
  protected readonly definition: Component;
  private readonly name: string;
  private readonly field: Field;
  /** In the schema. */
  protected readonly at: number;
  /** Among the fields of all components. */
  protected readonly number: number;
  /** A place in KINDS, or OTHER. */
  private readonly kind: number;
  /** The numbers of one row, and which of them. */
  protected readonly length: number;
  protected readonly item: number;
  private readonly isItem: boolean;

  constructor(definition: Component, at: number, item: number | undefined) {
    const [name, field] = definition.fields[at]!;
    const { kind, isList, length } = field;
    this.definition = definition;
    this.name = name;
    this.field = field;
    this.at = at;
    this.number = definition.firstField + at;
    this.kind = isList && item === undefined ? OTHER : KINDS.indexOf(kind);
    this.length = length;
    this.item = item ?? 0;
    this.isItem = item !== undefined;
  }

  get(world: World, entity: Entity): unknown {
    const { graph, entities } = world;
    if (!isLiving(entities, entity)) requireAlive(world, entity);
    const index = indexOf(entity);
    const { tables } = graph;
    const table = entities.table[index]!;
    let columns = graph.columns[this.number];
    if (columns === undefined) columns = this.columnsIn(world);
    let column = columns.byArchetype[tables.archetype[table]!];
    if (column === undefined) column = this.find(world, index);
    if (column === undefined) return this.seen(world, entity);
    const row = entities.row[index]! | 0;
    return this.read(world, column, row * this.length + this.item);
  }

  set(world: World, entity: Entity, value: unknown): void {
    const { graph, entities } = world;
    CHECK: if (typeof value === "number") requireFits(this.definition, this.at, value);
    const index = indexOf(entity);
    if (isLiving(entities, entity) && this.takes(value) && this.isPlain(world, index)) {
      const { tables } = graph;
      const table = entities.table[index]!;
      const column = this.columnsIn(world).byArchetype[tables.archetype[table]!] ?? this.find(world, index);
      if (column !== undefined) {
        const row = entities.row[index]! | 0;
        this.write(world, index, column, row * this.length + this.item, value);
        return;
      }
    }
    this.setWhole(world, entity, value);
  }

  /** @param at the place in the column. */
  protected read(world: World, column: FieldColumn, at: number): unknown {
    switch (this.kind) {
      case 0:
        return (column as Float32Array)[at];
      case 1:
        return (column as Float64Array)[at];
      case 2:
        return (column as Int32Array)[at];
      case 3:
        return (column as Uint32Array)[at];
      case 4:
        return (column as Int16Array)[at];
      case 5:
        return (column as Uint16Array)[at];
      case 6:
        return (column as Int8Array)[at];
      case 7:
        return (column as Uint8Array)[at];
      default:
        return readCell(world, this.field, column, at);
    }
  }

  /** The same for a write of the entity at an index, which is plain. */
  protected write(world: World, index: number, column: FieldColumn, at: number, value: unknown): void {
    switch (this.kind) {
      case 0:
        (column as Float32Array)[at] = value as number;
        break;
      case 1:
        (column as Float64Array)[at] = value as number;
        break;
      case 2:
        (column as Int32Array)[at] = value as number;
        break;
      case 3:
        (column as Uint32Array)[at] = value as number;
        break;
      case 4:
        (column as Int16Array)[at] = value as number;
        break;
      case 5:
        (column as Uint16Array)[at] = value as number;
        break;
      case 6:
        (column as Int8Array)[at] = value as number;
        break;
      case 7:
        (column as Uint8Array)[at] = value as number;
        break;
      case BOOL:
        (column as Uint8Array)[at] = value === true ? 1 : 0;
        break;
      default:
        (column as Float64Array)[at] = 0; // no entity
    }
    if (this.columnsIn(world).isTracked) noteWritten(world, index, this.definition);
  }

  protected columnsIn(world: World): FieldColumns {
    const { columns } = world.graph;
    while (columns.length <= this.number) columns.push(undefined);
    return (columns[this.number] ??= new FieldColumns(this.definition));
  }

  /** The column of the entity at an index, from now on where accessors look first; `undefined` if it has no value of its own. */
  protected find(world: World, index: number): FieldColumn | undefined {
    const archetype = archetypeAt(world, index);
    const column = columnOf(archetype, this.definition);
    return (
      column && keepColumn(this.columnsIn(world), archetype.number, archetype.lanes, column.fields[this.at]!)
    );
  }

  /** Of an entity without a value of its own: what it inherits. */
  protected seen(world: World, entity: Entity): unknown {
    requireAlive(world, entity); // for handles that are not, see `get`
    const place = seenAt(world, indexOf(entity), this.definition, 0);
    if (place === undefined) return undefined;
    const { lanes, column, row } = place;
    const field = column.fields[this.at]!;
    const at = field.lane * lanes.stride + row * this.length + this.item;
    return this.read(world, numbersOf(lanes, field), at);
  }

  /** Does a write of such a value need no more than a column? */
  protected takes(value: unknown): boolean {
    const { kind } = this;
    if (typeof value === "number") return kind >= 0 && kind < BOOL;
    return kind === BOOL ? typeof value === "boolean" : kind === ENTITY && value === undefined;
  }

  /** No observer or hook is called, and nothing defers a write to the entity at an index. */
  protected isPlain(world: World, index: number): boolean {
    const { events, graph } = world;
    const { definition } = this;
    const columns = this.columnsIn(world);
    if (columns.plainEpoch !== events.epoch) {
      if (definition.hooks !== undefined || (observedOf(events, definition) & OBSERVES.set) !== 0)
        return false;
      columns.isTracked = isTracked(graph.tracking, definition, CHANGED);
      columns.plainEpoch = events.epoch;
    }
    return !world.hasCommands || !mustDeferWrite(world, index, definition);
  }

  /** Through the verb: with hooks, observers and deferral; and refuses what is wrong. */
  protected setWhole(world: World, entity: Entity, value: unknown): void {
    const { definition, name, item } = this;
    if (value === undefined ? this.kind !== ENTITY : this.isItem && typeof value !== "number") {
      requireAlive(world, entity);
      const what = this.isItem ? `${name}[${item}]` : name;
      const wanted = this.isItem ? "a number" : "a value";
      throw new TreelineError(
        "bad-value",
        `${definition.name}.${what} expects ${wanted}, not ${shown(value)}`,
      );
    }
    if (!this.isItem) {
      set(world, entity, definition, { [name]: value });
      return;
    }
    // Others may write other numbers of the list before a deferred write is made.
    const change = (row: unknown): void => {
      (row as { [list: string]: number[] })[name]![item] = value as number;
    };
    if (patch(world, entity, definition, change)) return;
    const row = wholeValue(world, 0, definition, {});
    change(row);
    set(world, entity, definition, row);
  }
}

/*
 * The usual numbers have their own text: V8 keeps what it learns about a function with its text, and inlines only short ones. What
 * other fields and observers need is left to Access.
 */

class F32Access extends Access {
  override get(world: World, entity: Entity): unknown {
    const { graph, entities } = world;
    const index = indexOf(entity);
    if (entities.handles[index] !== entity) requireAlive(world, entity);
    const { tables } = graph;
    const table = entities.table[index]!;
    let columns = graph.columns[this.number];
    if (columns === undefined) columns = this.columnsIn(world);
    let column = columns.byArchetype[tables.archetype[table]!];
    if (column === undefined) column = this.find(world, index);
    if (column === undefined) return this.seen(world, entity);
    return (column as Float32Array)[entities.row[index]! | 0];
  }

  override set(world: World, entity: Entity, value: unknown): void {
    const { graph, entities } = world;
    const columns = graph.columns[this.number];
    CHECK: if (typeof value === "number") requireFits(this.definition, this.at, value);
    if (
      columns !== undefined &&
      columns.plainEpoch === world.events.epoch &&
      !world.hasCommands &&
      typeof value === "number"
    ) {
      const index = indexOf(entity);
      const { tables } = graph;
      const table = entities.table[index]!;
      const column = columns.byArchetype[tables.archetype[table]!];
      if (column !== undefined && entities.handles[index] === entity) {
        (column as Float32Array)[entities.row[index]! | 0] = value;
        if (columns.isTracked) noteWritten(world, index, this.definition);
        return;
      }
    }
    super.set(world, entity, value);
  }
}

class F64Access extends Access {
  override get(world: World, entity: Entity): unknown {
    const { graph, entities } = world;
    const index = indexOf(entity);
    if (entities.handles[index] !== entity) requireAlive(world, entity);
    const { tables } = graph;
    const table = entities.table[index]!;
    let columns = graph.columns[this.number];
    if (columns === undefined) columns = this.columnsIn(world);
    let column = columns.byArchetype[tables.archetype[table]!];
    if (column === undefined) column = this.find(world, index);
    if (column === undefined) return this.seen(world, entity);
    return (column as Float64Array)[entities.row[index]! | 0];
  }

  override set(world: World, entity: Entity, value: unknown): void {
    const { graph, entities } = world;
    const columns = graph.columns[this.number];
    CHECK: if (typeof value === "number") requireFits(this.definition, this.at, value);
    if (
      columns !== undefined &&
      columns.plainEpoch === world.events.epoch &&
      !world.hasCommands &&
      typeof value === "number"
    ) {
      const index = indexOf(entity);
      const { tables } = graph;
      const table = entities.table[index]!;
      const column = columns.byArchetype[tables.archetype[table]!];
      if (column !== undefined && entities.handles[index] === entity) {
        (column as Float64Array)[entities.row[index]! | 0] = value;
        if (columns.isTracked) noteWritten(world, index, this.definition);
        return;
      }
    }
    super.set(world, entity, value);
  }
}
