// The property that carries the types of a component or a pair, and has no name that editors offer (`Typed`).

declare const typesBrand: unique symbol;

/** What carries the types of a row, of all columns, and of what may be written. The property is never set. */
export interface Typed<Row = unknown, Columns = unknown, Init = unknown> {
  readonly [typesBrand]?: { readonly row: Row; readonly columns: Columns; readonly init: Init };
}
