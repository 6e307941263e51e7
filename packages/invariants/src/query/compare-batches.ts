/** Compares runs, batches and levels, with all of their columns, with the naive twin. */

import type { AnyBatch, AnyRun } from "../base/entry-points.ts";
import { handleOf, idOf } from "../step/real-world.ts";
import { same, sameColumns } from "../step/same.ts";
import { carriesValue, definitionOf, hasColumns } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import { get, has } from "../twin/world.ts";
import type { Comparison, IterateMethod } from "./comparison.ts";
import { twinOfMatch } from "./comparison.ts";
import { engine, realUpTerm, variableOf } from "./terms.ts";
import type { Match } from "./twin.ts";
import { entityFor, isVariable, variablesIn } from "./twin.ts";
import type { UpPath } from "./twin-paths.ts";
import { depthAlong, pathsIn } from "./twin-paths.ts";

export const iterateRuns: IterateMethod = (comparison) => {
  const matched: Twin[] = [];
  engine.eachRun(comparison.query, (run) => {
    const compareRow = columnsOf(comparison, run);
    for (let row = run.first; row < run.end; row++) {
      const twin = twinOfMatch(comparison, run.entityAt(row));
      matched.push(twin);
      compareRow(twin, row);
    }
  });
  return matched;
};

export const iterateBatches: IterateMethod = (comparison, expected) => {
  const matched: Twin[] = [];
  const joins: string[] = [];
  engine.eachBatch(comparison.query, (batch) => iterateBatch(comparison, batch, matched, joins));
  compareJoins(comparison, joins, expected);
  return matched;
};

/** Each depth once, in order, with all of its rows. */
export const iterateLevels: IterateMethod = (comparison, expected) => {
  const { description, label } = comparison;
  const matched: Twin[] = [];
  const joins: string[] = [];
  const depths: number[] = [];
  engine.eachLevel(comparison.query, (level) => {
    const before = matched.length;
    depths.push(level.depth);
    level.eachBatch((batch) => {
      same(batch.depth, level.depth, () => `${label()}: depth of a batch of the level`);
      iterateBatch(comparison, batch, matched, joins);
    });
    same(level.count, matched.length - before, () => `${label()}: rows of the level`);
  });
  compareJoins(comparison, joins, expected);
  const cascade = description.terms.find((term) => term.kind === "cascade");
  const isDesc = cascade?.desc === true;
  const sorted = [...new Set(depths)].sort((one, other) => (isDesc ? other - one : one - other));
  const { orderBy, inOrder } = description;
  const isByDepth = cascade !== undefined || (orderBy === undefined && inOrder === undefined);
  if (description.groupBy === undefined && isByDepth)
    same(depths, sorted, () => `${label()}: depths of levels`);
  return matched;
};

/** @param joins each match with its variables, as text. */
function iterateBatch(comparison: Comparison, batch: AnyBatch, matched: Twin[], joins: string[]): void {
  const { real, context, description, label } = comparison;
  const variables = variablesIn(description.terms).map(variableOf);
  const paths = pathsIn(description.terms);
  const compareRow = columnsOf(comparison, batch);
  for (let at = batch.from; at < batch.to; at++) {
    const row = batch.rows[at]!;
    const twin = twinOfMatch(comparison, batch.entityAt(row));
    matched.push(twin);
    const depth = depthAlong(context.naive, description, twin);
    if (paths.length > 0) same(batch.depth, depth, () => `${label()}: depth of e${twin}`);
    compareRow(twin, row);
    joins.push(
      joinText(
        twin,
        variables.map((variable) => real.twins.get(batch.sourceAt(variable, at)!)),
      ),
    );
    for (const path of paths) compareAbove(comparison, batch, at, twin, path, path === paths[0]);
  }
}

function joinText(twin: Twin, bound: readonly (Twin | undefined)[]): string {
  return `e${twin}: ${bound.join(", ")}`;
}

function compareJoins(
  { description, label }: Comparison,
  matched: string[],
  expected: readonly Match[],
): void {
  const variables = variablesIn(description.terms);
  if (variables.length === 0) return;
  const texts = expected.map(({ twin, bindings }) =>
    joinText(
      twin,
      variables.map((variable) => bindings.get(variable)),
    ),
  );
  same(matched.sort(), texts.sort(), () => `${label()}: variables`);
}

/** Takes the columns of plain terms, and returns a function that compares one row of them. */
function columnsOf(
  { real, context, description, label }: Comparison,
  rows: AnyRun | AnyBatch,
): (twin: Twin, row: number) => void {
  const plain = description.terms.flatMap((term) => {
    const inner = term.kind === "maybe" ? term.term : term;
    if (inner.kind !== "has" || !carriesValue(inner.what) || inner.target === "Any") return [];
    if (!hasColumns(inner.what)) return [];
    if (isVariable(inner.target)) return []; // another pair for each match
    if (term.kind === "maybe" && inner.target !== undefined) return [];
    const { what, target } = inner;
    const id = idOf(real, what, target);
    const columns = term.kind === "maybe" ? rows.columnsIf(id) : rows.columns(id);
    return [{ what, target, columns }];
  });
  return (twin, row) => {
    for (const { what, target, columns } of plain) {
      const expected = has(context.naive, twin, what, target)
        ? get(context.naive, twin, what, target)
        : undefined;
      sameColumns(real, what, columns, row, expected, () => `${label()}: column of ${what} of e${twin}`);
    }
  };
}

/** Compares all columns of the source along a path. Those of the first path also have names of their own. */
function compareAbove(
  { real, context, label }: Comparison,
  batch: AnyBatch,
  at: number,
  twin: Twin,
  path: UpPath,
  isFirst: boolean,
): void {
  const source = entityFor(context, twin, path);
  const upTerm = realUpTerm(real, path);
  const where = (): string =>
    `${label()}: ${path.what} ${path.target ?? ""} above e${twin} along ${path.relation}`;
  same(batch.has(upTerm), source !== undefined, where);
  if (isFirst) same(batch.hasParents, source !== undefined, where);
  if (source === undefined) return;
  same(batch.sourceAt(upTerm, at), handleOf(real, source), where);
  const rows = batch.rowsOf(upTerm);
  if (isFirst) same(batch.parentRows[at], rows[at], where);
  const { schemas, objects } = context.naive.living.get(source)!;
  for (const what of [...schemas.keys(), ...objects.keys()].filter(hasColumns)) {
    const expected = get(context.naive, source, what);
    sameColumns(real, what, batch.columnsOf(upTerm, definitionOf(what)), rows[at]!, expected, where);
    if (!isFirst) continue;
    sameColumns(real, what, batch.parentColumns(definitionOf(what)), batch.parentRows[at]!, expected, where);
  }
}
