import { shortened, shown, TreelineError } from "../../base/error.ts";
import type { Definition } from "../../id/definition.ts";
import type { Field } from "../../id/field.ts";
import { type Column, type LaneField, type Lanes, numbersOf } from "../../storage/lanes.ts";

/**
 * Values between the call that gives them and the row that gets them: every field is read once, checked, and kept as
 * numbers, so that nothing a getter does comes between a check and a write. One record per world.
 */
export interface Gathered {
  /** Numbers of all fields read so far, in the order of reading; a list takes as many as it is long. */
  numbers: Float64Array<ArrayBuffer>;
  count: number;
  /** The place in the schema of each field read so far. */
  places: Uint16Array<ArrayBuffer>;
  fields: number;
  /** Of each term read so far: the place behind its last field. */
  ends: Uint16Array<ArrayBuffer>;
  terms: number;
  /** The values of the last list of terms named their fields in the order of the schema. */
  isInOrder: boolean;
}

/** Numbers and places that there is room for from the first on. */
const FIRST_ROOM = 64;

export function createGathered(): Gathered {
  return {
    numbers: new Float64Array(FIRST_ROOM),
    count: 0,
    places: new Uint16Array(FIRST_ROOM),
    fields: 0,
    ends: new Uint16Array(16),
    terms: 0,
    isInOrder: true,
  };
}

type Fields = { readonly [name: string]: unknown };

/**
 * Reads a value that is to be written, behind what was gathered before. Fields may be left out or `undefined`. Only the form is
 * checked: a field may hold the handle of an entity that is not alive, it reads as `undefined` then.
 *
 * @throws TreelineError `bad-value` for data where none is carried, for what is no object of fields, for a field that
 *   the definition has not, and for a field of the wrong kind. Of several wrong fields the first one is named.
 */
export function gatherValue(gathered: Gathered, definition: Definition, value: unknown): void {
  if (value === undefined || definition.holds === "values") return;
  if (definition.holds === "nothing") refuseData(definition);
  if (typeof value !== "object" || value === null || Array.isArray(value)) refuseWhole(definition, value);
  const { fields, isFlat } = definition;
  const from = gathered.fields;
  let { count, fields: read } = gathered;
  let next = 0;
  let isInOrder = true;
  for (const name in value) {
    // Values mostly name their fields in the order of the schema.
    let at = next;
    if (at >= fields.length || fields[at]![0] !== name) {
      isInOrder = false;
      at = placeOf(fields, name);
      if (at < 0) {
        if (name in Object.prototype) continue;
        refuseName(definition, name);
      }
    }
    next = at + 1;
    gathered.count = count; // a getter may gather other values behind these
    gathered.fields = read;
    const given = (value as Fields)[name];
    if (isFlat && typeof given === "number" && count < FIRST_ROOM && read < FIRST_ROOM) {
      gathered.numbers[count++] = given;
      gathered.places[read++] = at;
    } else {
      gatherField(gathered, definition, at, given);
      count = gathered.count;
      read = gathered.fields;
    }
  }
  gathered.count = count;
  gathered.fields = read;
  if (!isInOrder) gathered.isInOrder = false;
  if (read - from < fields.length && Object.getPrototypeOf(value) !== Object.prototype) {
    gatherHidden(gathered, definition, value as Fields, from);
  }
}

function placeOf(fields: Definition["fields"], name: string): number {
  for (let at = 0; at < fields.length; at++) if (fields[at]![0] === name) return at;
  return -1;
}

/** The accessors of a class are no names that a loop over the value meets, yet they are read. */
function gatherHidden(gathered: Gathered, definition: Definition, value: Fields, from: number): void {
  const { fields } = definition;
  gathered.isInOrder = false;
  const met = new Set(gathered.places.subarray(from, gathered.fields));
  for (let at = 0; at < fields.length; at++) {
    const [name] = fields[at]!;
    if (!met.has(at) && name in value) gatherField(gathered, definition, at, value[name]);
  }
}

function gatherField(gathered: Gathered, definition: Definition, at: number, given: unknown): void {
  const field = definition.fields[at]![1];
  if (given === undefined && field.kind !== "entity") return;
  if (gathered.fields === gathered.places.length) {
    const longer = new Uint16Array(gathered.fields * 2);
    longer.set(gathered.places);
    gathered.places = longer;
  }
  const end = gathered.count + field.length;
  if (end > gathered.numbers.length) {
    const longer = new Float64Array(Math.max(end, gathered.numbers.length * 2));
    longer.set(gathered.numbers);
    gathered.numbers = longer;
  }
  if (field.isList) gatherList(gathered, definition, at, given);
  else gathered.numbers[gathered.count] = numberOf(definition, at, given);
  gathered.count = end;
  gathered.places[gathered.fields++] = at;
}

function numberOf(definition: Definition, at: number, given: unknown): number {
  switch (definition.fields[at]![1].kind) {
    case "bool":
      if (typeof given === "boolean") return given ? 1 : 0;
      break;
    case "entity":
      if (given === undefined) return 0;
      if (Number.isSafeInteger(given) && (given as number) > 0) return given as number;
      break;
    default:
      if (typeof given === "number") return given;
  }
  refuseField(definition, at, given);
}

function gatherList(gathered: Gathered, definition: Definition, at: number, given: unknown): void {
  const { length } = definition.fields[at]![1];
  const list = given as ArrayLike<unknown>;
  if (typeof given !== "object" || given === null || list.length !== length)
    refuseField(definition, at, given);
  for (let place = 0; place < length; place++) {
    const number = list[place];
    if (typeof number !== "number") refuseField(definition, at, given);
    gathered.numbers[gathered.count + place] = number;
  }
}

/**
 * Writes gathered fields into a row.
 *
 * @param from the first field, `end` behind the last one, as counted by `ends`.
 * @param at the place of its first number.
 * @returns the place behind the last number.
 */
export function writeFields(
  { places, numbers }: Gathered,
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
    if (field.kind === "f32" && field.length === 1) {
      lanes.f32[field.lane * lanes.stride + row] = numbers[number++]!;
    } else number = writeOther(numbers, number, lanes, field, row);
  }
  return number;
}

function writeOther(
  numbers: Float64Array,
  from: number,
  lanes: Lanes,
  field: LaneField,
  row: number,
): number {
  const column = numbersOf(lanes, field);
  const at = field.lane * lanes.stride + row * field.length;
  for (let place = 0; place < field.length; place++) column[at + place] = numbers[from + place]!;
  return from + field.length;
}

/** A plain object of gathered fields, `from .. end`, whose numbers begin at `at`. */
export function gatheredObject(
  { places, numbers }: Gathered,
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
 * A plain copy of a value that cannot be written now. Its fields are those given; JavaScript values are what they are. Getters
 * run here, for the only time.
 *
 * @throws TreelineError as `gatherValue`.
 */
export function checkedCopy(gathered: Gathered, definition: Definition, value: unknown): unknown {
  const { fields, count } = gathered;
  try {
    gatherValue(gathered, definition, value);
    return value === undefined || definition.holds === "values"
      ? value
      : gatheredObject(gathered, definition, fields, gathered.fields, count);
  } finally {
    gathered.fields = fields;
    gathered.count = count;
  }
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
