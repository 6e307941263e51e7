import { Any, ChildOf, Parent } from "@treeline/core";
import {
  findPair,
  indexOf,
  isLiving,
  looseCountOf,
  type PairNumber,
  refreshRuns,
  type Shape,
} from "@treeline/core/internal";
import { matchingShapes } from "../match/match-shape.ts";
import { piecesOfEither, targetedPieces } from "../match/match-table.ts";
import { MAYBE, NO, tell } from "../match/tell.ts";
import { type Clause, namesTarget } from "../term/plan.ts";
import { filterRows } from "./filter.ts";
import { isAnsweredBy, type Query } from "./query-state.ts";
import type { Seen } from "./sight.ts";
import { addSpan, ROWS, type Spans } from "./spans.ts";

/** A pair with more tables is worth a look for a shorter way. */
const FEW_TABLES = 16;

/** Rows that answer by what they have: shapes in order of founding, rows ascending. */
export function gatherRows(query: Query, seen: Seen, spans: Spans): void {
  const { plan, clauses } = query;
  let only: Clause | undefined;
  let targets = 0;
  for (let at = 0; at < clauses.length; at++) {
    const clause = clauses[at]!;
    if (!namesTarget(clause) || clause.operator === "maybe") continue;
    only = clause;
    targets++;
  }
  if (targets === 0) gatherUntargeted(query, seen, spans);
  else if (targets > 1 || plan.tests.length > 0 || !gatherSources(query, only!, spans)) {
    for (const { shape, bounds, length } of targetedPieces(query.world, plan, clauses)) {
      for (let at = 0; at < length; at += 2)
        filterRows(query, seen, spans, shape, bounds[at]!, bounds[at + 1]!);
    }
  }
}

function gatherUntargeted(query: Query, seen: Seen, spans: Spans): void {
  const either = query.plan.tests.length === 0 ? undefined : piecesOfEither(query.world, query.plan);
  if (either !== undefined) {
    for (const { shape, bounds, length } of either) {
      for (let at = 0; at < length; at += 2)
        filterRows(query, seen, spans, shape, bounds[at]!, bounds[at + 1]!);
    }
    return;
  }
  for (const shape of shapesOf(query)) gatherRuns(query, seen, spans, shape);
}

/** Shapes that answer as far as they can tell. */
export function shapesOf(query: Query): readonly Shape[] {
  return query.isTargeted ? matchingShapes(query.world.graph, query.plan) : query.shapes;
}

/** All rows of a shape that answer. */
export function gatherRuns(query: Query, seen: Seen, spans: Spans, shape: Shape): void {
  if (shape.rows === 0) return;
  const { tests } = query.plan;
  seen.shape = shape;
  seen.index = 0;
  let isSure = true;
  for (let at = 0; at < tests.length; at++) {
    const told = tell(tests[at]!, shape, seen);
    if (told === NO) return;
    if (told === MAYBE) isSure = false;
  }
  refreshRuns(shape.used, shape.end);
  const { bounds, length } = shape.used;
  for (let at = 0; at < length; at += 2) {
    if (query.plan.readsPairs) gatherTables(query, seen, spans, shape, bounds[at]!, bounds[at + 1]!);
    else if (isSure) addSpan(spans, shape, bounds[at]!, bounds[at + 1]!, ROWS);
    else filterRows(query, seen, spans, shape, bounds[at]!, bounds[at + 1]!);
  }
}

/** The same, one table after the other. */
function gatherTables(
  query: Query,
  seen: Seen,
  spans: Spans,
  shape: Shape,
  first: number,
  end: number,
): void {
  const { graph, entities } = query.world;
  for (let row = first; row < end; ) {
    const table = entities.table[shape.lanes.i32[row]!]!;
    const next = graph.tables.first[table]! + graph.tables.count[table]!;
    filterRows(query, seen, spans, shape, row, next);
    row = next;
  }
}

/**
 * The everyday question about one target: its tables, one by one, without sorting anything.
 *
 * @returns false if there may be a shorter way, what is asked is not that simple, or rows do not come in order.
 */
function gatherSources(query: Query, { operator, definition, target }: Clause, spans: Spans): boolean {
  if (operator !== "with" || definition.reflexive || definition === Any || definition === Parent)
    return false;
  const { graph, entities } = query.world;
  const { pairs, records, tables, shapes, links } = graph;
  if (!isLiving(entities, target)) return true;
  const pair = findPair(pairs, definition.id, indexOf(target));
  if (pair === 0) return true;
  if (records.tables[pair]! > FEW_TABLES) return false;
  for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
    const table = records.nodeTable[node]!;
    const count = tables.count[table]!;
    if (count === 0) continue;
    const shape = shapes[tables.shape[table]!]!;
    if (isAnsweredBy(query, shape))
      addSpan(spans, shape, tables.first[table]!, tables.first[table]! + count, ROWS);
  }
  if (definition === ChildOf && links.used) gatherLoose(query, pair, spans);
  if (spans.length <= spans.stride || areInOrder(query, spans)) return true;
  spans.length = 0;
  return false;
}

/** Children who store their parent as a value: rows side by side at once. */
function gatherLoose(query: Query, pair: PairNumber, spans: Spans): void {
  const { graph, entities } = query.world;
  const { tables, shapes, links } = graph;
  if (looseCountOf(links, pair) === 0) return;
  const { next, pair: pairOf } = links;
  let lastTable = 0;
  let first = 0;
  let shape: Shape | undefined;
  let from = 0;
  let to = 0;
  for (let index = links.first[pair]!; index !== 0; index = next[index]!) {
    if (pairOf[index] !== pair) continue;
    const table = entities.table[index]!;
    if (table !== lastTable) {
      if (to > from) addSpan(spans, shape!, from, to, ROWS);
      lastTable = table;
      first = tables.first[table]!;
      shape = shapes[tables.shape[table]!]!;
      from = isAnsweredBy(query, shape) ? 0 : -1;
      to = from;
    }
    if (from < 0) continue;
    const row = first + entities.row[index]!;
    if (row === to && to > from) to++;
    else {
      if (to > from) addSpan(spans, shape!, from, to, ROWS);
      from = row;
      to = row + 1;
    }
  }
  if (to > from) addSpan(spans, shape!, from, to, ROWS);
}

/** Shapes in order of founding, rows ascending, and no span that could be part of the one before. */
function areInOrder({ world }: Query, { numbers, length, stride }: Spans): boolean {
  const { shapes } = world.graph;
  for (let at = stride; at < length; at += stride) {
    const before = at - stride;
    if (numbers[at] === numbers[before]) {
      if (numbers[at + 1]! < numbers[before + 2]!) return false;
    } else if (shapes[numbers[at]!]!.place < shapes[numbers[before]!]!.place) return false;
  }
  return true;
}
