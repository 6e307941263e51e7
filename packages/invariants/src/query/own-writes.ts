/** Looks that write themselves: through the row views that they are handed, or in columns that they declare to write. */
import type { Entity } from "@treeline/core";
import type { AnyBatch, AnyRun } from "../base/entry-points.ts";
import { definitionOf } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import type { QuestionWay } from "./compare.ts";
import { compareCame, traversalFor } from "./compare.ts";
import type { Comparison } from "./comparison.ts";
import { guest } from "./comparison.ts";
import { questions } from "./terms.ts";
import { answersTo, givesOne } from "./twin.ts";
import type { OwnWrites } from "./writes.ts";

type Columns = Record<string, { [row: number]: number }>;

/**
 * Who comes, and in which order, is compared; values are not, since they change on the way.
 *
 * @returns who was written.
 */
export function compareWritingLook(comparison: Comparison, way: QuestionWay, own: OwnWrites): Set<Twin> {
  const written = new Set<Twin>();
  const { asking, question } = comparison;
  const expected = answersTo(asking, question);
  const came = visitAndWrite(comparison, traversalFor(way, question), own, written);
  compareCame(comparison, came, expected, true);
  return written;
}

function visitAndWrite(comparison: Comparison, way: QuestionWay, own: OwnWrites, written: Set<Twin>): Twin[] {
  const { query } = comparison;
  const came: Twin[] = [];
  const options = { writes: [definitionOf(own.what)] };
  const onRow = rowWriter(comparison, own, came, written);
  const onRows = (rows: AnyRun | AnyBatch, places: Iterable<number>): void =>
    writeColumns(comparison, own, rows, places, came, written);
  switch (way) {
    case "rows":
      for (const row of questions.rows(query)) onRow(row);
      break;
    case "eachRun":
      questions.eachRun(query, (run) => onRows(run, rowsOfRun(run)), options);
      break;
    case "eachBatch":
      questions.eachBatch(query, (batch) => onRows(batch, rowsOfBatch(batch)), options);
      break;
    case "eachLevel":
      questions.eachLevel(
        query,
        (level) => level.eachBatch((batch) => onRows(batch, rowsOfBatch(batch))),
        options,
      );
      break;
    default:
      questions.each(query, (...args) => onRow(args));
  }
  return came;
}

function rowWriter(
  comparison: Comparison,
  { what, field, value }: OwnWrites,
  came: Twin[],
  written: Set<Twin>,
): (args: readonly unknown[]) => void {
  const giving = comparison.question.terms.filter(givesOne);
  const places = giving.flatMap((term, place) => {
    const inner = term.kind === "maybe" ? term.term : term;
    return inner.kind === "has" && inner.what === what && inner.target === undefined ? [place] : [];
  });
  return (args) => {
    const twin = guest(comparison, args.at(-1) as Entity);
    came.push(twin);
    if (twin % 2 === 1) return;
    for (const place of places) {
      if (args[place] === undefined) continue;
      (args[place] as Record<string, number>)[field] = value;
      written.add(twin);
    }
  };
}

function writeColumns(
  comparison: Comparison,
  { what, field, value }: OwnWrites,
  rows: AnyRun | AnyBatch,
  places: Iterable<number>,
  came: Twin[],
  written: Set<Twin>,
): void {
  const columns = rows.columnsIf(definitionOf(what)) as Columns | undefined;
  for (const row of places) {
    const twin = guest(comparison, rows.entityAt(row));
    came.push(twin);
    if (columns === undefined) continue;
    columns[field]![row] = value;
    written.add(twin);
  }
}

function rowsOfRun({ first, end }: AnyRun): number[] {
  return Array.from({ length: end - first }, (_, at) => first + at);
}

function rowsOfBatch({ rows, from, to }: AnyBatch): Int32Array {
  return rows.subarray(from, to);
}
