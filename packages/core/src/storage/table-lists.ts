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
  if (shape.firstTable === table) shape.firstTable = tables.next[table]!;
  if (shape.lastTable === table) shape.lastTable = tables.previous[table]!;
  unlink(tables, table);
  shape.tables--;
}

export function takeEmpty(tables: Tables, shape: Shape, table: TableNumber): void {
  if (shape.firstEmpty === table) shape.firstEmpty = tables.next[table]!;
  if (shape.lastEmpty === table) shape.lastEmpty = tables.previous[table]!;
  unlink(tables, table);
  shape.emptyTables--;
}

function link(tables: Tables, last: TableNumber, table: TableNumber): void {
  tables.previous[table] = last;
  tables.next[table] = 0;
  if (last !== 0) tables.next[last] = table;
}

function unlink(tables: Tables, table: TableNumber): void {
  const before = tables.previous[table]!;
  const after = tables.next[table]!;
  if (before !== 0) tables.next[before] = after;
  if (after !== 0) tables.previous[after] = before;
}
