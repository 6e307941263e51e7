/** Values written during iterations, or one by one, in both worlds: what `changed` must report. */

import type { Entity } from "@treeline/core";
import * as core from "@treeline/core";
import type { RealWorld } from "../step/real-world.ts";
import { handleOf } from "../step/real-world.ts";
import { same } from "../step/same.ts";
import { definitionOf, fieldsOf, hasColumns, rules } from "../step/vocabulary.ts";
import type { Fields, FieldValue, Twin } from "../twin/rules.ts";
import { mixed } from "../twin/values.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { isDisabled } from "../twin/world.ts";
import { engine } from "./terms.ts";
import type { ChangeLog } from "./twin-changes.ts";
import { noteWritten } from "./twin-changes.ts";

/**
 * An integer for one field, or for one number of an array. Row views write to every second entity, declared writes to whole runs. `kept`
 * writes to arrays that were kept after their loop, and after changes were read.
 */
export interface Writing {
  readonly method: "each" | "kept" | "eachRun" | "patch" | "mark";
  readonly what: string;
  readonly field: string;
  readonly value: number;
  /** The entity of `patch` and `mark`. */
  readonly twin: Twin;
}

/** A value that a read writes to its matches: to every second one through row views, to all if it declares the write. */
export interface OwnWrites {
  readonly what: string;
  readonly field: string;
  readonly value: number;
}

export interface Written {
  readonly real: RealWorld;
  readonly naive: NaiveWorld;
  readonly changeLog: ChangeLog;
}

/** Fields that accept any small integer. */
export function numberFields(what: string): string[] {
  const kinds = ["f32", "f64", "i16", "u8", "u32"];
  return Object.entries(fieldsOf(what) ?? {}).flatMap(([field, kind]) =>
    kinds.includes(kind) ? [field] : [],
  );
}

/** Fields of several numbers. */
export function listFields(what: string): string[] {
  return Object.entries(fieldsOf(what) ?? {}).flatMap(([field, kind]) =>
    kind === "four f32" ? [field] : [],
  );
}

/** The place in an array to which a value is written. */
export function placeOf({ value }: OwnWrites): number {
  return value % 4;
}

/**
 * Writes to a row view, or to a value with fields.
 *
 * @returns false if an array already has the number: then nothing has changed.
 */
export function writeField(row: Fields, writing: OwnWrites): boolean {
  const { what, field, value } = writing;
  if (!listFields(what).includes(field)) {
    (row as Record<string, FieldValue>)[field] = value;
    return true;
  }
  return writeNumber(row[field] as unknown as number[], writing);
}

function writeNumber(list: number[], writing: OwnWrites): boolean {
  const place = placeOf(writing);
  const differs = !Object.is(list[place], writing.value);
  list[place] = writing.value;
  return differs;
}

/** The field as it will be. */
export function fieldsAfter({ naive }: Pick<Written, "naive">, twin: Twin, writing: OwnWrites): Fields {
  const { what, field, value } = writing;
  if (!listFields(what).includes(field)) return { [field]: value };
  const former = (naive.living.get(twin)!.schemas.get(what) as Fields)[field] as readonly number[];
  return { [field]: former.map((one, place) => (place === placeOf(writing) ? value : one)) };
}

export function write(written: Written, writing: Writing): void {
  if (writing.method === "each") writeRows(written, writing);
  else if (writing.method === "kept") writeKept(written, writing);
  else if (writing.method === "eachRun") writeRuns(written, writing);
  else writeOne(written, writing);
}

function writeRows(written: Written, writing: Writing): void {
  const { real } = written;
  const changed = new Set<Twin>();
  const query = engine.query(real.world, definitionOf(writing.what));
  engine.each(query, (...[row, entity]) => {
    const twin = real.twins.get(entity as Entity)!;
    if (twin % 2 === 0 && writeField(row as Fields, writing)) changed.add(twin);
  });
  engine.dispose(query);
  for (const twin of changed) writeNaively(written, twin, writing.what, fieldsAfter(written, twin, writing));
}

function writeKept(written: Written, writing: Writing): void {
  const { real } = written;
  const { what, field } = writing;
  const kept = new Map<Twin, number[]>();
  const query = engine.query(real.world, definitionOf(what));
  engine.each(query, (...[row, entity]) => {
    kept.set(real.twins.get(entity as Entity)!, (row as Record<string, number[]>)[field]!);
  });
  engine.dispose(query);
  const reader = engine.query(real.world, engine.changed(definitionOf(what)));
  engine.count(reader);
  for (const [twin, list] of kept)
    if (twin % 2 === 0 && writeNumber(list, writing))
      writeNaively(written, twin, what, fieldsAfter(written, twin, writing));
  engine.dispose(reader);
}

/** A declared write marks all rows of the run as changed. */
function writeRuns(written: Written, writing: Writing): void {
  const { what, field, value } = writing;
  const isList = listFields(what).includes(field);
  const query = engine.query(written.real.world, definitionOf(what));
  engine.eachRun(
    query,
    (run) => {
      if (!hasColumns(what)) return;
      const column = (run.columns(definitionOf(what)) as Record<string, { [row: number]: number }>)[field]!;
      for (let row = run.first; row < run.end; row++)
        column[isList ? row * 4 + placeOf(writing) : row] = value;
    },
    { writes: [definitionOf(what)] },
  );
  if (!hasColumns(what)) engine.each(query, (...[row]) => void writeField(row as Fields, writing));
  engine.dispose(query);
  for (const twin of matchesOf(written, what))
    writeNaively(written, twin, what, fieldsAfter(written, twin, writing));
}

function writeOne(written: Written, writing: Writing): void {
  const { real, naive } = written;
  const { method, twin, what } = writing;
  if (!naive.living.has(twin)) return;
  const isThere = naive.living.get(twin)!.schemas.has(what);
  const handle = handleOf(real, twin);
  const actual =
    method === "mark"
      ? writers.markChanged(real.world, handle, definitionOf(what))
      : writers.patch(real.world, handle, definitionOf(what), (row) => {
          writeField(row, writing);
        });
  same(actual, isThere, () => `${method} of ${what} of e${twin}`);
  if (isThere)
    writeNaively(written, twin, what, method === "mark" ? {} : fieldsAfter(written, twin, writing));
}

interface Writers {
  readonly patch: (world: unknown, entity: Entity, what: unknown, change: (row: Fields) => void) => boolean;
  readonly markChanged: (world: unknown, entity: Entity, what: unknown) => boolean;
}

const writers: Writers = core as unknown as Writers;

/** The matches of a query for the component. */
function matchesOf({ naive }: Written, what: string): Twin[] {
  const all = [...naive.living].filter(
    ([twin, { schemas }]) => schemas.has(what) && !isDisabled(naive, twin),
  );
  return all.map(([twin]) => twin);
}

export function writeNaively({ naive, changeLog }: Written, twin: Twin, what: string, fields: object): void {
  const { schemas } = naive.living.get(twin)!;
  schemas.set(what, mixed(rules, what, schemas.get(what), fields));
  noteWritten(changeLog, twin, what);
}
