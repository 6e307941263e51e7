import { Any, type Definition, Parent, type World } from "@treeline/core";
import {
  findPair,
  firstInList,
  indexOf,
  isInLimbo,
  isLiving,
  looseCountOf,
  loosePairOf,
  nextInList,
  type PairNumber,
  type Shape,
  shapeAt,
} from "@treeline/core/internal";
import { countLoose, firstPair, pairAfter, pairIn } from "../../match/pairs.ts";
import { addSpan, ROWS, type Spans } from "../lists/spans.ts";
import { isAnsweredBy, type Query } from "../state/query-state.ts";

// Who has a pair, as spans of rows: of each table that has it, then of those who store it as a value, siblings that lie side by
// side together, then of the target itself, if the relation is reflexive. Each row stands there once.

/**
 * Adds all rows with a pair that is meant by a relation and the target at an index. Makes nothing.
 *
 * @param isForAll rows of archetypes that do not answer the query are meant as well.
 */
export function addSources(
  query: Query,
  spans: Spans,
  definition: Definition,
  target: number,
  isForAll: boolean,
): void {
  const { world } = query;
  const { records, tables, shapes } = world.graph;
  for (
    let pair = firstPair(world, definition, target);
    pair !== 0;
    pair = pairAfter(world, definition, pair)
  ) {
    const first = definition === Parent ? 0 : records.firstNode[pair]!;
    for (let node = first; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      const count = tables.count[table]!;
      if (count === 0 || (definition === Any && pairIn(world, table, Any, target) !== pair)) continue;
      const shape = shapes[tables.shape[table]!]!;
      const row = tables.first[table]!;
      if (isForAll || isAnsweredBy(query, shape)) addSpan(spans, shape, row, row + count, ROWS);
    }
    if (countLoose(world, definition, pair) > 0) addLoose(query, spans, pair, definition === Any, isForAll);
  }
  if (definition.reflexive) addItself(query, spans, definition, target, isForAll);
}

/** @param isAny who has another pair with the target in its type stands there already. */
function addLoose(query: Query, spans: Spans, pair: PairNumber, isAny: boolean, isForAll: boolean): void {
  const { world } = query;
  const { entities, graph } = world;
  const { tables, shapes, links, pairs } = graph;
  for (let index = firstInList(links, pair); index !== 0; ) {
    if (loosePairOf(links, index) !== pair) {
      index = nextInList(links, index);
      continue;
    }
    const table = entities.table[index]!;
    const shape = shapes[tables.shape[table]!]!;
    const { i32 } = shape.lanes;
    const first = tables.first[table]!;
    const row = first + entities.row[index]!;
    const endOfTable = first + tables.count[table]!;
    // Whoever shares their table stores the parent as they do.
    let end = row + 1;
    while (end < endOfTable && nextInList(links, i32[end - 1]!) === i32[end]) end++;
    const isNew = !isAny || pairIn(world, table, Any, pairs.target[pair]!) === 0;
    if (isNew && (isForAll || isAnsweredBy(query, shape))) addSpan(spans, shape, row, end, ROWS);
    index = nextInList(links, i32[end - 1]!);
  }
}

function addItself(
  query: Query,
  spans: Spans,
  definition: Definition,
  index: number,
  isForAll: boolean,
): void {
  const { world } = query;
  const { entities, graph } = world;
  const table = entities.table[index]!;
  if (isInLimbo(world, index) || pairIn(world, table, definition, index) !== 0) return;
  const shape = shapeAt(world, index);
  const row = graph.tables.first[table]! + entities.row[index]!;
  if (isForAll || isAnsweredBy(query, shape)) addSpan(spans, shape, row, row + 1, ROWS);
}

/** Adds all rows of an archetype, table by table. */
export function addTables({ graph }: World, spans: Spans, { firstTable, number }: Shape): void {
  const { tables, shapes } = graph;
  for (let table = firstTable; table !== 0; table = tables.next[table]!) {
    const row = tables.first[table]!;
    const count = tables.count[table]!;
    if (count > 0) addSpan(spans, shapes[number]!, row, row + count, ROWS);
  }
}

/**
 * The table in which all sources of the target lie, if a direct question has no others.
 *
 * @returns 0 if nobody answers; -1 if sources lie in several tables, or store their parent as a value.
 */
export function onlyTableOf({ world, plan, targets }: Query): number {
  const { definition } = plan.clauses[plan.direct]!;
  const target = targets[plan.direct]!;
  if (target < 0 || definition === Parent) return -1;
  const { graph, entities } = world;
  if (!isLiving(entities, target)) return 0;
  const pair = findPair(graph.pairs, definition.id, indexOf(target));
  if (pair === 0) return 0;
  const { records, links } = graph;
  if (records.tables[pair]! > 1 || looseCountOf(links, pair) > 0) return -1;
  const node = records.firstNode[pair]!;
  return node === 0 ? 0 : records.nodeTable[node]!;
}
