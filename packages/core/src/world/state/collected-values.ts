import { shortened, shown, TreelineError } from "../../base/error.ts";
import { growAll, grownInt32 } from "../../base/growing.ts";
import type { Definition } from "../../id/definition.ts";
import type { Field } from "../../id/field.ts";
import { type Column, type Lanes, numbersOf } from "../../storage/lanes.ts";

/** Initial capacity for numbers and places. */
const FIRST_ROOM = 64;

/**
 * Values on their way from the call that passes them to the row that stores them: every field is read once, checked, and stored
 * as numbers, so that no getter runs between a check and a write. One record per world.
 */
export class CollectedValues {
  /** Numbers of all fields read so far, in the order of reading; a list of n elements takes n numbers. */
  numbers: Float64Array<ArrayBuffer> = new Float64Array(FIRST_ROOM);
  count = 0;
  /** The place in the schema of each field read so far. */
  places: Int32Array<ArrayBuffer> = new Int32Array(FIRST_ROOM);
  fields = 0;
  /** For each term read so far: the place after its last field. */
  ends: Int32Array<ArrayBuffer> = new Int32Array(16);
  terms = 0;
  /** The values of the last list of terms named their fields in the order of the schema. */
  isInOrder = true;
}

type Fields = { readonly [name: string]: unknown };

/**
 * Reads a value that is to be written, after the values collected before. Fields may be left out or `undefined`. Checks only the
 * form: a field may contain the handle of an entity that is not alive; it then reads as `undefined`.
 *
 * @throws TreelineError `bad-value` for data passed to a definition without values, for a value that is not an object of fields,
 *   for a field that the definition does not have, and for a field of the wrong kind. If several fields are wrong, the message
 *   names the first one.
 */
