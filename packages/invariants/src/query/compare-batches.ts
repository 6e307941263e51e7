/** Runs, batches and levels, with all columns that they give, held against the naive twin. */

import type { AnyBatch, AnyRun } from "../base/entry-points.ts";
import { handleOf, idOf } from "../step/fast-world.ts";
import { same, sameColumns } from "../step/same.ts";
import { carriesValue, definitionOf } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import { get, has } from "../twin/world.ts";
import type { Comparison, Visit } from "./comparison.ts";
import { guest } from "./comparison.ts";
import { questions, toldAbove, variableOf } from "./terms.ts";
import type { Match } from "./twin.ts";
import { entityFor, isVariable, variablesIn } from "./twin.ts";
import type { SlowWay } from "./twin-paths.ts";
import { depthAlong, pathsIn } from "./twin-paths.ts";

export const iterateRuns: Visit = (comparison) => {
  const came: Twin[] = [];
  questions.eachRun(comparison.query, (run) => {
    const look = columnsOf(comparison, run);
    for (let row = run.first; row < run.end; row++) {
      const twin = guest(comparison, run.entityAt(row));
      came.push(twin);
      look(twin, row);
    }
  });
  return came;
};

export const iterateBatches: Visit = (comparison, expected) => {
  const came: Twin[] = [];
  const joins: string[] = [];
  questions.eachBatch(comparison.query, (batch) => visitBatch(comparison, batch, came, joins));
  compareJoins(comparison, joins, expected);
  return came;
};

/** Each depth once, in its order, with all of its rows. */
export const iterateLevels: Visit = (comparison, expected) => {
  const { question, story } = comparison;
  const came: Twin[] = [];
  const joins: string[] = [];
  const depths: number[] = [];
  questions.eachLevel(comparison.query, (level) => {
    const before = came.length;
    depths.push(level.depth);
    level.eachBatch((batch) => {
      same(batch.depth, level.depth, () => `${story()}: depth of a batch of the level`);
      visitBatch(comparison, batch, came, joins);
    });
    same(level.count, came.length - before, () => `${story()}: rows of the level`);
  });
  compareJoins(comparison, joins, expected);
  const cascade = question.terms.find((term) => term.kind === "cascade");
  const isDesc = cascade?.desc === true;
  const sorted = [...new Set(depths)].sort((one, other) => (isDesc ? other - one : one - other));
  const isByDepth = cascade !== undefined || question.orderBy === undefined;
  if (question.groupBy === undefined && isByDepth) same(depths, sorted, () => `${story()}: depths of levels`);
  return came;
};

/** @param joins who came with what variables stood for, as text. */
function visitBatch(comparison: Comparison, batch: AnyBatch, came: Twin[], joins: string[]): void {
  const { fast, asking, question, story } = comparison;
  const variables = variablesIn(question.terms).map(variableOf);
  const ways = pathsIn(question.terms);
  const look = columnsOf(comparison, batch);
  for (let at = batch.from; at < batch.to; at++) {
    const row = batch.rows[at]!;
    const twin = guest(comparison, batch.entityAt(row));
    came.push(twin);
    const depth = depthAlong(asking.slow, question, twin);
    if (ways.length > 0) same(batch.depth, depth, () => `${story()}: depth of e${twin}`);
    look(twin, row);
    joins.push(
      joinText(
        twin,
        variables.map((variable) => fast.twins.get(batch.sourceAt(variable, at)!)),
      ),
    );
    for (const way of ways) compareAbove(comparison, batch, at, twin, way, way === ways[0]);
  }
}

function joinText(twin: Twin, bound: readonly (Twin | undefined)[]): string {
  return `e${twin}: ${bound.join(", ")}`;
}

function compareJoins({ question, story }: Comparison, came: string[], expected: readonly Match[]): void {
  const variables = variablesIn(question.terms);
  if (variables.length === 0) return;
  const texts = expected.map(({ twin, bindings }) =>
    joinText(
      twin,
      variables.map((variable) => bindings.get(variable)),
    ),
  );
  same(came.sort(), texts.sort(), () => `${story()}: variables`);
}

/** Takes the columns of plain terms out, and compares one row of them after the other. */
function columnsOf(
  { fast, asking, question, story }: Comparison,
  rows: AnyRun | AnyBatch,
): (twin: Twin, row: number) => void {
  const plain = question.terms.flatMap((term) => {
    const inner = term.kind === "maybe" ? term.term : term;
    if (inner.kind !== "has" || !carriesValue(inner.what) || inner.target === "Any") return [];
    if (isVariable(inner.target)) return []; // another pair for each answer
    if (term.kind === "maybe" && inner.target !== undefined) return [];
    const { what, target } = inner;
    const id = idOf(fast, what, target);
    const columns = term.kind === "maybe" ? rows.columnsIf(id) : rows.columns(id);
    return [{ what, target, columns }];
  });
  return (twin, row) => {
    for (const { what, target, columns } of plain) {
      const expected = has(asking.slow, twin, what, target)
        ? get(asking.slow, twin, what, target)
        : undefined;
      sameColumns(fast, what, columns, row, expected, () => `${story()}: column of ${what} of e${twin}`);
    }
  };
}

/** All columns of who is above along a way. Those of the first way have names of their own. */
function compareAbove(
  { fast, asking, story }: Comparison,
  batch: AnyBatch,
  at: number,
  twin: Twin,
  way: SlowWay,
  isFirst: boolean,
): void {
  const holder = entityFor(asking, twin, way);
  const told = toldAbove(fast, way);
  const where = (): string =>
    `${story()}: ${way.what} ${way.target ?? ""} above e${twin} along ${way.relation}`;
  same(batch.has(told), holder !== undefined, where);
  if (isFirst) same(batch.hasParents, holder !== undefined, where);
  if (holder === undefined) return;
  same(batch.sourceAt(told, at), handleOf(fast, holder), where);
  const rows = batch.rowsOf(told);
  if (isFirst) same(batch.parentRows[at], rows[at], where);
  const { schemas, objects } = asking.slow.living.get(holder)!;
  for (const what of [...schemas.keys(), ...objects.keys()]) {
    const expected = get(asking.slow, holder, what);
    sameColumns(fast, what, batch.columnsOf(told, definitionOf(what)), rows[at]!, expected, where);
    if (!isFirst) continue;
    sameColumns(fast, what, batch.parentColumns(definitionOf(what)), batch.parentRows[at]!, expected, where);
  }
}
