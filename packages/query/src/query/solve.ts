import { Any, type Definition, Parent, type World } from "@treeline/core";
import {
  firstInList,
  hasBit,
  loosePairOf,
  nextInList,
  type PairNumber,
  type Shape,
  type TableNumber,
} from "@treeline/core/internal";
import { targetedPieces } from "../match/match-table.ts";
import {
  type Condition,
  conditionsOf,
  type End,
  exclusionsOf,
  firstPair,
  hasLoose,
  hasStored,
  holds,
  pairAfter,
  pairIn,
  seesLoose,
  shapesOfSources,
} from "./bonds.ts";
import { isAnsweredBy, type Query } from "./query-state.ts";
import { costOf, isShorter, type Search } from "./search.ts";
import type { Seen } from "./sight.ts";
import { HEAD, JOINED, type Spans, startSpan } from "./spans.ts";

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
    shape: world.graph.root,
    table: 0,
    first: 0,
    end: 0,
    loose: 0,
    answering: undefined,
    steps: 0,
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
    const cost = costOf(search, condition);
    if (cost < least) {
      best = condition;
      least = cost;
      if (cost === 0) break;
    }
  }
  if (asksVisited && isShorter(search, least)) eachAnswering(search);
  else if (best === undefined) answer(search);
  else solve(search, best);
}

function solve(search: Search, condition: Condition): void {
  const { source, target } = condition;
  const isSourceKnown = source === undefined ? search.table !== 0 : source.index !== 0;
  const isTargetKnown = target === undefined || target.index !== 0;
  if (!isSourceKnown && !isTargetKnown) {
    eachOfShapes(search, condition);
    return;
  }
  condition.isDone = true;
  if (isSourceKnown) {
    if (!isTargetKnown) eachTarget(search, condition);
    else if (source === undefined) check(search, condition);
    else if (holds(search.world, condition)) goOn(search);
  } else if (target === undefined) eachOfShapes(search, condition);
  else eachSource(search, condition, target.index);
  condition.isDone = false;
}

// ---- those who are visited ---------------------------------------------------------------------------------------

function eachAnswering(search: Search): void {
  const { tables } = search.world.graph;
  for (const shape of search.answering!) {
    for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) visitTable(search, table);
  }
}

function visitTable(search: Search, table: TableNumber): void {
  const { query, world, asksParents } = search;
  const { tables, shapes, links } = world.graph;
  const shape = shapes[tables.shape[table]!]!;
  if (tables.count[table] === 0 || !isAnsweredBy(query, shape)) return;
  const first = tables.first[table]!;
  const end = first + tables.count[table]!;
  if (!asksParents || !shape.isLoose) {
    visitRows(search, table, first, end, 0, 0);
    return;
  }
  const { i32 } = shape.lanes;
  for (let row = first; row < end; ) {
    const loose = loosePairOf(links, i32[row]!);
    let next = row + 1;
    while (next < end && loosePairOf(links, i32[next]!) === loose) next++;
    visitRows(search, table, row, next, loose, 0);
    row = next;
  }
}

/** Rows of a shape that answers, and with one loose pair. @param at exclusions before that have been seen to. */
function visitRows(
  search: Search,
  table: TableNumber,
  first: number,
  end: number,
  loose: PairNumber,
  at: number,
): void {
  if (first === end) return;
  const { world, exclusions } = search;
  for (let next = at; next < exclusions.length; next++) {
    const { definition, target } = exclusions[next]!;
    if (hasStored(world, table, loose, definition, target)) return;
    if (!definition.reflexive || world.entities.table[target] !== table) continue;
    const row = rowAt(world, target);
    if (row < first || row >= end) continue;
    visitRows(search, table, first, row, loose, next + 1);
    visitRows(search, table, row + 1, end, loose, next + 1);
    return;
  }
  const { tables, shapes } = world.graph;
  search.shape = shapes[tables.shape[table]!]!;
  search.table = table;
  search.first = first;
  search.end = end;
  search.loose = loose;
  goOn(search);
  search.table = 0;
}

function rowAt({ graph, entities }: World, index: number): number {
  return graph.tables.first[entities.table[index]!]! + entities.row[index]!;
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
  if (!definition.reflexive || world.entities.table[index] !== table) return;
  const row = rowAt(world, index);
  if (row >= first && row < end) goOnWith(search, row);
}

// ---- ways in which a condition can hold --------------------------------------------------------------------------

function eachTarget(search: Search, condition: Condition): void {
  const { world } = search;
  const { source, definition } = condition;
  const { tables, records, pairs, links } = world.graph;
  const target = condition.target!;
  const table = source === undefined ? search.table : world.entities.table[source.index]!;
  const loose = source === undefined ? search.loose : loosePairOf(links, source.index);
  const first = tables.nodes[table]!;
  const end = first + tables.pairs[table]!;
  for (let node = first; node < end; node++) {
    const pair = records.nodePair[node]!;
    if (pairs.relation[pair] !== definition.id) continue;
    target.index = pairs.target[pair]!;
    goOn(search);
  }
  if (loose !== 0 && seesLoose(definition)) {
    target.index = pairs.target[loose]!;
    goOn(search);
  }
  if (definition.reflexive) eachSelf(search, condition, table);
  target.index = 0;
}