export function collectValue(collected: CollectedValues, definition: Definition, value: unknown): void {
  if (value === undefined || definition.holds === "values") return;
  const { name: own, kind, holds, fields, isFlat } = definition;
  if (holds === "nothing") {
    refuse(`${own} carries no values; pass ${kind === "relation" ? `${own}(entity)` : own} alone`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    refuse(`${own} expects an object with ${namesOf(definition)}, not ${shown(value)}`);
  const from = collected.fields;
  let { count, fields: read } = collected;
  let next = 0;
  let isInOrder = true;
  for (const name in value) {
    // Most values have their fields in the order of the schema.
    let at = next;
    if (at >= fields.length || fields[at]![0] !== name) {
      isInOrder = false;
      at = placeOf(definition, name);
      if (at < 0) {
        if (name in Object.prototype) continue;
        refuse(`${own} has no field ${shortened(name)}; it has ${namesOf(definition)}`);
      }
    }
    next = at + 1;
    collected.count = count; // a getter may collect other values after these
    collected.fields = read;
    const given = (value as Fields)[name];
    if (isFlat && typeof given === "number" && count < FIRST_ROOM && read < FIRST_ROOM) {
      collected.numbers[count++] = given;
      collected.places[read++] = at;
    } else {
      collectField(collected, definition, at, given);
      count = collected.count;
      read = collected.fields;
    }
  }
  collected.count = count;
  collected.fields = read;
  if (!isInOrder) collected.isInOrder = false;
  if (read - from < fields.length && Object.getPrototypeOf(value) !== Object.prototype) {
    collectInherited(collected, definition, value as Fields, from);
  }
}

/** Not a closure in the loop over a value: each iteration would allocate what the closure captures. */
function placeOf({ fields }: Definition, name: string): number {
  return fields.findIndex(([field]) => field === name);
}

/** A `for in` loop over the value does not find the accessors of a class, but they are read as well. */
function collectInherited(
  collected: CollectedValues,
  definition: Definition,
  value: Fields,
  from: number,
): void {
  const { fields } = definition;
  const found = new Set(collected.places.subarray(from, collected.fields));
  for (let at = 0; at < fields.length; at++) {
    const [name] = fields[at]!;
    if (!found.has(at) && name in value) collectField(collected, definition, at, value[name]);
  }
  collected.isInOrder = false; // values that getters collect have an order of their own
}

function collectField(collected: CollectedValues, definition: Definition, at: number, given: unknown): void {
  const field = definition.fields[at]![1];
  if (given === undefined && field.kind !== "entity") return;
  collected.places = grownInt32(collected.places, collected.fields + 1);
  const end = collected.count + field.length;
  if (end > collected.numbers.length) growAll(collected, end, "numbers");
  if (field.isList) collectList(collected, definition, at, given);
  else collected.numbers[collected.count] = numberOf(definition, at, given);
  collected.count = end;
  collected.places[collected.fields++] = at;
}

function numberOf(definition: Definition, at: number, given: unknown): number {
  const { kind } = definition.fields[at]![1];
  if (kind === "bool" && typeof given === "boolean") return given ? 1 : 0;
  if (kind === "entity" && given === undefined) return 0;
  const fits = kind === "entity" ? Number.isSafeInteger(given) && (given as number) > 0 : kind !== "bool";
  if (fits && typeof given === "number") return given;
  refuseField(definition, at, given);
}

function collectList(collected: CollectedValues, definition: Definition, at: number, given: unknown): void {
  const { length } = definition.fields[at]![1];
  const list = given as ArrayLike<unknown>;
  if (typeof given !== "object" || given === null || list.length !== length)
    refuseField(definition, at, given);
  for (let place = 0; place < length; place++) {
    const number = list[place];
    if (typeof number !== "number") refuseField(definition, at, given);
    collected.numbers[collected.count + place] = number;
  }
}

/** Writes collected fields, `from .. end`, whose numbers start at `at`, into a row. @returns the place after the last number. */
export function writeFields(
  { places, numbers }: CollectedValues,
  from: number,
  end: number,
  at: number,
  lanes: Lanes,
  { fields }: Column,
  row: number,
): number {
  let number = at;
  for (let place = from; place < end; place++) {
    const field = fields[places[place]!]!;
    const { lane, length } = field;
    if (field.kind === "f32" && length === 1) lanes.f32[lane * lanes.stride + row] = numbers[number++]!;
    else {
      const first = lane * lanes.stride + row * length;
      const column = numbersOf(lanes, field);
      for (let item = 0; item < length; item++) column[first + item] = numbers[number++]!;
    }
  }
  return number;
}

/** A plain object of collected fields, with the parameters of `writeFields`. */
export function collectedObject(
  { places, numbers }: CollectedValues,
  { fields }: Definition,
  from: number,
  end: number,
  at: number,
): object {
  const copy: { [name: string]: unknown } = {};
  let number = at;
  for (let place = from; place < end; place++) {
    const [name, { kind, isList, length }] = fields[places[place]!]!;
    const first = numbers[number]!;
    if (isList) copy[name] = Array.from(numbers.subarray(number, number + length));
    else if (kind === "bool") copy[name] = first !== 0;
    else copy[name] = kind === "entity" && first === 0 ? undefined : first;
    number += length;
  }
  return copy;
}

/**
 * A plain copy of the given fields of a value that cannot be written now. Getters run here, and only here.
 * @throws as `collectValue`.
 */
export function checkedCopy(collected: CollectedValues, definition: Definition, value: unknown): unknown {
  const end = collectOne(collected, definition, value);
  if (value === undefined || definition.holds === "values") return value;
  return collectedObject(collected, definition, collected.fields, end, collected.count);
}

/**
 * Like `collectValue`, for a value that is used before anything else is collected: its place may be overwritten after that.
 * @returns the place after its last field; the first one is at `collected.fields`.
 */
export function collectOne(collected: CollectedValues, definition: Definition, value: unknown): number {
  const { fields, count } = collected;
  try {
    collectValue(collected, definition, value);
    return collected.fields;
  } finally {
    collected.fields = fields;
    collected.count = count;
  }
}

function refuse(text: string): never {
  throw new TreelineError("bad-value", text);
}

function refuseField(definition: Definition, at: number, given: unknown): never {
  const [name, field] = definition.fields[at]!;
  const text = field.isList ? shownList(field, given) : shown(given);
  refuse(`${definition.name}.${name} expects ${wanted(field)}, not ${text}`);
}

function namesOf({ fields }: Definition): string {
  return fields.map(([name]) => name).join(", ");
}

function wanted({ isList, length, kind }: Field): string {
  if (isList) return `a list of ${length} ${length === 1 ? "number" : "numbers"}`;
  if (kind === "bool") return "true or false";
  return kind === "entity" ? "a handle that spawn returned, or undefined" : "a number";
}

/** What is wrong with a list: its length, or else its first element that is not a number. */
function shownList({ length }: Field, given: unknown): string {
  const list = given as Partial<ArrayLike<unknown>>;
  if (typeof given !== "object" || given === null || typeof list.length !== "number") return shown(given);
  if (list.length !== length) return `a list of ${list.length}`;
  let place = 0;
  while (typeof list[place] === "number") place++;
  return `${shown(list[place])} at place ${place}`;
}
