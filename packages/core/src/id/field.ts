// The kinds of fields (`KindName`, `f32`, `bool`, `entity`, `array`) and their types; wrong `array` fields; `misfitOf`; `rowReaderOf`.
import { refuseDefinition, shown } from "../base/error.ts";
import type { Entity } from "./entity.ts";

/**
 * What a field holds: numbers of one kind, `bool` as one byte, `entity` as a whole handle in eight bytes, and `value` as any
 * JavaScript value.
 */
export type KindName =
  | "f32"
  | "f64"
  | "i8"
  | "u8"
  | "i16"
  | "u16"
  | "i32"
  | "u32"
  | "bool"
  | "entity"
  | "value";

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

declare const typesBrand: unique symbol;

/**
 * One field of a schema. `Value` is what a row view reads, `Column` holds the field of all rows, a typed array or a list, and
 * `Init` is what may be written.
 */
export interface Field<Value = unknown, Column = unknown, Init = unknown> {
  readonly kind: KindName;
  /** Bytes of one number: 1, 2, 4 or 8; 0 for `value`. */
  readonly width: number;
  /** Numbers in one row: 1, or the length of an `array` field. */
  readonly length: number;
  /** An `array` field: read and written as a list, even if it has one number. */
  readonly isList: boolean;
  /** The default: what a row holds where no value is given. A handle is 0, a list has its full length. */
  readonly initial: unknown;
  /** @internal */
  readonly rule: Rule;
  /** Never set; carries the types. */
  readonly [typesBrand]?: { readonly value: Value; readonly column: Column; readonly init: Init };
}

/** What a field accepts. */
export interface Rule {
  /** In messages: "Position.x expects a number". */
  readonly wanted: string;
  /** The default that needs no writing, since cleared rows hold it. */
  readonly zero?: unknown;
  /**
   * Puts a checked value among the collected ones; false if the field does not accept it. Without it, `takes` decides, and
   * the value itself is put.
   */
  readonly put?: (given: unknown, collected: FieldValues, at: number) => boolean;
  /** A value in messages, if `shown` says too little. */
  readonly shown?: (given: unknown) => string;
  /** Reads the cells from a place on, in the public form; without it, that is the first of them. */
  readonly read?: (cells: ArrayLike<unknown>, at: number, into: unknown) => unknown;
  /** Of an `array` field: `listAccess`, for row views. */
  readonly access?: object;
}

/** Values between their check and the row that stores them: as numbers, or as they are. */
export interface FieldValues {
  readonly numbers: Float64Array;
  readonly values: unknown[];
}

/** A kind of number. It is a field whose default is 0 or `false`; called, it makes a field with another default: `f32(1)`. */
export interface NumberKind<Value extends number | boolean, Column extends Numbers> {
  (initial: Value): Field<Value, Column, Value>;
  /** The field with the usual default. @internal */
  readonly field: Field<Value, Column, Value>;
}

/** The rule of all numbers but `bool`, handles and lists. */
export const NUMBER: Rule = { wanted: "a number", zero: 0 };

/** Called with what is not a number, a kind makes no field: `component` refuses that, and names the field. */
function numberKind<Value extends number | boolean, Column extends Numbers>(
  kind: KindName,
  width: number,
  rule: Rule = NUMBER,
): NumberKind<Value, Column> {
  const make = (initial: unknown): Field | undefined =>
    typeof initial === typeof rule.zero
      ? { kind, width, length: 1, isList: false, initial, rule }
      : undefined;
  return Object.assign(make, { field: make(rule.zero) }) as NumberKind<Value, Column>;
}

export const f32: NumberKind<number, Float32Array> = /* @__PURE__ */ numberKind("f32", 4);
export const f64: NumberKind<number, Float64Array> = /* @__PURE__ */ numberKind("f64", 8);
export const i8: NumberKind<number, Int8Array> = /* @__PURE__ */ numberKind("i8", 1);
export const u8: NumberKind<number, Uint8Array> = /* @__PURE__ */ numberKind("u8", 1);
export const i16: NumberKind<number, Int16Array> = /* @__PURE__ */ numberKind("i16", 2);
export const u16: NumberKind<number, Uint16Array> = /* @__PURE__ */ numberKind("u16", 2);
export const i32: NumberKind<number, Int32Array> = /* @__PURE__ */ numberKind("i32", 4);
export const u32: NumberKind<number, Uint32Array> = /* @__PURE__ */ numberKind("u32", 4);
/** One byte, read as `true` or `false`; its column holds 1 and 0. */
export const bool: NumberKind<boolean, Uint8Array> = /* @__PURE__ */ numberKind("bool", 1, {
  wanted: "true or false",
  zero: false,
  read: (cells, at) => !!cells[at],
});

