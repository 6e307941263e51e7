import { TreelineError } from "../base/error.ts";
import { shortened, shown } from "../base/shown.ts";
import type { Definition } from "../id/definition.ts";
import type { Field } from "../id/field.ts";

/**
 * Refuses a value that cannot be written, before anything is changed. Fields may be left out, or be `undefined`.
 * Only the form is looked at: a field may hold the handle of an entity that is dead, it reads as `undefined` then.
 *
 * @throws TreelineError `bad-value` for data where none is carried, for what is no object of fields, for a field that
 *   the definition has not, and for a field of the wrong kind. Of several wrong fields the first one is named.
 */
export function checkValue(definition: Definition, value: unknown): void {
  if (value === undefined || definition.holds === "values") return;
  if (definition.holds === "nothing") refuseData(definition);
  if (typeof value !== "object" || value === null || Array.isArray(value)) refuseWhole(definition, value);
  checkFields(definition, value as Fields);
}

/** Numbers of values between their check and their row. */
export interface Gathered {
  readonly numbers: Float64Array;
  /** Which fields they are of, 0-based. */
  readonly places: Uint8Array;
  /** Grows with every gathering: accessors of a value may begin another one. */
  times: number;
}

export function createGathered(): Gathered {
  return { numbers: new Float64Array(64), places: new Uint8Array(64), times: 0 };
}

/**
 * Checks a value and keeps its numbers, from place `from` on. Does so for objects that name fields in the order of the
 * schema, all of them of one number: what nearly everybody writes. One pass, since reading a property by a name that
 * changes from call to call takes V8 ten nanoseconds each time.
 *
 * @returns how many there are; -1 if the value is another, and nothing is decided.
 */
export function gather(
  gathered: Gathered,
  { fields, isFlat }: Definition,
  value: unknown,
  from: number,
): number {
  const { numbers, places } = gathered;
  if (!isFlat || typeof value !== "object" || value === null || from + fields.length > numbers.length)
    return -1;
  const time = ++gathered.times;
  let at = 0;
  let count = 0;
  for (const name in value) {
    while (at < fields.length && fields[at]![0] !== name) at++;
    if (at === fields.length) return -1;
    const given = (value as Fields)[name];
    if (typeof given !== "number") return -1;
    numbers[from + count] = given;
    places[from + count] = at;
    count++;
    at++;
  }
  // Accessors of a class are no names that the loop meets.
  const isWhole = count === fields.length || Object.getPrototypeOf(value) === Object.prototype;
  return count > 0 && isWhole && time === gathered.times ? count : -1;
}

type Fields = { readonly [name: string]: unknown };

function checkFields(definition: Definition, value: Fields): void {
  const { fields } = definition;
  let checked = 0;
  for (const name in value) {
    // Values mostly name their fields in the order of the schema.
    const at = checked < fields.length && fields[checked]![0] === name ? checked : placeOf(fields, name);
    if (at >= 0) {
      const given = value[name];
      if (given !== undefined && !fits(fields[at]![1], given)) refuseField(definition, at, given);
      checked++;
    } else if (!(name in Object.prototype)) refuseName(definition, name);
  }
  if (checked < fields.length && Object.getPrototypeOf(value) !== Object.prototype) {
    checkHidden(definition, value);
  }
}

function placeOf(fields: Definition["fields"], name: string): number {
  for (let at = 0; at < fields.length; at++) if (fields[at]![0] === name) return at;
  return -1;
}

/** The accessors of a class are no names that a loop over the value meets, yet they are read when it is written. */
function checkHidden(definition: Definition, value: Fields): void {
  const { fields } = definition;
  for (let at = 0; at < fields.length; at++) {
    const given = value[fields[at]![0]];
    if (given !== undefined && !fits(fields[at]![1], given)) refuseField(definition, at, given);
  }
}

function fits(field: Field, given: unknown): boolean {
  if (field.isList) return isListOf(field.length, given);
  switch (field.kind) {
    case "bool":
      return typeof given === "boolean";
    case "entity":
      return Number.isSafeInteger(given) && (given as number) > 0;
    default:
      return typeof given === "number";
  }
}

function isListOf(length: number, given: unknown): boolean {
  if (typeof given !== "object" || given === null) return false;
  const list = given as ArrayLike<unknown>;
  if (list.length !== length) return false;
  for (let place = 0; place < length; place++) if (typeof list[place] !== "number") return false;
  return true;
}

function refuseData({ name, kind }: Definition): never {
  const instead = kind === "relation" ? `${name}(entity)` : name;
  throw new TreelineError("bad-value", `${name} carries no values; give ${instead} alone`);
}

function refuseWhole(definition: Definition, value: unknown): never {
  throw new TreelineError(
    "bad-value",
    `${definition.name} takes an object with ${namesOf(definition)}, not ${shown(value)}`,
  );
}

function refuseName(definition: Definition, name: string): never {
  throw new TreelineError(
    "bad-value",
    `${definition.name} has no field ${shortened(name)}; it has ${namesOf(definition)}`,
  );
}

function refuseField(definition: Definition, at: number, given: unknown): never {
  const [name, field] = definition.fields[at]!;
  throw new TreelineError(
    "bad-value",
    `${definition.name}.${name} takes ${wanted(field)}, not ${field.isList ? shownList(field, given) : shown(given)}`,
  );
}

function namesOf({ fields }: Definition): string {
  return fields.map(([name]) => name).join(", ");
}

function wanted({ isList, length, kind }: Field): string {
  if (isList) return `a list of ${length} ${length === 1 ? "number" : "numbers"}`;
  if (kind === "bool") return "true or false";
  return kind === "entity" ? "a handle that spawn gave, or undefined for nobody" : "a number";
}

/** What is wrong with a list: its length, or else its first element that is no number. */
function shownList({ length }: Field, given: unknown): string {
  const list = given as Partial<ArrayLike<unknown>>;
  if (typeof given !== "object" || given === null || typeof list.length !== "number") return shown(given);
  if (list.length !== length) return `a list of ${list.length}`;
  let place = 0;
  while (typeof list[place] === "number") place++;
  return `${shown(list[place])} at place ${place}`;
}
