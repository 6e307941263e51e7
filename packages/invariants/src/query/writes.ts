/** Values written while questions are visited, or one by one, on both sides: what `changed` has to tell of. */

import type { Entity } from "@treeline/core";
import * as core from "@treeline/core";
import type { FastWorld } from "../step/fast-world.ts";
import { handleOf } from "../step/fast-world.ts";
import { same } from "../step/same.ts";
import { definitionOf, fieldsOf } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import { mixed } from "../twin/values.ts";
import type { SlowWorld } from "../twin/world.ts";
import { isDisabled } from "../twin/world.ts";
import { questions } from "./terms.ts";
import type { Happenings } from "./twin-changes.ts";
import { noteWritten } from "./twin-changes.ts";

/** A whole number for one field. Row views write to every second entity, declared writes to whole runs. */
export interface Writing {
  readonly way: "each" | "eachRun" | "patch" | "mark";
  readonly what: string;
  readonly field: string;
  readonly value: number;
  /** For those that are about one entity alone. */
  readonly twin: Twin;
}

/** What a look writes to those whom it visits: to every second through row views, to all if it declares that it writes. */
export interface OwnWrites {
  readonly what: string;
  readonly field: string;
  readonly value: number;
}

export interface Written {
  readonly fast: FastWorld;
  readonly slow: SlowWorld;
  readonly happenings: Happenings;
}

/** Fields that take any small whole number. */
export function numberFields(what: string): string[] {
  const kinds = ["f32", "f64", "i16", "u8", "u32"];
  return Object.entries(fieldsOf(what) ?? {}).flatMap(([field, kind]) =>
    kinds.includes(kind) ? [field] : [],
  );
}

export function write(written: Written, writing: Writing): void {
  if (writing.way === "each") writeRows(written, writing);
  else if (writing.way === "eachRun") writeRuns(written, writing);
  else writeOne(written, writing);
}

function writeRows(written: Written, { what, field, value }: Writing): void {
  const { fast } = written;
  const query = questions.query(fast.world, definitionOf(what));
  questions.each(query, (...[row, entity]) => {
    const twin = fast.twins.get(entity as Entity)!;
    if (twin % 2 === 0) (row as Record<string, number>)[field] = value;
  });
  questions.dispose(query);
  for (const twin of holders(written, what))
    if (twin % 2 === 0) writeSlowly(written, twin, what, { [field]: value });
}

/** Whoever declares that it writes is taken at its word: of all rows that it was given. */
function writeRuns(written: Written, { what, field, value }: Writing): void {
  const query = questions.query(written.fast.world, definitionOf(what));
  questions.eachRun(
    query,
    (run) => {
      const column = (run.columns(definitionOf(what)) as Record<string, { [row: number]: number }>)[field]!;
      for (let row = run.first; row < run.end; row++) column[row] = value;
    },
    { writes: [definitionOf(what)] },
  );
  questions.dispose(query);
  for (const twin of holders(written, what)) writeSlowly(written, twin, what, { [field]: value });
}

function writeOne(written: Written, { way, twin, what, field, value }: Writing): void {
  const { fast, slow } = written;
  if (!slow.living.has(twin)) return;
  const isThere = slow.living.get(twin)!.schemas.has(what);
  const handle = handleOf(fast, twin);
  const told =
    way === "mark"
      ? writers.markChanged(fast.world, handle, definitionOf(what))
      : writers.patch(fast.world, handle, definitionOf(what), (row) => {
          row[field] = value;
        });
  same(told, isThere, () => `${way} of ${what} of e${twin}`);
  if (isThere) writeSlowly(written, twin, what, way === "mark" ? {} : { [field]: value });
}

interface Writers {
  readonly patch: (
    world: unknown,
    entity: Entity,
    what: unknown,
    change: (row: Record<string, number>) => void,
  ) => boolean;
  readonly markChanged: (world: unknown, entity: Entity, what: unknown) => boolean;
}

const writers: Writers = core as unknown as Writers;

/** Whom a query for the component visits. */
function holders({ slow }: Written, what: string): Twin[] {
  const all = [...slow.living].filter(([twin, { schemas }]) => schemas.has(what) && !isDisabled(slow, twin));
  return all.map(([twin]) => twin);
}

export function writeSlowly({ slow, happenings }: Written, twin: Twin, what: string, fields: object): void {
  const { schemas } = slow.living.get(twin)!;
  schemas.set(what, mixed(fieldsOf(what) ?? {}, schemas.get(what), fields));
  noteWritten(happenings, twin, what);
}