/**
 * A reference to an entity; reads as `undefined` if it is unset or the entity is not alive. Any handle can be written: that of a
 * destroyed entity is not an error. The handle of another world means nothing in this one; only development builds, where each world
 * has handles of its own, are sure to read it as `undefined`.
 */
export const entity: Field<Entity | undefined, Float64Array, Entity | undefined> = {
  kind: "entity",
  width: 8,
  length: 1,
  isList: false,
  initial: 0,
  rule: {
    wanted: "a handle that spawn returned, or undefined",
    zero: 0,
    put(given, { numbers }, at) {
      numbers[at] = 0;
      if (given === undefined) return true;
      const fits = Number.isSafeInteger(given) && (given as number) > 0;
      if (fits) numbers[at] = given as number;
      return fits;
    },
  },
};

/** A default that `Value` allows: a type with `undefined` starts as `undefined`, and only a type of texts starts as a text. */
type InitialOf<Value> = unknown extends Value
  ? Value
  : undefined extends Value
    ? undefined
    : [Value] extends [string]
      ? Value
      : Exclude<Value, string>;

/**
 * A field that holds any JavaScript value of a type: a string, an object, a function. Its column is a list; the value itself is
 * stored, not a copy. In a schema, a string means such a field: `{ title: "" }` is `{ title: value<string>("") }`.
 *
 * Passed to `component` in place of a schema, it makes a component that is one such value, with a default.
 *
 * A field whose default is a text accepts only texts. Other values are not checked: a program does not know its types when it
 * runs. In a value with fields, `undefined` clears a field without a default; a field that has one keeps its value, as if it were
 * left out.
 *
 * @cost eight bytes a row, and what the engine allocates for the value. The types of kernels leave it out.
 * @param initial the default, for all rows the same value: an object must be frozen. Without it `undefined`, so `value<string[]>()` holds
 *   `string[] | undefined`. If `Value` allows `undefined` there is no other default: use `null` for "none" beside a default.
 * @throws TreelineError `bad-definition` for an object that is not frozen.
 *
 * @example
 * const Label = component("Label", { text: "", style: value<Style | undefined>() });
 */
export function value<Value = undefined>(): Field<
  Value | undefined,
  (Value | undefined)[],
  Value | undefined
>;
export function value<Value>(initial: InitialOf<Value>): Field<Value, Value[], Value>;
export function value(initial?: unknown): Field {
  if (typeof initial === "object" && !Object.isFrozen(initial))
    refuseDefinition(
      "value(initial): all rows would share this object; freeze it, or leave it out and pass one per row",
    );
  return valueField(initial);
}

/** The rule of `value` fields: they accept texts if their default is a text, and otherwise anything. */
const VALUE: Rule = { wanted: "a text" };

function valueField(initial: unknown): Field {
  return { kind: "value", width: 0, length: 1, isList: false, initial, rule: VALUE };
}

/** The whole numbers that kinds of whole numbers hold: the least one and the greatest one. */
const RANGES: { readonly [kind: string]: readonly [number, number] } = {
  i8: [-128, 127],
  u8: [0, 255],
  i16: [-32_768, 32_767],
  u16: [0, 65_535],
  i32: [-2_147_483_648, 2_147_483_647],
  u32: [0, 4_294_967_295],
};

/**
 * For development builds: shipped ones store what a typed array makes of a number.
 * @returns what fields of a kind hold, in words, if that is not this number; `undefined` if it is.
 */
export function misfitOf(kind: KindName, number: number): string | undefined {
  if (kind === "f32" && Number.isFinite(number) && !Number.isFinite(Math.fround(number)))
    return "f32 holds numbers up to 3.4e38; use f64";
  const range = RANGES[kind];
  if (range === undefined || (Number.isInteger(number) && number >= range[0] && number <= range[1]))
    return undefined;
  return `${kind} holds whole numbers ${range[0]} to ${range[1]}`;
}

