// The numbers of kinds of fields and definitions, and their lanes (`laneFor`).
import type { Lane } from "./bytes.ts";

/** What a name of the document is. */
export const ELSEWHERE = 0; // named in JSON inside only
export const TAG = 1;
export const VALUES = 2;
export const FIELDS = 3;

/** Kinds of fields: the number of a kind is its place. */
export const KINDS: readonly string[] = [
  "f32",
  "f64",
  "i8",
  "u8",
  "i16",
  "u16",
  "i32",
  "u32",
  "bool",
  "entity",
  "value",
];

const LANES: readonly (new (length: number) => Lane)[] = [
  Float32Array,
  Float64Array,
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Uint8Array,
  Uint32Array,
];

/** Bytes of a number of a kind. */
export const WIDTHS: readonly number[] = [4, 8, 1, 1, 2, 2, 4, 4, 1, 4];

/** A lane for numbers of a kind; `undefined` for `value`, whose values are texts. */
export function laneFor(kind: string, length: number): Lane | undefined {
  const Kind = LANES[KINDS.indexOf(kind)];
  return Kind && new Kind(length);
}

/** Rows: named; with parents stored by value; with JSON for what is in no column. */
export const NAMED = 1;
export const BY_VALUE = 2;
export const OTHERS = 4;
