import type { Definition, World } from "@treeline/core";
import { archetypeViewAt, columnsOf, rowAt, sparseCursorOf } from "@treeline/core/internal";

/**
 * A value as its columns hold it: for each field its numbers, or its JavaScript value; for a component without a schema its only value;
 * nothing for a tag. Comparing two such lists needs no objects, and 32-bit numbers are compared as they are stored.
 */
export type Cells = readonly unknown[];

export const NO_CELLS: Cells = [];

/** Where the own value of an entity is: columns by field, or the list of values. */
export interface Place {
  readonly columns: unknown;
  readonly row: number;
}

/** `undefined` if the entity at an index has no value of its own. */
export function placeOf(world: World, index: number, definition: Definition): Place | undefined {
  const sparse = sparseCursorOf(world, definition);
  if (sparse !== undefined) {
    const row = sparse.placeOf(index);
    return row < 0 ? undefined : { columns: sparse.columns, row };
  }
  const columns = columnsOf(archetypeViewAt(world, index), definition);
  return columns === undefined ? undefined : { columns, row: rowAt(world, index) };
}

/** The numbers or values of one field. */
export function columnOf(columns: unknown, definition: Definition, field: number): ArrayLike<unknown> {
  if (definition.holds === "values") return columns as unknown[];
  return (columns as { readonly [name: string]: ArrayLike<unknown> })[definition.fields[field]![0]]!;
}

/** How many cells a field has. */
export function lengthOf({ fields }: Definition, field: number): number {
  return fields[field]![1].length;
}

export function readCells({ columns, row }: Place, definition: Definition): unknown[] {
  const cells: unknown[] = [];
  for (let field = 0; field < definition.fields.length; field++) {
    const column = columnOf(columns, definition, field);
    const length = lengthOf(definition, field);
    for (let at = row * length; at < (row + 1) * length; at++) cells.push(column[at]);
  }
  return cells;
}

/** Are the cells of a place the same as these? */
export function hasCells({ columns, row }: Place, definition: Definition, cells: Cells): boolean {
  let next = 0;
  for (let field = 0; field < definition.fields.length; field++) {
    const column = columnOf(columns, definition, field);
    const length = lengthOf(definition, field);
    for (let at = row * length; at < (row + 1) * length; at++)
      if (!isSame(column[at], cells[next++])) return false;
  }
  return true;
}

export function areSame(one: Cells, other: Cells): boolean {
  return one.length === other.length && one.every((cell, at) => isSame(cell, other[at]));
}

/** The same number or value; of plain objects and lists, the same content. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  return hasSameContent(one, other);
}

/** Iterative, since values of users may be deep. */
function hasSameContent(first: object, second: object): boolean {
  const pairs: [unknown, unknown][] = [[first, second]];
  const met = new Set<object>();
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other] = pair;
    if (Object.is(one, other)) continue;
    if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return false;
    if (met.has(one)) continue;
    met.add(one);
    const keys = Object.keys(one);
    if (keys.length !== Object.keys(other).length) return false;
    for (const key of keys) {
      if (!(key in other)) return false;
      pairs.push([one[key], other[key]]);
    }
  }
  return true;
}

function isPlain(value: unknown): value is { readonly [key: string]: unknown } {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

/** The value that `set` takes for some fields: by name. @param isWanted by number of the field. */
export function plainValue(
  definition: Definition,
  cells: Cells,
  isWanted: (field: number) => boolean,
): unknown {
  if (definition.holds === "values") return cells[0];
  const value: { [name: string]: unknown } = {};
  let next = 0;
  for (const [field, [name, { kind, isList, length }]] of definition.fields.entries()) {
    const own = cells.slice(next, next + length);
    next += length;
    if (!isWanted(field)) continue;
    if (isList) value[name] = own;
    else if (kind === "bool") value[name] = own[0] === 1;
    else if (kind === "entity") value[name] = own[0] === 0 ? undefined : own[0];
    else value[name] = own[0];
  }
  return value;
}
