// Sheets as entities of the flat form (`entitiesOf`), which JSON documents are read from.
import type { EntityData, Json } from "../format/document.ts";
import { put } from "../format/document.ts";
import { refuseDocument } from "../format/error.ts";
import { numberToJson, shortestF32 } from "../format/numbers.ts";
import { isObject, placeIn } from "../format/values.ts";
import type { Decoded, Sheet, StoredColumn, StoredField } from "./decode.ts";
import { FIELDS, TAG } from "./kinds.ts";

/** The members that JSON beside columns may have. */
const BESIDE = new Set(["components", "tags", "entityTags", "pairs"]);

/** The entities of a binary document as those of the flat JSON form. The id of each is its place, from 1. */
export function entitiesOf(decoded: Decoded): EntityData[] {
  const { parents } = decoded;
  const entities: EntityData[] = [];
  for (let place = 0; place < parents.length; place++) {
    const data: EntityData = { id: place + 1 };
    if (parents[place] !== 0) data.parent = parents[place]!;
    entities.push(data);
  }
  const outside = decoded.outside.map((text, at) => parseJson(text, () => `outside[${at}]`));
  for (const sheet of decoded.sheets)
    for (let row = 0; row < sheet.places.length; row++) fill(entities, sheet, row, outside);
  return entities;
}

function fill(entities: readonly EntityData[], sheet: Sheet, row: number, outside: readonly Json[]): void {
  const number = sheet.places[row]!;
  const data = entities[number]!;
  const place = (): string => `entities[${number}]`;
  if (sheet.isNamed) data.name = sheet.names[row]!;
  if (sheet.isValueParent) {
    if (data.parent === undefined) refuseDocument(place(), "a root has no parent that is stored by value");
    data.storage = "Parent";
  }
  const components: { [name: string]: Json } = {};
  const tags: string[] = [];
  for (let at = 0; at < sheet.definitions.length; at++) {
    const { name, holds, fields } = sheet.definitions[at]!;
    const columns = sheet.columns[at]!;
    if (holds === TAG) {
      tags.push(name);
      continue;
    }
    const inside = (): string => placeIn(`${place()}.components`, name);
    let value: Json;
    if (holds === FIELDS) {
      value = {};
      for (let field = 0; field < fields.length; field++) {
        const stored = fields[field]!;
        const where = (): string => placeIn(inside(), stored.name);
        put(value, stored.name, jsonAt(stored, columns[field]!, row, entities.length, outside, where));
      }
    } else value = parseJson((columns[0] as readonly string[])[row]!, inside);
    put(components, name, value);
  }
  const other = sheet.others[row] ?? "";
  if (other !== "") {
    const more = parseJson(other, place);
    if (!isObject(more)) refuseDocument(place(), "expects an object beside the columns");
    for (const name of Object.keys(more)) {
      if (!BESIDE.has(name)) refuseDocument(placeIn(place(), name), "this is no member beside the columns");
      if (name !== "components" && name !== "tags") put(data, name, more[name]);
    }
    if (isObject(more.components)) {
      for (const name of Object.keys(more.components)) {
        if (Object.hasOwn(components, name))
          refuseDocument(placeIn(`${place()}.components`, name), "the entity has it in a column already");
        put(components, name, more.components[name]);
      }
    } else if (more.components !== undefined) refuseDocument(`${place()}.components`, "expects an object");
    if (Array.isArray(more.tags)) for (const one of more.tags) tags.push(one);
    else if (more.tags !== undefined) refuseDocument(`${place()}.tags`, "expects a list");
  }
  data.components = components;
  data.tags = tags;
}

function jsonAt(
  { kind, isList, length }: StoredField,
  column: StoredColumn,
  row: number,
  count: number,
  outside: readonly Json[],
  place: () => string,
): Json {
  if (isList) {
    const numbers = (column as Float32Array).subarray(row * length, (row + 1) * length);
    return Array.from(numbers, (number) => jsonOfNumber(kind, number));
  }
  if (kind === "value") return parseJson((column as readonly string[])[row]!, place);
  const number = (column as Float32Array)[row]!;
  if (kind === "bool") return number === 1;
  if (kind !== "entity") return jsonOfNumber(kind, number);
  if (number === 0) return null;
  return number <= count ? { $entity: number } : outside[number - count - 1]!;
}

function jsonOfNumber(kind: string, number: number): Json {
  return numberToJson(kind === "f32" ? shortestF32(number) : number);
}

export function parseJson(text: string, place: () => string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    return refuseDocument(place(), `the text is no JSON: ${(error as Error).message}`, error);
  }
}
