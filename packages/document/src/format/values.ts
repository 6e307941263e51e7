// JavaScript values as plain data, and back (`valueToJson`, `valueFromJson`); references in kept data (`mapReferences`).
import { shown } from "@treeline/core/internal";
import { type Json, put } from "./document.ts";
import { refuseDocument } from "./error.ts";
import { VALUE_DEPTH } from "./limits.ts";
import { numberFromJson, numberToJson } from "./numbers.ts";

type Data = { readonly [name: string]: unknown };

/** Is it an object that is no list? */
export function isObject(data: unknown): data is Data {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}

/** A place in a list or an object, for messages. */
export function placeIn(place: string, name: string | number): string {
  if (typeof name === "number") return `${place}[${name}]`;
  if (/^[\w$]+$/.test(name)) return place === "" ? name : `${place}.${name}`;
  return `${place}[${JSON.stringify(name)}]`;
}

/**
 * A JavaScript value as plain data. What JSON lacks is marked by an object with one member whose name begins with `$`; an object of
 * the value that has such a member is marked itself. Members are sorted by name, so that equal values have equal texts.
 *
 * @param place for errors. @throws DocumentError for what is no plain data.
 */
export function valueToJson(value: unknown, place: () => string, depth = 0): Json {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number": {
      const number = numberToJson(value);
      return typeof number === "number" ? number : { $number: number };
    }
    case "undefined":
      return { $undefined: true };
    case "object":
      break;
    default:
      return refuseValue(value, place());
  }
  if (value === null) return null;
  if (depth === VALUE_DEPTH) {
    CHECK: refuseDocument(place(), `a value has more than ${VALUE_DEPTH} levels; give it withCodec`);
    refuseDocument(place(), `a value has more than ${VALUE_DEPTH} levels`);
  }
  if (Array.isArray(value)) {
    const list: Json[] = [];
    for (let at = 0; at < value.length; at++)
      list.push(valueToJson(value[at], () => placeIn(place(), at), depth + 1));
    return list;
  }
  requirePlain(value, place);
  const data: { [name: string]: Json } = {};
  let isMarked = false;
  for (const name of Object.keys(value).sort()) {
    if (name.startsWith("$")) isMarked = true;
    put(
      data,
      name,
      valueToJson((value as Data)[name], () => placeIn(place(), name), depth + 1),
    );
  }
  return isMarked ? { $object: data } : data;
}

/** Refuses maps, dates and objects of classes; plain objects may be those of another realm, such as a frame. */
function requirePlain(value: object, place: () => string): void {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) refuseValue(value, place());
}

function refuseValue(value: unknown, place: string): never {
  const { name } = (Object(value) as object).constructor ?? {};
  const what = typeof value === "object" && name ? `an object of ${name}` : shown(value);
  let text = `${what} is no plain data`;
  CHECK: text += "; give the component a codec: withCodec(C, { write, read })";
  return refuseDocument(place, text);
}

/** The value of plain data: the opposite of `valueToJson`. A new copy. @throws DocumentError for a mark that there is not. */
export function valueFromJson(data: unknown, place: () => string, depth = 0): unknown {
  if (typeof data !== "object" || data === null) return data;
  requireDepth(depth, place);
  if (Array.isArray(data))
    return data.map((one, at) => valueFromJson(one, () => placeIn(place(), at), depth + 1));
  requirePlain(data, place);
  const names = Object.keys(data);
  const [first] = names;
  if (first?.startsWith("$") && names.length === 1) {
    const marked = (data as Data)[first];
    if (first === "$undefined" && marked === true) return undefined;
    if (first === "$number" && typeof marked === "string" && numberFromJson(marked) !== undefined)
      return numberFromJson(marked);
    if (first === "$object" && isObject(marked)) return copyObject(marked, place, depth);
  }
  if (names.some((name) => name.startsWith("$")))
    refuseDocument(place(), 'an object with a member that begins with "$" is written { "$object": ... }');
  return copyObject(data as Data, place, depth);
}

function copyObject(data: Data, place: () => string, depth: number): object {
  const copy = {};
  for (const name of Object.keys(data))
    put(
      copy,
      name,
      valueFromJson(data[name], () => placeIn(place(), name), depth + 1),
    );
  return copy;
}

/** @throws DocumentError. */
export function requireDepth(depth: number, place: () => string): void {
  if (depth >= VALUE_DEPTH) refuseDocument(place(), `a value has more than ${VALUE_DEPTH} levels`);
}

/** A copy of plain data in which references are replaced, wherever they are. Other marks stay. */
export function mapReferences(
  data: Json,
  map: (reference: { readonly [name: string]: Json }) => Json | undefined,
  place: () => string,
  depth = 0,
): Json {
  if (typeof data !== "object" || data === null) return data;
  requireDepth(depth, place);
  if (Array.isArray(data)) return data.map((one) => mapReferences(one as Json, map, place, depth + 1));
  const whole = data as { readonly [name: string]: Json };
  if (Object.hasOwn(whole, "$entity")) {
    const mapped = map(whole);
    if (mapped !== undefined) return mapped;
  }
  const marked = isObject(whole.$object) ? (whole.$object as { readonly [name: string]: Json }) : undefined;
  const copy: { [name: string]: Json } = {};
  for (const name of Object.keys(marked ?? whole))
    put(copy, name, mapReferences((marked ?? whole)[name]!, map, place, depth + 1));
  return marked === undefined ? copy : { $object: copy };
}

/** The text of a file without the byte order mark that some editors put before it. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
