/** Values written during iterations, or one by one, in both worlds: what `changed` must report. */

import type { Entity } from "@treeline/core";
import * as core from "@treeline/core";
import type { RealWorld } from "../step/real-world.ts";
import { handleOf } from "../step/real-world.ts";
import { same } from "../step/same.ts";
import { definitionOf, fieldsOf, hasColumns, rules } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import { mixed } from "../twin/values.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { isDisabled } from "../twin/world.ts";
import { engine } from "./terms.ts";
import type { ChangeLog } from "./twin-changes.ts";
import { noteWritten } from "./twin-changes.ts";

/** An integer for one field. Row views write to every second entity, declared writes to whole runs. */
export interface Writing {
  readonly method: "each" | "eachRun" | "patch" | "mark";
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

export function write(written: Written, writing: Writing): void {
  if (writing.method === "each") writeRows(written, writing);
  else if (writing.method === "eachRun") writeRuns(written, writing);
  else writeOne(written, writing);
}

function writeRows(written: Written, { what, field, value }: Writing): void {
  const { real } = written;
  const query = engine.query(real.world, definitionOf(what));
  engine.each(query, (...[row, entity]) => {
    const twin = real.twins.get(entity as Entity)!;
    if (twin % 2 === 0) (row as Record<string, number>)[field] = value;
  });
  engine.dispose(query);
  for (const twin of matchesOf(written, what))
    if (twin % 2 === 0) writeNaively(written, twin, what, { [field]: value });
}

/** A declared write marks all rows of the run as changed. */
function writeRuns(written: Written, { what, field, value }: Writing): void {
  const query = engine.query(written.real.world, definitionOf(what));
  engine.eachRun(
    query,
    (run) => {
      if (!hasColumns(what)) return;
      const column = (run.columns(definitionOf(what)) as Record<string, { [row: number]: number }>)[field]!;
      for (let row = run.first; row < run.end; row++) column[row] = value;
    },
    { writes: [definitionOf(what)] },
  );
  if (!hasColumns(what))
    engine.each(query, (...[row]) => {
      (row as Record<string, number>)[field] = value;
    });
  engine.dispose(query);
  for (const twin of matchesOf(written, what)) writeNaively(written, twin, what, { [field]: value });
}

function writeOne(written: Written, { method, twin, what, field, value }: Writing): void {
  const { real, naive } = written;
  if (!naive.living.has(twin)) return;
  const isThere = naive.living.get(twin)!.schemas.has(what);
  const handle = handleOf(real, twin);
  const actual =
    method === "mark"
      ? writers.markChanged(real.world, handle, definitionOf(what))
      : writers.patch(real.world, handle, definitionOf(what), (row) => {
          row[field] = value;
        });
  same(actual, isThere, () => `${method} of ${what} of e${twin}`);
  if (isThere) writeNaively(written, twin, what, method === "mark" ? {} : { [field]: value });
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
