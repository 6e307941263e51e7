import { Any, type Definition } from "@treeline/core";
import {
  type Archetype,
  archetypeAt,
  type PairId,
  Parent,
  pairsOf,
  rowAt,
  tableAt,
} from "@treeline/core/internal";
import { countLoose, firstPair, indexIfAlive, pairAfter, pairIn } from "../../match/pairs.ts";
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
  const { tables } = query.cursors;
  for (
    let pair = firstPair(world, definition, target);
    pair !== 0;
    pair = pairAfter(world, definition, pair)
  ) {
    tables.ofPair(pair);
    while (definition !== Parent && tables.next()) {
      const { archetype, first, end } = tables;
      if (first === end || (definition === Any && pairIn(world, tables.table, Any, target) !== pair))
        continue;
      if (isForAll || isAnsweredBy(query, archetype)) addSpan(spans, archetype, first, end, ROWS);
    }
    if (countLoose(world, definition, pair) > 0) addLoose(query, spans, pair, definition === Any, isForAll);
  }
  if (definition.reflexive) addItself(query, spans, definition, target, isForAll);
}

/** @param isAny who has another pair with the target in its type stands there already. */
function addLoose(query: Query, spans: Spans, pair: PairId, isAny: boolean, isForAll: boolean): void {
  const { world } = query;
  const { values } = query.cursors;
  for (values.ofPair(pair); values.nextRows(); ) {
    const { archetype, first, end, index } = values;
    if (isAny && pairIn(world, tableAt(world, index), Any, pairsOf(world).target(pair)) !== 0) continue;
    if (isForAll || isAnsweredBy(query, archetype)) addSpan(spans, archetype, first, end, ROWS);
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
  const table = tableAt(world, index);
  if (table === 0 || pairIn(world, table, definition, index) !== 0) return;
  const shape = archetypeAt(world, index);
  const row = rowAt(world, index);
  if (isForAll || isAnsweredBy(query, shape)) addSpan(spans, shape, row, row + 1, ROWS);
}

/** Adds all rows of an archetype, table by table. */
export function addTables({ cursors }: Query, spans: Spans, shape: Archetype): void {
  const { tables } = cursors;
  for (tables.ofArchetype(shape); tables.next(); ) {
    if (tables.first < tables.end) addSpan(spans, shape, tables.first, tables.end, ROWS);
  }
}

/**
 * The table in which all answers lie, of a query that asks for the sources of one target and nothing else.
 *
 * @returns the table, to which the cursor of the world has turned then; 0 if nobody answers; -1 if there may be answers elsewhere.
 */
export function onlyTableOf(query: Query): number {
  const { world, plan, targets, cursors } = query;
  const { definition } = plan.clauses[plan.direct]!;
  const target = targets[plan.direct]!;
  if (definition === Parent) return -1;
  const index = indexIfAlive(world, target);
  if (index === 0) return 0;
  const pairs = pairsOf(world);
  const pair = pairs.find(definition, index);
  if (pair === 0) return 0;
  if (pairs.tables(pair) > 1 || pairs.values(pair) > 0) return -1;
  const { tables } = cursors;
  tables.ofPair(pair);
  if (!tables.next() || tables.first === tables.end || !isAnsweredBy(query, tables.archetype)) return 0;
  return tables.table;
}