/** Does a field whose rule has no `put` accept a value? */
export function takes({ kind, initial }: Field, given: unknown): boolean {
  return typeof given === typeof initial || (kind === "value" && typeof initial !== "string");
}

/** The value of an object component without a default. */
export const NO_DEFAULT: Field = /* @__PURE__ */ valueField(undefined);

/** See `array`. @param access how row views read and write it. */
export function listField(
  kind: NumberKind<number, Numbers>,
  length: number,
  initial: ArrayLike<number> | undefined,
  access: object,
): Field {
  const field = kind?.field;
  if (field?.rule !== NUMBER) refuseDefinition("array(kind, length) needs a plain number kind, such as f32");
  if (!Number.isInteger(length) || length < 1)
    refuseDefinition(`array(kind, length) needs a whole number above 0, not ${shown(length)}`);
  const put = (given: unknown, { numbers }: FieldValues, at: number): boolean =>
    putList(given, length, numbers, at);
  const checked = new Float64Array(length);
  const wanted = `a list of ${length} ${length === 1 ? "number" : "numbers"}`;
  if (initial !== undefined && !putList(initial, length, checked, 0))
    refuseDefinition(`array(kind, length, initial) expects ${wanted}, not ${shownList(initial, length)}`);
  CHECK: for (const number of checked) {
    const holds = misfitOf(field.kind, number);
    if (holds !== undefined) refuseDefinition(`array(kind, length, initial) cannot hold ${number}: ${holds}`);
  }
  const numbers = new COLUMNS[field.kind as keyof typeof COLUMNS](length);
  numbers.set(checked);
  const rule: Rule = {
    wanted,
    zero: numbers.some((one) => one !== 0) ? undefined : numbers,
    put,
    shown: (given) => shownList(given, length),
    read: (cells, at, into) => readList(cells as Numbers, at, length, into),
    access,
  };
  return { kind: field.kind, width: field.width, length, isList: true, initial: numbers, rule };
}

const COLUMNS = {
  f32: Float32Array,
  f64: Float64Array,
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
};

function putList(given: unknown, length: number, numbers: Float64Array, at: number): boolean {
  const list = given as ArrayLike<unknown>;
  if (typeof given !== "object" || given === null || list.length !== length) return false;
  for (let place = 0; place < length; place++) {
    const number = list[place];
    if (typeof number !== "number") return false;
    numbers[at + place] = number;
  }
  return true;
}

/** Copies a list, into `into` if that is one. */
function readList(numbers: Numbers, at: number, length: number, into: unknown): unknown {
  if (into === undefined || into === null) return numbers.slice(at, at + length);
  const list = into as { [place: number]: number };
  for (let place = 0; place < length; place++) list[place] = numbers[at + place]!;
  return into;
}

/** What is wrong with a list: its length, or else its first element that is not a number. */
function shownList(given: unknown, length: number): string {
  const list = given as Partial<ArrayLike<unknown>>;
  if (typeof given !== "object" || given === null || typeof list.length !== "number") return shown(given);
  if (list.length !== length) return `a list of ${list.length}`;
  let place = 0;
  while (typeof list[place] === "number") place++;
  return `${shown(list[place])} at place ${place}`;
}

/**
 * What a schema may have for a field: a field, a kind of number, or a default: a number is `f64`, a boolean `bool`, a string `value`. A
 * default of a type with several literals keeps it: `"open" as "open" | "shut"`.
 */
export type FieldInit =
  | Field
  | NumberKind<number, Numbers>
  | NumberKind<boolean, Numbers>
  | number
  | boolean
  | string
  | WithoutNesting;

/** For the texts of type errors: an object in place of a field. No value has this type. */
export interface WithoutNesting {
  readonly "a field has no fields of its own: use array(f32, 3), value<T>() or another component": never;
  readonly [name: string]: unknown;
}

/** Names of a component's fields, and what they hold. */
export type Schema = { readonly [name: string]: FieldInit };

