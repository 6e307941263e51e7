// The columns of rows, gathered from archetypes (`ColumnWriter`); numbers of references.
import { type Definition, type Entity, isAlive, type World } from "@treeline/core";
import { type ArchetypeView, columnsOf, handleOf, indexOf, textOf } from "@treeline/core/internal";
import { storedOf } from "../format/codec.ts";
import type { Reference } from "../format/document.ts";
import type { Selected } from "../format/entities.ts";
import { placeIn, valueToJson } from "../format/values.ts";
import type { References } from "../save/references.ts";
import type { ByteWriter } from "./bytes.ts";
import { laneFor } from "./kinds.ts";

/** The entities of one archetype in rows that are written together. */
export interface Part {
  readonly archetype: ArchetypeView;
  /** Absolute rows in the archetype. */
  readonly rows: number[];
  /** Which of the written rows. */
  readonly slots: number[];
}

type Numbers = { [at: number]: number };

/** Writes the columns of components, gathered from archetypes in the order of the document. */
export class ColumnWriter {
  private readonly world: World;
  private readonly selected: Selected;
  private readonly references: References;
  private readonly isHashed: boolean;
  /** References to entities outside of the document, by their texts. */
  readonly outside: string[] = [];
  private readonly outsideOf = new Map<Entity, number>();
  private readonly numberOf = new Map<string, number>();

  /** @param isHashed -0 is written as 0. */
  constructor(world: World, selected: Selected, references: References, isHashed: boolean) {
    this.world = world;
    this.selected = selected;
    this.references = references;
    this.isHashed = isHashed;
  }

  write(definition: Definition, parts: readonly Part[], count: number, bytes: ByteWriter): void {
    if (definition.holds === "values") {
      const { write } = storedOf(definition).codec ?? {};
      this.writeValues(
        parts,
        count,
        (archetype) => columnsOf(archetype, definition) as readonly unknown[],
        (value, place) => valueToJson(write === undefined ? value : write(value), place),
        definition.name,
        bytes,
      );
      return;
    }
    for (const [name, { kind, length }] of definition.fields) {
      const columnOf = <Column>(archetype: ArchetypeView): Column =>
        (columnsOf(archetype, definition) as { readonly [name: string]: Column })[name]!;
      const path = placeIn(definition.name, name);
      const lane = laneFor(kind, count * length);
      if (lane === undefined) this.writeValues(parts, count, columnOf, valueToJson, path, bytes);
      else {
        for (const part of parts) {
          const column = columnOf<Numbers>(part.archetype);
          if (kind === "entity") this.gatherEntities(part, column, lane, path);
          else if (kind === "f32") gatherFloats(part, column as Float32Array, lane as Float32Array, length);
          else if (kind === "f64") gatherFloats(part, column as Float64Array, lane as Float64Array, length);
          else gather(part, column, lane, length);
        }
        if (this.isHashed && (kind === "f32" || kind === "f64"))
          for (let at = 0; at < lane.length; at++) if (lane[at] === 0) lane[at] = 0;
        bytes.lane(lane);
      }
    }
  }

  private writeValues(
    parts: readonly Part[],
    count: number,
    columnOf: (archetype: ArchetypeView) => readonly unknown[],
    write: (value: unknown, place: () => string) => unknown,
    path: string,
    bytes: ByteWriter,
  ): void {
    const texts = new Array<string>(count);
    for (const { archetype, rows, slots } of parts) {
      const column = columnOf(archetype);
      for (let at = 0; at < rows.length; at++) {
        const place = (): string => this.placeOf(archetype, rows[at]!, path);
        texts[slots[at]!] = textOfJson(write(column[rows[at]!], place), this.isHashed);
      }
    }
    for (const text of texts) bytes.texts.push(text);
  }

  private placeOf(archetype: ArchetypeView, row: number, path: string): string {
    const { world } = this;
    return `${textOf(world, handleOf(world, archetype.lanes.i32[row]!))}.${path}`;
  }

  private gatherEntities(
    { archetype, rows, slots }: Part,
    column: Numbers,
    lane: Numbers,
    path: string,
  ): void {
    const { world } = this;
    const { places, indexes } = this.selected;
    for (let at = 0; at < rows.length; at++) {
      const entity = column[rows[at]!] as Entity;
      if (!isAlive(world, entity)) continue;
      const own = places[indexOf(entity)]!;
      if (own > 0) lane[slots[at]!] = own;
      else {
        const number = this.outsideNumber(entity, () => this.placeOf(archetype, rows[at]!, path));
        if (number > 0) lane[slots[at]!] = indexes.length + number;
      }
    }
  }

  /** The number of an entity outside, from 1; 0 for one that is dropped. */
  private outsideNumber(entity: Entity, place: () => string): number {
    const known = this.outsideOf.get(entity);
    if (known !== undefined) return known;
    const reference: Reference | undefined = this.references.to(entity, place);
    let number = 0;
    if (reference !== undefined) {
      const text = JSON.stringify(reference);
      number = this.numberOf.get(text) ?? this.outside.push(text);
      this.numberOf.set(text, number);
    }
    this.outsideOf.set(entity, number);
    return number;
  }
}

function gatherFloats<Column extends Float32Array | Float64Array>(
  { rows, slots }: Part,
  column: Column,
  lane: Column,
  length: number,
): void {
  for (let at = 0; at < rows.length; at++) {
    const from = rows[at]! * length;
    const to = slots[at]! * length;
    for (let number = 0; number < length; number++) {
      const value = column[from + number]!;
      // There are many NaN; all are written as one.
      lane[to + number] = Number.isNaN(value) ? Number.NaN : value;
    }
  }
}

function gather({ rows, slots }: Part, column: Numbers, lane: Numbers, length: number): void {
  for (let at = 0; at < rows.length; at++) {
    const from = rows[at]! * length;
    const to = slots[at]! * length;
    for (let number = 0; number < length; number++) lane[to + number] = column[from + number]!;
  }
}

/** The text of plain data. @param isHashed -0 is written as 0. */
export function textOfJson(data: unknown, isHashed: boolean): string {
  if (!isHashed) return JSON.stringify(data);
  return JSON.stringify(data, (_, value) => (value === "-0" || value?.$number === "-0" ? 0 : value));
}
