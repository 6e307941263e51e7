import type { Definition, World } from "@treeline/core";
import {
  type Archetype,
  archetypesOf,
  type PairId,
  pairsOf,
  rowAt,
  type TableId,
  tableAt,
} from "@treeline/core/internal";
import { hasStored, pairIn, seesLoose } from "../../match/pairs.ts";
import { createSpans, cutByTable, HEAD, JOINED, type Spans, startSpan } from "../lists/spans.ts";
import { collectRows, isShorter } from "../rows/collect.ts";
import { addSources, addTables } from "../rows/sources.ts";
import { type Query, shapesOf } from "../state/query-state.ts";
import type { Seen } from "../state/sight.ts";
import {
  type Condition,
  conditionsOf,
  costOf,
  type End,
  type Exclusion,
  exclusionsOf,
  holds,
  shapesOfSources,
  type Visited,
} from "./conditions.ts";

/** What is known on the way to one answer. */
interface Search extends Visited {
  readonly query: Query;
  readonly world: World;
  readonly spans: Spans;
  /** Where the spans of this search begin. */
  readonly start: number;
  readonly variables: readonly End[];
  readonly conditions: readonly Condition[];
  readonly exclusions: readonly Exclusion[];
  /** The shape of those who are visited. All conditions treat them alike. */
  shape: Archetype;
  /** Rows that are gone through at each step, table by table; the last step's stand behind the others. */
  readonly ways: Spans;
  /** All rows that answer if nothing is asked of them that names another one; undefined until they are needed. */
  everybody: Spans | undefined;
}

/**
 * Adds the answers of a query with variables: spans of rows that share what the variables stand for, by their entity
 * indexes behind the head. Each pair of a row and what the variables stand for comes once.
 *
 * It goes on from what is known: from given entities and variables that are set, to their targets or to the sources of
 * their pairs, always on the way that branches least; only if nothing is known, from the rarest definition that is asked
 * for. So the siblings of somebody cost the siblings, whatever the order of terms. Rows of one table are one answer as
 * long as nothing tells them apart.
 *
 * The order follows from what the world has been through: in the order of those steps, targets as tables have them,
 * sources as pairs list their tables, then loose ones as siblings; all rows of a definition by shape, in order of founding.
 *
 * @param seen has begun with the query: it knows what variables that are set stand for.
 */
export function solveInto(query: Query, seen: Seen, spans: Spans): void {
  const { world, bound } = query;
  const variables: End[] = [];
  for (let place = 0; place < bound.length; place++) {
    const index = seen.variables[place]!;
    if (index === 0 && bound[place] !== 0) return; // set to somebody dead
    variables.push({ index });
  }
  const conditions = conditionsOf(query, variables);
  if (conditions === undefined) return;
  const exclusions = exclusionsOf(query);
  goOn({
    query,
    world,
    spans,
    start: spans.length,
    variables,
    conditions,
    exclusions,
    asksParents:
      conditions.some(({ source, definition }) => source === undefined && seesLoose(definition)) ||
      exclusions.some(({ definition }) => seesLoose(definition)),
    shape: archetypesOf(world)[0]!,
    table: 0,
    first: 0,
    end: 0,
    loose: 0,
    ways: createSpans(HEAD, false),
    everybody: undefined,
  });
}

/** Takes the condition that branches least, and goes on for each way in which it can hold. As deep as there are conditions. */
function goOn(search: Search): void {
  let best: Condition | undefined;
  let least = Number.POSITIVE_INFINITY;
  let asksVisited = false;
  for (const condition of search.conditions) {
    if (condition.isDone) continue;
    if (condition.source === undefined && search.table === 0) asksVisited = true;
    const cost = costOf(search.query, search, condition);
    if (cost < least) {
      best = condition;
      least = cost;
      if (cost === 0) break;
    }
  }
  if (asksVisited && isShorter(search.query, least, search.query.plan.byRow))
    eachOfShapes(search, undefined, shapesOf(search.query), undefined);
  else if (best === undefined) answer(search);
  else solve(search, best);
}

