import { grownInt32 } from "../base/growing.ts";
import { appendRows, endSlice, giveColumnsBack, takeBackRows } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import { shrinkSlice } from "../storage/slices.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import type { Graph } from "./graph.ts";
import { dropTable, roomyTableFor, tidyEmpty } from "./table-graph.ts";

/** What all rows of a table have: an archetype, and its pairs, ascending. */
export interface TableType {
  readonly shape: Shape;
  readonly pairs: readonly PairNumber[];
}

/** Rows of one type that will come. */
export interface Arrivals {
  readonly type: TableType;
  readonly count: number;
}

/** A table that keeps room for rows that will come. */
interface Room {
  readonly shape: Shape;
  readonly table: TableNumber;
  readonly count: number;
  /** The table was made for them. */
  readonly isNew: boolean;
}

/**
 * Makes room for rows of several types at once: those rows then need no memory, in whatever order they come, until
 * `endReservation`. Meanwhile nothing is given back, so that a row that leaves takes no room from one that comes.
 *
 * @returns the table of each type.
 * @throws TreelineError `capacity`, or what the memory throws: tables that were made for it are gone again.
 */
export function reserveRows(graph: Graph, arrivals: readonly Arrivals[]): TableNumber[] {
  const rooms: Room[] = [];
  try {
    for (const { type, count } of arrivals) rooms.push(makeRoom(graph, type, count));
  } catch (error) {
    for (let room = rooms.pop(); room !== undefined; room = rooms.pop()) giveRoomBack(graph, room);
    throw error;
  }
  graph.vacated = rooms.map(({ table }) => table);
  for (const { shape, table, count } of rooms) takeBackRows(graph, shape, table, count);
  return rooms.map(({ table }) => table);
}

/** Placeholder rows stand for those that will come, so that no room is taken for another type. */
function makeRoom(graph: Graph, { shape, pairs }: TableType, count: number): Room {
  const { tables } = graph;
  graph.wanted = grownInt32(graph.wanted, pairs.length);
  graph.wanted.set(pairs);
  const table = roomyTableFor(graph, shape, pairs.length, count, 0);
  const isNew = tables.count[table] === 0 && graph.fresh === table;
  appendRows(graph, shape, table, count);
  return { shape, table, count, isNew };
}

function giveRoomBack(graph: Graph, { shape, table, count, isNew }: Room): void {
  const { tables } = graph;
  takeBackRows(graph, shape, table, count);
  if (tables.count[table]! > 0) {
    shrinkSlice(shape, tables, table);
    return;
  }
  endSlice(tables, shape, table);
  if (isNew) dropTable(graph, shape, table);
  if (shape.rows === 0) giveColumnsBack(graph, shape);
}

/** All rows have come: what was left meanwhile is given back. */
export function endReservation(graph: Graph): void {
  const { tables, shapes, vacated } = graph;
  graph.vacated = undefined;
  const emptied: TableNumber[] = [];
  for (const table of vacated!) {
    const shape = shapes[tables.shape[table]!]!;
    if (tables.count[table]! > 0) shrinkSlice(shape, tables, table);
    else if (tables.first[table]! >= 0) {
      endSlice(tables, shape, table);
      emptied.push(table);
    }
  }
  // Only now: no slice is left in columns that go.
  for (const table of emptied) {
    if (tables.shape[table]! < 0) continue;
    const shape = shapes[tables.shape[table]!]!;
    if (shape.rows === 0) giveColumnsBack(graph, shape);
    tidyEmpty(graph, shape, table);
  }
}
