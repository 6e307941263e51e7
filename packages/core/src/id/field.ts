import { refuseDefinition, shown } from "../base/error.ts";
import type { Entity } from "./entity.ts";

/** How the numbers of a field are stored; `bool` is one byte, `entity` a whole handle in eight bytes. */
export type KindName = "f32" | "f64" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "bool" | "entity";

/** The typed arrays that columns use. */
export type Numbers =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

/** One field of a schema. `Value` is what a row view reads, `Column` the typed array of all rows, `Init` what may be written. */
export interface Field<Value = unknown, Column extends Numbers = Numbers, Init = unknown> {
  readonly kind: KindName;
  /** Bytes of one number: 1, 2, 4 or 8. */
  readonly width: number;
  /** Numbers in one row: 1, or the length of an `array` field. */
  readonly length: number;
  /** An `array` field: read and written as a list, even if it has one number. */
  readonly isList: boolean;
  /** Always absent; holds the types. */
  readonly types?: { readonly value: Value; readonly column: Column; readonly init: Init };
}

export const f32: Field<number, Float32Array, number> = { kind: "f32", width: 4, length: 1, isList: false };
export const f64: Field<number, Float64Array, number> = { kind: "f64", width: 8, length: 1, isList: false };
export const i8: Field<number, Int8Array, number> = { kind: "i8", width: 1, length: 1, isList: false };
export const u8: Field<number, Uint8Array, number> = { kind: "u8", width: 1, length: 1, isList: false };
export const i16: Field<number, Int16Array, number> = { kind: "i16", width: 2, length: 1, isList: false };
export const u16: Field<number, Uint16Array, number> = { kind: "u16", width: 2, length: 1, isList: false };
export const i32: Field<number, Int32Array, number> = { kind: "i32", width: 4, length: 1, isList: false };
export const u32: Field<number, Uint32Array, number> = { kind: "u32", width: 4, length: 1, isList: false };
/** One byte, read as `true` or `false`; its column holds 1 and 0. */
export const bool: Field<boolean, Uint8Array, boolean> = { kind: "bool", width: 1, length: 1, isList: false };
/** A reference to an entity; reads as `undefined` if it is unset or the entity is not alive. */
export const entity: Field<Entity | undefined, Float64Array, Entity | undefined> = {
  kind: "entity",
  width: 8,
  length: 1,
  isList: false,
};

/**
 * A field of `length` numbers, stored row after row in one column: row r starts at `r * length`.
 *
 * @throws TreelineError `bad-definition` unless `kind` is a plain number kind and `length` a whole number above 0.
 */
export function array<Column extends Numbers>(
  kind: Field<number, Column, number>,
  length: number,
): Field<Column, Column, ArrayLike<number>> {
  if (!isField(kind) || kind.isList || kind.kind === "bool" || kind.kind === "entity")
    refuseDefinition("array(kind, length) needs a plain number kind, such as f32");
  if (!Number.isInteger(length) || length < 1)
    refuseDefinition(`array(kind, length) needs a whole number above 0, not ${shown(length)}`);
  return { kind: kind.kind, width: kind.width, length, isList: true };
}

/** Whether it is a field kind, such as f32. Accepts any value. */
export function isField(kind: unknown): kind is Field {
  const { kind: name, width, length } = (kind ?? {}) as Partial<Field>;
  return typeof name === "string" && typeof width === "number" && typeof length === "number";
}

/** Names and kinds of a component's fields. */
export type Schema = { readonly [name: string]: Field };

type Types<F> = F extends { readonly types?: infer T } ? Exclude<T, undefined> : never;
/** One row as an object: the type that `get` returns and that row views have. */
export type RowOf<S extends Schema> = {
  -readonly [K in keyof S]: Types<S[K]> extends { value: infer V } ? V : never;
};
/** The columns of all rows: one typed array per field. */
export type ColumnsOf<S extends Schema> = {
  readonly [K in keyof S]: Types<S[K]> extends { column: infer C } ? C : never;
};
/** What may be written: any of the fields. */
export type InitOf<S extends Schema> = {
  readonly [K in keyof S]?: Types<S[K]> extends { init: infer I } ? I : never;
};