/** The field that an entry of a schema means; `undefined` if it means none. Accepts any value. */
export function fieldFrom(given: unknown): Field | undefined {
  const field =
    typeof given === "number"
      ? f64(given)
      : typeof given === "boolean"
        ? bool(given)
        : typeof given === "string"
          ? valueField(given)
          : ((given as Partial<NumberKind<number, Numbers>> | null | undefined)?.field ??
            (given as Partial<Field> | null | undefined));
  return field?.rule && (field as Field);
}

type FieldOf<F> = [F] extends [NumberKind<infer Value, infer Column>]
  ? Field<Value, Column, Value>
  : [F] extends [number]
    ? Field<Kept<F, number>, Float64Array, Kept<F, number>>
    : [F] extends [boolean]
      ? Field<boolean, Uint8Array, boolean>
      : [F] extends [string]
        ? Field<Kept<F, string>, Kept<F, string>[], Kept<F, string>>
        : F;
/** The type of values with such a default: `"open" as "open" | "shut"` keeps its union, `"open"` alone is a `string`. */
type Kept<F, Wide> = Wide extends F ? Wide : IsUnion<F> extends true ? F : Wide;
type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never;
type Types<F> = FieldOf<F> extends { readonly [typesBrand]?: infer T } ? Exclude<T, undefined> : never;
/** Makes editors show the fields of a type instead of its name. */
type Shown<T> = T & {};
/** One row as an object: the type that `get` returns and that row views have. */
export type RowOf<S extends Schema> = Shown<{
  -readonly [K in keyof S]: Types<S[K]> extends { value: infer V } ? V : never;
}>;
/** The columns of all rows: one typed array per field; a list for `value`. */
export type ColumnsOf<S extends Schema> = Shown<{
  readonly [K in keyof S]: Types<S[K]> extends { column: infer C } ? C : never;
}>;
/** What may be written: any of the fields. */
export type InitOf<S extends Schema> = Shown<{
  readonly [K in keyof S]?: Types<S[K]> extends { init: infer I } ? I : never;
}>;

/** Makes the value of a component of the numbers of a row, which are `stride` elements apart. */
export type Reader = (cells: Numbers, at: number, stride: number) => object;

/** A definition. */
interface WithFields {
  readonly id: number;
  readonly kind: string;
  readonly isFlat: boolean;
  readonly fields: readonly (readonly [name: string, field: Field])[];
}

type ReaderOf = (a: string, b: string, c: string) => Reader;

/**
 * A reader for a component of one to three numbers of one kind; null for others. V8 makes the storing of a property fast where it always
 * has one name, and collects what it knows about a function by its source text: so readers stand in the source several times.
 */
export function rowReaderOf({ id, kind, isFlat, fields }: WithFields): Reader | null {
  // biome-ignore format: one line for each copy
  const texts: readonly (readonly ReaderOf[])[] = [
  [
    (a) => (n, i) => ({ [a]: n[i] }),
    (a) => (n, i) => ({ [a]: n[i] }),
    (a) => (n, i) => ({ [a]: n[i] }),
    (a) => (n, i) => ({ [a]: n[i] }),
  ],
  [
    (a, b) => (n, i, s) => ({ [a]: n[i], [b]: n[i + s] }),
    (a, b) => (n, i, s) => ({ [a]: n[i], [b]: n[i + s] }),
    (a, b) => (n, i, s) => ({ [a]: n[i], [b]: n[i + s] }),
    (a, b) => (n, i, s) => ({ [a]: n[i], [b]: n[i + s] }),
  ],
  [
    (a, b, c) => (n, i, s) => ({ [a]: n[i], [b]: n[i + s], [c]: n[i + s + s] }),
    (a, b, c) => (n, i, s) => ({ [a]: n[i], [b]: n[i + s], [c]: n[i + s + s] }),
    (a, b, c) => (n, i, s) => ({ [a]: n[i], [b]: n[i + s], [c]: n[i + s + s] }),
    (a, b, c) => (n, i, s) => ({ [a]: n[i], [b]: n[i + s], [c]: n[i + s + s] }),
  ],
];
  const isAlike = isFlat && fields.every(([, own]) => own.kind === fields[0]![1].kind);
  const own = isAlike && kind === "component" ? texts[fields.length - 1] : undefined;
  const [a, b, c] = fields.map(([name]) => name);
  return own === undefined ? null : own[id & 3]!(a!, b!, c!);
}
