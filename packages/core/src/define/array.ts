// `array`, and the code of row views that it brings.
import { listAccess } from "../cursor/list-cell.ts";
import { type Field, listField, type NumberKind, type Numbers } from "../id/field.ts";

/**
 * A field of `length` numbers, stored row after row in one column: row r starts at `r * length`.
 *
 * @param initial the default, as many numbers. Without it, zeros.
 * @throws TreelineError `bad-definition` unless `kind` is a plain number kind, `length` a whole number above 0, and `initial` a
 *   list of `length` numbers.
 *
 * @example
 * const Local = component("Local", { rotation: array(f32, 4, [0, 0, 0, 1]), scale: f32(1) });
 */
export function array<Column extends Numbers>(
  kind: NumberKind<number, Column>,
  length: number,
  initial?: ArrayLike<number>,
): Field<Column, Column, ArrayLike<number>> {
  return listField(kind, length, initial, listAccess) as Field<Column, Column, ArrayLike<number>>;
}