function solve(search: Search, condition: Condition): void {
  const { source, target } = condition;
  const isSourceKnown = source === undefined ? search.table !== 0 : source.index !== 0;
  const isTargetKnown = target === undefined || target.index !== 0;
  if (!isSourceKnown && !isTargetKnown) {
    eachOfCondition(search, condition);
    return;
  }
  condition.isDone = true;
  if (isSourceKnown) {
    if (!isTargetKnown) eachTarget(search, condition);
    else if (source === undefined) check(search, condition);
    else if (holds(search.world, condition)) goOn(search);
  } else if (target === undefined) eachOfCondition(search, condition);
  else eachSource(search, condition, target.index);
  condition.isDone = false;
}

// ---- those who are visited ---------------------------------------------------------------------------------------

/** Rows of a shape that answers, and with one loose pair. @param at exclusions before that have been seen to. */
function visitRows(
  search: Search,
  table: TableId,
  first: number,
  end: number,
  loose: PairId,
  at: number,
): void {
  if (first === end) return;
  const { world, exclusions } = search;
  for (let next = at; next < exclusions.length; next++) {
    const { definition, target } = exclusions[next]!;
    if (hasStored(world, table, loose, definition, target)) return;
    if (!definition.reflexive || tableAt(world, target) !== table) continue;
    const row = rowAt(world, target);
    if (row < first || row >= end) continue;
    visitRows(search, table, first, row, loose, next + 1);
    visitRows(search, table, row + 1, end, loose, next + 1);
    return;
  }
  search.table = table;
  search.first = first;
  search.end = end;
  search.loose = loose;
  goOn(search);
  search.table = 0;
}

/** Of those who are visited, this one alone. */
function goOnWith(search: Search, row: number): void {
  const { first, end } = search;
  search.first = row;
  search.end = row + 1;
  goOn(search);
  search.first = first;
  search.end = end;
}

/** Of those who are visited, the ones for whom a condition with a known target holds. */
function check(search: Search, { definition, target }: Condition): void {
  const { world, table, loose, first, end } = search;
  const { index } = target!;
  if (hasStored(world, table, loose, definition, index)) {
    goOn(search);
    return;
  }
  if (!definition.reflexive || tableAt(world, index) !== table) return;
  const row = rowAt(world, index);
  if (row >= first && row < end) goOnWith(search, row);
}

// ---- ways in which a condition can hold --------------------------------------------------------------------------

function eachTarget(search: Search, condition: Condition): void {
  const { world } = search;
  const { source, definition } = condition;
  const pairs = pairsOf(world);
  const target = condition.target!;
  const table = source === undefined ? search.table : tableAt(world, source.index);
  const loose = source === undefined ? search.loose : pairs.valueAt(source.index);
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++)) {
    if (pairs.relation(pair) !== definition.id) continue;
    target.index = pairs.target(pair);
    goOn(search);
    if (definition.exclusive) break;
  }
  if (loose !== 0 && seesLoose(definition)) {
    target.index = pairs.target(loose);
    goOn(search);
  }
  if (definition.reflexive) eachSelf(search, condition, table);
  target.index = 0;
}

/** Everybody has a pair of a reflexive relation with themselves, unless it is stored, and came with the others. */
function eachSelf(search: Search, { source, definition, target }: Condition, table: TableId): void {
  const { world, shape, first, end } = search;
  if (source !== undefined) {
    if (pairIn(world, table, definition, source.index) !== 0) return;
    target!.index = source.index;
    goOn(search);
    return;
  }
  for (let row = first; row < end; row++) {
    const index = shape.lanes.i32[row]!;
    if (pairIn(world, table, definition, index) !== 0) continue;
    target!.index = index;
    goOnWith(search, row);
  }
}

/** All who have the pair: rows of tables, children who store it as a value, or the target itself; each once. */
function eachSource(search: Search, { source, definition }: Condition, target: number): void {
  const { length } = search.ways;
  addSources(search.query, search.ways, definition, target, source !== undefined);
  goThrough(search, source, length, undefined);
  if (source === undefined || !definition.reflexive || tableAt(search.world, target) !== 0) return;
  source.index = target; // alive, but without a row
  goOn(search);
  source.index = 0;
}

