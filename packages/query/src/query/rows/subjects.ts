import { Any, type Definition } from "@treeline/core";
import type { ArchetypeView, TableCursor } from "@treeline/core/internal";
import {
  archetypeViewAt,
  ChildOf,
  grownInt32,
  Parent,
  pairCursor,
  rowAt,
  tableAt,
} from "@treeline/core/internal";
import { YES } from "../../match/evaluate.ts";
import { hasStored, indexIfAlive, nextPair, pairIn } from "../../match/pairs.ts";
import { addInterval, OWN_LIST, ROWS, type RowIntervals } from "../lists/row-intervals.ts";
import type { IterationState } from "../state/iteration-state.ts";
import { isMatchOf, type Query } from "../state/query-state.ts";

/**
 * Adds all rows with a pair that a relation means, with the target at an index: of each table that has it, then of entities that
 * store it as a value, adjacent siblings together, then of the target itself, if the relation is reflexive. Each row is listed
 * once. It allocates nothing.
 *
 * @param isForAll includes rows of archetypes that do not match the query.
 */
export function addSubjects(
  query: Query,
  intervals: RowIntervals,
  definition: Definition,
  target: number,
  isForAll: boolean,
): void {
  const { world } = query;
  const { tables, values } = query.cursors;
  const isAny = definition === Any;
  let pair = nextPair(world, definition, target);
  for (; pair !== 0; pair = nextPair(world, definition, target, pair)) {
    tables.ofPair(pair);
    while (definition !== Parent && tables.next()) {
      if (isAny && pairIn(world, tables.table, Any, target) !== pair) continue;
      addRows(query, intervals, tables, isForAll);
    }
    for (values.ofPair(pair, isAny); values.nextRows(); ) {
      // An entity with another pair with the target in its type is listed already.
      if (isAny && pairIn(world, tableAt(world, values.index), Any, target) !== 0) continue;
      addRows(query, intervals, values, isForAll);
    }
  }
  if (!definition.reflexive || tableAt(world, target) === 0 || hasStored(world, target, definition, target))
    return;
  const first = rowAt(world, target);
  addRows(query, intervals, { archetype: archetypeViewAt(world, target), first, end: first + 1 }, isForAll);
}

type Rows = Pick<TableCursor, "archetype" | "first" | "end">;

function addRows(
  query: Query,
  intervals: RowIntervals,
  { archetype, first, end }: Rows,
  isForAll: boolean,
): void {
  if (first < end && (isForAll || isMatchOf(query, archetype)))
    addInterval(intervals, archetype, first, end, ROWS);
}

/** Adds all rows of an archetype, table by table. */
export function addTables(query: Query, intervals: RowIntervals, archetype: ArchetypeView): void {
  const { tables } = query.cursors;
  for (tables.ofArchetype(archetype); tables.next(); ) addRows(query, intervals, tables, true);
}

/**
 * The table whose rows are all the matches of a query that only requires a pair with one target.
 *
 * @returns the table, on which the cursor of the world is then; 0 if nothing matches; -1 if there may be matches elsewhere.
 */
export function onlyTableOf(query: Query): number {
  const { world, plan, part, targets, cursors } = query;
  if (plan.direct < 0 || part !== undefined) return -1;
  const { definition } = plan.clauses[plan.direct]!;
  const target = targets[plan.direct]!;
  if (target <= 0 || definition === Parent) return -1;
  const index = indexIfAlive(world, target);
  const pairs = pairCursor(world);
  const pair = index === 0 ? 0 : pairs.find(definition, index);
  if (pair === 0) return 0;
  if (pairs.tables(pair) > 1 || pairs.values(pair) > 0) return -1;
  const { tables } = cursors;
  tables.ofPair(pair);
  if (!tables.next() || tables.first === tables.end || !isMatchOf(query, tables.archetype)) return 0;
  const share = tables.archetype.bits?.shareOf(plan.cut) ?? plan.cut.bare;
  return share === YES ? tables.table : -1;
}

/**
 * Installed by variables. Lists the matches of a query that only requires a parent, if all its children store it as a value and are
 * in one archetype: as one interval, of rows or of places in a list.
 *
 * @returns false, and nothing is listed, if they are not.
 */
export function listChildren(query: Query, state: IterationState, intervals: RowIntervals): boolean {
  const { world, plan, part, targets } = query;
  const { values } = query.cursors;
  const definition = plan.clauses[plan.direct]?.definition;
  if ((definition !== ChildOf && definition !== Parent) || part !== undefined || plan.readsPairs)
    return false;
  const pairs = pairCursor(world);
  const index = indexIfAlive(world, targets[plan.direct]!);
  const pair = index === 0 ? 0 : pairs.find(ChildOf, index);
  const count = pairs.values(pair);
  if (count === 0 || (definition === ChildOf && count < pairs.listed(pair))) return false;
  values.ofPair(pair);
  values.nextRows();
  // If the first child does not match, there may be few matches among many children.
  const archetype = archetypeViewAt(world, values.index);
  if (!isMatchOf(query, archetype)) return false;
  if ((archetype.bits?.shareOf(plan.cut) ?? plan.cut.bare) !== YES) return false;
  if (values.end - values.first === count) {
    addInterval(intervals, archetype, values.first, values.end, ROWS);
    return true;
  }
  const own = grownInt32(state.own, count);
  state.own = own;
  const { archetype: only } = values;
  let isSorted = true;
  let place = 0;
  let last = 0;
  do {
    if (values.archetype !== only) return false;
    if (values.first < last) isSorted = false;
    for (last = values.first; last < values.end; last++) own[place++] = last;
  } while (values.nextRows());
  if (!isSorted) own.subarray(0, count).sort();
  const first = own[0]!;
  if (own[count - 1]! - first < count) addInterval(intervals, archetype, first, first + count, ROWS);
  else addInterval(intervals, archetype, 0, count, OWN_LIST);
  return true;
}
