// Rows and columns from bytes (`decode`, `Sheet`): sizes, order, limits; no definitions yet.
import type { Limits } from "../format/limits.ts";
import { ByteReader, type Lane } from "./bytes.ts";
import { BY_VALUE, ELSEWHERE, FIELDS, KINDS, laneFor, NAMED, OTHERS, TAG, VALUES, WIDTHS } from "./kinds.ts";

/** A field as a document has it. */
export interface StoredField {
  readonly name: string;
  readonly kind: string;
  readonly isList: boolean;
  /** Numbers in a row. */
  readonly length: number;
}

/** What a name of a document is. */
export interface StoredDefinition {
  readonly name: string;
  readonly version: number;
  /** `ELSEWHERE`, `TAG`, `VALUES` or `FIELDS`. */
  readonly holds: number;
  readonly fields: readonly StoredField[];
}

/** Numbers of a field, or JSON texts. */
export type StoredColumn = Lane | readonly string[];

/** Entities with the same components in columns. */
export interface Sheet {
  readonly isNamed: boolean;
  readonly isValueParent: boolean;
  /** By row: the place in the document, ascending. */
  readonly places: Uint32Array;
  readonly definitions: readonly StoredDefinition[];
  readonly names: readonly string[];
  /** By definition and field; the only one of JavaScript values; none of tags. */
  readonly columns: readonly (readonly StoredColumn[])[];
  /** By row: JSON of what is in no column, or "". Empty if no row has any. */
  readonly others: readonly string[];
}

/** A binary document, read but not understood yet. */
export interface Decoded {
  /** By place: 1 + the place of the parent, which is lower; 0 for roots. */
  readonly parents: Uint32Array;
  readonly definitions: readonly StoredDefinition[];
  readonly sheets: readonly Sheet[];
  /** JSON of references to entities outside. */
  readonly outside: readonly string[];
}

/** @throws DocumentError for bytes that are no document, damaged, or over the limits. */
export function decode(bytes: Uint8Array, limits: Limits): Decoded {
  const reader = new ByteReader(bytes, limits.bytes);
  const count = reader.count(4);
  if (count > limits.entities)
    reader.refuse(`the document has ${count} entities, more than the limit of ${limits.entities}`);
  const parents = reader.lane(new Uint32Array(count));
  const levels = new Int32Array(count);
  for (let place = 0; place < count; place++) {
    const parent = parents[place]!;
    if (parent > place)
      reader.refuse(`entities[${place}] has a parent that is not before it: number ${parent - 1}`);
    const level = parent === 0 ? 1 : levels[parent - 1]! + 1;
    levels[place] = level;
    if (level > limits.depth) reader.refuse(`the document has more than ${limits.depth} levels, the limit`);
  }
  const definitions = readDefinitions(reader);
  const sheets: Sheet[] = [];
  const seen = new Uint8Array(count);
  let rows = 0;
  for (let rest = reader.count(1); rest > 0; rest--) {
    const sheet = readSheet(reader, definitions, count + reader.last.length);
    for (const place of sheet.places) {
      if (place >= count || seen[place] === 1)
        reader.refuse(`there are no two rows of an entity, and no entity ${place} here`);
      seen[place] = 1;
    }
    rows += sheet.places.length;
    sheets.push(sheet);
  }
  if (rows !== count) reader.refuse(`${count} entities have ${rows} rows`);
  reader.end();
  return { parents, definitions, sheets, outside: reader.last };
}

function readDefinitions(reader: ByteReader): StoredDefinition[] {
  const definitions: StoredDefinition[] = [];
  for (let rest = reader.count(1); rest > 0; rest--) {
    const name = reader.text();
    if (definitions.length > 0 && definitions.at(-1)!.name >= name)
      reader.refuse(`${JSON.stringify(name)} is not sorted by its name`);
    const version = reader.number();
    if (version < 1) reader.refuse(`a version is a whole number from 1, not ${version}`);
    const holds = reader.number();
    if (holds > FIELDS) reader.refuse(`no definition is of the kind ${holds}`);
    const fields: StoredField[] = [];
    for (let more = holds === FIELDS ? reader.count(1) : 0; more > 0; more--) {
      const field = reader.text();
      if (fields.some((one) => one.name === field)) reader.refuse(`${name} has two fields named ${field}`);
      const kind = KINDS[reader.number()] ?? reader.refuse(`${name}.${field} has a kind that there is not`);
      const length = reader.number();
      if (length > 0 && KINDS.indexOf(kind) >= KINDS.indexOf("bool"))
        reader.refuse(`${name}.${field} cannot be a list`);
      fields.push({ name: field, kind, isList: length > 0, length: length || 1 });
    }
    definitions.push({ name, version, holds, fields });
  }
  return definitions;
}

/** @param entities how many there are, with those outside. */
function readSheet(reader: ByteReader, known: readonly StoredDefinition[], entities: number): Sheet {
  const flags = reader.number();
  if (flags > (NAMED | BY_VALUE | OTHERS)) reader.refuse(`no rows are of the kind ${flags}`);
  const places = reader.lane(new Uint32Array(reader.count(4)));
  const count = places.length;
  for (let row = 1; row < count; row++)
    if (places[row]! <= places[row - 1]!) reader.refuse("rows are not in the order of the document");
  const definitions: StoredDefinition[] = [];
  let last = -1;
  for (let rest = reader.count(1); rest > 0; rest--) {
    const number = reader.number();
    const one = known[number];
    if (number <= last || one === undefined || one.holds === ELSEWHERE)
      return reader.refuse(`${number} is no number of a component that comes next`);
    last = number;
    definitions.push(one);
  }
  const texts = (): string[] => {
    const list: string[] = [];
    for (let row = 0; row < count; row++) list.push(reader.text());
    return list;
  };
  const names = (flags & NAMED) !== 0 ? texts() : [];
  const columns = definitions.map(({ holds, fields }): StoredColumn[] => {
    if (holds === TAG) return [];
    if (holds === VALUES) return [texts()];
    return fields.map(({ kind, length }) => {
      const width = WIDTHS[KINDS.indexOf(kind)];
      if (width === undefined) return texts();
      reader.requireRest(count * length * width);
      const lane = reader.lane(laneFor(kind, count * length)!);
      const most = kind === "bool" ? 1 : kind === "entity" ? entities : undefined;
      if (most !== undefined)
        for (const number of lane) if (number > most) reader.refuse(`${number} is no ${kind} here`);
      return lane;
    });
  });
  const others = (flags & OTHERS) !== 0 ? texts() : [];
  return {
    isNamed: (flags & NAMED) !== 0,
    isValueParent: (flags & BY_VALUE) !== 0,
    places,
    definitions,
    names,
    columns,
    others,
  };
}