/** @param source undefined: those who are visited; then the shapes answer. */
function eachOfShapes(
  search: Search,
  source: End | undefined,
  shapes: readonly Archetype[],
  tag: Definition | undefined,
): void {
  const { length } = search.ways;
  for (const shape of shapes) addTables(search.query, search.ways, shape);
  goThrough(search, source, length, tag);
}

/** All rows that may have what a condition asks of its source, which is none of those who are visited. */
function eachOfCondition(search: Search, condition: Condition): void {
  const { source, definition } = condition;
  const tag = definition.storage === "bits" ? definition : undefined;
  eachOfShapes(search, source, shapesOfSources(search.world, condition), tag);
}

/**
 * Goes on with each of the rows that were listed last, and takes them off the list.
 *
 * @param tag stored as bits, if only rows are meant that have it.
 */
function goThrough(
  search: Search,
  source: End | undefined,
  start: number,
  tag: Definition | undefined,
): void {
  const { world, ways } = search;
  const shapes = archetypesOf(world);
  const { length, stride } = ways;
  for (let at = start; at < length; at += stride) {
    const { numbers } = ways; // which may have grown
    const shape = shapes[numbers[at]!]!;
    const end = numbers[at + 2]!;
    if (source === undefined) visitTable(search, shape, numbers[at + 1]!, end);
    else {
      const { i32 } = shape.lanes;
      for (let row = numbers[at + 1]!; row < end; row++) {
        if (tag !== undefined && !shape.bits?.has(tag, row)) continue;
        source.index = i32[row]!;
        goOn(search);
      }
      source.index = 0;
    }
  }
  ways.length = start;
}

/** Rows of one table. */
function visitTable(search: Search, shape: Archetype, first: number, end: number): void {
  const { world, asksParents } = search;
  const { i32 } = shape.lanes;
  const table = tableAt(world, i32[first]!);
  search.shape = shape;
  if (!asksParents || !shape.isLoose) {
    visitRows(search, table, first, end, 0, 0);
    return;
  }
  const pairs = pairsOf(world);
  for (let row = first; row < end; ) {
    const loose = pairs.valueAt(i32[row]!);
    let next = row + 1;
    while (next < end && pairs.valueAt(i32[next]!) === loose) next++;
    visitRows(search, table, row, next, loose, 0);
    row = next;
  }
}

// ---- answers -----------------------------------------------------------------------------------------------------

function answer(search: Search): void {
  if (search.table !== 0) {
    addAnswer(search, search.shape, search.first, search.end);
    return;
  }
  const { query, world } = search;
  if (search.everybody === undefined) {
    search.everybody = createSpans(HEAD, !query.plan.readsPairs);
    collectRows(query, search.everybody);
    if (query.plan.readsPairs) cutByTable(world, search.everybody, 0);
  }
  const { numbers, length, stride } = search.everybody;
  for (let at = 0; at < length; at += stride) {
    addAnswer(search, archetypesOf(world)[numbers[at]!]!, numbers[at + 1]!, numbers[at + 2]!);
  }
}

/** Rows that follow on the last ones, with the same variables, become part of them, unless tables have to be told apart. */
function addAnswer(
  { query, spans, start, variables }: Search,
  shape: Archetype,
  from: number,
  to: number,
): void {
  const last = spans.length - spans.stride;
  const { numbers } = spans;
  const follows = last >= start && numbers[last] === shape.number && numbers[last + 2] === from;
  if (follows && !query.plan.readsPairs && areSame(numbers, last + HEAD, variables)) {
    numbers[last + 2] = to;
    return;
  }
  const at = startSpan(spans, shape.number, from, to, JOINED) + HEAD;
  for (let place = 0; place < variables.length; place++) {
    spans.numbers[at + place] = variables[place]!.index;
  }
}

function areSame(numbers: Int32Array, at: number, variables: readonly End[]): boolean {
  for (let place = 0; place < variables.length; place++) {
    if (numbers[at + place] !== variables[place]!.index) return false;
  }
  return true;
}
