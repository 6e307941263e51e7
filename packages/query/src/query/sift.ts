import { Any, ChildOf, Parent } from "@treeline/core";
import {
  ANY,
  findPair,
  indexOf,
  isLiving,
  looseCountOf,
  refreshRuns,
  type Shape,
} from "@treeline/core/internal";
import { hasAt } from "../match/has-at.ts";
import { type Clause, namesTarget } from "../term/plan.ts";
import { filterRows } from "./filter.ts";
import { isAnsweredBy, type Query } from "./query-state.ts";
import type { Seen } from "./sight.ts";
import { addSpan, ROWS, type Spans } from "./spans.ts";

/** More rows than these are worth making lists. */
const FEW = 1024;
/** So many tables are gone through without a look at who has the pairs that are asked for. */
const FEW_STEPS = 16;

/** The place of the clause whose target has the fewest sources, if these are few; -1 if there is none. */
export function rarestOf({ world, plan, clauses }: Query): number {
  const { targeted } = plan;
  let rarest = -1;
  let least = FEW;
  for (let at = 0; at < targeted.length; at++) {
    const clause = clauses[targeted[at]!]!;
    if (clause.operator !== "with" || clause.target === ANY) continue;
    const cost = countSources(world, clause, least);
    if (cost >= least) continue;
    least = cost;
    rarest = targeted[at]!;
  }
  return rarest;
}

/** Rows with the pair; not counted beyond `most`. */
function countSources(
  { graph, entities }: Query["world"],
  { definition, target }: Clause,
  most: number,
): number {
  const { pairs, records, tables, links } = graph;
  if (definition === Any || definition.reflexive) return most;
  if (!isLiving(entities, target)) return 0;
  const isLoose = definition === Parent;
  const pair = findPair(pairs, isLoose ? ChildOf.id : definition.id, indexOf(target));
  if (pair === 0) return 0;
  let count = isLoose || definition === ChildOf ? looseCountOf(links, pair) : 0;
  if (isLoose) return count;
  for (let node = records.firstNode[pair]!; node !== 0 && count < most; node = records.nodeNext[node]!) {
    count += tables.count[records.nodeTable[node]!]!;
  }
  return count;
}

/**
 * Leaves of the spans, all of rows, those rows that have what other clauses about targets ask for. Makes nothing.
 *
 * Cost: the tables in them; the rows where tables do not tell it.
 *
 * @param place of the clause that the rows are known to answer; -1 if there is none.
 * @param asksTests the plan's tests are asked as well.
 */
export function siftSpans(query: Query, seen: Seen, spans: Spans, place: number, asksTests: boolean): void {
  const { stride, length } = spans;
  const { shapes } = query.world.graph;
  for (let at = 0; at < length; at += stride) {
    const { numbers } = spans; // which may have grown
    siftRows(query, seen, spans, shapes[numbers[at]!]!, numbers[at + 1]!, numbers[at + 2]!, place, asksTests);
  }
  dropFirst(spans, length);
}

/** Drops the first numbers of a list of spans: what was made of them stands behind them. */
export function dropFirst(spans: Spans, length: number): void {
  spans.numbers.copyWithin(0, length, spans.length);
  spans.length -= length;
}

function siftRows(
  query: Query,
  seen: Seen,
  spans: Spans,
  shape: Shape,
  first: number,
  end: number,
  place: number,
  asksTests: boolean,
): void {
  const { entities, graph } = query.world;
  const { tables } = graph;
  const { i32 } = shape.lanes;
  const areAlike = !tellsRowsApart(query, shape, place);
  for (let row = first; row < end; ) {
    const index = i32[row]!;
    const table = entities.table[index]!;
    const next = areAlike ? Math.min(end, tables.first[table]! + tables.count[table]!) : row + 1;
    if (answersOthers(query, index, place)) {
      if (asksTests) filterRows(query, seen, spans, shape, row, next);
      else addSpan(spans, shape, row, next, ROWS);
    }
    row = next;
  }
}

/** Is one of the other clauses about something in which rows of one table differ? */
function tellsRowsApart({ plan, clauses }: Query, { isLoose }: Shape, place: number): boolean {
  const { targeted } = plan;
  for (let at = 0; at < targeted.length; at++) {
    const { definition, operator } = clauses[targeted[at]!]!;
    if (targeted[at] === place || operator === "maybe") continue;
    const isParental = definition === ChildOf || definition === Parent || definition === Any;
    if (definition.reflexive || (isLoose && isParental)) return true;
  }
  return false;
}

function answersOthers({ world, plan, clauses }: Query, index: number, place: number): boolean {
  const { targeted } = plan;
  for (let at = 0; at < targeted.length; at++) {
    if (targeted[at] === place) continue;
    const clause = clauses[targeted[at]!]!;
    if (clause.operator === "maybe" || !namesTarget(clause)) continue;
    if (hasAt(world, index, clause.definition, clause.target) !== (clause.operator === "with")) return false;
  }
  return true;
}

/** Are there so few tables that it is no use to look for sources? Rows count where their parents are values. */
export function areFewTables(query: Query): boolean {
  const { founded } = query.world.graph;
  if (founded.length > FEW_STEPS) return false;
  let steps = 0;
  for (let place = 0; place < founded.length; place++) {
    const shape = founded[place]!;
    if (shape.rows === 0 || !isAnsweredBy(query, shape)) continue;
    steps += shape.isLoose ? shape.rows : shape.tables;
    if (steps > FEW_STEPS) return false;
  }
  return true;
}

/** All rows of the shapes that answer, in order of founding. */
export function addAnswering(query: Query, spans: Spans): void {
  const { founded } = query.world.graph;
  for (let place = 0; place < founded.length; place++) {
    const shape = founded[place]!;
    if (shape.rows === 0 || !isAnsweredBy(query, shape)) continue;
    refreshRuns(shape.used, shape.end);
    const { bounds, length } = shape.used;
    for (let at = 0; at < length; at += 2) addSpan(spans, shape, bounds[at]!, bounds[at + 1]!, ROWS);
  }
}
