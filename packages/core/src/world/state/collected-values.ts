// Reads each field once, checks it (`bad-value`) and keeps it until it is written; `requireField` is for development.
import { shortened, shown, TreelineError } from "../../base/error.ts";
import { growAll, grownInt32 } from "../../base/growing.ts";
import type { Definition, DefinitionState } from "../../id/definition.ts";
import { misfitOf, takes } from "../../id/field.ts";
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
  /** What fields of the kind `value` were given, each at the place of its number. */
  values: unknown[] = [];
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
 *   for a field that the definition does not have, and for a field of the wrong kind; in checked builds also for a number that the
 *   field cannot hold. If several fields are wrong, the message names the first one.
 */
export function collectValue(collected: CollectedValues, definition: Definition, value: unknown): void {
  if (value === undefined) return;
  const { name: own, holds, fields, isFlat } = definition;
  if (holds === "values") {
    if (!takes(fields[0]![1], value)) refuseField(definition, 0, value);
    return;
  }
  if (holds === "nothing") {
    CHECK: refuse(`${own} carries no values; pass it without`);
    refuse(`${own} carries no values`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    CHECK: refuse(`${own} expects an object with ${namesOf(definition)}, not ${shown(value)}`);
    refuse(`${own} expects an object, not ${shown(value)}`);
  }
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
        CHECK: refuse(`${own} has no field ${shortened(name)}; it has ${namesOf(definition)}`);
        refuse(`${own} has no field ${shortened(name)}`);
      }
    }
    next = at + 1;
    collected.count = count; // a getter may collect other values after these
    collected.fields = read;
    const given = (value as Fields)[name];
    if (isFlat && typeof given === "number" && count < FIRST_ROOM && read < FIRST_ROOM) {
      CHECK: requireFits(definition, at, given);
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
  for (let at = 0; at < fields.length; at++) {
    const [name] = fields[at]!;
    if (!collected.places.subarray(from, collected.fields).includes(at) && name in value)
      collectField(collected, definition, at, value[name]);
  }
  collected.isInOrder = false; // values that getters collect have an order of their own
}

function collectField(collected: CollectedValues, definition: Definition, at: number, given: unknown): void {
  const field = definition.fields[at]![1];
  const { kind, rule, initial, length } = field;
  const { count } = collected;
  if (given === undefined && kind !== "entity" && initial !== undefined) return;
  collected.places = grownInt32(collected.places, collected.fields + 1);
  const end = count + length;
  if (end > collected.numbers.length) growAll(collected, end, "numbers");
  const { put } = rule;
  if (!(put === undefined ? takes(field, given) : put(given, collected, count)))
    refuseField(definition, at, given);
  CHECK: requireField(definition, at, given);
  if (put === undefined) (kind === "value" ? collected.values : collected.numbers)[count] = given as number;
  collected.count = end;
  collected.places[collected.fields++] = at;
}

/** Writes collected fields, `from .. end`, whose numbers start at `at`, into a row. @returns the place after the last number. */
export function writeFields(
  { places, numbers, values }: CollectedValues,
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
      const given = (field.slot < 0 ? numbers : values) as Float64Array;
      for (let item = 0; item < length; item++) column[first + item] = given[number++]!;
    }
  }
  return number;
}

/** A plain object of collected fields, with the parameters of `writeFields`. */
export function collectedObject(
  { places, numbers, values }: CollectedValues,
  { fields }: DefinitionState,
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
    else if (kind === "value") copy[name] = values[number];
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

/** For development builds. @throws TreelineError `bad-value` for a number that a field cannot hold. */
export function requireFits(
  { name: own, fields }: Definition & DefinitionState,
  at: number,
  number: number,
): void {
  const [name, { kind }] = fields[at]!;
  const holds = misfitOf(kind, number);
  if (holds !== undefined) refuse(`${own}.${name} cannot hold ${number}: ${holds}`);
}

/** For development builds, also where no verb writes. @throws TreelineError `bad-value` for a value that a field cannot hold. */
export function requireField(definition: Definition, at: number, given: unknown): void {
  const field = definition.fields[at]![1];
  const { put } = field.rule;
  if (put === undefined) {
    if (!takes(field, given)) refuseField(definition, at, given);
    if (typeof given === "number") requireFits(definition, at, given);
    return;
  }
  const taken = { numbers: new Float64Array(field.length), values: [] };
  if (!put(given, taken, 0)) refuseField(definition, at, given);
  for (const number of taken.numbers) requireFits(definition, at, number);
}

/** A value does not fit a field. @param at its place in the schema. @throws TreelineError `bad-value`. */
export function refuseField(definition: Definition, at: number, given: unknown): never {
  const [name, { rule }] = definition.fields[at]!;
  refuse(
    `${definition.name}${name && `.${name}`} expects ${rule.wanted}, not ${(rule.shown ?? shown)(given)}`,
  );
}

function namesOf({ fields }: Definition): string {
  return fields.map(([name]) => name).join(", ");
}
