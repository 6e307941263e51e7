import { shortened, shown, TreelineError } from "../../base/error.ts";
import type { Component, Definition } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import type { KindName } from "../../id/field.ts";
import { isLiving } from "../../records/entity-index.ts";
import { type Archetype, columnOf } from "../../storage/archetype.ts";
import type { LaneField, Lanes } from "../../storage/lanes.ts";
import { sparseWorkOf } from "../../storage/sparse.ts";
import { requireFits } from "../state/collected-values.ts";
import { OBSERVES, observedOf } from "../state/event-list.ts";
import { mustDeferWrite } from "../state/lock.ts";
import type { InitIn, ValueIn } from "../state/read-entity.ts";
import { requireAlive } from "../state/require.ts";
import { readField, seenAt, wholeValue } from "../state/values.ts";
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
  /** In the schema. */
  protected readonly at: number;
  /** A place in KINDS, or OTHER. */
  protected readonly kind: number;
  /** The numbers of one row, and which of them. */
  protected readonly length: number;
  protected readonly item: number;
  private readonly isItem: boolean;
  /** The archetype of the last entity, known by a part of it that keeps no columns in memory, and its lane. */
  protected places: Uint16Array | undefined = undefined;
  protected lane = 0;
  protected laneField: LaneField | undefined = undefined;

  constructor(definition: Component, at: number, item: number | undefined) {
    const [name, { kind, isList, length }] = definition.fields[at]!;
    this.definition = definition;
    this.name = name;
    this.at = at;
    this.kind = isList && item === undefined ? OTHER : KINDS.indexOf(kind);
    this.length = length;
    this.item = item ?? 0;
    this.isItem = item !== undefined;
  }

  get(world: World, entity: Entity): unknown {
    const { graph, entities } = world;
    if (!isLiving(entities, entity)) requireAlive(world, entity);
    const { tables } = graph;
    const index = indexOf(entity);
    const table = entities.table[index]!;
    const archetype = graph.archetypes[tables.archetype[table]!]!;
    if (archetype.places !== this.places && !this.find(archetype)) return this.seen(world, index);
    const { lanes } = archetype;
    const row = tables.first[table]! + entities.row[index]!;
    return this.read(world, lanes, this.laneField!, row);
  }

  set(world: World, entity: Entity, value: unknown): void {
    const { graph, entities, events } = world;
    const { definition } = this;
    CHECK: if (typeof value === "number") requireFits(definition, this.at, value);
    const index = indexOf(entity);
    if (
      !isLiving(entities, entity) ||
      !(typeof value === "number" ? this.takesNumbers : this.takes(value)) ||
      definition.hooks !== undefined ||
      (world.deferDepth !== 0 && mustDeferWrite(world, index, definition)) ||
      (observedOf(events, definition) & OBSERVES.set) !== 0
    ) {
      this.setWhole(world, entity, value);
      return;
    }
    const { tables } = graph;
    const table = entities.table[index]!;
    const archetype = graph.archetypes[tables.archetype[table]!]!;
    if (archetype.places !== this.places && !this.find(archetype)) {
      this.setWhole(world, entity, value);
      return;
    }
    const { lanes } = archetype;
    const row = tables.first[table]! + entities.row[index]!;
    lanes.tracks?.written(definition, row);
    this.write(lanes, this.lane * lanes.stride + row * this.length + this.item, value);
  }

  /** @param row in the lanes. */
  protected read(world: World, lanes: Lanes, field: LaneField, row: number): unknown {
    const at = field.lane * lanes.stride + row * this.length + this.item;
    switch (this.kind) {
      case 0:
        return lanes.f32[at];
      case 1:
        return lanes.f64[at];
      case 2:
        return lanes.i32[at];
      case 3:
        return lanes.u32[at];
      case 4:
        return lanes.i16[at];
      case 5:
        return lanes.u16[at];
      case 6:
        return lanes.i8[at];
      case 7:
        return lanes.u8[at];
      default:
        return readField(world, lanes, field, row);
    }
  }

  protected write(lanes: Lanes, at: number, value: unknown): void {
    switch (this.kind) {
      case 0:
        lanes.f32[at] = value as number;
        break;
      case 1:
        lanes.f64[at] = value as number;
        break;
      case 2:
        lanes.i32[at] = value as number;
        break;
      case 3:
        lanes.u32[at] = value as number;
        break;
      case 4:
        lanes.i16[at] = value as number;
        break;
      case 5:
        lanes.u16[at] = value as number;
        break;
      case 6:
        lanes.i8[at] = value as number;
        break;
      case 7:
        lanes.u8[at] = value as number;
        break;
      case BOOL:
        lanes.u8[at] = value === true ? 1 : 0;
        break;
      default:
        lanes.f64[at] = (value as Entity | undefined) ?? 0;
    }
  }

  /** Of an entity without a value of its own: what it inherits. */
  protected seen(world: World, index: number): unknown {
    const place = seenAt(world, index, this.definition, 0);
    return place && this.read(world, place.lanes, place.column.fields[this.at]!, place.row);
  }

  protected get takesNumbers(): boolean {
    return this.kind >= 0 && this.kind < BOOL;
  }

  private takes(value: unknown): boolean {
    return (
      (this.kind === BOOL && typeof value === "boolean") || (this.kind === ENTITY && value === undefined)
    );
  }

  /** @returns false if the archetype does not have the component. */
  protected find(archetype: Archetype): boolean {
    const column = columnOf(archetype, this.definition);
    if (column === undefined) return false;
    this.laneField = column.fields[this.at]!;
    this.lane = this.laneField.lane;
    this.places = archetype.places;
    return true;
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
    if (entities.handles[index] !== entity || entity < 0) requireAlive(world, entity);
    const { tables } = graph;
    const table = entities.table[index]!;
    const archetype = graph.archetypes[tables.archetype[table]!]!;
    if (archetype.places !== this.places && !this.find(archetype)) return this.seen(world, index);
    const { lanes } = archetype;
    return lanes.f32[this.lane * lanes.stride + tables.first[table]! + entities.row[index]!];
  }

  override set(world: World, entity: Entity, value: unknown): void {
    const { graph, entities } = world;
    const index = indexOf(entity);
    CHECK: if (typeof value === "number") requireFits(this.definition, this.at, value);
    if (
      entities.handles[index] === entity &&
      typeof value === "number" &&
      isPlainWrite(world, this.definition)
    ) {
      const { tables } = graph;
      const table = entities.table[index]!;
      const archetype = graph.archetypes[tables.archetype[table]!]!;
      if (archetype.places === this.places || this.find(archetype)) {
        const { lanes } = archetype;
        const row = tables.first[table]! + entities.row[index]!;
        lanes.f32[this.lane * lanes.stride + row] = value;
        if (lanes.tracks !== undefined) lanes.tracks.written(this.definition, row);
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
    if (entities.handles[index] !== entity || entity < 0) requireAlive(world, entity);
    const { tables } = graph;
    const table = entities.table[index]!;
    const archetype = graph.archetypes[tables.archetype[table]!]!;
    if (archetype.places !== this.places && !this.find(archetype)) return this.seen(world, index);
    const { lanes } = archetype;
    return lanes.f64[this.lane * lanes.stride + tables.first[table]! + entities.row[index]!];
  }

  override set(world: World, entity: Entity, value: unknown): void {
    const { graph, entities } = world;
    const index = indexOf(entity);
    if (
      entities.handles[index] === entity &&
      typeof value === "number" &&
      isPlainWrite(world, this.definition)
    ) {
      const { tables } = graph;
      const table = entities.table[index]!;
      const archetype = graph.archetypes[tables.archetype[table]!]!;
      if (archetype.places === this.places || this.find(archetype)) {
        const { lanes } = archetype;
        const row = tables.first[table]! + entities.row[index]!;
        lanes.f64[this.lane * lanes.stride + row] = value;
        if (lanes.tracks !== undefined) lanes.tracks.written(this.definition, row);
        return;
      }
    }
    super.set(world, entity, value);
  }
}

/** No observer or hook is called, and nothing defers it. */
export function isPlainWrite(world: World, definition: Component): boolean {
  const { deferDepth, events } = world;
  return (
    deferDepth === 0 &&
    definition.hooks === undefined &&
    (observedOf(events, definition) & OBSERVES.set) === 0
  );
}
