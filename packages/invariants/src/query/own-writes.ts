/** Reads that also write: through row views, or in columns that they declare as written. */
import type { Entity } from "@treeline/core";
import type { AnyBatch, AnyRun } from "../base/entry-points.ts";
import { definitionOf, hasColumns } from "../step/vocabulary.ts";
import type { Fields, Twin } from "../twin/rules.ts";
import type { QueryMethod } from "./compare.ts";
import { compareMatches, methodFor } from "./compare.ts";
import type { Comparison } from "./comparison.ts";
import { twinOfMatch } from "./comparison.ts";
import { engine } from "./terms.ts";
import { hasOutput, matchesOf } from "./twin.ts";
import { listFields, type OwnWrites, placeOf, writeField } from "./writes.ts";

type Columns = Record<string, { [row: number]: number }>;

/**
 * Compares the matches and their order, but not the values, since they change during the iteration.
 *
 * @returns the entities that were written.
 */
export function compareWritingRead(comparison: Comparison, method: QueryMethod, own: OwnWrites): Set<Twin> {
  const written = new Set<Twin>();
  const { context, description } = comparison;
  const expected = matchesOf(context, description);
  const matched = iterateAndWrite(comparison, methodFor(method, description), own, written);
  compareMatches(comparison, matched, expected, true);
  return written;
}

function iterateAndWrite(
  comparison: Comparison,
  method: QueryMethod,
  own: OwnWrites,
  written: Set<Twin>,
): Twin[] {
  const { query } = comparison;
  const matched: Twin[] = [];
  // Sparse values are not in columns: they are written through row views.
  const way = hasColumns(own.what) || method === "rows" ? method : "each";
  const options = { writes: [definitionOf(own.what)] };
  const onRow = rowWriter(comparison, own, matched, written);
  const onRows = (rows: AnyRun | AnyBatch, places: Iterable<number>): void =>
    writeColumns(comparison, own, rows, places, matched, written);
  switch (way) {
    case "rows":
      for (const row of engine.rows(query)) onRow(row);
      break;
    case "eachRun":
      engine.eachRun(query, (run) => onRows(run, rowsOfRun(run)), options);
      break;
    case "eachBatch":
      engine.eachBatch(query, (batch) => onRows(batch, rowsOfBatch(batch)), options);
      break;
    case "eachLevel":
      engine.eachLevel(
        query,
        (level) => level.eachBatch((batch) => onRows(batch, rowsOfBatch(batch))),
        options,
      );
      break;
    default:
      engine.each(query, (...args) => onRow(args));
  }
  return matched;
}

function rowWriter(
  comparison: Comparison,
  own: OwnWrites,
  matched: Twin[],
  written: Set<Twin>,
): (args: readonly unknown[]) => void {
  const outputTerms = comparison.description.terms.filter(hasOutput);
  const places = outputTerms.flatMap((term, place) => {
    const inner = term.kind === "maybe" ? term.term : term;
    return inner.kind === "has" && inner.what === own.what && inner.target === undefined ? [place] : [];
  });
  return (args) => {
    const twin = twinOfMatch(comparison, args.at(-1) as Entity);
    matched.push(twin);
    if (twin % 2 === 1) return;
    for (const place of places) {
      if (args[place] !== undefined && writeField(args[place] as Fields, own)) written.add(twin);
    }
  };
}

function writeColumns(
  comparison: Comparison,
  own: OwnWrites,
  rows: AnyRun | AnyBatch,
  places: Iterable<number>,
  matched: Twin[],
  written: Set<Twin>,
): void {
  const { what, field, value } = own;
  const isList = listFields(what).includes(field);
  const columns = rows.columnsIf(definitionOf(what)) as Columns | undefined;
  for (const row of places) {
    const twin = twinOfMatch(comparison, rows.entityAt(row));
    matched.push(twin);
    if (columns === undefined) continue;
    columns[field]![isList ? row * 4 + placeOf(own) : row] = value;
    written.add(twin);
  }
}

function rowsOfRun({ first, end }: AnyRun): number[] {
  return Array.from({ length: end - first }, (_, at) => first + at);
}

function rowsOfBatch({ rows, from, to }: AnyBatch): Int32Array {
  return rows.subarray(from, to);
}