/** Everybody has a pair of a reflexive relation with themselves, unless it is stored, and came with the others. */
function eachSelf(search: Search, { source, definition, target }: Condition, table: TableNumber): void {
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

/** Tables and loose ones of the pairs that are meant, each once; then the target itself, if the relation is reflexive. */
function eachSource(search: Search, condition: Condition, target: number): void {
  const { world } = search;
  const { source, definition } = condition;
  const { records } = world.graph;
  for (
    let pair = firstPair(world, definition, target);
    pair !== 0;
    pair = pairAfter(world, definition, pair)
  ) {
    if (definition !== Parent) {
      for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
        const table = records.nodeTable[node]!;
        if (definition === Any && pairIn(world, table, Any, target) !== pair) continue;
        if (source === undefined) visitTable(search, table);
        else goOnWithRows(search, source, table, undefined);
      }
    }
    if (!hasLoose(world, definition, pair)) continue;
    if (source === undefined) visitLoose(search, condition, pair);
    else goOnWithLoose(search, condition, pair);
  }
  if (!definition.reflexive || pairIn(world, world.entities.table[target]!, definition, target) !== 0) return;
  if (source === undefined) visitOne(search, target);
  else {
    source.index = target;
    goOn(search);
    source.index = 0;
  }
}

function visitOne(search: Search, index: number): void {
  const { query, world } = search;
  const { graph, entities } = world;
  const table = entities.table[index]!;
  const shape = graph.shapes[graph.tables.shape[table]!]!;
  if (table === world.limbo || !isAnsweredBy(query, shape)) return;
  const row = rowAt(world, index);
  visitRows(search, table, row, row + 1, loosePairOf(graph.links, index), 0);
}

/** Loose sources of a pair that lie side by side come together. */
function visitLoose(search: Search, { definition }: Condition, pair: PairNumber): void {
  const { query, world } = search;
  const { graph, entities } = world;
  const { tables, shapes, links, pairs } = graph;
  let last = 0;
  let first = 0;
  let end = 0;
  for (let index = firstInList(links, pair); index !== 0; index = nextInList(links, index)) {
    if (loosePairOf(links, index) !== pair) continue;
    const table = entities.table[index]!;
    const row = rowAt(world, index);
    if (table === last && row === end) {
      end++;
      continue;
    }
    visitRows(search, last, first, end, pair, 0);
    const isMeant =
      isAnsweredBy(query, shapes[tables.shape[table]!]!) &&
      !(definition === Any && pairIn(world, table, Any, pairs.target[pair]!) !== 0);
    last = isMeant ? table : 0;
    first = row;
    end = isMeant ? row + 1 : row;
  }
  visitRows(search, last, first, end, pair, 0);
}

function goOnWithLoose(search: Search, { source, definition }: Condition, pair: PairNumber): void {
  const { world } = search;
  const { links, pairs } = world.graph;
  for (let index = firstInList(links, pair); index !== 0; index = nextInList(links, index)) {
    if (loosePairOf(links, index) !== pair) continue;
    if (definition === Any && pairIn(world, world.entities.table[index]!, Any, pairs.target[pair]!) !== 0)
      continue;
    source!.index = index;
    goOn(search);
  }
  source!.index = 0;
}

/** @param tag stored as bits, if only rows are meant that have it. */
function goOnWithRows(search: Search, source: End, table: TableNumber, tag: Definition | undefined): void {
  const { tables, shapes } = search.world.graph;
  const shape = shapes[tables.shape[table]!]!;
  const { i32 } = shape.lanes;
  const first = tables.first[table]!;
  const end = first + tables.count[table]!;
  for (let row = first; row < end; row++) {
    if (tag !== undefined && !hasBit(shape, tag, row)) continue;
    source.index = i32[row]!;
    goOn(search);
  }
  source.index = 0;
}

function eachOfShapes(search: Search, condition: Condition): void {
  const { tables } = search.world.graph;
  const tag = condition.definition.storage === "bits" ? condition.definition : undefined;
  for (const shape of shapesOfSources(search.world, condition)) {
    for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) {
      goOnWithRows(search, condition.source!, table, tag);
    }
  }
}

// ---- answers -----------------------------------------------------------------------------------------------------

function answer(search: Search): void {
  if (search.table !== 0) {
    addAnswer(search, search.shape, search.first, search.end);
    return;
  }
  const { query, world } = search;
  search.everybody ??= targetedPieces(world, query.plan, query.clauses);
  for (const { shape, bounds, length } of search.everybody) {
    for (let at = 0; at < length; at += 2) addAnswer(search, shape, bounds[at]!, bounds[at + 1]!);
  }
}

/** Rows that follow on the last ones, with the same variables, become part of them, unless tables have to be told apart. */
function addAnswer({ query, spans, start, variables }: Search, shape: Shape, from: number, to: number): void {
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
