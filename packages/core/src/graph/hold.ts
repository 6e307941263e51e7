import { grownInt32 } from "../base/growing.ts";
import { appendRows, endSlice, giveColumnsBack, takeBackRows } from "../storage/rows.ts";
import type { Shape } from "../storage/shape.ts";
import { shrinkSlice } from "../storage/slices.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import type { Graph } from "./graph.ts";
import { dropTable, roomyTableFor, tidyEmpty } from "./table-graph.ts";

/** What all rows of a table have: a shape, and its pairs, ascending. */
export interface Kind {
  readonly shape: Shape;
  readonly pairs: readonly PairNumber[];
}

/** A table that keeps room for rows that will come. */
interface Room {
  readonly shape: Shape;
  readonly table: TableNumber;
  readonly count: number;
  /** The table was founded for them. */
  readonly isFresh: boolean;
}

/**
 * Makes room for rows of several types at once: those rows then need no memory, in whatever order they come, until
 * `letGo`. Meanwhile nobody gives anything back, so that who leaves takes no room from who comes.
 *
 * @param arrivals how many rows of each type will come; room made for the first one before is held, too.
 * @throws TreelineError `capacity`, or what the memory throws: tables that were founded for it are gone again.
 */
export function holdRooms(graph: Graph, arrivals: ReadonlyMap<Kind, number>): void {
  const rooms: Room[] = [];
  try {
    for (const [kind, count] of arrivals) rooms.push(makeRoom(graph, kind, count));
  } catch (error) {
    for (let room = rooms.pop(); room !== undefined; room = rooms.pop()) giveRoomBack(graph, room);
    throw error;
  }
  graph.vacated = rooms.map(({ table }) => table);
  for (const { shape, table, count } of rooms) takeBackRows(graph, shape, table, count);
}

/** Rows of nobody stand for those that will come, so that no room is taken for another one. */
function makeRoom(graph: Graph, { shape, pairs }: Kind, count: number): Room {
  const { tables } = graph;
  graph.wanted = grownInt32(graph.wanted, pairs.length);
  graph.wanted.set(pairs);
  const table = roomyTableFor(graph, shape, pairs.length, count, 0);
  const isFresh = tables.count[table] === 0 && graph.fresh === table;
  appendRows(graph, shape, table, count);
  return { shape, table, count, isFresh };
}

function giveRoomBack(graph: Graph, { shape, table, count, isFresh }: Room): void {
  const { tables } = graph;
  takeBackRows(graph, shape, table, count);
  if (tables.count[table]! > 0) {
    shrinkSlice(shape, tables, table);
    return;
  }
  endSlice(tables, shape, table);
  if (isFresh) dropTable(graph, shape, table);
  if (shape.rows === 0) giveColumnsBack(graph, shape);
}

/** Everybody has come: what was left meanwhile is given back. */
export function letGo(graph: Graph): void {
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
