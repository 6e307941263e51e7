import type { Shape } from "./shape.ts";
import type { TableNumber, Tables } from "./table.ts";

/** A shape's two lists of tables, those with rows and the empty ones, are linked through `next` and `previous`. */
export function appendFilled(tables: Tables, shape: Shape, table: TableNumber): void {
  link(tables, shape.lastTable, table);
  if (shape.firstTable === 0) shape.firstTable = table;
  shape.lastTable = table;
  shape.tables++;
}

export function appendEmpty(tables: Tables, shape: Shape, table: TableNumber): void {
  link(tables, shape.lastEmpty, table);
  if (shape.firstEmpty === 0) shape.firstEmpty = table;
  shape.lastEmpty = table;
  shape.emptyTables++;
}

export function takeFilled(tables: Tables, shape: Shape, table: TableNumber): void {
  const before = tables.previous[table]!;
  const after = tables.next[table]!;
  if (before === 0) shape.firstTable = after;
  else tables.next[before] = after;
  if (after === 0) shape.lastTable = before;
  else tables.previous[after] = before;
  shape.tables--;
}

export function takeEmpty(tables: Tables, shape: Shape, table: TableNumber): void {
  const before = tables.previous[table]!;
  const after = tables.next[table]!;
  if (before === 0) shape.firstEmpty = after;
  else tables.next[before] = after;
  if (after === 0) shape.lastEmpty = before;
  else tables.previous[after] = before;
  shape.emptyTables--;
}

function link(tables: Tables, last: TableNumber, table: TableNumber): void {
  tables.previous[table] = last;
  tables.next[table] = 0;
  if (last !== 0) tables.next[last] = table;
}
